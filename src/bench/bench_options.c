#include "src/bench/bench_options.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/problem/problem.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block holds at most 2^30 cells. */
enum { CELLS_MAX = 1024 };

/* What one process can pretend to be a part of. */
enum { RANKS_MAX = 1 << 16, BLOCKS_MAX = 4096, BLOCKS_DEFAULT = 64 };

enum { THREADS_MAX = 65536, CLUSTER_MAX = 1024 };

static const char description[] =
    "Measures how near kernels come to the limits of this machine, and the task\n"
    "graph to the kernels.\n"
    "\n"
    "  weir bench kernels   bandwidth of cores, GPUs and links, peak of arithmetic, and\n"
    "                       every kernel variant against them\n"
    "  weir bench graph     blocks advanced by a bare loop of the kernels, and by\n"
    "                       the task graph\n"
    "  weir bench ranks     what submitting steps costs one of many ranks, which are\n"
    "                       not there: kernels are off, nothing is sent\n"
    "  weir bench layouts   propagation and collision in other memory layouts (AoS,\n"
    "                       SoA, CSoA, CAoSoA), against what runs use\n"
    "\n"
    "Options:\v"
    "Lists are separated by commas. Numbers are medians; docs/performance.md explains each.";

/* Which options were given: what the others are depends on kernels or graph. */
struct reading {
    struct weir_bench_options options;
    bool what, lattice, collision, precision, kinds, ranks;
};

static struct weir_bench_options *options_of(void *context) {
    return &((struct reading *)context)->options;
}

static int read_switch(const char *option, const char *text, bool wanted[2]) {
    static const char *const names[] = {"off", "on", "both", NULL};
    bool chosen[3];
    WEIR_TRY(weir_command_line_names(option, text, names, chosen));
    wanted[0] = chosen[0] || chosen[2];
    wanted[1] = chosen[1] || chosen[2];
    return 0;
}

static int read_device(void *context, const char *text) {
    struct weir_bench_options *options = options_of(context);
    static const char *const names[] = {"cpu", "cuda", "all", NULL};
    bool chosen[3];
    WEIR_TRY(weir_command_line_names("device", text, names, chosen));
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

static int take_shape(void *context, const char *word) {
    struct weir_bench_options *options = context;
    if (options->shape_count == WEIR_BENCH_SHAPES_MAX)
        return weir_fail(WEIR_USAGE, "--cells: at most %d block sizes at a time", WEIR_BENCH_SHAPES_MAX);
    return read_shape(word, &options->shapes[options->shape_count++]);
}

static int read_shapes(void *context, const char *list) {
    struct weir_bench_options *options = options_of(context);
    options->shapes_named = true;
    options->shape_count = 0;
    return weir_command_line_split(list, take_shape, options);
}

static int take_share(void *context, const char *word) {
    struct weir_bench_options *options = context;
    char *end;
    const double share = strtod(word, &end);
    if (end == word || *end != '\0' || !(share > 0 && share < 1))
        return weir_fail(
            WEIR_USAGE,
            "--solids: \"%s\" is no share of the cells; give a number between 0 and 1, such as 0.27", word);
    if (options->solid_count == WEIR_BENCH_SOLIDS_MAX)
        return weir_fail(WEIR_USAGE, "--solids: at most %d shares at a time", WEIR_BENCH_SOLIDS_MAX);
    options->solids[options->solid_count++] = share;
    return 0;
}

static int read_solids(void *context, const char *list) {
    struct weir_bench_options *options = options_of(context);
    options->solid_count = 0;
    return weir_command_line_split(list, take_share, options);
}

static int read_instruction_set(void *context, const char *text) {
    struct weir_bench_options *options = options_of(context);
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

const char *const weir_bench_names[] = {"kernels", "graph", "ranks", "layouts", NULL};

static int read_what(struct weir_bench_options *options, const char *word) {
    for (int k = 0; weir_bench_names[k]; k++)
        if (strcmp(word, weir_bench_names[k]) == 0) {
            options->what = (enum weir_bench_what)k;
            return 0;
        }
    return weir_command_line_unknown("bench", word, weir_bench_names);
}

static int read_lattices(void *context, const char *list) {
    struct reading *reading = context;
    reading->lattice = true;
    return weir_command_line_names("lattice", list, weir_lattice_names, reading->options.lattices);
}

static int take_all_lattices(void *context, const char *text) {
    struct reading *reading = context;
    (void)text;
    reading->lattice = true;
    for (int k = 0; k < WEIR_LATTICE_COUNT; k++)
        reading->options.lattices[k] = true;
    return 0;
}

static int read_collisions(void *context, const char *list) {
    const char *names[WEIR_COLLISION_COUNT + 2] = {NULL};
    struct reading *reading = context;
    reading->collision = true;
    for (int k = 0; k < WEIR_COLLISION_COUNT; k++)
        names[k] = weir_collision_names[k];
    names[WEIR_BENCH_NO_COLLISION] = "none";
    return weir_command_line_names("collision", list, names, reading->options.collisions);
}

static int read_precisions(void *context, const char *list) {
    struct reading *reading = context;
    reading->precision = true;
    return weir_command_line_names("precision", list, weir_precision_names, reading->options.precisions);
}

static int read_force(void *context, const char *text) {
    return read_switch("force", text, options_of(context)->force);
}

static int read_turbulence(void *context, const char *text) {
    return read_switch("turbulence", text, options_of(context)->turbulence);
}

static int read_scalar(void *context, const char *text) {
    return read_switch("scalar", text, options_of(context)->scalar);
}

static int read_walls(void *context, const char *text) {
    return read_switch("walls", text, options_of(context)->walls);
}

static int read_kinds(void *context, const char *list) {
    const char *names[WEIR_CELL_KIND_COUNT + 1] = {NULL};
    struct reading *reading = context;
    reading->kinds = true;
    for (int k = 0; k < WEIR_CELL_KIND_COUNT; k++)
        names[k] = weir_cell_kinds[k].name;
    return weir_command_line_names("kind", list, names, reading->options.kinds);
}

static int read_clusters(void *context, const char *list) {
    struct weir_bench_options *options = options_of(context);
    WEIR_TRY(weir_number_list_read("cluster", list, CLUSTER_MAX, WEIR_BENCH_CLUSTERS_MAX, options->clusters,
                                   &options->cluster_count));
    for (int k = 0; k < options->cluster_count; k++)
        if (options->clusters[k] < 2 || (options->clusters[k] & (options->clusters[k] - 1)) != 0)
            return weir_fail(WEIR_USAGE,
                             "--cluster: %d is no power of two from 2 on; give 8,16 for example (clusters of "
                             "one cell are AoS and SoA, which are measured in any case)",
                             options->clusters[k]);
    return 0;
}

static int read_ranks(void *context, const char *list) {
    struct reading *reading = context;
    reading->ranks = true;
    return weir_number_list_read("ranks", list, RANKS_MAX, WEIR_BENCH_RANKS_MAX, reading->options.ranks,
                                 &reading->options.rank_count);
}

#define READ(name_, argument_, help_, read_) \
    { .name = (name_), .argument = (argument_), .help = (help_), .type = WEIR_OPTION_READ, .read = (read_) }

static const struct weir_option options_of_bench[] = {
    READ("lattice", "LIST", "Lattices (default: D3Q19; layouts also D2Q37, where cells are cubes)",
         read_lattices),
    READ("all", NULL, "All lattices", take_all_lattices),
    READ("collision", "LIST",
         "bgk, trt, mrt, regularised, recursive, cumulant; none: streaming alone, kernels only (default: "
         "kernels bgk and trt, graph trt, layouts trt and thermal_bgk)",
         read_collisions),
    READ("precision", "LIST",
         "single, double; all but layouts: half, single_moments, double_moments, mixed_moments (default: "
         "kernels and layouts single and double, graph single)",
         read_precisions),
    READ("cells", "LIST",
         "Blocks: 128 is a cube, 192x96x96 a brick (default: kernels 64,96,128,192,256, graph 32,64,128,256, "
         "layouts 96)",
         read_shapes),
    READ("force", "off|on|both", "With a body force (default: off)", read_force),
    READ("walls", "off|on|both", "Walls around the domain instead of periodic axes (default: off)",
         read_walls),
    READ("turbulence", "off|on|both", "With an eddy viscosity (kernels and graph; default: off)",
         read_turbulence),
    READ("scalar", "off|on|both",
         "With a scalar that the flow carries along (kernels and graph; default: off)", read_scalar),
    READ("solids", "LIST",
         "Also with spheres here and there that make such shares of the cells solid, as 0.27 (kernels only)",
         read_solids),
    READ("kind", "LIST",
         "Blocks that keep all cells, or their fluid cells only, compared: brick, list (kernels only; "
         "default: "
         "brick)",
         read_kinds),
    READ("device", "cpu|cuda|all", "What to measure (default: all that is there)", read_device),
    {.name = "threads",
     .argument = "N",
     .help = "Cores to use (default: all)",
     .type = WEIR_OPTION_NUMBER,
     .least = 1,
     .most = THREADS_MAX,
     WEIR_OPTION_AT(struct reading, options.threads)},
    READ("instruction-set", "NAME|all", "CPU kernels of another instruction set (kernels only)",
         read_instruction_set),
    READ("ranks", "LIST", "Numbers of ranks to pretend (ranks only; default: 8,27,64,512,1024)", read_ranks),
    {.name = "blocks",
     .argument = "N",
     .help = "Blocks of each rank (ranks only; default: 64)",
     .type = WEIR_OPTION_NUMBER,
     .least = 1,
     .most = BLOCKS_MAX,
     WEIR_OPTION_AT(struct reading, options.blocks)},
    READ("cluster", "LIST",
         "Cells of a cluster of CSoA and CAoSoA, powers of two (layouts only; default: 64 bytes of them, on "
         "GPUs 32)",
         read_clusters),
    {.name = "quick",
     .help = "Few repetitions and small blocks: to see that it works",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct reading, options.quick)},
    {.name = "json",
     .argument = "FILE",
     .help = "Write all numbers to FILE",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct reading, options.json)},
    {.name = "quiet",
     .letter = 'q',
     .help = "No progress on standard error",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct reading, options.quiet)},
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct reading *reading = context;
    if (number > 0)
        return weir_fail(WEIR_USAGE, "\"%s\": one benchmark at a time; give kernels, graph, ranks or layouts",
                         word);
    reading->what = true;
    return read_what(&reading->options, word);
}

/* Whether each shape is one number, for which flat lattices have a square. */
static bool have_cubes(const struct weir_bench_options *options) {
    for (int k = 0; k < options->shape_count; k++)
        if (options->shapes[k].cells[1] > 0)
            return false;
    return true;
}

static void set_defaults(struct reading *reading) {
    static const int cubes_of_kernels[] = {64, 96, 128, 192, 256, 0},
                     cubes_of_graph[] = {32, 64, 128, 256, 0}, quick_cubes[] = {64, 0},
                     cubes_of_ranks[] = {32, 0}, cubes_of_layouts[] = {96, 0};
    static const int usual_ranks[] = {8, 27, 64, 512, 1024, 0};
    struct weir_bench_options *options = &reading->options;
    const bool kernels = options->what == WEIR_BENCH_KERNELS, layouts = options->what == WEIR_BENCH_LAYOUTS;
    if (!reading->lattice)
        options->lattices[WEIR_D3Q19] = true, options->lattices[WEIR_D2Q37] = layouts && have_cubes(options);
    if (!reading->collision)
        options->collisions[WEIR_TRT] = true, options->collisions[WEIR_BGK] = kernels,
        options->collisions[WEIR_THERMAL_BGK] = layouts;
    if (!reading->precision)
        options->precisions[WEIR_SINGLE] = true, options->precisions[WEIR_DOUBLE] = kernels || layouts;
    if (!reading->kinds)
        options->kinds[WEIR_BRICK] = true;
    for (int k = 0; !reading->ranks && usual_ranks[k]; k++)
        options->ranks[options->rank_count++] = usual_ranks[k];
    if (options->shapes_named)
        return;
    const int *cubes = options->what == WEIR_BENCH_RANKS ? cubes_of_ranks
                       : layouts && !options->quick      ? cubes_of_layouts
                       : options->quick                  ? quick_cubes
                       : kernels                         ? cubes_of_kernels
                                                         : cubes_of_graph;
    for (int k = 0; cubes[k]; k++)
        options->shapes[options->shape_count++] = (struct weir_bench_shape){{cubes[k], 0, 0}};
}

/* Those that read what other stages make of the velocity are no kernel by itself. */
static int check_collisions(const struct weir_bench_options *options) {
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
        if (options->collisions[collision] && weir_collision_row((enum weir_collision)collision)->strain)
            return weir_fail(
                WEIR_USAGE,
                "--collision: %s takes three kernels for a step, of which this would measure one; "
                "use weir bench graph",
                weir_collision_names[collision]);
    return 0;
}

/* What weir bench layouts has not, and what it alone has. */
static int check_layouts(const struct weir_bench_options *options) {
    if (options->what != WEIR_BENCH_LAYOUTS)
        return options->cluster_count == 0
                   ? 0
                   : weir_fail(WEIR_USAGE, "--cluster is for weir bench layouts; blocks of runs have none");
    if (options->force[1] || options->walls[1] || options->scalar[1] || options->turbulence[1])
        return weir_fail(WEIR_USAGE,
                         "--force, --walls, --scalar and --turbulence are not for weir bench layouts, whose "
                         "domain is periodic and has nothing but a flow; use weir bench kernels");
    for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++)
        if (options->precisions[precision] && precision != WEIR_SINGLE && precision != WEIR_DOUBLE)
            return weir_fail(WEIR_USAGE,
                             "--precision %s is not for weir bench layouts, which have populations as they "
                             "are computed with; give single or double",
                             weir_precision_names[precision]);
    return 0;
}

/* Whether any precision is asked for that keeps moments. */
static bool has_moments(const struct weir_bench_options *options) {
    for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++)
        if (options->precisions[precision] && weir_precision_row((enum weir_precision)precision)->moments)
            return true;
    return false;
}

/* What does not go with moments. */
static int check_moments(const struct weir_bench_options *options) {
    if (!has_moments(options))
        return 0;
    if (options->scalar[1])
        return weir_fail(WEIR_USAGE, "--scalar is not for --precision single_moments, double_moments and "
                                     "mixed_moments: a scalar is kept as populations");
    if (options->kinds[WEIR_LIST])
        return weir_fail(WEIR_USAGE, "--kind list is not for --precision single_moments, double_moments and "
                                     "mixed_moments: moments are kept in bricks");
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
        if (options->collisions[collision] && weir_collision_row((enum weir_collision)collision)->by_moments)
            return 0;
    return weir_fail(WEIR_USAGE, "--precision single_moments, double_moments and mixed_moments are for "
                                 "--collision regularised and recursive; give one of them");
}

int weir_bench_options_read(int argc, char **argv, struct weir_bench_options *options) {
    static const struct weir_command command = {.name = "weir bench",
                                                .words = "kernels|graph|ranks|layouts",
                                                .description = description,
                                                .options = options_of_bench,
                                                .word = take_word};
    struct reading reading = {.options = {.force = {true},
                                          .walls = {true},
                                          .scalar = {true},
                                          .turbulence = {true},
                                          .cpu = true,
                                          .cuda = true,
                                          .blocks = BLOCKS_DEFAULT}};
    WEIR_TRY(weir_command_line_read(&command, argc, argv, &reading));
    if (!reading.what)
        return weir_fail(
            WEIR_USAGE,
            "bench what? Give weir bench kernels, weir bench graph, weir bench ranks or weir bench "
            "layouts");
    *options = reading.options;
    if (options->instruction_set && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--instruction-set is for weir bench kernels; the others take the best");
    if (reading.kinds && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--kind is for weir bench kernels; the others have bricks");
    if (options->collisions[WEIR_BENCH_NO_COLLISION] && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--collision none is for weir bench kernels; the others have flows");
    if (options->solid_count > 0 && options->what != WEIR_BENCH_KERNELS)
        return weir_fail(WEIR_USAGE, "--solids is for weir bench kernels; the others have empty blocks");
    set_defaults(&reading);
    *options = reading.options;
    if (options->what == WEIR_BENCH_KERNELS || options->what == WEIR_BENCH_LAYOUTS)
        WEIR_TRY(check_collisions(options));
    WEIR_TRY(check_layouts(options));
    WEIR_TRY(check_moments(options));
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
