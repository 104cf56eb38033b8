/* The command line of weir bench. */
#ifndef WEIR_SRC_BENCH_BENCH_OPTIONS_H
#define WEIR_SRC_BENCH_BENCH_OPTIONS_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/variants.h"

#include <stdbool.h>

enum {
    WEIR_BENCH_SHAPES_MAX = 32,
    WEIR_BENCH_RANKS_MAX = 16,
    WEIR_BENCH_SOLIDS_MAX = 8,
    WEIR_BENCH_CLUSTERS_MAX = 4
};

/* Number of the "collision" that leaves populations as they arrive: streaming alone, of weir bench kernels.
 */
enum { WEIR_BENCH_NO_COLLISION = WEIR_COLLISION_COUNT };

enum weir_bench_what { WEIR_BENCH_KERNELS, WEIR_BENCH_GRAPH, WEIR_BENCH_RANKS, WEIR_BENCH_LAYOUTS };
extern const char *const weir_bench_names[]; /* closed by NULL */

struct weir_bench_shape {
    int cells[3]; /* cells[2] is 0 where the third was not named; [1] too where one number stands for all */
};

struct weir_bench_options {
    enum weir_bench_what what;
    /* Which of a set are wanted. */
    bool lattices[WEIR_LATTICE_COUNT], collisions[WEIR_COLLISION_COUNT + 1], precisions[WEIR_PRECISION_COUNT];
    bool force[2], walls[2], scalar[2], turbulence[2]; /* [0] without, [1] with */
    bool cpu, cuda;
    bool device_named; /* by the user: then it must be there */
    struct weir_bench_shape shapes[WEIR_BENCH_SHAPES_MAX];
    int shape_count;
    bool shapes_named;                                    /* by the user: then each must fit into memory */
    double solids[WEIR_BENCH_SOLIDS_MAX];                 /* shares of the cells, between 0 and 1; */
    int solid_count;                                      /* each is measured beside the empty block */
    int ranks[WEIR_BENCH_RANKS_MAX], rank_count;          /* rising */
    int blocks;                                           /* of each rank */
    int clusters[WEIR_BENCH_CLUSTERS_MAX], cluster_count; /* of cells, rising; 0: the default */
    int threads;                                          /* 0: all cores */
    const char *instruction_set;                          /* a name, "all", or NULL for the best */
    bool kinds[WEIR_CELL_KIND_COUNT];                     /* how blocks keep their cells */
    bool quick, quiet;
    const char *json; /* file, NULL: none */
};

/* Reads the words after "weir": argv[0] is "bench". Exits with 0 for --help. Returns 0 or -WEIR_USAGE. */
int weir_bench_options_read(int argc, char **argv, struct weir_bench_options *options);

/* Extent of a block of this shape on a lattice: flat lattices get a square of as many cells where one number
 * stands for all. -WEIR_USAGE when the shape does not fit the lattice. */
int weir_bench_shape_extent(const struct weir_bench_shape *shape, enum weir_lattice lattice, int extent[3]);

#endif
