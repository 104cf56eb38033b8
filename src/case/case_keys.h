/* Every key a case file may have: the root of all rows. */
#ifndef WEIR_SRC_CASE_CASE_KEYS_H
#define WEIR_SRC_CASE_CASE_KEYS_H

#include "src/case/key.h"
#include "src/common/json_reader.h"

#include <stdio.h>

/* The keys of the root. */
extern const struct weir_key weir_case_keys[];

/* The row of a key of the root; there is one of this name. */
const struct weir_key *weir_case_root_key(const char *name);

/* What each object of a case file may hold, the root first, as weir_json_object takes it; and the same for a
 * file that ranks.map names. Static. */
const struct weir_json_keys *weir_case_known_keys(void);
const struct weir_json_keys *weir_case_known_map_keys(void);

/* Prints every key with its path, one per line: "run.steps", "output[].every". */
void weir_case_print_keys(FILE *stream);

#endif
