#include "src/surface/surface_shares.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/geometry.h"
#include "src/surface/surface_boxes.h"

#include <stdatomic.h>
#include <stdlib.h>

struct weighing {
    const struct weir_problem *problem;
    const bool *wanted;
    int rank, ranks;
    int64_t *weights; /* of all boxes, of which a rank weighs every so many-th */
    atomic_bool failed;
};

/* Cells beside walls in the middle slice of a box stand for all. */
static void weigh_box(void *context, int k) {
    struct weighing *w = context;
    const int64_t number = w->rank + (int64_t)k * w->ranks;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)w->problem->lattice);
    struct weir_box slice = weir_surface_box(w->problem, number);
    const int thickness = slice.extent[2];
    if (!weir_surface_box_may_have(w->problem, w->wanted, &slice))
        return;
    slice.origin[2] += thickness / 2;
    slice.extent[2] = 1;
    const struct weir_flag_array array = weir_flag_array(lattice, slice.extent);
    uint8_t *flags = malloc(weir_layout_ringed_cells(lattice, slice.extent));
    if (!flags || weir_geometry_flags(w->problem, &slice, flags) < 0) {
        free(flags);
        atomic_store(&w->failed, true);
        return;
    }
    int64_t beside = 0;
    for (int y = 0; y < slice.extent[1]; y++)
        for (int x = 0; x < slice.extent[0]; x++) {
            const uint8_t flag = flags[weir_flag_place(&array, x, y, 0)];
            beside += weir_flag_is_fluid(flag) && flag != WEIR_FLUID;
        }
    w->weights[number] = 1 + thickness * beside;
    free(flags);
}

/* A box is its rank's whose equal part of all weights has the middle of the box's. */
static void divide(const struct weighing *w, int64_t boxes, bool *own) {
    int64_t all = 0, before = 0;
    for (int64_t k = 0; k < boxes; k++)
        all += w->weights[k];
    for (int64_t k = 0; k < boxes; k++) {
        const double middle = (double)before + (double)w->weights[k] / 2;
        const int rank = all > 0 ? (int)(middle / (double)all * w->ranks) : 0;
        own[k] = (rank < w->ranks ? rank : w->ranks - 1) == w->rank;
        before += w->weights[k];
    }
}

int weir_surface_shares_find(const struct weir_problem *problem, const bool *wanted,
                             const struct weir_agreeing *who, bool *own) {
    const int64_t boxes = weir_surface_box_count(problem);
    struct weighing w = {.problem = problem, .wanted = wanted, .ranks = 1};
    if (who->ranks == MPI_COMM_NULL) {
        for (int64_t k = 0; k < boxes; k++)
            own[k] = true;
        return 0;
    }
    MPI_Comm_rank(who->ranks, &w.rank);
    MPI_Comm_size(who->ranks, &w.ranks);
    w.weights = calloc((size_t)boxes, sizeof *w.weights);
    if (w.weights)
        weir_parallel(weir_parallel_cores(), (int)((boxes - w.rank + w.ranks - 1) / w.ranks), weigh_box, &w);
    int error =
        w.weights && !w.failed ? 0 : weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
    error = weir_agreement(who, error, false);
    if (error == 0) {
        weir_agreeing_enter(who);
        MPI_Allreduce(MPI_IN_PLACE, w.weights, (int)boxes, MPI_INT64_T, MPI_SUM, who->ranks);
        weir_agreeing_leave(who);
        divide(&w, boxes, own);
    }
    free(w.weights);
    return error;
}
