/* Reads a case as weir does and says what is wrong with it, without StarPU or a run: stands in for weir in
 * tests/system/test_bad_cases.py and test_schema.py, which thereby run under sanitizers too.
 * Usage: read_case run|check CASE [--set PATH=VALUE]... [--out DIR], or read_case check --keys. */
#include "graph/error.h"
#include "src/case.h"
#include "src/case_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *sets[16];
    int set_count = 0;
    struct weir_case *c;

    if (argc == 3 && strcmp(argv[2], "--keys") == 0) {
        weir_case_print_keys(stdout);
        return 0;
    }
    if (argc < 3)
        return WEIR_USAGE;
    for (int i = 3; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--set") == 0 && set_count < 16)
            sets[set_count++] = argv[i + 1];
    int error = weir_case_read(argv[2], sets, set_count, &c);
    if (error < 0) {
        fprintf(stderr, "%s\n", weir_error_text());
        return -error;
    }
    printf("%s: %d x %d x %d cells, tau %.9g, Ma %.3g\n", c->name, c->problem.cells[0], c->problem.cells[1],
           c->problem.cells[2], c->problem.relaxation_time, c->characteristic_velocity / 0.57735);
    weir_case_destroy(c);
    return 0;
}
