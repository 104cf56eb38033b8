/* A compiled formula serves one thread at a time, and threads ask for cells one by one. So there are as many
 * as cores, and who asks takes one that is free: compiling takes a thousand times as long as a value. */
#include "src/case/solids/solid_formula.h"

#include "graph/base/error.h"
#include "src/case/expression.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 16, COPIES_MOST = 64 };

struct copy {
    _Alignas(64) atomic_flag taken; /* a cache line each */
    double position[3];             /* what the formula reads as x, y, z */
    struct weir_expression *expression;
};

struct solid_formula {
    struct weir_region region;
    double cell_size; /* what x, y, z are measured in, per cell width */
    unsigned count;
    struct copy *copies;
};

static void destroy(struct weir_region *region) {
    struct solid_formula *solid = (struct solid_formula *)region;
    for (unsigned k = 0; k < solid->count; k++)
        weir_expression_destroy(solid->copies[k].expression);
    free(solid->copies);
    free(solid);
}

/* A free copy; nobody keeps one for longer than a value takes. */
static struct copy *take(const struct solid_formula *solid) {
    const int core = sched_getcpu();
    for (unsigned k = core < 0 ? 0 : (unsigned)core;; k++) {
        struct copy *copy = &solid->copies[k % solid->count];
        if (!atomic_flag_test_and_set_explicit(&copy->taken, memory_order_acquire))
            return copy;
    }
}

static double value_at(const struct solid_formula *solid, const double point[3]) {
    struct copy *copy = take(solid);
    for (int axis = 0; axis < 3; axis++)
        copy->position[axis] = point[axis] * solid->cell_size;
    const double value = weir_expression_value(copy->expression);
    atomic_flag_clear_explicit(&copy->taken, memory_order_release);
    return value;
}

static bool contains(const struct weir_region *region, const double point[3]) {
    return value_at((const struct solid_formula *)region, point) == 1;
}

static int compile(struct solid_formula *solid, const char *condition, const double size[3]) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned count = cores < 1 ? 1 : cores > COPIES_MOST ? COPIES_MOST : (unsigned)cores;
    const size_t bytes = count * sizeof *solid->copies;
    solid->copies = aligned_alloc(_Alignof(struct copy), bytes);
    if (!solid->copies)
        return weir_fail(WEIR_FAILED, "no memory left for the formulas of solids");
    memset(solid->copies, 0, bytes);
    for (; solid->count < count; solid->count++) {
        struct copy *copy = &solid->copies[solid->count];
        atomic_flag_clear(&copy->taken);
        WEIR_TRY(weir_expression_create(
            condition,
            &(struct weir_expression_terms){.position = copy->position, .size = {size[0], size[1], size[2]}},
            &copy->expression));
    }
    return 0;
}

/* Whether it is a condition, as far as a sample of the domain's cells tells. */
static int check_sample(const struct solid_formula *solid, const char *condition, const int cells[3]) {
    int samples[3], at[3];
    for (int axis = 0; axis < 3; axis++)
        samples[axis] = cells[axis] < SAMPLES ? cells[axis] : SAMPLES;
    for (at[2] = 0; at[2] < samples[2]; at[2]++)
        for (at[1] = 0; at[1] < samples[1]; at[1]++)
            for (at[0] = 0; at[0] < samples[0]; at[0]++) {
                double point[3];
                for (int axis = 0; axis < 3; axis++)
                    point[axis] = (int)((at[axis] + 0.5) * cells[axis] / samples[axis]) + 0.5;
                const double value = value_at(solid, point);
                if (value != 0 && value != 1)
                    return weir_fail(
                        WEIR_USAGE,
                        "\"%.200s\" gives %g at x = %g, y = %g, z = %g, where it must be true (1) or "
                        "false (0)",
                        condition, value, point[0] * solid->cell_size, point[1] * solid->cell_size,
                        point[2] * solid->cell_size);
            }
    return 0;
}

int weir_solid_formula_create(const char *condition, const struct weir_case *c, struct weir_region **region) {
    struct solid_formula *solid = calloc(1, sizeof *solid);
    double size[3];
    if (!solid)
        return weir_fail(WEIR_FAILED, "no memory left for the formulas of solids");
    solid->region = (struct weir_region){.contains = contains, .destroy = destroy};
    solid->cell_size = c->units.length;
    for (int axis = 0; axis < 3; axis++) {
        solid->region.high[axis] = c->problem.cells[axis];
        size[axis] = c->problem.cells[axis] * c->units.length;
    }
    int error = compile(solid, condition, size);
    if (error == 0)
        error = check_sample(solid, condition, c->problem.cells);
    if (error < 0) {
        destroy(&solid->region);
        return error;
    }
    *region = &solid->region;
    return 0;
}
