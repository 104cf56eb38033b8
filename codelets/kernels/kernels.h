/* What kernels do: the functions that the objects of CPU texts define. They know neither StarPU nor MPI, and
 * may be called from any thread. How they are compiled and found: demand/find.h; what launches those of GPUs:
 * demand/launches.h. */
#ifndef WEIR_KERNELS_KERNELS_H
#define WEIR_KERNELS_KERNELS_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/cells/site_layout.h"
#include "codelets/kernels/halo.h"
#include "codelets/kernels/halo/message.h"
#include "codelets/kernels/totals.h"
#include "codelets/kernels/variants.h"

/* The state before the first step. */
struct weir_initial_state {
    double density, velocity[3], fifth; /* of all cells, where values is NULL; fifth: scalar or temperature */
    double source;                      /* the same: what a step adds to a scalar */
    const double *values; /* [4 to 9][nz + 2 ring][ny + 2 ring][nx + 2 ring]: density, velocity and, where
                             there is one, scalar or temperature of the block and its ring; behind the
                             scalar its source where there are sources; last what a conductor's cell
                             keeps (variant.h) where some solids conduct */
    const void
        *populations; /* stored [q][nz + 2 ring][ny + 2 ring][nx + 2 ring], natural arrangement: those of
                         the block and its ring, as weir_snapshot gives them, instead of the above */
    int parity;       /* of the first step; 0 where there are no populations */
    bool poison;      /* fill what no step may read with NaN instead of zero */
};

/* A block's messages of both parities, before the first step; NULL where there is none. */
struct weir_first_messages {
    void *message[2][WEIR_FACES];
    size_t bytes[WEIR_FACES]; /* of each of the two */
};

/* A brick of cells within a block, in the block's coordinates. */
struct weir_local_box {
    int origin[3], extent[3];
};

/* Where a block lies, for quantities that are named by global cells. */
struct weir_place {
    int64_t origin[3]; /* of the block, in cells of the domain */
    int64_t domain[3]; /* cells of the domain */
};

/* One step of rows row_begin .. row_end - 1 of a block (row = y + ny z). Reads view->incoming, writes
 * view->outgoing. */
typedef void weir_collide_stream_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                     int parity, int row_begin, int row_end);

/* Fills view->potentials: what cells of those rows attract by, from the density of what arrives before a step
 * of this parity, real [cells], of two components [2][cells], the density of each; below 0 in solid cells;
 * outgoing: the messages with it. view->incoming as for that step. */
typedef void weir_pseudopotential_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                      int parity, int row_begin, int row_end,
                                      void *const outgoing[WEIR_FACES]);

/* The velocity of the cells of those rows before a step of this parity: real [dimensions][kept cells];
 * outgoing: the messages with it. view->incoming as for that step. */
typedef void weir_velocity_field_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                     int parity, int row_begin, int row_end, void *velocity,
                                     void *const outgoing[WEIR_FACES]);

/* What follows from the gradient of that velocity in those rows, into view->further: the eddy viscosity, the
 * rate of strain, as the kernels' definitions say. incoming: the messages with the velocity of the cells of
 * other blocks. */
typedef void weir_velocity_gradient_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                        int row_begin, int row_end, const void *velocity,
                                        const void *const incoming[WEIR_NEIGHBOURS]);

/* Where cells of a row are at a free surface, or near it, as free_surface.h has it: begin <= x < end. */
struct weir_span {
    int32_t begin, end;
};
struct weir_near_spans {
    struct weir_span now, before;
};

/* Bytes of all of it, of a block. */
static inline size_t weir_surface_rows_bytes(const int extent[3]) {
    const size_t ny = (size_t)extent[1], nz = (size_t)extent[2];
    return (ny + 2) * (nz + 2) * sizeof(struct weir_span) + ny * nz * sizeof(struct weir_near_spans);
}

/* What the stages of a free surface have beside a block's view; by value, so that GPUs can have it. */
struct weir_surface_view {
    void *states; /* real [5][cells]: the state of each cell, density - 1 and velocity (free_surface.h) */
    void *shares; /* real [cells]: mass that a cell hands to each taker beside it */
    void *levels; /* real, as flags lie: levels of this pair of steps, of the block and a ring around it */
    void *rows;   /* struct weir_span [nz + 2][ny + 2], then weir_near_spans [nz][ny] */
    const void *states_beside[WEIR_NEIGHBOURS], *levels_beside[WEIR_NEIGHBOURS]; /* messages taken */
    void *give_states[WEIR_FACES], *give_levels[WEIR_FACES];
    bool prepares;  /* before the first step: levels are told, and flags found, and nothing changes */
    double tension; /* of the surface */
    /* Where gas that is enclosed has a pressure of its own (bubbles.h); else NULL, and 0. */
    void *gas_labels;                           /* int32_t [cells] */
    void *gas_table;                            /* struct weir_gas_table */
    const void *labels_beside[WEIR_NEIGHBOURS]; /* messages taken */
    void *give_labels[WEIR_FACES];
    unsigned atmosphere; /* bit f: the domain's face f (offsets.h) is open to it */
};

/* One stage of a free surface, of those rows, after a step of this parity. */
typedef void weir_surface_cpu(const struct weir_block_view *view, const struct weir_surface_view *surface,
                              int parity, int row_begin, int row_end);

/* Fills a table of where the populations of a list lie that arrive at its cells (cells/list_routes.h), for
 * view->list.routes: of this block, as long as its geometry stays as it is, for this function's object only.
 * Returns how many bytes it has; routes NULL: does nothing else. Its memory is aligned to 4 bytes. The view
 * has messages of either parity. */
typedef size_t weir_list_routes_cpu(const struct weir_block_view *view, void *routes);

/* Kernels that take row_begin and row_end do those rows of a block only, as above; what they say of a block
 * is then said of the rows. Different rows may be done at the same time. */

/* Fills what no step may read, before weir_initialise: populations of the rows, and with row 0 all messages.
 */
typedef void weir_clear_cpu(const struct weir_block_view *view, bool poison,
                            const struct weir_first_messages *messages, int row_begin, int row_end);

/* Writes all populations for the first step, and the messages view->outgoing, which it reads. */
typedef void weir_initialise_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                 const struct weir_initial_state *state, int row_begin, int row_end);

/* Density, velocity and, where there are such, scalar or temperature, and eddy viscosity of the cells of a
 * box, from the populations arriving before a step of this parity: values is real [4, 5 or 6][extent
 * z][extent y][extent x]; NaN in solid cells. The eddy viscosity is the one that the step's collision takes.
 */
typedef void weir_macroscopic_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                  int parity, const struct weir_local_box *box, void *values);

/* Cells of a box that a probe sees at most: those around a point. Its values have room for as many. */
enum { WEIR_SAMPLE_CELLS = 8 };

/* Adds a block up. `totals` is written as a whole. A cell has diverged when it is not finite or faster than
 * speed_limit. */
typedef void weir_totals_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid, int parity,
                             double speed_limit, int row_begin, int row_end,
                             struct weir_partial_totals *totals);

/* Compares with `previous` (float [3][kept cells], velocity at the last call) and replaces it. `change` is
 * written as a whole. */
typedef void weir_velocity_change_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                      int parity, int row_begin, int row_end, float *previous,
                                      struct weir_partial_change *change);

/* What is added up over time of a cell, in this order: density, velocity, scalar where there is one, products
 * of velocity components (xx, yy, zz, xy, yz, xz), and eddy viscosity where there are eddies. */
enum { WEIR_TIME_SUMS_MAX = 12 };

/* Adds the state before a step of this parity to `sums`, double [10, 11 or 12][kept cells]. */
typedef void weir_add_to_time_sums_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                       int parity, int row_begin, int row_end, double *sums);

/* Copies such sums to `values`, double [10, 11 or 12][nz][ny][nx], NaN in solid cells; or back from there. */
typedef void weir_copy_time_sums_cpu(const struct weir_block_view *view, int row_begin, int row_end,
                                     bool back, double *sums, double *values);

/* The block's part of the digest: sum[s] is the sum over its fluid cells of the XXH64 hash of the populations
 * in natural arrangement (f_0 .. f_q-1 arriving before this step), of fluids with phases with the force
 * between cells behind them, seeded with twice the cell's global number, plus s. */
typedef void weir_digest_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid, int parity,
                             const struct weir_place *place, int row_begin, int row_end, uint64_t sum[2]);

/* The populations of a block in natural arrangement, those arriving before a step of this parity, as they are
 * kept in memory: stored [q][nz][ny][nx], zeros in solid cells. */
typedef void weir_snapshot_cpu(const struct weir_block_view *view, int parity, int row_begin, int row_end,
                               void *populations);

/* One of the operations of weir_layout_operation on rows row_begin ... row_end - 1 (row = y + ny z) of a
 * domain in a layout of weir bench layouts, without a force: from one copy of the populations to the other.
 * Margins of `from` are read and have been filled; those of `to` are not written. */
typedef void weir_layout_step_cpu(const struct weir_site_layout *layout, const struct weir_fluid *fluid,
                                  const void *from, void *to, int row_begin, int row_end);

#endif
