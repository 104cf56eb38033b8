#include "src/bench/bench_options.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "graph/problem/problem.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    KEY_LATTICE = 1,
    KEY_ALL,
    KEY_COLLISION,
    KEY_PRECISION,
    KEY_CELLS,
    KEY_FORCE,
    KEY_WALLS,
    KEY_SOLIDS,
    KEY_DEVICE,
    KEY_THREADS,
    KEY_SET,
    KEY_QUICK,
    KEY_JSON,
    KEY_RANKS,
    KEY_BLOCKS,
};

/* A block holds at most 2^30 cells. */
enum { CELLS_MAX = 1024 };

/* What one process can pretend to be a part of. */
enum { RANKS_MAX = 1 << 16, BLOCKS_MAX = 4096, BLOCKS_DEFAULT = 64 };

static const char description[] =
    "Measures how near kernels come to the limits of this machine, and the task\n"
    "graph to the kernels.\n"
    "\n"
    "  weir bench kernels   bandwidth of cores, GPUs and links, and every kernel\n"
    "                       variant against it\n"
    "  weir bench graph     blocks advanced by a bare loop of the kernels, and by\n"
    "                       the task graph\n"
    "  weir bench ranks     what submitting steps costs one of many ranks, which are\n"
    "                       not there: kernels are off, nothing is sent\n"
    "\n"
    "Options:\v"
    "Lists are separated by commas. Numbers are medians; docs/performance.md explains each.";

static const struct argp_option option_table[] = {
    {"lattice", KEY_LATTICE, "LIST", 0, "Lattices (default: D3Q19)", 0},
    {"all", KEY_ALL, NULL, 0, "All lattices", 0},
    {"collision", KEY_COLLISION, "LIST", 0, "bgk, trt (default: kernels both, graph trt)", 0},
    {"precision", KEY_PRECISION, "LIST", 0, "single, double (default: kernels both, graph single)", 0},
    {"cells", KEY_CELLS, "LIST", 0,
     "Blocks: 128 is a cube, 192x96x96 a brick (default: kernels 64,96,128,192,256, graph 32,64,128,256)", 0},
    {"force", KEY_FORCE, "off|on|both", 0, "With a body force (default: off)", 0},
    {"walls", KEY_WALLS, "off|on|both", 0, "Walls around the domain instead of periodic axes (default: off)",
     0},
    {"solids", KEY_SOLIDS, "LIST", 0,
     "Also with spheres here and there that make such shares of the cells solid, as 0.27 (kernels only)", 0},
    {"device", KEY_DEVICE, "cpu|cuda|all", 0, "What to measure (default: all that is there)", 0},
    {"threads", KEY_THREADS, "N", 0, "Cores to use (default: all)", 0},
    {"instruction-set", KEY_SET, "NAME|all", 0, "CPU kernels of another instruction set (kernels only)", 0},
    {"ranks", KEY_RANKS, "LIST", 0, "Numbers of ranks to pretend (ranks only; default: 8,27,64,512,1024)", 0},
    {"blocks", KEY_BLOCKS, "N", 0, "Blocks of each rank (ranks only; default: 64)", 0},
    {"quick", KEY_QUICK, NULL, 0, "Few repetitions and small blocks: to see that it works", 0},
    {"json", KEY_JSON, "FILE", 0, "Write all numbers to FILE", 0},
    {"quiet", 'q', NULL, 0, "No progress on standard error", 0},
    {0},
};

/* Sets wanted[k] for each name of a list; `option` for messages. */
static int read_names(const char *option, const char *list, const char *const *names, bool *wanted) {
    char *copy = strdup(list), *rest = copy;
    int error = 0;
    for (int k = 0; names[k]; k++)
        wanted[k] = false;
    for (char *word; error == 0 && copy && (word = strsep(&rest, ","));) {
        int found = -1;
        for (int k = 0; names[k]; k++)
            if (strcasecmp(names[k], word) == 0)
                found = k;
        if (found >= 0) {
            wanted[found] = true;
            continue;
        }
        char known[256] = "";
        for (int k = 0; names[k]; k++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "", names[k]);
        const char *near = weir_nearest(word, names);
        error = near ? weir_fail(WEIR_USAGE, "--%s: \"%s\" is not known; did you mean \"%s\"?", option, word,
                                 near)
                     : weir_fail(WEIR_USAGE, "--%s: \"%s\" is not known; give %s", option, word, known);
    }
    free(copy);
    return error;
}

static int read_switch(const char *option, const char *text, bool wanted[2]) {
    static const char *const names[] = {"off", "on", "both", NULL};
    bool chosen[3];
    WEIR_TRY(read_names(option, text, names, chosen));
    wanted[0] = chosen[0] || chosen[2];
    wanted[1] = chosen[1] || chosen[2];
    return 0;
}

static int read_device(struct weir_bench_options *options, const char *text) {
    static const char *const names[] = {"cpu", "cuda", "all", NULL};
    bool chosen[3];
    WEIR_TRY(read_names("device", text, names, chosen));
    options->cpu = chosen[0] || chosen[2];
    options->cuda = chosen[1] || chosen[2];
    options->device_named = !chosen[2];
    return 0;
}

static int read_shape(const char *word, struct weir_bench_shape *shape) {
    const char *next = word;
    memset(shape, 0, sizeof *shape);
    for (int axis = 0; axis < 3; axis++) {
        char *end;
        const long cells = strtol(next, &end, 10);
        if (end == next || *next == '+' || *next == '-' || *next == ' ' || cells < 1 ||
            cells > CELLS_MAX * 1024)
            break;
        shape->cells[axis] = (int)cells;
        next = end;
        if (*end == '\0')
            break;
        if (*end != 'x')
            break;
        next++;
    }
    double total = 1;
    for (int axis = 0; axis < 3; axis++)
        total *= shape->cells[axis] > 0 ? shape->cells[axis] : shape->cells[1] > 0 ? 1 : shape->cells[0];
    if (*next != '\0' || *word == '\0' || word[strlen(word) - 1] == 'x' || total < 1)
        return weir_fail(WEIR_USAGE,
                         "--cells: \"%s\" is no block size; give a number such as 128, or three such as "
                         "192x96x96",
                         word);
    if (total > (double)CELLS_MAX * CELLS_MAX * CELLS_MAX)
        return weir_fail(WEIR_USAGE, "--cells: \"%s\" is too large; blocks have at most 1024^3 cells", word);
    return 0;
}

static int read_shapes(struct weir_bench_options *options, const char *list) {
    char *copy = strdup(list), *rest = copy;
    int error = 0;
    options->shape_count = 0;
    for (char *word; error == 0 && copy && (word = strsep(&rest, ","));) {
        if (options->shape_count == WEIR_BENCH_SHAPES_MAX)
            error = weir_fail(WEIR_USAGE, "--cells: at most %d block sizes at a time", WEIR_BENCH_SHAPES_MAX);
        else
            error = read_shape(word, &options->shapes[options->shape_count++]);
    }
    free(copy);
    return error;
}

static int read_solids(struct weir_bench_options *options, const char *list) {
    char *copy = strdup(list), *rest = copy;
    int error = 0;
    options->solid_count = 0;
    for (char *word; error == 0 && copy && (word = strsep(&rest, ","));) {
        char *end;
        const double share = strtod(word, &end);
        if (end == word || *end != '\0' || !(share > 0 && share < 1))
            error =
                weir_fail(WEIR_USAGE,
                          "--solids: \"%s\" is no share of the cells; give a number between 0 and 1, such "
                          "as 0.27",
                          word);
        else if (options->solid_count == WEIR_BENCH_SOLIDS_MAX)
            error = weir_fail(WEIR_USAGE, "--solids: at most %d shares at a time", WEIR_BENCH_SOLIDS_MAX);
        else
            options->solids[options->solid_count++] = share;
    }
    free(copy);
    return error;
}

static int read_threads(struct weir_bench_options *options, const char *text) {
    char *end;
    const long threads = strtol(text, &end, 10);
    if (end == text || *end != '\0' || threads < 1 || threads > 65536)
        return weir_fail(WEIR_USAGE, "--threads: \"%s\" is no number of cores; give 1 or more", text);
    options->threads = (int)threads;
    return 0;
}

static int read_instruction_set(struct weir_bench_options *options, const char *text) {
    const struct weir_instruction_set *set;
    char known[128] = "all";
    options->instruction_set = text;
    bool found = strcmp(text, "all") == 0;
    for (int k = 0; (set = weir_instruction_set(k)); k++) {
        found = found || strcmp(text, set->name) == 0;
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", set->name);
    }
    return found ? 0
                 : weir_fail(WEIR_USAGE, "--instruction-set: this processor or build has no \"%s\"; give %s",
                             text, known);
}

const char *const weir_bench_names[] = {"kernels", "graph", "ranks", NULL};

static int read_what(struct weir_bench_options *options, const char *word) {
    for (int k = 0; weir_bench_names[k]; k++)
        if (strcmp(word, weir_bench_names[k]) == 0) {
            options->what = (enum weir_bench_what)k;
            return 0;
        }
    const char *near = weir_nearest(word, weir_bench_names);
    return weir_fail(WEIR_USAGE, "bench \"%s\" is not known; %s%s%s", word, near ? "did you mean \"" : "",
                     near ? near : "give kernels, graph or ranks", near ? "\"?" : "");
}

/* Which options were given: what the others are depends on kernels or graph. */
struct reading {
    struct weir_bench_options *options;
    bool what, lattice, collision, precision, ranks;
};

static int take(struct reading *reading, int key, char *argument) {
    struct weir_bench_options *options = reading->options;
    switch (key) {
    case KEY_LATTICE:
        reading->lattice = true;
        return read_names("lattice", argument, weir_lattice_names, options->lattices);
    case KEY_ALL:
        reading->lattice = true;
        for (int k = 0; k < WEIR_LATTICE_COUNT; k++)
            options->lattices[k] = true;
        return 0;
    case KEY_COLLISION:
        reading->collision = true;
        return read_names("collision", argument, weir_collision_names, options->collisions);
    case KEY_PRECISION:
        reading->precision = true;
        return read_names("precision", argument, weir_precision_names, options->precisions);
    case KEY_CELLS:
        options->shapes_named = true;
        return read_shapes(options, argument);
    case KEY_FORCE:
        return read_switch("force", argument, options->force);
    case KEY_WALLS:
        return read_switch("walls", argument, options->walls);
    case KEY_SOLIDS:
        return read_solids(options, argument);
    case KEY_DEVICE:
        return read_device(options, argument);
    case KEY_THREADS:
        return read_threads(options, argument);
    case KEY_SET:
        return read_instruction_set(options, argument);
    case KEY_RANKS:
        reading->ranks = true;
        return weir_number_list_read("ranks", argument, RANKS_MAX, WEIR_BENCH_RANKS_MAX, options->ranks,
                                     &options->rank_count);
    case KEY_BLOCKS: {
        long blocks;
        WEIR_TRY(weir_number_read("blocks", argument, BLOCKS_MAX, &blocks));
        options->blocks = (int)blocks;
        return 0;
    }
    case KEY_QUICK:
        options->quick = true;
        return 0;
    case KEY_JSON:
        options->json = argument;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (reading->what)
            return weir_fail(WEIR_USAGE, "\"%s\": one benchmark at a time; give kernels, graph or ranks",
                             argument);
        reading->what = true;
        return read_what(options, argument);
    default:
        return 1;
    }
}

static error_t parse_one(int key, char *argument, struct argp_state *state) {
    return weir_command_line_answer(take(state->input, key, argument));
}

static void set_defaults(const struct reading *reading) {
    static const int cubes_of_kernels[] = {64, 96, 128, 192, 256, 0},
                     cubes_of_graph[] = {32, 64, 128, 256, 0}, quick_cubes[] = {64, 0},
                     cubes_of_ranks[] = {32, 0};
    static const int usual_ranks[] = {8, 27, 64, 512, 1024, 0};
    struct weir_bench_options *options = reading->options;
    const bool kernels = options->what == WEIR_BENCH_KERNELS;
    if (!reading->lattice)
        options->lattices[WEIR_D3Q19] = true;
    if (!reading->collision)
        options->collisions[WEIR_TRT] = true, options->collisions[WEIR_BGK] = kernels;
    if (!reading->precision)
        options->precisions[WEIR_SINGLE] = true, options->precisions[WEIR_DOUBLE] = kernels;
    for (int k = 0; !reading->ranks && usual_ranks[k]; k++)
        options->ranks[options->rank_count++] = usual_ranks[k];
    if (options->shapes_named)
        return;
    const int *cubes = options->what == WEIR_BENCH_RANKS ? cubes_of_ranks
                       : options->quick                  ? quick_cubes
                       : kernels                         ? cubes_of_kernels
                                                         : cubes_of_graph;
    for (int k = 0; cubes[k]; k++)
        options->shapes[options->shape_count++] = (struct weir_bench_shape){{cubes[k], 0, 0}};
}

int weir_bench_options_read(int argc, char **argv, struct weir_bench_options *options) {
    static const struct argp argp = {option_table, parse_one, "kernels|graph|ranks", description, NULL,
                                     NULL,         NULL};
    struct reading reading = {.options = options};
    *options = (struct weir_bench_options){
        .force = {true}, .walls = {true}, .cpu = true, .cuda = true, .blocks = BLOCKS_DEFAULT};
    WEIR_TRY(weir_command_line_read(&argp, "weir bench", argc, argv, &reading));
    if (!reading.what)
        return weir_fail(WEIR_USAGE,
                         "bench what? Give weir bench kernels, weir bench graph or weir bench ranks");
    if (options->instruction_set && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--instruction-set is for weir bench kernels; a graph runs the best");
    if (options->solid_count > 0 && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--solids is for weir bench kernels; graph and ranks have empty blocks");
    set_defaults(&reading);
    /* Now, not after minutes of measuring. */
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++)
        for (int k = 0; options->lattices[lattice] && k < options->shape_count; k++) {
            int extent[3];
            WEIR_TRY(weir_bench_shape_extent(&options->shapes[k], (enum weir_lattice)lattice, extent));
        }
    return 0;
}

int weir_bench_shape_extent(const struct weir_bench_shape *shape, enum weir_lattice lattice, int extent[3]) {
    const int *cells = shape->cells;
    const bool flat = weir_lattice_dimensions(lattice) == 2;
    if (flat && cells[2] > 1)
        return weir_fail(WEIR_USAGE, "--cells: %dx%dx%d is not flat, as lattice %s is; give %dx%d", cells[0],
                         cells[1], cells[2], weir_lattice_names[lattice], cells[0], cells[1]);
    if (!flat && cells[1] > 0 && cells[2] == 0)
        return weir_fail(WEIR_USAGE, "--cells: %dx%d has no depth, and lattice %s needs one; give %dx%dx%d",
                         cells[0], cells[1], weir_lattice_names[lattice], cells[0], cells[1], cells[1]);
    for (int axis = 0; axis < 3; axis++)
        extent[axis] = cells[1] > 0 ? (cells[axis] > 0 ? cells[axis] : 1) : cells[0];
    if (flat && cells[1] == 0) {
        extent[0] = extent[1] = (int)lround(pow(cells[0], 1.5));
        extent[2] = 1;
    }
    return 0;
}
