/* "mesh" of a solid: a file, how it comes into the domain, and what becomes of its holes. */
#include "graph/base/error.h"
#include "src/case/solids/case_regions.h"
#include "src/common/set_up_notice.h"
#include "src/geometry/mesh_file.h"
#include "src/geometry/mesh_region.h"

static const char *const holes_names[] = {"refuse", "vote", NULL};

enum { FIT_FROM, FIT_TO, MARGIN };
static const struct weir_key fit_keys[] = {
    [FIT_FROM] = WEIR_KEY_OF_LOW_CORNER("Low corner of the box."),
    [FIT_TO] = WEIR_KEY_OF_HIGH_CORNER,
    [MARGIN] = {.name = "margin",
                .type = WEIR_KEY_NUMBER,
                .about = "What is left free at each side of it.",
                .fallback = "0",
                .examples = "[2]",
                .quantity = {"a margin", WEIR_DIMENSION_LENGTH, "4"}},
    {.name = NULL},
};

enum { MESH_FILE, PART, ROTATE, SCALE, TRANSLATE, FIT, HOLES };
const struct weir_key weir_mesh_keys[] = {
    [MESH_FILE] = {.name = "file",
                   .type = WEIR_KEY_TEXT,
                   .needed = true,
                   .about = "The file, as seen from this one: STL, OBJ, PLY, or what else Assimp reads.",
                   .examples = "[\"body.stl\"]",
                   .wanted = "the path of a file, such as \"car.stl\""},
    [PART] = {.name = "part",
              .type = WEIR_KEY_TEXT,
              .about = "Of the file's objects only those of this name.",
              .otherwise = "all",
              .examples = "[\"tetrahedron\"]",
              .example = "\"wheel\"",
              .wanted = "the name of an object in the file"},
    [ROTATE] = {.name = "rotate",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .about = "Degrees by which it is turned about the axes of the file, x first, then y, then z.",
                .fallback = "[0, 0, 0]",
                .examples = "[[0, 0, 90]]",
                .quantity = {"the degrees about each axis", WEIR_DIMENSION_NONE, "90"}},
    [SCALE] = {.name = "scale",
               .type = WEIR_KEY_NUMBER,
               .positive = true,
               .about = "Cell widths (SI: m) per unit of the file.",
               .fallback = "1",
               .examples = "[0.001]",
               .quantity = {"the length of a unit of the file", WEIR_DIMENSION_LENGTH, "10"}},
    [TRANSLATE] = {.name = "translate",
                   .type = WEIR_KEY_NUMBER,
                   .per_axis = true,
                   .about = "Where the origin of the file then lies.",
                   .fallback = "[0, 0, 0]",
                   .examples = "[[8, 8, 8]]",
                   .quantity = {"a place", WEIR_DIMENSION_LENGTH, "10"}},
    [FIT] = {.name = "fit",
             .type = WEIR_KEY_OBJECT,
             .about =
                 "Instead of `scale` and `translate`: as large as it can be in this box, and in its middle.",
             .examples = "[{\"margin\": 2}]",
             .wanted = "an object such as {\"margin\": 4}",
             .members = fit_keys},
    [HOLES] =
        {.name = "holes",
         .type = WEIR_KEY_CHOICE,
         .about =
             "What becomes of a surface with open edges: it is refused, or a cell is inside where two of the "
             "three directions find it so.",
         .fallback = "\"refuse\"",
         .choices = holes_names,
         .wanted = "a way to treat holes"},
    {.name = NULL},
};

static int read_fit(const struct weir_json *json, const struct weir_case *c,
                    struct weir_mesh_placement *placement) {
    const struct weir_json from = weir_json_member(json, fit_keys[FIT_FROM].name),
                           to = weir_json_member(json, fit_keys[FIT_TO].name),
                           margin_json = weir_json_member(json, fit_keys[MARGIN].name);
    double margin = 0;
    WEIR_TRY(weir_json_object(json, weir_mesh_keys[FIT].wanted));
    placement->fit = true;
    for (int axis = 0; axis < 3; axis++)
        placement->fit_to[axis] = c->problem.cells[axis];
    if (weir_json_present(&from))
        WEIR_TRY(weir_case_read_vector(&from, c, &fit_keys[FIT_FROM].quantity, placement->fit_from));
    if (weir_json_present(&to))
        WEIR_TRY(weir_case_read_vector(&to, c, &fit_keys[FIT_TO].quantity, placement->fit_to));
    if (weir_json_present(&margin_json))
        WEIR_TRY(weir_case_read_number(&margin_json, &c->units, &fit_keys[MARGIN].quantity, &margin));
    for (int axis = 0; axis < 3; axis++) {
        placement->fit_from[axis] += margin;
        placement->fit_to[axis] -= margin;
        if (!(placement->fit_from[axis] < placement->fit_to[axis]))
            return weir_json_fail(
                json, "leaves no room along %c; give \"to\" above \"from\", and a smaller \"margin\"",
                "xyz"[axis]);
    }
    return 0;
}

static int read_placement(const struct weir_json *json, const struct weir_case *c,
                          struct weir_mesh_placement *placement) {
    const struct weir_json rotate = weir_json_member(json, weir_mesh_keys[ROTATE].name),
                           scale = weir_json_member(json, weir_mesh_keys[SCALE].name),
                           translate = weir_json_member(json, weir_mesh_keys[TRANSLATE].name),
                           fit = weir_json_member(json, weir_mesh_keys[FIT].name);
    *placement = (struct weir_mesh_placement){.scale = 1 / c->units.length};
    if (weir_json_present(&rotate))
        WEIR_TRY(weir_case_read_vector(&rotate, c, &weir_mesh_keys[ROTATE].quantity, placement->degrees));
    if (weir_json_present(&fit) && (weir_json_present(&scale) || weir_json_present(&translate)))
        return weir_json_fail(json, "has \"fit\" and \"%s\"; give one of the two",
                              weir_json_present(&scale) ? "scale" : "translate");
    if (weir_json_present(&fit))
        return read_fit(&fit, c, placement);
    if (weir_json_present(&scale))
        WEIR_TRY(
            weir_case_read_positive(&scale, &c->units, &weir_mesh_keys[SCALE].quantity, &placement->scale));
    if (weir_json_present(&translate))
        WEIR_TRY(weir_case_read_vector(&translate, c, &weir_mesh_keys[TRANSLATE].quantity, placement->move));
    return 0;
}

/* Some of it must be in the domain: who scales wrongly shall know by how much. */
static int check_inside(const struct weir_json *json, const struct weir_case *c,
                        const struct weir_region *region) {
    for (int axis = 0; axis < 3; axis++)
        if (region->low[axis] > c->problem.cells[axis] || region->high[axis] < 0)
            return weir_json_fail(json,
                                  "lies outside the domain: along %c it goes from %g to %g, the domain from "
                                  "0 to %g; move it, or give "
                                  "\"fit\": {}",
                                  "xyz"[axis], region -> low[axis] * c -> units.length,
                                  region->high[axis] * c->units.length,
                                  c->problem.cells[axis] * c->units.length);
    return 0;
}

static int use_mesh(const struct weir_json *json, const struct weir_case *c, bool vote,
                    const struct weir_mesh_placement *placement, struct weir_triangles *triangles,
                    struct weir_shape *shape) {
    struct weir_region *region;
    WEIR_TRY(weir_case_name_key(json, weir_mesh_place(triangles, placement)));
    WEIR_TRY(weir_case_name_key(json, weir_mesh_region_create(triangles, c->problem.cells, vote, &region)));
    weir_shape_use_region(shape, region);
    return check_inside(json, c, region);
}

int weir_case_read_mesh_solid(const struct weir_json *json, const struct weir_case *c,
                              struct weir_shape *shape) {
    const struct weir_json file = weir_json_member(json, weir_mesh_keys[MESH_FILE].name),
                           part_json = weir_json_member(json, weir_mesh_keys[PART].name),
                           holes = weir_json_member(json, weir_mesh_keys[HOLES].name);
    const char *path, *part = NULL;
    struct weir_mesh_placement placement;
    struct weir_triangles triangles;
    int vote = 0;
    if (weir_lattice_dimensions(c->problem.lattice) == 2)
        return weir_json_fail(
            json, "is for three dimensions, and this lattice has two; give a shape, a formula or a volume");
    if (!weir_json_present(&file))
        return weir_json_fail_missing(&file, weir_mesh_keys[MESH_FILE].wanted);
    WEIR_TRY(weir_key_read(&file, &weir_mesh_keys[MESH_FILE], &c->units, &path));
    if (weir_json_present(&part_json))
        WEIR_TRY(weir_key_read(&part_json, &weir_mesh_keys[PART], &c->units, &part));
    if (weir_json_present(&holes))
        WEIR_TRY(weir_key_read(&holes, &weir_mesh_keys[HOLES], &c->units, &vote));
    WEIR_TRY(read_placement(json, c, &placement));
    weir_set_up_notice_stage(c->notice, "reading a mesh");
    WEIR_TRY(weir_case_name_key(&file, weir_mesh_file_read(path, part, &triangles)));
    weir_set_up_notice_stage(c->notice, "looking where rows of cells meet a mesh");
    const int error = use_mesh(json, c, vote != 0, &placement, &triangles, shape);
    weir_set_up_notice_stage(c->notice, "reading the case");
    weir_triangles_free(&triangles);
    return error;
}
