#include "src/output/output_permeability.h"

#include "graph/base/error.h"
#include "src/case/speed.h"
#include "src/output/formats/growing_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct weir_output_permeability {
    const struct weir_case *c;
    struct weir_growing_file *file;
    double cells, fluid_cells;
    double viscosity;    /* kinematic, lattice units */
    double force;        /* magnitude, per volume */
    double direction[3]; /* of the force */
};

static int write_header(const struct weir_output_permeability *permeability) {
    fputs("step,time,darcy_velocity_x,darcy_velocity_y,darcy_velocity_z,permeability_x,permeability_y,"
          "permeability_z,permeability,imbalance,reynolds\n",
          weir_growing_file_stream(permeability->file));
    const int error = weir_growing_file_flush(permeability->file);
    if (error < 0)
        weir_growing_file_remove(permeability->file);
    return error;
}

int weir_output_permeability_create(const struct weir_case *c, const struct weir_output *output,
                                    const char *directory, int64_t first, int64_t fluid_cells,
                                    struct weir_output_permeability **result) {
    struct weir_output_permeability *permeability = calloc(1, sizeof *permeability);
    const struct weir_problem *p = &c->problem;
    if (!permeability)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    permeability->c = c;
    permeability->cells = (double)p->cells[0] * p->cells[1] * p->cells[2];
    permeability->fluid_cells = (double)fluid_cells;
    permeability->viscosity = weir_problem_viscosity(p);
    permeability->force = weir_speed(p->force);
    for (int axis = 0; axis < 3; axis++)
        permeability->direction[axis] = p->force[axis] / permeability->force;
    int error = weir_growing_file_create(directory, output->name, first, &permeability->file);
    if (error == 0 && weir_growing_file_is_new(permeability->file))
        error = write_header(permeability);
    if (error < 0) {
        weir_output_permeability_destroy(permeability);
        return error;
    }
    *result = permeability;
    return 0;
}

static double along(const struct weir_output_permeability *permeability, const double vector[3]) {
    const double *const e = permeability->direction;
    return vector[0] * e[0] + vector[1] * e[1] + vector[2] * e[2];
}

/* The part of the force on the fluid that walls and solids do not carry yet. */
static double imbalance(const struct weir_output_permeability *permeability,
                        const struct weir_totals *totals) {
    double carried = 0;
    for (int wall = 1; wall < permeability->c->problem.wall_count; wall++)
        carried += along(permeability, totals->force[wall]);
    return 1 - carried / (permeability->force * permeability->fluid_cells);
}

/* With the momentum P of all fluid in a domain of volume V, whose mean density is r = m / V_f, the mean
 * velocity over fluid and solids is u = V_f / V P / m, and k = r nu u / f = nu P / (V f): N60. */
int weir_output_permeability_append(struct weir_output_permeability *permeability,
                                    const struct weir_totals *totals) {
    const struct weir_units *units = &permeability->c->units;
    FILE *stream = weir_growing_file_stream(permeability->file);
    double velocity[3], k[3];
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] =
            permeability->fluid_cells / permeability->cells * totals->momentum[axis] / totals->mass;
        k[axis] =
            permeability->viscosity * totals->momentum[axis] / permeability->cells / permeability->force;
    }
    const double here = along(permeability, k),
                 reynolds = weir_speed(velocity) * sqrt(fabs(here)) / permeability->viscosity;
    fprintf(stream, "%" PRId64 ",%.10g", totals->step, (double)totals->step * units->time);
    for (int axis = 0; axis < 3; axis++)
        fprintf(stream, ",%.17g", weir_units_velocity(units) * velocity[axis]);
    for (int axis = 0; axis < 3; axis++)
        fprintf(stream, ",%.17g", units->length * units->length * k[axis]);
    fprintf(stream, ",%.17g,%.6g,%.6g\n", units->length * units->length * here,
            imbalance(permeability, totals), reynolds);
    return weir_growing_file_flush(permeability->file);
}

void weir_output_permeability_destroy(struct weir_output_permeability *permeability) {
    if (!permeability)
        return;
    weir_growing_file_destroy(permeability->file);
    free(permeability);
}
