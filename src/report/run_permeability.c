#include "src/report/run_permeability.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "src/common/table_file.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdlib.h>

/* Above these a value is not what it is called. */
static const double imbalance_most = 0.01, reynolds_most = 0.1;

/* The last value in a column; NaN: there is none. */
static double last(const struct weir_table *table, const char *name) {
    const int column = weir_table_find(table, name);
    return column >= 0 && table->rows > 0 ? weir_table_column(table, column)[table->rows - 1] : NAN;
}

static json_t *last_of_each(const struct weir_table *table, const char *const names[3]) {
    json_t *list = json_array();
    for (int axis = 0; axis < 3; axis++)
        json_array_append_new(list, weir_json_of_number(last(table, names[axis])));
    return list;
}

static void warn(const struct weir_table *table, const char *name, struct weir_warnings *warnings) {
    const double imbalance = last(table, "imbalance"), reynolds = last(table, "reynolds");
    if (fabs(imbalance) > imbalance_most)
        weir_warn(
            warnings,
            "%s: solids carry %.3g %% of the force: the flow is not steady yet, and the permeability off "
            "by about as much as is missing; give more run.steps",
            name, 100 * (1 - imbalance));
    if (reynolds > reynolds_most)
        weir_warn(
            warnings,
            "%s: Reynolds %.2g (velocity * square root of permeability / viscosity): inertia may make the "
            "permeability smaller; give a smaller force",
            name, reynolds);
}

static int add_output(const struct weir_case *c, const struct weir_output *output, const char *directory,
                      int64_t fluid_cells, struct weir_warnings *warnings, json_t *permeability) {
    static const char *const columns[] = {"permeability_x", "permeability_y", "permeability_z"},
                             *const velocities[] = {"darcy_velocity_x", "darcy_velocity_y",
                                                    "darcy_velocity_z"};
    const int *cells = c->problem.cells;
    char *path;
    struct weir_table table;
    WEIR_TRY(weir_output_path(directory, output->name, -1, ".csv", &path));
    const int error = weir_table_read(path, &table);
    free(path);
    WEIR_TRY(error);
    warn(&table, output->name, warnings);
    const double porosity = (double)fluid_cells / ((double)cells[0] * cells[1] * cells[2]);
    json_object_set_new(
        permeability, output->name,
        json_pack("{s:I, s:o, s:o, s:o, s:f, s:o, s:o}", "step", (json_int_t)last(&table, "step"),
                  "permeability", weir_json_of_number(last(&table, "permeability")), "column",
                  last_of_each(&table, columns), "darcy_velocity", last_of_each(&table, velocities),
                  "porosity", porosity, "imbalance", weir_json_of_number(last(&table, "imbalance")),
                  "reynolds", weir_json_of_number(last(&table, "reynolds"))));
    weir_table_release(&table);
    return 0;
}

int weir_run_permeability(const struct weir_case *c, const char *directory, int64_t fluid_cells,
                          struct weir_warnings *warnings, json_t **permeability) {
    *permeability = json_object();
    for (int k = 0; k < c->output_count; k++) {
        const struct weir_output *output = &c->outputs[k];
        const int error = output->type == WEIR_OUTPUT_PERMEABILITY
                              ? add_output(c, output, directory, fluid_cells, warnings, *permeability)
                              : 0;
        if (error != 0) {
            json_decref(*permeability);
            *permeability = NULL;
            return error;
        }
    }
    return 0;
}
