#include "src/case/solids/case_regions.h"

#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/solids/solid_formula.h"
#include "src/common/path_beside.h"
#include "src/geometry/ball_heap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is read of "spheres". */
struct spheres {
    int64_t count, seed;
    double porosity;
    bool overlap;
};

enum { RADIUS, POROSITY, COUNT, OVERLAP, SEED, FROM, TO };
const struct weir_key weir_spheres_keys[] = {
    [RADIUS] = {.name = "radius",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about = "Their radius in cell widths (SI: m).",
                .examples = "[2]",
                .example = "10",
                .quantity = {"the radius", WEIR_DIMENSION_LENGTH, "10"}},
    [POROSITY] =
        {.name = "porosity",
         .type = WEIR_KEY_NUMBER,
         .alternative = true,
         .about =
             "Share of the volume that they leave free, far from the ends of `from` and `to`: as many are "
             "placed as leave that much on average.",
         .least = 0.001,
         .most = 0.999,
         .examples = "[0.8]",
         .wanted = "a share between 0.001 and 0.999, such as 0.6",
         WEIR_KEY_AT(struct spheres, porosity)},
    [COUNT] = {.name = "count",
               .type = WEIR_KEY_INTEGER,
               .alternative = true,
               .about = "How many there are.",
               .least = 1,
               .most = 50000000,
               .examples = "[10]",
               .wanted = "a number of spheres, such as 100",
               WEIR_KEY_AT(struct spheres, count)},
    [OVERLAP] =
        {.name = "overlap",
         .type = WEIR_KEY_BOOLEAN,
         .about = "Whether they may overlap. Where not, they fill at most about 0.62 of the volume, in two "
                  "dimensions 0.82.",
         .fallback = "true",
         .wanted = "true or false",
         WEIR_KEY_AT(struct spheres, overlap)},
    [SEED] = {.name = "seed",
              .type = WEIR_KEY_INTEGER,
              .about = "Another number gives other places; the same gives the same, on any machine.",
              .fallback = "1",
              .least = 0,
              .most = 4294967295,
              .wanted = "a whole number from 0 to 4294967295",
              WEIR_KEY_AT(struct spheres, seed)},
    [FROM] = WEIR_KEY_OF_LOW_CORNER("Low corner of the box in which their centres lie."),
    [TO] = WEIR_KEY_OF_HIGH_CORNER,
    {.name = NULL},
};

int weir_case_name_key(const struct weir_json *json, int error) {
    char text[1200];
    if (error != -WEIR_USAGE)
        return error;
    snprintf(text, sizeof text, "%s", weir_error_text());
    return weir_json_fail(json, "%s", text);
}

int weir_shape_use_region(struct weir_shape *shape, struct weir_region *region) {
    shape->type = WEIR_REGION;
    shape->region = region;
    return 0;
}

int weir_case_read_formula_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape) {
    static const char wanted[] =
        "a condition of x, y, z, nx, ny, nz and pi, such as \"(x-8)^2 + (y-8)^2 < 16\"";
    const char *condition;
    struct weir_region *region;
    WEIR_TRY(weir_json_string(json, wanted, &condition));
    const int error = weir_solid_formula_create(condition, c, &region);
    if (error == -WEIR_USAGE) {
        char text[1000];
        snprintf(text, sizeof text, "%s", weir_error_text());
        return weir_json_fail(json, "%s; give %s", text, wanted);
    }
    return error < 0 ? error : weir_shape_use_region(shape, region);
}

/* Where centres may be: all of the domain but for what is said. */
static int read_box(const struct weir_json *json, const struct weir_case *c,
                    struct weir_ball_heap_options *options) {
    const struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");
    for (int axis = 0; axis < 3; axis++)
        options->to[axis] = c->problem.cells[axis];
    if (weir_json_present(&from))
        WEIR_TRY(weir_case_read_vector(&from, c, &weir_spheres_keys[FROM].quantity, options->from));
    if (weir_json_present(&to))
        WEIR_TRY(weir_case_read_vector(&to, c, &weir_spheres_keys[TO].quantity, options->to));
    for (int axis = 0; axis < options->dimensions; axis++)
        if (!(options->from[axis] >= 0 && options->from[axis] < options->to[axis] &&
              options->to[axis] <= c->problem.cells[axis]))
            return weir_json_fail(
                json,
                "its box goes from %g to %g along %c, the domain from 0 to %g; give \"from\" and "
                "\"to\" within the domain, \"from\" below \"to\"",
                options->from[axis] * c->units.length, options->to[axis] * c->units.length, "xyz"[axis],
                c -> problem.cells[axis] * c->units.length);
    return 0;
}

int weir_case_read_spheres_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape) {
    struct spheres read = {.overlap = true, .seed = 1};
    struct weir_ball_heap_options options = {.dimensions = weir_lattice_dimensions(c->problem.lattice)};
    const struct weir_json radius = weir_json_member(json, "radius");
    const int before = json->source->mistakes->count;
    struct weir_region *region;
    WEIR_TRY(
        weir_case_read_positive(&radius, &c->units, &weir_spheres_keys[RADIUS].quantity, &options.radius));
    WEIR_TRY(weir_keys_read(json, weir_spheres_keys, &c->units, &read));
    if (json->source->mistakes->count > before)
        return 0;
    if ((read.count > 0) == (read.porosity > 0))
        return weir_json_fail(json, "%s; give one of \"porosity\" and \"count\"",
                              read.count > 0 ? "has both" : "says not how many there are");
    memcpy(options.cells, c->problem.cells, sizeof options.cells);
    memcpy(options.periodic, c->problem.periodic, sizeof options.periodic);
    WEIR_TRY(read_box(json, c, &options));
    options.count = read.count;
    options.porosity = read.porosity;
    options.overlap = read.overlap;
    options.seed = (uint64_t)read.seed;
    WEIR_TRY(weir_case_name_key(json, weir_ball_heap_create(&options, &region, NULL)));
    return weir_shape_use_region(shape, region);
}

/* The whole path; the caller's. */
static char *whole_path(const char *case_file, const char *path) {
    char *beside = weir_path_beside(case_file, path),
         *folder = beside && beside[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (!folder)
        return beside;
    const size_t size = strlen(folder) + strlen(beside) + 2;
    char *whole = malloc(size);
    if (whole)
        snprintf(whole, size, "%s/%s", folder, beside);
    free(folder);
    free(beside);
    return whole;
}

int weir_case_name_solid_files(json_t *root, const char *case_file) {
    static const char *const shapes[] = {"volume", "mesh"};
    const json_t *solids = json_object_get(root, "solids");
    for (size_t i = 0; i < json_array_size(solids); i++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            json_t *shape = json_object_get(json_array_get(solids, i), shapes[k]);
            const char *path = json_string_value(json_object_get(shape, "file"));
            char *whole = path && path[0] ? whole_path(case_file, path) : NULL;
            if (path && path[0] && !whole)
                return weir_fail(WEIR_FAILED, "no memory left for the names of files");
            if (whole)
                json_object_set_new(shape, "file", json_string(whole));
            free(whole);
        }
    return 0;
}
