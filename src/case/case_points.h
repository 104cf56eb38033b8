/* The points that an output names in a file of its own, as a part of the case. */
#ifndef WEIR_SRC_CASE_CASE_POINTS_H
#define WEIR_SRC_CASE_CASE_POINTS_H

#include "src/common/json_reader.h"

enum { WEIR_POINTS_MOST = 10000 }; /* of one output */

/* Where output[].points of a case's tree is the name of a CSV file, puts the file's points in its place, as a
 * list of lists: what is compared between ranks and kept beside results is then all there is. A row of the
 * file has two or three numbers; a first row of names, empty rows and those that begin with # are left out.
 * -WEIR_USAGE where it cannot be read, with file, line and what is wrong. */
int weir_case_load_points(json_t *root, const struct weir_json_source *source);

#endif
