#include "src/output/output_series.h"

#include "graph/base/error.h"
#include "src/output/formats/growing_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct weir_output_series {
    const struct weir_case *c;
    struct weir_growing_file *file;
    double force_of_one; /* force that has the coefficient 1, lattice units; 0: there are no coefficients */
    double flow_of_one;  /* flow of the scalar that has the Nusselt number 1, the same; 0: there are none */
    int walls[WEIR_WALLS_MAX]; /* whose forces are reported, in the order of the columns */
    int wall_count;
    int open[WEIR_WALLS_MAX]; /* whose flow of mass is */
    int open_count;
    int turning[WEIR_WALLS_MAX]; /* on which torque is */
    int turning_count;
    int given[WEIR_WALLS_MAX]; /* from which a scalar comes */
    int given_count;
};

/* Whether there may be links to WEIR_EDGE_WALL: where faces meet, or where solids lie on walls that move or
 * are open. */
static bool has_edges(const struct weir_problem *problem, int walled_axes) {
    bool moving = false;
    for (int wall = 1; wall < problem->wall_count; wall++)
        moving =
            moving || weir_wall_moves(&problem->walls[wall]) || weir_wall_is_counted(&problem->walls[wall]);
    return walled_axes > 1 || (moving && problem->shape_count > 0);
}

/* Whether a scalar may come from a boundary, or go there: something is given of it, fluid passes, or it
 * conducts. */
static bool passes_scalar(const struct weir_case *c, int wall) {
    const struct weir_wall *w = &c->problem.walls[wall];
    const bool periodic =
        wall < WEIR_FIRST_BODY && wall != WEIR_EDGE_WALL && c->problem.periodic[(wall - 1) / 2];
    return c->problem.scalar.present && !periodic &&
           (weir_wall_is_open(w) || w->scalar_rule != WEIR_SCALAR_FLUX || w->scalar != 0 ||
            w->scalar_profile || w->conducts);
}

/* Bodies, then the faces that are walls, and the edges: bodies first, so that their columns stay where they
 * are. */
static void choose_walls(struct weir_output_series *series, bool faces) {
    const struct weir_problem *problem = &series->c->problem;
    int walled_axes = 0;
    for (int wall = WEIR_FIRST_BODY; wall < problem->wall_count; wall++)
        if (!problem->walls[wall].gas)
            series->walls[series->wall_count++] = wall;
    for (int axis = 0; faces && axis < weir_lattice_dimensions(problem->lattice); axis++) {
        if (problem->periodic[axis])
            continue;
        walled_axes++;
        series->walls[series->wall_count++] = 1 + 2 * axis;
        series->walls[series->wall_count++] = 2 + 2 * axis;
    }
    if (faces && has_edges(problem, walled_axes))
        series->walls[series->wall_count++] = WEIR_EDGE_WALL;
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (passes_scalar(series->c, wall))
            series->given[series->given_count++] = wall;
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (weir_wall_is_open(&problem->walls[wall]))
            series->open[series->open_count++] = wall;
        else if (problem->walls[wall].links)
            series->turning[series->turning_count++] = wall;
}

/* A name as a CSV field may hold it; the whole field is quoted where the name has a comma or a quote. */
static void write_column(FILE *stream, const char *what, const char *body) {
    bool quoted = strpbrk(body, ",\"\n") != NULL;
    fprintf(stream, ",%s%s(", quoted ? "\"" : "", what);
    for (; *body; body++)
        fprintf(stream, *body == '"' ? "\"%c" : "%c", *body);
    fprintf(stream, ")%s", quoted ? "\"" : "");
}

static bool has_coefficients(const struct weir_output_series *series) {
    return series->force_of_one > 0.0;
}

static int write_header(struct weir_output_series *series) {
    static const char *const forces[] = {"force_x", "force_y", "force_z"};
    static const char *const torques[] = {"torque_x", "torque_y", "torque_z"};
    static const char *const coefficients[] = {"c_x", "c_y", "c_z"};
    const struct weir_problem *problem = &series->c->problem;
    FILE *stream = weir_growing_file_stream(series->file);
    fputs("step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed", stream);
    if (weir_problem_has_fifth(problem))
        fputs(problem->scalar.present ? ",scalar" : ",internal_energy", stream);
    if (problem->surface.bubbles)
        fputs(",bubbles,bubble_volume,bubble_gas", stream);
    for (int k = 0; k < series->wall_count; k++)
        for (int axis = 0; axis < 3; axis++)
            write_column(stream, forces[axis], problem->walls[series->walls[k]].name);
    for (int k = 0; has_coefficients(series) && k < series->wall_count; k++)
        for (int axis = 0; axis < 3; axis++)
            write_column(stream, coefficients[axis], problem->walls[series->walls[k]].name);
    for (int k = 0; k < series->open_count; k++)
        write_column(stream, "mass_flow", problem->walls[series->open[k]].name);
    for (int k = 0; k < series->turning_count; k++)
        for (int axis = 0; axis < 3; axis++)
            write_column(stream, torques[axis], problem->walls[series->turning[k]].name);
    for (int k = 0; k < series->given_count; k++)
        write_column(stream, "scalar_flow", problem->walls[series->given[k]].name);
    for (int k = 0; series->flow_of_one > 0 && k < series->given_count; k++)
        write_column(stream, "nusselt", problem->walls[series->given[k]].name);
    fputc('\n', stream);
    return weir_growing_file_flush(series->file);
}

static int start_file(struct weir_output_series *series) {
    const int error = write_header(series);
    if (error < 0)
        weir_growing_file_remove(series->file);
    return error;
}

int weir_output_series_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, struct weir_output_series **result) {
    return weir_output_series_continue(c, output, directory, 0, result);
}

int weir_output_series_continue(const struct weir_case *c, const struct weir_output *output,
                                const char *directory, int64_t first, struct weir_output_series **result) {
    struct weir_output_series *series = calloc(1, sizeof *series);
    if (!series)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    series->c = c;
    series->force_of_one = 0.5 * c->problem.reference_density * output->reference_velocity *
                           output->reference_velocity * output->reference_area;
    if (output->nusselt_length > 0)
        series->flow_of_one = weir_scalar_diffusivity(&c->problem) * output->nusselt_difference *
                              output->nusselt_area / output->nusselt_length;
    choose_walls(series, output->faces);
    int error = weir_growing_file_create(directory, output->name, first, &series->file);
    if (error == 0 && weir_growing_file_is_new(series->file))
        error = start_file(series);
    if (error < 0) {
        weir_output_series_destroy(series);
        return error;
    }
    *result = series;
    return 0;
}

int weir_output_series_append(struct weir_output_series *series, const struct weir_totals *totals) {
    const struct weir_units *units = &series->c->units;
    FILE *stream = weir_growing_file_stream(series->file);
    double velocity = weir_units_velocity(units), mass = weir_units_mass(units),
           force = weir_units_force(units);
    fprintf(stream, "%" PRId64 ",%.10g,%.17g", totals->step, (double)totals->step * units->time,
            mass * totals->mass);
    for (int axis = 0; axis < 3; axis++)
        fprintf(stream, ",%.17g", mass * velocity * totals->momentum[axis]);
    fprintf(stream, ",%.17g,%.17g", mass * velocity * velocity * totals->kinetic_energy,
            velocity * totals->max_speed);
    if (weir_problem_has_fifth(&series->c->problem)) /* thermal flows are in lattice units */
        fprintf(stream, ",%.17g", units->length * units->length * units->length * totals->fifth);
    if (series->c->problem.surface.bubbles)
        fprintf(stream, ",%" PRId64 ",%.17g,%.17g", totals->gas.bubbles,
                units->length * units->length * units->length * totals->gas.volume,
                mass * totals->gas.amount);
    for (int k = 0; k < series->wall_count; k++)
        for (int axis = 0; axis < 3; axis++)
            fprintf(stream, ",%.17g", force * totals->force[series->walls[k]][axis]);
    for (int k = 0; has_coefficients(series) && k < series->wall_count; k++)
        for (int axis = 0; axis < 3; axis++)
            fprintf(stream, ",%.17g", totals->force[series->walls[k]][axis] / series->force_of_one);
    for (int k = 0; k < series->open_count; k++)
        fprintf(stream, ",%.17g", mass / units->time * totals->mass_flow[series->open[k]]);
    for (int k = 0; k < series->turning_count; k++)
        for (int axis = 0; axis < 3; axis++)
            fprintf(stream, ",%.17g", force * units->length * totals->torque[series->turning[k]][axis]);
    for (int k = 0; k < series->given_count; k++)
        fprintf(stream, ",%.17g",
                units->length * units->length * units->length / units->time *
                    totals->scalar_flow[series->given[k]]);
    for (int k = 0; series->flow_of_one > 0 && k < series->given_count; k++)
        fprintf(stream, ",%.17g", totals->scalar_flow[series->given[k]] / series->flow_of_one);
    fputc('\n', stream);
    return weir_growing_file_flush(series->file);
}

void weir_output_series_destroy(struct weir_output_series *series) {
    if (!series)
        return;
    weir_growing_file_destroy(series->file);
    free(series);
}
