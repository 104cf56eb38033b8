/* The table of kernel variants, as the rest of the program sees it: for a lattice, collision and precision,
 * functions for the CPU (the best instruction set that this processor has) and for CUDA. Kernels know neither
 * StarPU nor MPI; they may be called from any thread. CUDA kernels are launched on the stream given and
 * return at once. */
#ifndef WEIR_KERNELS_KERNELS_H
#define WEIR_KERNELS_KERNELS_H

#include "codelets/kernels/block_view.h"
#include "codelets/kernels/layout.h"
#include "codelets/kernels/message.h"
#include "codelets/kernels/parcel.h"
#include "codelets/kernels/totals.h"
#include "codelets/kernels/variants.h"

/* The state before the first step. */
struct weir_initial_state {
    double density, velocity[3]; /* of all cells, where values is NULL */
    const double
        *values; /* [4][nz + 2][ny + 2][nx + 2]: density, velocity of the block and a ring of one cell */
    bool poison; /* fill what no step may read with NaN instead of zero */
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

/* Kernels that take row_begin and row_end do those rows of a block only, as above; what they say of a block
 * is then said of the rows. Different rows may be done at the same time. */

/* Fills what no step may read, before weir_initialise: populations of the rows, and with row 0 all messages.
 */
typedef void weir_clear_cpu(const struct weir_block_view *view, bool poison,
                            const struct weir_first_messages *messages, int row_begin, int row_end);

/* Writes all populations for parity 0, and the messages view->outgoing, which the first step reads. */
typedef void weir_initialise_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                 const struct weir_initial_state *state, int row_begin, int row_end);

/* Density and velocity of the cells of a box, from the populations arriving before a step of this parity:
 * values is real [4][extent z][extent y][extent x]; NaN in solid cells. */
typedef void weir_macroscopic_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                  int parity, const struct weir_local_box *box, void *values);

/* Adds a block up. `totals` is written as a whole. A cell is unsound when it is not finite or faster than
 * speed_limit. */
typedef void weir_totals_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid, int parity,
                             double speed_limit, int row_begin, int row_end,
                             struct weir_partial_totals *totals);

/* Compares with `previous` (float [3][cells], velocity at the last call) and replaces it. `change` is written
 * as a whole. */
typedef void weir_velocity_change_cpu(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                      int parity, int row_begin, int row_end, float *previous,
                                      struct weir_partial_change *change);

/* The block's part of the digest: sum[s] is the sum over its fluid cells of the XXH64 hash of the populations
 * in natural arrangement (f_0 .. f_q-1 arriving before this step), seeded with twice the cell's global
 * number, plus s. */
typedef void weir_digest_cpu(const struct weir_block_view *view, int parity, const struct weir_place *place,
                             int row_begin, int row_end, uint64_t sum[2]);

/* The same for CUDA, whole blocks: pointers are on the device, stream is a cudaStream_t, the result is a
 * cudaError_t. initialise clears too. */
typedef int weir_collide_stream_cuda(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                     int parity, void *stream);
typedef int weir_initialise_cuda(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                 const struct weir_initial_state *state,
                                 const struct weir_first_messages *messages, void *stream);
typedef int weir_macroscopic_cuda(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                  int parity, const struct weir_local_box *box, void *values, void *stream);
typedef int weir_totals_cuda(const struct weir_block_view *view, const struct weir_fluid *fluid, int parity,
                             double speed_limit, struct weir_partial_totals *totals, void *stream);
typedef int weir_velocity_change_cuda(const struct weir_block_view *view, const struct weir_fluid *fluid,
                                      int parity, float *previous, struct weir_partial_change *change,
                                      void *stream);
typedef int weir_digest_cuda(const struct weir_block_view *view, int parity, const struct weir_place *place,
                             uint64_t sum[2], void *stream);

struct weir_kernels {
    size_t real_size;            /* bytes of a real: arithmetic, wall velocities, macroscopic values */
    size_t stored_size;          /* bytes of a population in memory */
    const char *name;            /* "D3Q19_trt_single" */
    const char *instruction_set; /* of the CPU's collide_stream: "v4" for x86-64-v4, say */
    struct {
        weir_collide_stream_cpu *collide_stream;
        weir_clear_cpu *clear;
        weir_initialise_cpu *initialise;
        weir_macroscopic_cpu *macroscopic;
        weir_totals_cpu *totals;
        weir_velocity_change_cpu *velocity_change;
        weir_digest_cpu *digest;
        weir_pack_cpu *pack;
        weir_unpack_cpu *unpack;
    } cpu;
    struct { /* all NULL in a build without CUDA */
        weir_collide_stream_cuda *collide_stream;
        weir_initialise_cuda *initialise;
        weir_macroscopic_cuda *macroscopic;
        weir_totals_cuda *totals;
        weir_velocity_change_cuda *velocity_change;
        weir_digest_cuda *digest;
        weir_pack_cuda *pack;
        weir_unpack_cuda *unpack;
    } cuda;
};

/* The kernels of a variant, static; never NULL for values within the enums. */
const struct weir_kernels *weir_kernels_find(enum weir_lattice lattice, enum weir_collision collision,
                                             enum weir_precision precision);

/* The kernels of a variant for instruction set number `choice` among those this processor can run, best
 * first; NULL past the last. weir_kernels_find gives choice 0. For tests and benchmarks. */
const struct weir_kernels *weir_kernels_choice(enum weir_lattice lattice, enum weir_collision collision,
                                               enum weir_precision precision, int choice);

#endif
