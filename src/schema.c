#include "src/schema.h"

#include "graph/base/error.h"
#include "src/case/case_keys.h"
#include "src/key_guide.h"
#include "src/key_schema.h"

#include <stdio.h>
#include <string.h>

static int print_schema(void) {
    json_t *schema = weir_key_schema();
    if (!schema)
        return weir_fail(WEIR_FAILED, "no memory left for the schema");
    weir_key_schema_print(schema, stdout);
    json_decref(schema);
    return 0;
}

int weir_schema(int argc, char **argv) {
    const char *what = argc == 1 ? "case" : argc == 2 ? argv[1] : "";
    if (strcmp(what, "case") == 0)
        return print_schema();
    if (strcmp(what, "tables") == 0)
        weir_key_guide_print(stdout);
    else if (strcmp(what, "keys") == 0)
        weir_case_print_keys(stdout);
    else
        return weir_fail(WEIR_USAGE,
                         "\"%s\": weir schema prints one of three things; give case (the schema of "
                         "case files), tables (of the user guide) or keys",
                         what);
    return 0;
}
