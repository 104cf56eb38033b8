/* The rows of the root, and what follows from all rows for the check of unknown keys. A new key: a row in its
 * section's file. */
#include "src/case/case_keys.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/problem/problem.h"
#include "src/case/case_sections.h"

#include <stdio.h>
#include <string.h>

static const char *const unit_choices[] = {"lattice", "si", NULL};

const struct weir_key weir_case_keys[] = {
    {.name = "$schema",
     .type = WEIR_KEY_TEXT,
     .about = "Where editors find this schema. Weir does not read it.",
     .examples = "[\"schema.json\"]",
     .wanted = "the path of configs/schema.json in quotes",
     WEIR_KEY_AT(struct weir_case_names, schema)},
    {.name = "name",
     .type = WEIR_KEY_NAME,
     .about = "Name of the case and of its output folder. Default: the file's name without its ending.",
     .more = "Letters, digits, `.`, `_`, `-`.",
     .otherwise = "from the file's name",
     .examples = "[\"cavity3d\"]",
     .longest = WEIR_CASE_NAME_LONGEST,
     WEIR_KEY_AT(struct weir_case_names, name)},
    {.name = "description",
     .type = WEIR_KEY_TEXT,
     .about = "What the case is about, for its readers.",
     .otherwise = "empty",
     .examples = "[\"Flow in a box under a moving lid\"]",
     .wanted = "a sentence in quotes",
     WEIR_KEY_AT(struct weir_case_names, description)},
    {.name = "units",
     .type = WEIR_KEY_CHOICE,
     .about = "Units of all values that have a dimension. SI values are converted to lattice units with the "
              "scales in \"si\".",
     .fallback = "\"lattice\"",
     .example = "\"si\"",
     .choices = unit_choices,
     .wanted = "a system of units"},
    {.name = "si",
     .type = WEIR_KEY_OBJECT,
     .about = "The scales that tie lattice units to SI; needed when \"units\" is \"si\".",
     .members = weir_si_keys},
    {.name = "lattice",
     .type = WEIR_KEY_CHOICE,
     .about = "Velocity set: dimensions and number of populations per cell.",
     .more = "[Lattices](numerics.md#lattices).",
     .fallback = "\"D3Q19\"",
     .example = "\"D2Q9\"",
     .choices = weir_lattice_names,
     .wanted = "a lattice"},
    {.name = "collision",
     .type = WEIR_KEY_OBJECT,
     .about = "How populations relax towards equilibrium.",
     .by_kind = true,
     .kinds_about = weir_collision_abouts,
     .members_of = weir_collision_keys},
    {.name = "precision",
     .type = WEIR_KEY_CHOICE,
     .about = "Floating-point type of the arithmetic.",
     .fallback = "\"single\"",
     .example = "\"double\"",
     .choices = weir_arithmetic_names,
     .wanted = "a precision"},
    {.name = "storage",
     .type = WEIR_KEY_CHOICE,
     .about =
         "What is kept of cells in memory: full (populations as they are computed), half (populations in 16 "
         "bits; with single precision only), moments (density, momentum and stress, of which populations "
         "are made anew; with the collisions recursive, which is then the default, and regularised) or "
         "mixed_moments (of these the stress in 16 bits; with single precision only). Half takes half the "
         "memory and time, and costs accuracy; mixed moments take less than half in large blocks, and cost "
         "less accuracy.",
     .fallback = "\"full\"",
     .example = "\"half\"",
     .choices = weir_storage_names,
     .wanted = "a storage"},
    {.name = "domain",
     .type = WEIR_KEY_OBJECT,
     .needed = true,
     .about = "The space that is computed.",
     .members = weir_domain_keys},
    {.name = "fluid",
     .type = WEIR_KEY_OBJECT,
     .needed = true,
     .about = "The fluid's viscosity, in exactly one of three ways.",
     .examples = "[{\"tau\": 0.6}]",
     .members = weir_fluid_keys},
    {.name = "boundaries",
     .type = WEIR_KEY_OBJECT,
     .about = "What happens to the fluid at the domain's faces. Faces not named are walls at rest where the "
              "axis is not "
              "periodic.",
     .by_kind = true,
     .kinds_about = weir_boundary_abouts,
     .members = weir_boundary_keys,
     .each = weir_face_names,
     .each_as = "FACE",
     .definition = "boundary"},
    {.name = "scalar",
     .type = WEIR_KEY_OBJECT,
     .about =
         "A scalar that the flow carries along and that diffuses in it: temperature, dye, salt. It acts on "
         "the flow where `buoyancy` says so.",
     .members = weir_scalar_keys},
    {.name = "phases",
     .type = WEIR_KEY_OBJECT,
     .about = "A fluid that is liquid here and vapour there, because its cells attract each other (Shan and "
              "Chen).",
     .by_kind = true,
     .kinds_about = weir_phases_abouts,
     .members = weir_phases_keys},
    {.name = "free_surface",
     .type = WEIR_KEY_OBJECT,
     .about = "A liquid with a free surface: beyond it is gas of one pressure, which is not computed.",
     .members = weir_surface_keys},
    {.name = "turbulence",
     .type = WEIR_KEY_OBJECT,
     .about = "A model of the turbulence that cells are too wide for (large-eddy simulation).",
     .members = weir_turbulence_keys},
    {.name = "force",
     .type = WEIR_KEY_NUMBER,
     .per_axis = true,
     .about =
         "Body force per volume (SI: N/m³), the same everywhere; on lattice D2Q37 per mass, as gravity is.",
     .fallback = "[0, 0, 0]",
     .examples = "[[1e-5, 0, 0]]",
     .quantity = {"the force per volume", WEIR_DIMENSION_FORCE_DENSITY, "1e-5"}},
    {.name = "flow_rate",
     .type = WEIR_KEY_OBJECT,
     .about = "Holds a mean velocity, and with it a flow rate, by a force that is added to `force` along it.",
     .members = weir_flow_rate_keys},
    {.name = "initial",
     .type = WEIR_KEY_OBJECT,
     .about = "Density, velocity, scalar or temperature at step 0.",
     .members = weir_initial_keys},
    {.name = "solids",
     .type = WEIR_KEY_LIST,
     .about = "Solid shapes in the domain. A cell is solid when its centre lies inside.",
     .schema = "{\"if\": {\"required\": [\"type\"], \"properties\": {\"type\": {\"enum\": [\"pressure\", "
               "\"equilibrium_pressure\"]}}}, "
               "\"then\": {\"required\": [\"density\"], \"properties\": {\"velocity\": false}}, "
               "\"else\": {\"properties\": {\"density\": false}}}",
     .members = weir_solid_keys,
     .definition = "solid"},
    {.name = "blocks",
     .type = WEIR_KEY_OBJECT,
     .about = "Size of the bricks of cells that tasks work on. Default: chosen and printed.",
     .members = weir_blocks_keys},
    {.name = "placement",
     .type = WEIR_KEY_OBJECT,
     .about = "Where blocks live. Default: chosen and printed.",
     .members = weir_placement_keys},
    {.name = "ranks",
     .type = WEIR_KEY_OBJECT,
     .about =
         "How the domain is divided among MPI ranks, and when one of them counts as lost. Default: compact "
         "regions.",
     .schema = "{\"not\": {\"required\": [\"grid\", \"map\"]}}",
     .members = weir_ranks_keys},
    {.name = "run",
     .type = WEIR_KEY_OBJECT,
     .needed = true,
     .about = "How long to run.",
     .members = weir_run_keys},
    {.name = "checkpoint",
     .type = WEIR_KEY_OBJECT,
     .about = "When a run writes what it needs to go on from there (weir resume). Default: never.",
     .more =
         "With this section, SIGUSR1 asks for a checkpoint, and a run that is interrupted writes one before "
         "it ends ([checkpoints](user-guide.md#checkpoints)).",
     .members = weir_checkpoint_keys},
    {.name = "output",
     .type = WEIR_KEY_LIST,
     .about = "What to write while running and at the end.",
     .least = 0,
     .most = WEIR_OUTPUTS_MOST,
     .by_kind = true,
     .kinds_about = weir_output_abouts,
     .members = weir_output_keys},
    {.name = NULL},
};

const struct weir_key *weir_case_root_key(const char *name) {
    const struct weir_key *key = weir_case_keys;
    while (strcmp(key->name, name) != 0)
        key++;
    return key;
}

/* What is gathered for weir_json_object. */
enum { OBJECTS = 84, KEYS = 32, PATH = 64 };
struct known {
    int count;
    struct weir_json_keys objects[OBJECTS + 1];
    const char *keys[OBJECTS][KEYS + 1];
    char paths[OBJECTS][PATH];
};

/* A new row of these. */
static int open_object(struct known *known, const char *path, const char *name, const char *ending) {
    const int number = known->count++;
    char text[PATH]; /* path may be a row of these */
    snprintf(text, sizeof text, "%s%s%s%s", path, path[0] && name[0] ? "." : "", name, ending);
    memcpy(known->paths[number], text, sizeof text);
    known->objects[number] =
        (struct weir_json_keys){.object = known->paths[number], .keys = known->keys[number]};
    return number;
}

static void gather(struct known *known, const char *path, const char *name, const char *ending,
                   const struct weir_key *members);

static void gather_below(struct known *known, const char *path, const struct weir_key *key) {
    if (key->type == WEIR_KEY_LIST)
        gather(known, path, key->name, "[]", weir_key_members(key));
    else if (key->type == WEIR_KEY_OBJECT && !key->each)
        gather(known, path, key->name, "", weir_key_members(key));
    else if (key->type == WEIR_KEY_OBJECT) {
        const int number = open_object(known, path, key->name, "");
        for (int k = 0; key->each[k]; k++)
            known->keys[number][k] = key->each[k];
        for (int k = 0; key->each[k]; k++)
            gather(known, known->paths[number], key->each[k], "", weir_key_members(key));
    }
}

static void gather(struct known *known, const char *path, const char *name, const char *ending,
                   const struct weir_key *members) {
    const int number = open_object(known, path, name, ending);
    int count = 0;
    for (const struct weir_key *key = members; key->name; key++)
        if (count == 0 || strcmp(known->keys[number][count - 1], key->name) != 0)
            known->keys[number][count++] = key->name;
    for (const struct weir_key *key = members; key->name; key++)
        gather_below(known, known->paths[number], key);
}

const struct weir_json_keys *weir_case_known_keys(void) {
    static struct known known;
    if (known.count == 0)
        gather(&known, "", "", "", weir_case_keys);
    return known.objects;
}

const struct weir_json_keys *weir_case_known_map_keys(void) {
    static struct known known;
    if (known.count == 0)
        gather(&known, "", "", "", weir_map_keys);
    return known.objects;
}

void weir_case_print_keys(FILE *stream) {
    for (const struct weir_json_keys *row = weir_case_known_keys(); row->object; row++)
        for (const char *const *key = row->keys; *key; key++)
            fprintf(stream, "%s%s%s\n", row->object, row->object[0] ? "." : "", *key);
}
