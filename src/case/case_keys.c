/* The table of known keys. A new key: a row here, its reading in src/case_*.c, its description in
 * configs/schema.json. */
#include "src/case/case_keys.h"

#include "graph/problem/problem.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const face_keys[] = {"type", "velocity", NULL};
static const char *const map_keys[] = {"$schema", "description", "regions", NULL};
static const char *const region_keys[] = {"from", "to", "rank", "host", "gpu", "part", NULL};

const struct weir_json_keys weir_case_keys[] = {
    {"", KEYS("$schema", "name", "description", "units", "si", "lattice", "collision", "precision", "storage",
              "domain", "fluid", "boundaries", "force", "initial", "solids", "blocks", "placement", "ranks",
              "run", "output")},
    {"si", KEYS("cell_size", "time_step", "density")},
    {"collision", KEYS("operator", "magic")},
    {"domain", KEYS("cells", "periodic")},
    {"fluid", KEYS("viscosity", "tau", "reynolds")},
    {"fluid.reynolds", KEYS("number", "velocity", "length")},
    {"boundaries", weir_face_names},
    {"boundaries.x-", face_keys},
    {"boundaries.x+", face_keys},
    {"boundaries.y-", face_keys},
    {"boundaries.y+", face_keys},
    {"boundaries.z-", face_keys},
    {"boundaries.z+", face_keys},
    {"initial", KEYS("density", "velocity")},
    {"solids[]", KEYS("sphere", "box", "cylinder", "name", "velocity")},
    {"solids[].sphere", KEYS("center", "radius")},
    {"solids[].box", KEYS("from", "to")},
    {"solids[].cylinder", KEYS("center", "axis", "radius", "length")},
    {"blocks", KEYS("cells")},
    {"placement", KEYS("policy", "shares", "workers")},
    {"ranks", KEYS("grid", "map", "timeout")},
    {"ranks.map", map_keys},
    {"ranks.map.regions[]", region_keys},
    {"run", KEYS("steps", "check_every", "stop_when")},
    {"run.stop_when", KEYS("steady", "every")},
    {"output[]",
     KEYS("type", "name", "every", "fields", "plane", "field", "range", "pixels", "from", "to", "faces")},
    {NULL, NULL},
};

const struct weir_json_keys weir_case_map_keys[] = {
    {"", map_keys},
    {"regions[]", region_keys},
    {NULL, NULL},
};

void weir_case_print_keys(FILE *stream) {
    for (const struct weir_json_keys *row = weir_case_keys; row->object; row++)
        for (const char *const *key = row->keys; *key; key++)
            fprintf(stream, "%s%s%s\n", row->object, row->object[0] ? "." : "", *key);
}
