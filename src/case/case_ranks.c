/* How a case wants the domain divided among ranks: by a grid of them, or by a map in a file of its own. */
#include "src/case/case_ranks.h"

#include "graph/base/error.h"
#include "graph/plan/rank_map.h"
#include "src/case/case_keys.h"
#include "src/case/case_sections.h"
#include "src/common/path_beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const map_wanted =
    "the path of a file with regions, as seen from the case file, such as \"maps/two_ranks.json\"";
enum { RANKS_MOST = 1 << 20 };

#define CORNER(key, text, at)                                                                       \
    {                                                                                               \
        .name = (key), .type = WEIR_KEY_INTEGER, .per_axis = true, .needed = true, .about = (text), \
        .examples = (at), .least = 0, .most = 65536,                                                \
        .schema = "{\"items\": {\"type\": \"integer\", \"minimum\": 0}}"                            \
    }
enum { FROM, TO, RANK, HOST, GPU, PART };
static const struct weir_key region_keys[] = {
    [FROM] = CORNER("from", "The first cell of the region along each axis, numbered from 0.", "[[0, 0, 0]]"),
    [TO] = CORNER("to", "The cell after the last along each axis.", "[[16, 16, 16]]"),
    [RANK] = {.name = "rank",
              .type = WEIR_KEY_INTEGER,
              .alternative = true,
              .about = "The rank that computes the region.",
              .examples = "[0]",
              .least = 0,
              .most = RANKS_MOST - 1,
              .wanted = "the number of a rank, such as 0"},
    [HOST] = {.name = "host",
              .type = WEIR_KEY_TEXT,
              .alternative = true,
              .about = "The host that computes the region, with or without its domain. Its ranks divide what "
                       "names no GPU.",
              .examples = "[\"node17\", \"node17.cluster.org\"]",
              .schema = "{\"minLength\": 1, \"maxLength\": 255}",
              .wanted = "the name of a host in quotes, such as \"node17\" or \"node17.cluster.org\""},
    [GPU] = {.name = "gpu",
             .type = WEIR_KEY_INTEGER,
             .about = "The GPU where the region's blocks live at first, by its number on the host (weir info "
                      "shows it).",
             .examples = "[0]",
             .least = 0,
             .most = WEIR_GPUS_MAX - 1,
             .wanted = "the number of a GPU on its host, such as 0"},
    [PART] =
        {.name = "part",
         .type = WEIR_KEY_TEXT,
         .about = "The part of the rank's machine where the region's blocks live at first, as in "
                  "placement.shares.",
         .examples = "[\"cpu\", \"team0\"]",
         .schema = "{\"pattern\": \"^(cuda[0-9]*|cpu[0-9]*|team[0-9]+)$\"}",
         .wanted =
             "a part of the rank's machine as in placement.shares, such as \"cpu\", \"team0\" or \"cuda0\""},
    {.name = NULL},
};

/* What maps say to editors and readers. */
struct map_words {
    const char *schema, *description;
};

enum { SCHEMA, DESCRIPTION, REGIONS };
const struct weir_key weir_map_keys[] = {
    [SCHEMA] = {.name = "$schema",
                .type = WEIR_KEY_TEXT,
                .about = "Where editors find the schema of maps. Weir does not read it.",
                .examples = "[\"schema.json\"]",
                .wanted = "the path of configs/maps/schema.json in quotes",
                WEIR_KEY_AT(struct map_words, schema)},
    [DESCRIPTION] = {.name = "description",
                     .type = WEIR_KEY_TEXT,
                     .about = "What the map is for, for its readers.",
                     .examples = "[\"Two hosts with two GPUs each\"]",
                     .wanted = "a sentence in quotes",
                     WEIR_KEY_AT(struct map_words, description)},
    [REGIONS] = {.name = "regions",
                 .type = WEIR_KEY_LIST,
                 .needed = true,
                 .about = "Boxes that cover the domain, every cell once. A block belongs to the region that "
                          "has most of its "
                          "cells.",
                 .examples = "[[{\"from\": [0, 0, 0], \"to\": [16, 16, 16], \"rank\": 0}]]",
                 .least = 1,
                 .most = WEIR_RANK_REGIONS_MAX,
                 .members = region_keys,
                 .definition = "region",
                 .schema = "{\"not\": {\"required\": [\"gpu\", \"part\"]}}"},
    {.name = NULL},
};

enum { GRID, MAP, TIMEOUT };
const struct weir_key weir_ranks_keys[] = {
    [GRID] = {.name = "grid",
              .type = WEIR_KEY_INTEGER,
              .per_axis = true,
              .about = "Ranks along each axis; their product is the number of ranks.",
              .more = "That is what the launcher starts, or `weir check --ranks` is asked about "
                      "([ranks](cluster.md)).",
              .otherwise = "chosen",
              .examples = "[[1, 1, 1]]",
              .example = "[2, 2, 1]",
              .least = 1,
              .most = RANKS_MOST,
              .wanted = "a number of ranks greater than 0, such as 2"},
    [MAP] =
        {.name = "map",
         .type = WEIR_KEY_OBJECT,
         .about =
             "Instead of a grid, regions of the domain for ranks, hosts and GPUs: the path of a file (see "
             "configs/maps), as seen from this file, or what such a file holds.",
         .more = "[Maps](cluster.md#maps).",
         .otherwise = "none",
         .examples = "[{\"regions\": [{\"from\": [0, 0, 0], \"to\": [16, 16, 16], \"rank\": 0}]}]",
         .example = "\"maps/two_hosts.json\"",
         .members = weir_map_keys,
         .definition = "rank_map",
         .schema = "{\"type\": [\"string\", \"object\"], \"minLength\": 1}"},
    [TIMEOUT] =
        {.name = "timeout",
         .type = WEIR_KEY_NUMBER,
         .about = "Seconds after which a rank that gives no sign of life counts as lost, and the run ends; "
                  "0: never. A rank that is merely slow gives signs of life.",
         .more = "[When something goes wrong](cluster.md#when-something-goes-wrong).",
         .fallback = "60",
         .examples = "[0, 600]",
         .example = "600",
         .schema = "{\"anyOf\": [{\"const\": 0}, {\"minimum\": 1}]}",
         .wanted = "seconds after which a rank without a sign of life counts as lost, such as 60, or 0 for "
                   "never",
         WEIR_KEY_AT(struct weir_case, rank_timeout)},
    {.name = NULL},
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the map of ranks");
}

int weir_case_load_map(json_t *root, const struct weir_json_source *source, char **file) {
    const struct weir_json json = weir_json_root(source, root), ranks = weir_json_member(&json, "ranks"),
                           map = weir_json_member(&ranks, "map");
    const char *path = json_string_value(map.value);
    *file = NULL;
    if (!path)
        return 0;
    if (path[0] == '\0')
        return weir_json_fail(&map, "is empty; give %s", map_wanted);
    *file = weir_path_beside(source->file, path);
    if (!*file)
        return fail_memory();
    json_t *tree = NULL;
    const int error = weir_json_load(*file, "map", &tree);
    if (error != 0) {
        char *text = strdup(weir_error_text());
        (void)weir_json_fail(&map, "%s", text ? text : "cannot be read");
        free(text);
        return error;
    }
    json_object_set_new((json_t *)ranks.value, "map", tree);
    return 0;
}

static int read_grid(const struct weir_json *grid, struct weir_case *c) {
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    const char *wanted = "the numbers of ranks along x, y and z (2 of them in 2-D), such as [2, 2, 1]";
    int count;
    WEIR_TRY(weir_json_array(grid, wanted, dimensions, 3, &count));
    c->ranks_along[2] = 1;
    for (int axis = 0; axis < count; axis++) {
        struct weir_json item = weir_json_item(grid, axis);
        int64_t number;
        WEIR_TRY(weir_key_read(&item, &weir_ranks_keys[GRID], NULL, &number));
        c->ranks_along[axis] = (int)number;
    }
    return 0;
}

/* A corner of a region: corner[3], cells from the domain's low corner. */
static int read_corner(const struct weir_json *region, const char *key, const struct weir_case *c,
                       int corner[3]) {
    const struct weir_json json = weir_json_member(region, key);
    char wanted[160];
    int count;
    snprintf(wanted, sizeof wanted,
             "%s of the region along each axis, in cells, such as %s (all cells: from 0 to %d, %d, %d)",
             strcmp(key, "from") == 0 ? "the first cell" : "the cell after the last", "[0, 32, 0]",
             c->problem.cells[0], c->problem.cells[1], c->problem.cells[2]);
    if (!weir_json_present(&json))
        return weir_json_fail_missing(&json, wanted);
    WEIR_TRY(weir_json_array(&json, wanted, weir_lattice_dimensions(c->problem.lattice), 3, &count));
    for (int axis = 0; axis < count; axis++) {
        const struct weir_json item = weir_json_item(&json, axis);
        int64_t cell;
        WEIR_TRY(weir_json_integer(&item, wanted, 0, c->problem.cells[axis], &cell));
        corner[axis] = (int)cell;
    }
    return 0;
}

static int read_box(const struct weir_json *region, const struct weir_case *c, struct weir_box *box) {
    int from[3] = {0, 0, 0}, to[3] = {1, 1, 1};
    WEIR_TRY(read_corner(region, "from", c, from));
    WEIR_TRY(read_corner(region, "to", c, to));
    for (int axis = 0; axis < 3; axis++) {
        if (from[axis] >= to[axis]) {
            const struct weir_json end = weir_json_member(region, "to");
            return weir_json_fail(&end, "%d along %c is not beyond %d, where the region begins; give more",
                                  to[axis], "xyz"[axis], from[axis]);
        }
        box->origin[axis] = from[axis];
        box->extent[axis] = to[axis] - from[axis];
    }
    return 0;
}

/* Whom a region is for: a rank or a host. */
static int read_owner(const struct weir_json *region, struct weir_rank_region *r) {
    const struct weir_json rank = weir_json_member(region, "rank"), host = weir_json_member(region, "host");
    if (weir_json_present(&rank) == weir_json_present(&host))
        return weir_json_fail(
            region, "%s; give one of \"rank\" (such as 0) and \"host\" (such as \"node17\")",
            weir_json_present(&rank) ? "has both a rank and a host" : "has neither a rank nor a host");
    if (weir_json_present(&rank)) {
        int64_t number;
        WEIR_TRY(weir_key_read(&rank, &region_keys[RANK], NULL, &number));
        r->rank = (int)number;
        return 0;
    }
    const char *name;
    WEIR_TRY(weir_key_read(&host, &region_keys[HOST], NULL, &name));
    if (name[0] == '\0' || name[0] == '.' || strlen(name) >= sizeof r->host)
        return weir_json_fail_type(&host, "a host", region_keys[HOST].wanted);
    strcpy(r->host, name);
    return 0;
}

/* What of its rank the region is for. */
static int read_device(const struct weir_json *region, struct weir_rank_region *r) {
    const struct weir_json gpu = weir_json_member(region, "gpu"), part = weir_json_member(region, "part");
    if (weir_json_present(&gpu) && weir_json_present(&part))
        return weir_json_fail(region, "has both gpu and part; give one of them, or neither");
    if (weir_json_present(&gpu)) {
        int64_t number;
        WEIR_TRY(weir_key_read(&gpu, &region_keys[GPU], NULL, &number));
        r->gpu = (int)number;
    }
    if (!weir_json_present(&part))
        return 0;
    const char *name;
    WEIR_TRY(weir_key_read(&part, &region_keys[PART], NULL, &name));
    if (!weir_worker_groups_is_name(name))
        return weir_json_fail_type(&part, "a part of a machine", region_keys[PART].wanted);
    strcpy(r->group, name); /* such names are short */
    return 0;
}

static int read_regions(const struct weir_json *regions, const struct weir_case *c,
                        struct weir_rank_map *map) {
    const char *wanted =
        "1 to 4096 regions, such as [{\"from\": [0, 0, 0], \"to\": [64, 64, 64], \"rank\": 0}]";
    int count;
    if (!weir_json_present(regions))
        return weir_json_fail_missing(regions, wanted);
    WEIR_TRY(weir_json_array(regions, wanted, 1, WEIR_RANK_REGIONS_MAX, &count));
    map->regions = calloc((size_t)count, sizeof *map->regions);
    if (!map->regions)
        return fail_memory();
    map->count = count;
    for (int k = 0; k < count; k++) {
        const struct weir_json region = weir_json_item(regions, k);
        struct weir_rank_region *r = &map->regions[k];
        r->rank = r->gpu = -1;
        WEIR_TRY(weir_json_object(&region, "an object with from, to, and a rank or a host"));
        WEIR_TRY(read_box(&region, c, &r->box));
        WEIR_TRY(read_owner(&region, r));
        WEIR_TRY(read_device(&region, r));
    }
    return weir_rank_map_check_cells(map, c->problem.cells);
}

static int read_map(const struct weir_json *json, struct weir_case *c) {
    static const char *const within = ": ranks.map.";
    const struct weir_json_source own = {.file = c->map_file, .known = weir_case_known_map_keys()};
    const struct weir_json root = c->map_file ? weir_json_root(&own, json->value) : *json;
    const struct weir_json regions = weir_json_member(&root, weir_map_keys[REGIONS].name);
    struct map_words ignored;
    WEIR_TRY(weir_json_object(&root, map_wanted));
    WEIR_TRY(weir_keys_read(&root, weir_map_keys, &c->units, &ignored)); /* words for editors and readers */
    struct weir_rank_map *map = c->map = calloc(1, sizeof *map);
    const char *file = c->map_file ? c->map_file : c->file;
    const size_t size = strlen(file) + strlen(within) + 1;
    if (!map || !(map->source = malloc(size)))
        return fail_memory();
    snprintf(map->source, size, "%s%s", file, c->map_file ? ": " : within);
    return read_regions(&regions, c, map);
}

int weir_case_read_ranks(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json ranks = weir_json_member(root, "ranks"), grid = weir_json_member(&ranks, "grid"),
                           map = weir_json_member(&ranks, "map"),
                           timeout = weir_json_member(&ranks, "timeout");
    if (!weir_json_present(&ranks))
        return 0;
    WEIR_TRY(weir_json_object(&ranks, "an object such as {\"grid\": [2, 2, 1]}"));
    if (weir_json_present(&grid) && weir_json_present(&map))
        return weir_json_fail(&ranks, "has both a grid and a map; give one of them");
    if (weir_json_present(&grid))
        WEIR_TRY(read_grid(&grid, c));
    if (weir_json_present(&map))
        WEIR_TRY(read_map(&map, c));
    WEIR_TRY(weir_keys_read(&ranks, weir_ranks_keys, &c->units, c));
    if (c->rank_timeout < 0 || (c->rank_timeout > 0 && c->rank_timeout < 1))
        return weir_json_fail(&timeout, "%g is neither 0 nor 1 or more; give %s", c->rank_timeout,
                              weir_ranks_keys[TIMEOUT].wanted);
    return 0;
}
