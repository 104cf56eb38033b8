/* H. G. von Schnering, R. Nesper, Z. Phys. B 83 (1991) 407: nodal surfaces, which are within a few percent of
 * a period of the minimal ones. */
#include "src/geometry/minimal_surface.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_minimal_surface_names[] = {"gyroid", "schwarz_p", "diamond", NULL};

/* Samples along a period, from which the level of a porosity is found. */
enum { SAMPLES = 64 };

struct solid {
    struct weir_region region;
    struct weir_minimal_surface_options options;
    double level;
};

/* At these phases of a period, as shares of it. */
static double value_at(enum weir_minimal_surface surface, const double phase[3]) {
    double s[3], c[3];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = sin(2 * M_PI * phase[axis]);
        c[axis] = cos(2 * M_PI * phase[axis]);
    }
    switch (surface) {
    case WEIR_SCHWARZ_P:
        return c[0] + c[1] + c[2];
    case WEIR_DIAMOND:
        return c[0] * c[1] * c[2] - s[0] * s[1] * s[2];
    default:
        return s[0] * c[1] + s[1] * c[2] + s[2] * c[0];
    }
}

/* Solid is what has at most the level. */
static double height(const struct weir_minimal_surface_options *options, const double phase[3]) {
    const double value = value_at(options->surface, phase);
    return options->sheet ? fabs(value) : value;
}

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct solid *solid = (const struct solid *)region;
    double phase[3];
    for (int axis = 0; axis < 3; axis++)
        phase[axis] = (point[axis] - solid->options.origin[axis]) / solid->options.period;
    return height(&solid->options, phase) <= solid->level;
}

static void destroy(struct weir_region *region) {
    free(region);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The level that so much of a period lies below. */
static int find_level(struct solid *solid) {
    const size_t count = (size_t)SAMPLES * SAMPLES * SAMPLES;
    double *values = malloc(count * sizeof *values);
    if (!values)
        return weir_fail(WEIR_FAILED, "no memory left for the level of a surface");
    for (size_t k = 0; k < count; k++) {
        /* Beside the planes of symmetry, where many values are the same. */
        const double phase[3] = {((double)(k % SAMPLES) + 0.317) / SAMPLES,
                                 ((double)(k / SAMPLES % SAMPLES) + 0.571) / SAMPLES,
                                 ((double)(k / SAMPLES / SAMPLES) + 0.739) / SAMPLES};
        values[k] = height(&solid->options, phase);
    }
    qsort(values, count, sizeof *values, compare);
    const double place = (1 - solid->options.porosity) * (double)count;
    const size_t below = (size_t)fmin(fmax(place, 1), (double)count - 1);
    solid->level = (values[below - 1] + values[below]) / 2;
    free(values);
    return 0;
}

int weir_minimal_surface_create(const struct weir_minimal_surface_options *options,
                                struct weir_region **region) {
    struct solid *solid = calloc(1, sizeof *solid);
    if (!solid)
        return weir_fail(WEIR_FAILED, "no memory left for a minimal surface");
    solid->region = (struct weir_region){.contains = contains, .destroy = destroy};
    solid->options = *options;
    for (int axis = 0; axis < 3; axis++)
        solid->region.high[axis] = options->cells[axis];
    const int error = find_level(solid);
    if (error < 0) {
        destroy(&solid->region);
        return error;
    }
    *region = &solid->region;
    return 0;
}
