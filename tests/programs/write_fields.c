/* Writes the known flow of tests/unit/output_fixture.h as fields of three steps, the middle one of them
 * diverged, for tests/system/test_fields.py to read back. Usage: write_fields FOLDER single|double lattice|si
 * 2|3 (dimensions) */
#include "graph/base/error.h"
#include "src/output/output_fields.h"
#include "tests/unit/output_fixture.h"

#include <stdio.h>
#include <string.h>

static int write_steps(const struct weir_case *c, const char *folder) {
    const struct weir_output output =
        fields_output(c, 1u << WEIR_DENSITY | 1u << WEIR_PRESSURE | 1u << WEIR_VELOCITY | 1u << WEIR_SPEED);
    static const int block_cells[3] = {8, 8, 8};
    struct weir_output_fields *fields;
    struct weir_writer *writer = start_writer();
    WEIR_TRY(weir_output_fields_create(c, &output, folder, block_cells, writer, &fields));
    struct weir_sink sink = weir_output_fields_sink(fields);
    int result = observe(writer, &sink, c, 0, 8, true);
    if (result == 0)
        result = observe(writer, &sink, c, 10, 16, false);
    if (result == 0)
        result = observe(writer, &sink, c, 20, 16, true);
    weir_writer_destroy(writer);
    weir_output_fields_destroy(fields);
    return result;
}

int main(int argc, char **argv) {
    struct weir_case c;
    if (argc != 5)
        return WEIR_USAGE;
    fill_case(&c, 20, 14, strcmp(argv[4], "3") == 0 ? 11 : 1, true);
    if (strcmp(argv[2], "double") == 0)
        c.problem.precision = WEIR_DOUBLE;
    if (strcmp(argv[3], "si") == 0)
        c.units = (struct weir_units){.si = true, .length = 0.002, .time = 0.0005, .density = 998.0};
    int result = write_steps(&c, argv[1]);
    if (result < 0)
        fprintf(stderr, "%s\n", weir_error_text());
    return -result;
}
