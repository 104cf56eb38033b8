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

/* Of a phase along an axis, as a share of a period. */
static void turn(double phase, double *sine, double *cosine) {
    *sine = sin(2 * M_PI * phase);
    *cosine = cos(2 * M_PI * phase);
}

/* Where these are the sines and cosines of phases. */
static double value_of(enum weir_minimal_surface surface, const double s[3], const double c[3]) {
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
static double height_of(const struct weir_minimal_surface_options *options, const double s[3],
                        const double c[3]) {
    const double value = value_of(options->surface, s, c);
    return options->sheet ? fabs(value) : value;
}

static double height(const struct weir_minimal_surface_options *options, const double phase[3]) {
    double s[3], c[3];
    for (int axis = 0; axis < 3; axis++)
        turn(phase[axis], &s[axis], &c[axis]);
    return height_of(options, s, c);
}

static double phase_at(const struct solid *solid, int axis, double x) {
    return (x - solid->options.origin[axis]) / solid->options.period;
}

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct solid *solid = (const struct solid *)region;
    double phase[3];
    for (int axis = 0; axis < 3; axis++)
        phase[axis] = phase_at(solid, axis, point[axis]);
    return height(&solid->options, phase) <= solid->level;
}

/* Sines and cosines take most of the time: those of a coordinate are found once for many cells of a row. */
static void contains_box(const struct weir_region *region, const double first[3], int step,
                         const int count[3], bool *inside) {
    enum { AT_ONCE = 32 };
    const struct solid *solid = (const struct solid *)region;
    double s[3], c[3], sines[AT_ONCE], cosines[AT_ONCE];
    for (int done = 0; done < count[0]; done += AT_ONCE) {
        const int some = count[0] - done < AT_ONCE ? count[0] - done : AT_ONCE;
        for (int x = 0; x < some; x++)
            turn(phase_at(solid, 0, first[0] + (double)(done + x) * step), &sines[x], &cosines[x]);
        for (int z = 0; z < count[2]; z++) {
            turn(phase_at(solid, 2, first[2] + (double)z * step), &s[2], &c[2]);
            for (int y = 0; y < count[1]; y++) {
                bool *const row = inside + ((size_t)z * (size_t)count[1] + (size_t)y) * (size_t)count[0];
                turn(phase_at(solid, 1, first[1] + (double)y * step), &s[1], &c[1]);
                for (int x = 0; x < some; x++) {
                    s[0] = sines[x];
                    c[0] = cosines[x];
                    row[done + x] = height_of(&solid->options, s, c) <= solid->level;
                }
            }
        }
    }
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
    solid->region =
        (struct weir_region){.contains = contains, .contains_box = contains_box, .destroy = destroy};
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
