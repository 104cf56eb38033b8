#include "src/report/run_statistics.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "src/output/table_stretch.h"
#include "src/report/json_numbers.h"

#include <stdlib.h>
#include <string.h>

/* Strouhal number of a frequency of 1, in the units of the output; 0: the output has no reference length. */
static double strouhal_of_one(const struct weir_case *c, const struct weir_output *output) {
    return output->reference_length > 0 ? output->reference_length * c->units.length /
                                              (output->reference_velocity * weir_units_velocity(&c->units))
                                        : 0;
}

static bool is_coefficient(const char *column) {
    return strncmp(column, "c_x(", 4) == 0 || strncmp(column, "c_y(", 4) == 0 ||
           strncmp(column, "c_z(", 4) == 0;
}

static json_t *column_object(const struct weir_column_statistics *s, double strouhal) {
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", weir_json_of_number(s->mean), "rms",
                  weir_json_of_number(s->rms), "least", weir_json_of_number(s->least), "greatest",
                  weir_json_of_number(s->greatest), "frequency", weir_json_of_number(s->frequency));
    if (strouhal > 0)
        json_object_set_new(object, "strouhal", weir_json_of_number(s->frequency * strouhal));
    return object;
}

/* The columns behind step and time. */
static int add_columns(const struct weir_table *table, const struct weir_table_stretch *stretch,
                       double strouhal, json_t *columns) {
    for (int k = 2; k < table->columns && stretch->rows > 0; k++) {
        struct weir_column_statistics s;
        WEIR_TRY(weir_table_statistics(table, stretch, k, &s));
        json_object_set_new(columns, table->names[k],
                            column_object(&s, is_coefficient(table->names[k]) ? strouhal : 0));
    }
    return 0;
}

static int add_output(const struct weir_case *c, const struct weir_output *output, const char *directory,
                      json_t *statistics) {
    char *path;
    struct weir_table table;
    WEIR_TRY(weir_output_path(directory, output->name, -1, ".csv", &path));
    int error = weir_table_read(path, &table);
    free(path);
    WEIR_TRY(error);
    const struct weir_table_stretch stretch = weir_table_stretch(&table, output->statistics_from);
    json_t *columns = json_object();
    error = add_columns(&table, &stretch, strouhal_of_one(c, output), columns);
    json_object_set_new(statistics, output->name,
                        json_pack("{s:I, s:I, s:I, s:o}", "from_step", (json_int_t)stretch.from, "to_step",
                                  (json_int_t)stretch.to, "rows", (json_int_t)stretch.rows, "columns",
                                  columns));
    weir_table_release(&table);
    return error;
}

int weir_run_statistics(const struct weir_case *c, const char *directory, json_t **statistics) {
    *statistics = json_object();
    for (int k = 0; k < c->output_count; k++) {
        const struct weir_output *output = &c->outputs[k];
        const int error = output->statistics_from >= 0 ? add_output(c, output, directory, *statistics) : 0;
        if (error != 0) {
            json_decref(*statistics);
            return error;
        }
    }
    return 0;
}
