#include "graph/problem/start_values.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>

bool weir_start_values_differ(const struct weir_problem *problem) {
    return problem->initial || problem->conductor_count > 0;
}

int weir_start_values_count(const struct weir_problem *problem) {
    return weir_problem_initial_values(problem) + weir_problem_conductor_values(problem);
}

static void fill_constants(const struct weir_problem *problem, size_t cells, double *values) {
    double constant[WEIR_INITIAL_MAX] = {problem->initial_density, problem->initial_velocity[0],
                                         problem->initial_velocity[1], problem->initial_velocity[2]};
    constant[WEIR_MACROSCOPIC_MAX - 1] = weir_problem_initial_fifth(problem);
    constant[WEIR_INITIAL_SOURCE] = problem->scalar.source;
    for (int k = 0; k < weir_problem_initial_values(problem); k++)
        for (size_t cell = 0; cell < cells; cell++)
            values[(size_t)k * cells + cell] = constant[k];
}

int weir_start_values_conductors(const struct weir_problem *problem, const struct weir_box *box,
                                 double *values) {
    const size_t cells = (size_t)weir_box_cells(box);
    uint8_t *numbers = malloc(cells);
    if (!numbers)
        return weir_fail(WEIR_FAILED, "no memory left for the cells of solids that conduct");
    const int error = weir_geometry_conductors(problem, box, numbers);
    for (size_t cell = 0; error == 0 && cell < cells; cell++) {
        const struct weir_conductor *conductor = &problem->conductors[numbers[cell] - (numbers[cell] > 0)];
        const double tau = conductor->relaxation_time;
        values[cell] = numbers[cell] ? 1 / (0.5 + problem->scalar.magic / (tau - 0.5)) : 0;
        values[cells + cell] = numbers[cell] ? 1 / tau : 0;
        values[2 * cells + cell] = numbers[cell] ? 1 / conductor->capacity : 0;
    }
    free(numbers);
    return error;
}

int weir_start_values_fill(const struct weir_problem *problem, const struct weir_box *box, double *values) {
    const size_t cells = (size_t)weir_box_cells(box), count = (size_t)weir_problem_initial_values(problem);
    double *arrays[WEIR_INITIAL_MAX];
    for (size_t k = 0; k < WEIR_INITIAL_MAX; k++)
        arrays[k] = values + k * cells;
    if (problem->initial)
        WEIR_TRY(problem->initial(problem->initial_context, box->origin, box->extent, arrays));
    else
        fill_constants(problem, cells, values);
    return problem->conductor_count > 0 ? weir_start_values_conductors(problem, box, values + count * cells)
                                        : 0;
}
