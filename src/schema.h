/* weir schema: prints what follows from the rows of what can be computed, for configs/schema.json, docs/ and
 * tests. Not shown by --help. */
#ifndef WEIR_SRC_SCHEMA_H
#define WEIR_SRC_SCHEMA_H

/* argv[0] is "schema"; argv[1]: "case" (or nothing), "tables" or "keys". -WEIR_USAGE for anything else. */
int weir_schema(int argc, char **argv);

#endif
