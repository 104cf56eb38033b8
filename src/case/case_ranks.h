/* The map of ranks that a case names, as a part of the case. */
#ifndef WEIR_SRC_CASE_CASE_RANKS_H
#define WEIR_SRC_CASE_CASE_RANKS_H

#include "src/common/json_reader.h"

/* Where ranks.map of a case's tree is the name of a file, puts that file's contents in its place: what is
 * compared between ranks and kept beside results is then all there is. *file: its path, the caller's (also on
 * failure); NULL where no file is named. -WEIR_USAGE where it cannot be read. */
int weir_case_load_map(json_t *root, const struct weir_json_source *source, char **file);

#endif
