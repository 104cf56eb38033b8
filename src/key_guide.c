#include "src/key_guide.h"

#include "src/case/case_keys.h"
#include "src/case/outputs/output_names.h"
#include "src/case/outputs/quantity.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tables of keys, by keys of the root. */
enum { MOST = 12, PATH = 128 };
static const struct {
    const char *name, *keys[MOST];
} tables[] = {
    {"case",
     {"$schema", "name", "description", "units", "si", "lattice", "collision", "precision", "storage"}},
    {"domain", {"domain", "fluid", "turbulence", "boundaries", "force", "flow_rate"}},
    {"initial", {"initial"}},
    {"scalar", {"scalar"}},
    {"phases", {"phases"}},
    {"free_surface", {"free_surface"}},
    {"solids", {"solids"}},
    {"placement", {"blocks", "placement", "ranks"}},
    {"run", {"run"}},
    {"checkpoint", {"checkpoint"}},
    {"output", {"output"}},
};

static void open_table(FILE *stream, const char *name, const char *header, int columns) {
    fprintf(stream, "<!-- table %s: from the program's rows, by docs/generate.py -->\n| %s |\n|", name,
            header);
    for (int k = 0; k < columns; k++)
        fprintf(stream, "---|");
    fprintf(stream, "\n");
}

static void close_table(FILE *stream) {
    fprintf(stream, "<!-- end of table -->\n");
}

static void print_default(FILE *stream, const struct weir_key *key) {
    if (key->otherwise)
        fprintf(stream, "%s", key->otherwise);
    else if (key->fallback)
        fprintf(stream, "`%s`", key->fallback);
    else
        fprintf(stream, key->needed ? "needed" : key->alternative ? "one of these" : "–");
}

static void print_choices(FILE *stream, const struct weir_key *key, const char *const *abouts) {
    const char *const *choices = weir_key_choices(key);
    for (int k = 0; choices[k]; k++)
        fprintf(stream, "%s`\"%s\"`%s%s",
                k > 0 && abouts ? "; "
                : k > 0         ? ", "
                                : " ",
                choices[k], abouts ? ": " : "", abouts ? abouts[k] : "");
    fprintf(stream, ".");
}

static void print_limits(FILE *stream, const struct weir_key *key) {
    if (key->longest > 0)
        fprintf(stream, " At most %d characters.", key->longest);
    if (key->positive)
        fprintf(stream, " Greater than 0.");
    else if (key->least != key->most && key->type != WEIR_KEY_LIST)
        fprintf(stream, key->most < 1e8 ? " From %.9g to %.9g." : " At least %.9g.", key->least, key->most);
}

/* What kinds a key belongs to, where not to all. */
static void print_kinds(FILE *stream, const struct weir_key *key, const struct weir_key *members) {
    bool first = true;
    for (int k = 0; key->kinds && weir_key_choices(members)[k]; k++)
        if (key->kinds & 1u << k) {
            fprintf(stream, "%s%s", first ? "*" : ", ", weir_key_choices(members)[k]);
            first = false;
        }
    if (!first)
        fprintf(stream, ":* ");
}

/* The first of a JSON list of examples, as text to be freed; NULL where there is none. */
static char *first_example(const struct weir_key *key) {
    json_t *list = key->examples ? json_loads(key->examples, 0, NULL) : NULL;
    char *text = list ? json_dumps(json_array_get(list, 0), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(list);
    return text;
}

static void print_row(FILE *stream, const char *path, const struct weir_key *key,
                      const struct weir_key *members, const char *const *abouts) {
    char *example = first_example(key);
    fprintf(stream, "| `%s` | ", path);
    print_default(stream, key);
    fprintf(stream, " | ");
    print_kinds(stream, key, members);
    fprintf(stream, "%s", key->about);
    if (key->type == WEIR_KEY_CHOICE)
        print_choices(stream, key, abouts);
    print_limits(stream, key);
    if (key->more)
        fprintf(stream, " %s", key->more);
    const char *shown = key->example ? key->example : example ? example : key->fallback;
    fprintf(stream, shown ? " | `%s` |\n" : " | |\n", shown);
    free(example);
}

static void print_key(FILE *stream, const char *path, const struct weir_key *key,
                      const struct weir_key *members, const char *const *abouts);

static void print_keys(FILE *stream, const char *path, const struct weir_key *key) {
    const struct weir_key *members = weir_key_members(key);
    for (const struct weir_key *member = members; member->name; member++) {
        char *below = NULL;
        if (asprintf(&below, "%s.%s", path, member->name) < 0)
            return;
        print_key(stream, below, member, members,
                  key->by_kind && member == members ? key->kinds_about() : NULL);
        free(below);
    }
}

static void print_key(FILE *stream, const char *path, const struct weir_key *key,
                      const struct weir_key *members, const char *const *abouts) {
    char below[PATH];
    const bool holds = key->type == WEIR_KEY_OBJECT || key->type == WEIR_KEY_LIST;
    if (!holds || key->example || key->alternative)
        print_row(stream, path, key, members, abouts);
    if (!holds || key->example) /* what is told by an example is told elsewhere in full */
        return;
    snprintf(below, sizeof below,
             key->type == WEIR_KEY_LIST ? "%s[]"
             : key->each                ? "%s.%s"
                                        : "%s",
             path, key->each_as);
    print_keys(stream, below, key);
}

static void print_quantities(FILE *stream) {
    open_table(stream, "quantities", "field | meaning | SI | outputs", 4);
    for (enum weir_quantity k = 0; k < WEIR_QUANTITY_COUNT; k++) {
        const struct weir_quantity_row *row = weir_quantity_row(k);
        fprintf(stream, "| `%s` | %s | %s |", row->name, row->about, row->unit);
        for (int type = 0, count = 0; type < WEIR_OUTPUT_TYPE_COUNT; type++)
            if (row->outputs & 1u << type)
                fprintf(stream, "%s %s", count++ > 0 ? "," : "",
                        weir_output_row((enum weir_output_type)type)->name);
        fprintf(stream, "%s |\n", row->dimensions == 3 ? "; in space only" : "");
    }
    close_table(stream);
}

static void print_collisions(FILE *stream) {
    open_table(stream, "collisions", "collision | meaning | lattices | parameters", 4);
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++) {
        const struct weir_collision_row *row = weir_collision_row((enum weir_collision)collision);
        fprintf(stream, "| `%s` | %s |", row->name, row->about);
        for (int lattice = 0, count = 0; weir_lattice_names[lattice]; lattice++)
            if (row->lattices & 1u << lattice)
                fprintf(stream, "%s %s", count++ > 0 ? "," : "", weir_lattice_names[lattice]);
        fprintf(stream, " |");
        for (int k = 0; k < WEIR_PARAMETERS_MAX && row->parameters[k].key; k++)
            fprintf(stream, "%s `%s` (%.9g)", k > 0 ? "," : "", row->parameters[k].key,
                    row->parameters[k].fallback);
        fprintf(stream, " |\n");
    }
    close_table(stream);
}

/* As a fraction of small numbers, where it is one. */
static void print_weight(FILE *stream, double weight) {
    for (int below = 1; below <= 1000; below++) {
        const double above = round(weight * below);
        if (above > 0 && fabs(above / below - weight) < 1e-15) {
            fprintf(stream, "%.0f/%d", above, below);
            return;
        }
    }
    fprintf(stream, "%.4g", weight);
}

/* Weights of directions of equal speed, slowest first. */
static void print_weights(FILE *stream, const struct weir_lattice_table *lattice) {
    const int fastest = 3 * WEIR_REACH_MAX * WEIR_REACH_MAX;
    for (int square = 0; square <= fastest; square++) {
        int count = 0, last = 0;
        for (int i = 0; i < lattice->populations; i++) {
            const int *c = lattice->velocity[i];
            if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == square) {
                count++;
                last = i;
            }
        }
        if (count == 0)
            continue;
        fprintf(stream, square > 0 ? ", %d · " : " ", count);
        print_weight(stream, lattice->weight[last]);
    }
}

static void print_lattices(FILE *stream) {
    open_table(stream, "lattices", "lattice | 1/c_s² | reach | weights, by speed | flows", 5);
    for (int k = 0; k < WEIR_ALL_LATTICES; k++) {
        const struct weir_lattice_table *lattice = weir_lattice_table(k);
        fprintf(stream, "| %s | %.5g | %d |", lattice->name, lattice->inverse_cs2, lattice->reach);
        print_weights(stream, lattice);
        fprintf(stream, " | %s%s |\n", lattice->no_flow ? "no: " : "yes",
                lattice->no_flow ? lattice->no_flow : "");
    }
    close_table(stream);
}

void weir_key_guide_print(FILE *stream) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        open_table(stream, tables[t].name, "key | default | meaning | example", 4);
        for (int k = 0; k < MOST && tables[t].keys[k]; k++)
            print_key(stream, tables[t].keys[k], weir_case_root_key(tables[t].keys[k]), NULL, NULL);
        close_table(stream);
    }
    print_quantities(stream);
    print_collisions(stream);
    print_lattices(stream);
}
