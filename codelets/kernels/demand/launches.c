#include "codelets/kernels/demand/launches.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/collision/relaxation.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/demand/cuda_library.h"
#include "codelets/kernels/lattice/lattice.h"

#include <cuda_runtime.h>
#include <limits.h>
#include <string.h>

/* Of the GPU that the calling thread uses. */
static cudaError_t attribute_of_gpu(enum cudaDeviceAttr attribute, int *value) {
    int device;
    const cudaError_t error = cudaGetDevice(&device);
    return error == cudaSuccess ? cudaDeviceGetAttribute(value, attribute, device) : error;
}

/* Whether steps wait themselves there for what was launched before them (collide_stream.cu). */
static cudaError_t launches_depend(bool *depend) {
    int major;
    const cudaError_t error = attribute_of_gpu(cudaDevAttrComputeCapabilityMajor, &major);
    *depend = error == cudaSuccess && 100 * major >= WEIR_DEPENDENT_LAUNCH_ARCHITECTURE;
    return error;
}

/* Launches a kernel of the set for the GPU that the calling thread uses. shared_bytes: of memory that thread
 * blocks ask for beside what the kernel declares. */
static cudaError_t launch_sharing(const struct weir_cuda_kernels *kernels, int kernel, dim3 grid,
                                  dim3 threads, size_t shared_bytes, void *arguments[], cudaStream_t stream) {
    int device;
    bool depend;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = launches_depend(&depend);
    if (error != cudaSuccess)
        return error;
    if (!kernels->of_device[device]->kernel[kernel])
        return cudaErrorSymbolNotFound; /* the specification was another */
    /* Other kernels than steps do not wait. */
    cudaLaunchAttribute dependently = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                       .val.programmaticStreamSerializationAllowed = 1};
    const bool dependent = kernel >= WEIR_CUDA_STEP && kernel <= WEIR_CUDA_STEP_LAST && depend;
    const cudaLaunchConfig_t configuration = {.gridDim = grid,
                                              .blockDim = threads,
                                              .dynamicSmemBytes = shared_bytes,
                                              .stream = stream,
                                              .attrs = &dependently,
                                              .numAttrs = dependent};
    if (shared_bytes > 0)
        error = cudaFuncSetAttribute(kernels->of_device[device]->kernel[kernel],
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    if (error != cudaSuccess)
        return error;
    error = cudaLaunchKernelExC(&configuration, kernels->of_device[device]->kernel[kernel], arguments);
    return error == cudaSuccess ? error : cudaGetLastError(); /* and forgets it */
}

static cudaError_t launch(const struct weir_cuda_kernels *kernels, int kernel, dim3 grid, dim3 threads,
                          void *arguments[], cudaStream_t stream) {
    return launch_sharing(kernels, kernel, grid, threads, 0, arguments, stream);
}

static dim3 along(unsigned x) {
    return (dim3){x, 1, 1};
}

/* Thread blocks over a brick of cells, long in x where the brick is. */
struct brick {
    dim3 grid, threads;
};

static struct brick brick_over(int nx, int ny, int nz) {
    const unsigned width = nx <= 32 ? 32 : nx <= 64 ? 64 : 128, height = WEIR_BRICK_THREADS / width;
    return (struct brick){
        .grid = {((unsigned)nx + width - 1) / width, ((unsigned)ny + height - 1) / height, (unsigned)nz},
        .threads = {width, height, 1}};
}

static int populations_of(const struct weir_kernels *kernels) {
    return weir_specification_populations(&kernels->specification);
}

static int cells_of(const struct weir_block_view *b) {
    return b->extent[0][1] * b->extent[1][1] * b->extent[2][1];
}

/* The constants of the collision as reals of the kernels' precision. */
union relaxation_reals {
    float single[WEIR_RELAXATION_REALS];
    double doubled[WEIR_RELAXATION_REALS];
};

static union relaxation_reals relaxation_reals(const struct weir_kernels *kernels,
                                               const struct weir_fluid *fluid) {
    double values[WEIR_RELAXATION_REALS];
    union relaxation_reals reals;
    relaxation_values(fluid, values);
    if (kernels->real_size == sizeof(double))
        memcpy(reals.doubled, values, sizeof values);
    else
        for (int k = 0; k < WEIR_RELAXATION_REALS; k++)
            reals.single[k] = (float)values[k];
    return reals;
}

/* The step of cells near boundaries that let fluid pass, if any are to be gathered from the block, by so many
 * thread blocks at most. What it reads and writes is no other cell's: it may come before the step of those,
 * after it, or beside it. */
static cudaError_t launch_open_cells(const struct weir_kernels *kernels, struct weir_block_view *b,
                                     union relaxation_reals *r, int parity, const int ring[3], bool by_rows,
                                     int most, cudaStream_t stream) {
    int open = open_cell_blocks(b, ring, by_rows, most);
    return open > 0 ? launch(kernels->cuda, WEIR_CUDA_STEP_OPEN, along((unsigned)open),
                             along(WEIR_STEP_THREADS), (void *[]){b, r, &parity, &open}, stream)
                    : cudaSuccess;
}

/* The same, beside the step of the others that is launched next, a kernel of `steps`, where launches depend
 * on each other: a thread block for each multiprocessor, so that all begin at once, after which the others
 * may, and leave these most of the registers. Both divide a multiprocessor's memory alike between its cache
 * and what thread blocks share, of which a quarter has room for the gathered, which is up to 3 % faster than
 * as the driver divides it (docs/measured/2026-11-28-mirrors.md). */
static cudaError_t launch_open_cells_beside(const struct weir_kernels *kernels, struct weir_block_view *b,
                                            union relaxation_reals *r, int parity, const int ring[3],
                                            bool by_rows, const struct weir_cuda_kernels *steps, int step,
                                            cudaStream_t stream) {
    enum { SHARED_PERCENT = 25 };
    int device, most = INT_MAX;
    bool depend;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = launches_depend(&depend);
    if (error == cudaSuccess && depend) {
        void *const both[] = {kernels->cuda->of_device[device]->kernel[WEIR_CUDA_STEP_OPEN],
                              steps->of_device[device]->kernel[step]};
        error = attribute_of_gpu(cudaDevAttrMultiProcessorCount, &most);
        for (int k = 0; k < 2 && error == cudaSuccess; k++)
            if (both[k]) /* else its launch fails */
                error = cudaFuncSetAttribute(both[k], cudaFuncAttributePreferredSharedMemoryCarveout,
                                             SHARED_PERCENT);
    }
    return error == cudaSuccess ? launch_open_cells(kernels, b, r, parity, ring, by_rows, most, stream)
                                : error;
}

/* The same of a block that keeps moments. */
static int launch_moments(const struct weir_kernels *kernels, const struct weir_block_view *view,
                          const struct weir_fluid *fluid, int parity, void *stream) {
    struct weir_block_view b = *view;
    const struct weir_lattice_table *const lattice = weir_lattice_table((int)kernels->specification.lattice);
    const int dimensions = lattice->dimensions, populations = lattice->populations,
              real_bytes = (int)kernels->real_size,
              rows = WEIR_TILE_ROWS(dimensions, populations, real_bytes),
              ring[3] = {weir_lattice_ring(lattice, 0), weir_lattice_ring(lattice, 1),
                         weir_lattice_ring(lattice, 2)};
    union relaxation_reals r = relaxation_reals(kernels, fluid);
    unsigned moving = fluid->moving_faces;
    int multiprocessors;
    cudaError_t error = attribute_of_gpu(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (error != cudaSuccess)
        return (int)error;
    struct weir_tile_grid grid = weir_tile_grid_of(&b, rows, multiprocessors);
    const int parts = (b.extent[2][1] - 1) / grid.planes + 1;
    if (dimensions == 2) /* else it is the tiles' */
        error = launch_open_cells(kernels, &b, &r, parity, ring, false, INT_MAX, stream);
    if (error == cudaSuccess)
        error =
            launch_sharing(kernels->cuda, WEIR_CUDA_STEP_TILES, along((unsigned)(grid.x * grid.y * parts)),
                           along((unsigned)WEIR_TILE_THREADS(rows)),
                           (size_t)WEIR_TILE_BYTES(rows, dimensions, populations, real_bytes),
                           (void *[]){&b, &r, &parity, &grid, &moving}, stream);
    return (int)error;
}

int weir_launch_collide_stream(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               const struct weir_fluid *fluid, int parity, void *stream) {
    struct weir_block_view b = *view;
    if (kernels->cuda->forced != fluid->forced)
        return (int)cudaErrorInvalidValue;
    if (weir_precision_row(kernels->specification.precision)->moments)
        return launch_moments(kernels, view, fluid, parity, stream);
    const int strip = kernels->cuda->strip;
    const bool list = b.list.segments != NULL;
    const bool wide = weir_takes_strips(strip, b.extent[0][1], !list);
    const int width = wide ? strip : 1;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)kernels->specification.lattice);
    const bool by_list = list && lattice->reach == 1;
    union relaxation_reals r = relaxation_reals(kernels, fluid);
    const int ring[3] = {weir_lattice_ring(lattice, 0), weir_lattice_ring(lattice, 1),
                         weir_lattice_ring(lattice, 2)};
    const bool by_rows = !list && lattice->reach == 1;
    struct step_shape shape = step_shape_of(&b, fluid, width, by_rows);
    const unsigned blocks = (unsigned)step_blocks(&b, width, by_list);
    const bool open = b.flow != NULL;
    const struct weir_special_steps *const special = weir_special_steps_for(kernels, view, fluid);
    const struct weir_cuda_kernels *const steps = special ? special->cuda : kernels->cuda;
    const int step = WEIR_CUDA_STEP + 4 * open + 2 * parity + wide;
    cudaError_t error = cudaSuccess;
    if (shape.beside_open_cells)
        error = launch_open_cells_beside(kernels, &b, &r, parity, ring, by_rows, steps, step, stream);
    if (error == cudaSuccess)
        error =
            launch(steps, step, along(blocks), along(WEIR_STEP_THREADS), (void *[]){&b, &r, &shape}, stream);
    return (int)error;
}

int weir_launch_pseudopotential(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                const struct weir_fluid *fluid, int parity, void *const outgoing[WEIR_FACES],
                                void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    void *messages[WEIR_FACES];
    memcpy(messages, outgoing, sizeof messages);
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_PSEUDOPOTENTIAL, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, messages}, stream);
}

int weir_launch_velocity_field(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               const struct weir_fluid *fluid, int parity, void *velocity,
                               void *const outgoing[WEIR_FACES], void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    void *messages[WEIR_FACES];
    memcpy(messages, outgoing, sizeof messages);
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_VELOCITY_FIELD, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, &velocity, messages}, stream);
}

int weir_launch_velocity_gradient(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                  const struct weir_fluid *fluid, const void *velocity,
                                  const void *const incoming[WEIR_NEIGHBOURS], void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    const void *messages[WEIR_NEIGHBOURS];
    memcpy(messages, incoming, sizeof messages);
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_VELOCITY_GRADIENT, brick.grid, brick.threads,
                       (void *[]){&b, &f, &velocity, messages}, stream);
}

/* A kernel with a thread for each of so many rows. */
static cudaError_t launch_by_rows(const struct weir_kernels *kernels, int kernel, int rows, void *arguments[],
                                  void *stream) {
    return launch(kernels->cuda, kernel, along((unsigned)((rows - 1) / WEIR_ROW_THREADS + 1)),
                  along(WEIR_ROW_THREADS), arguments, stream);
}

/* One whose thread blocks take several rows, `most` at most. parity: NULL where there is no such parameter.
 */
static cudaError_t launch_along_rows(const struct weir_kernels *kernels, int kernel, int rows, int most,
                                     struct weir_block_view *b, struct weir_surface_view *s, int *parity,
                                     void *stream) {
    int together = weir_rows_together(rows, most);
    return launch(kernels->cuda, kernel, along((unsigned)((rows - 1) / together + 1)),
                  along(WEIR_ROW_THREADS), (void *[]){b, s, &together, parity}, stream);
}

int weir_launch_surface_mass(const struct weir_kernels *kernels, const struct weir_block_view *view,
                             const struct weir_surface_view *surface, int parity, void *stream) {
    struct weir_block_view b = *view;
    struct weir_surface_view s = *surface;
    const int rows = b.extent[1][1] * b.extent[2][1];
    cudaError_t error = cudaSuccess;
    if (parity)
        error = launch_by_rows(kernels, WEIR_CUDA_SURFACE_ROWS, rows, (void *[]){&b, &s}, stream);
    if (error == cudaSuccess)
        error = launch_along_rows(kernels, WEIR_CUDA_SURFACE_MASS, rows, WEIR_ROWS_SHARED, &b, &s, &parity,
                                  stream);
    return (int)error;
}

int weir_launch_surface_cells(const struct weir_kernels *kernels, const struct weir_block_view *view,
                              const struct weir_surface_view *surface, void *stream) {
    struct weir_block_view b = *view;
    struct weir_surface_view s = *surface;
    return (int)launch_along_rows(kernels, WEIR_CUDA_SURFACE_CELLS, b.extent[1][1] * b.extent[2][1],
                                  WEIR_ROWS_SHARED, &b, &s, NULL, stream);
}

int weir_launch_surface_flags(const struct weir_kernels *kernels, const struct weir_block_view *view,
                              const struct weir_surface_view *surface, void *stream) {
    struct weir_block_view b = *view;
    struct weir_surface_view s = *surface;
    const bool deep = weir_lattice_table((int)kernels->specification.lattice)->dimensions == 3;
    const int ny = b.extent[1][1], nz = b.extent[2][1], all = (ny + 2) * (deep ? nz + 2 : nz);
    cudaError_t error = launch_by_rows(kernels, WEIR_CUDA_SURFACE_FORGET, all, (void *[]){&b, &s}, stream);
    if (error == cudaSuccess)
        error =
            launch_along_rows(kernels, WEIR_CUDA_SURFACE_FLAGS, all, WEIR_ROWS_SHARED, &b, &s, NULL, stream);
    if (error == cudaSuccess && s.tension > 0)
        error = launch_along_rows(kernels, WEIR_CUDA_SURFACE_TENSION, ny * nz, WEIR_ROWS_GATHERED, &b, &s,
                                  NULL, stream);
    return (int)error;
}

int weir_launch_gas_spread(const struct weir_kernels *kernels, const struct weir_block_view *view,
                           const struct weir_surface_view *surface, void *stream) {
    struct weir_block_view b = *view;
    struct weir_surface_view s = *surface;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_GAS_SPREAD, brick.grid, brick.threads, (void *[]){&b, &s},
                       stream);
}

int weir_launch_initialise(const struct weir_kernels *kernels, const struct weir_block_view *view,
                           const struct weir_fluid *fluid, const struct weir_initial_state *state,
                           const struct weir_first_messages *messages, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    struct weir_initial_state s = *state;
    const int fill = state->poison ? 0xff : 0; /* all bits set is a NaN */
    const size_t row = b.stride * kernels->stored_size;
    const struct weir_lattice_table *const lattice = weir_lattice_table((int)kernels->specification.lattice);
    const int extent[3] = {b.extent[0][1], b.extent[1][1], b.extent[2][1]};
    const struct weir_precision_row *const precision = weir_precision_row(kernels->specification.precision);
    const size_t bytes =
        precision->moments
            ? weir_kept_values(
                  weir_moments_table(lattice->dimensions, precision->stress_in_half)->populations, extent,
                  b.stride) *
                  kernels->stored_size
            : (size_t)lattice->populations * row;
    cudaError_t error = cudaMemsetAsync(b.populations, fill, bytes, stream);
    if (b.progress && error == cudaSuccess)
        error = cudaMemsetAsync(b.progress, 0, weir_progress_bytes(extent[2]), stream);
    if (b.further && error == cudaSuccess)
        error = cudaMemsetAsync(
            b.further, fill,
            (size_t)(weir_specification_slots(&kernels->specification) - lattice->populations) * row, stream);
    if (b.flow && error == cudaSuccess)
        error = cudaMemsetAsync(b.flow, 0, (size_t)b.flows * sizeof *b.flow, stream);
    for (int face = 0; face < WEIR_FACES; face++)
        for (int parity = 0; parity < 2; parity++)
            if (messages->message[parity][face] && error == cudaSuccess)
                error = cudaMemsetAsync(messages->message[parity][face], fill, messages->bytes[face], stream);
    if (error != cudaSuccess)
        return (int)error;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_FILL_CELLS, brick.grid, brick.threads, (void *[]){&b, &f, &s},
                       stream);
}

int weir_launch_macroscopic(const struct weir_kernels *kernels, const struct weir_block_view *view,
                            const struct weir_fluid *fluid, int parity, const struct weir_local_box *box,
                            void *values, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    struct weir_local_box cells = *box;
    const struct brick brick = brick_over(box->extent[0], box->extent[1], box->extent[2]);
    return (int)launch(kernels->cuda, WEIR_CUDA_OBSERVE_BOX, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, &cells, &values}, stream);
}

int weir_launch_sample(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, const struct weir_local_box *boxes,
                       int count, void *values, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    return (int)launch(kernels->cuda, WEIR_CUDA_SAMPLE_BOXES, along((unsigned)count),
                       along(WEIR_SAMPLE_CELLS), (void *[]){&b, &f, &parity, &boxes, &values}, stream);
}

/* The kernel of totals adds up the first words of the struct: sums, then maxima. */
enum { TOTALS_SUMS = 12, TOTALS_WORDS = 14 };
_Static_assert(offsetof(struct weir_partial_totals, largest_square) == TOTALS_SUMS * sizeof(uint64_t),
               "sums come first");
_Static_assert(offsetof(struct weir_partial_totals, diverged_cell) == TOTALS_WORDS * sizeof(uint64_t),
               "then two maxima");

/* As many thread blocks as are resident at a time, or as there is work for. */
static cudaError_t grid_over(const struct weir_kernels *kernels, int items, unsigned *grid) {
    int device = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const int needed = (items - 1) / WEIR_TOTALS_THREADS + 1,
              resident =
                  multiprocessors * WEIR_TOTALS_BLOCKS(populations_of(kernels), (int)kernels->real_size);
    *grid = (unsigned)(needed < resident ? needed : resident);
    return error;
}

int weir_launch_totals(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, double speed_limit,
                       struct weir_partial_totals *totals, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    struct cell_numbers numbers = cell_numbers_of(view);
    int cells = cells_of(view);
    double limit_square = speed_limit * speed_limit;
    unsigned grid = 0;
    cudaError_t error = grid_over(kernels, cells, &grid);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(totals, 0, sizeof *totals, stream);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(&totals->diverged_cell, 0xff, sizeof totals->diverged_cell, stream);
    if (error == cudaSuccess)
        error = launch(kernels->cuda, parity == 0 ? WEIR_CUDA_ADD_CELLS_EVEN : WEIR_CUDA_ADD_CELLS_ODD,
                       along(grid), along(WEIR_TOTALS_THREADS),
                       (void *[]){&b, &f, &numbers, &cells, &limit_square, &totals}, stream);
    if (error == cudaSuccess)
        error = launch(kernels->cuda, WEIR_CUDA_ADD_FORCES, along(grid), along(WEIR_TOTALS_THREADS),
                       (void *[]){&b, &f, &numbers, &cells, &parity, &totals}, stream);
    if (error == cudaSuccess && b.flow)
        error = launch(kernels->cuda, WEIR_CUDA_ADD_FLOWS, along(1), along(WEIR_TOTALS_WALLS_MAX),
                       (void *[]){&b, &parity, &totals}, stream);
    return (int)error;
}

int weir_launch_velocity_change(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                const struct weir_fluid *fluid, int parity, float *previous,
                                struct weir_partial_change *change, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    const cudaError_t error = cudaMemsetAsync(change, 0, sizeof *change, stream);
    if (error != cudaSuccess)
        return (int)error;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_COMPARE_CELLS, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, &previous, &change}, stream);
}

int weir_launch_add_to_time_sums(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                 const struct weir_fluid *fluid, int parity, double *sums, void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_ADD_TO_SUMS, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, &sums}, stream);
}

int weir_launch_copy_time_sums(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               bool back, double *sums, double *values, void *stream) {
    struct weir_block_view b = *view;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_COPY_SUMS, brick.grid, brick.threads,
                       (void *[]){&b, &back, &sums, &values}, stream);
}

int weir_launch_digest(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, const struct weir_place *place,
                       uint64_t sum[2], void *stream) {
    struct weir_block_view b = *view;
    struct weir_fluid f = *fluid;
    struct weir_place p = *place;
    const cudaError_t error = cudaMemsetAsync(sum, 0, 2 * sizeof *sum, stream);
    if (error != cudaSuccess)
        return (int)error;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_HASH_CELLS, brick.grid, brick.threads,
                       (void *[]){&b, &f, &parity, &p, &sum}, stream);
}

int weir_launch_snapshot(const struct weir_kernels *kernels, const struct weir_block_view *view, int parity,
                         void *populations, void *stream) {
    struct weir_block_view b = *view;
    const struct brick brick = brick_over(b.extent[0][1], b.extent[1][1], b.extent[2][1]);
    return (int)launch(kernels->cuda, WEIR_CUDA_COPY_CELLS, brick.grid, brick.threads,
                       (void *[]){&b, &parity, &populations}, stream);
}

int weir_launch_layout_step(const struct weir_kernels *kernels, const struct weir_site_layout *layout,
                            const struct weir_fluid *fluid, enum weir_layout_operation operation,
                            const void *from, void *to, void *stream) {
    struct weir_site_layout l = *layout;
    union relaxation_reals r = relaxation_reals(kernels, fluid);
    const dim3 grid = {((unsigned)l.cells[0] - 1) / WEIR_LAYOUT_THREADS + 1, (unsigned)l.cells[1],
                       (unsigned)l.cells[2]};
    return (int)launch(kernels->cuda, WEIR_CUDA_LAYOUT + (int)operation, grid, along(WEIR_LAYOUT_THREADS),
                       (void *[]){&l, &r, &from, &to}, stream);
}

int weir_launch_pack(const struct weir_kernels *kernels, const struct weir_halo_segment *segments, int count,
                     const struct weir_face_messages *messages, void *halo, void *stream) {
    struct weir_face_messages m = *messages;
    return (int)launch(kernels->cuda, WEIR_CUDA_PACK, along((unsigned)count), along(WEIR_HALO_THREADS),
                       (void *[]){&segments, &m, &halo}, stream);
}

int weir_launch_unpack(const struct weir_kernels *kernels, const struct weir_halo_segment *segments,
                       int count, const struct weir_face_messages *messages, const void *halo, void *stream) {
    struct weir_face_messages m = *messages;
    return (int)launch(kernels->cuda, WEIR_CUDA_UNPACK, along((unsigned)count), along(WEIR_HALO_THREADS),
                       (void *[]){&segments, &m, &halo}, stream);
}

int weir_launch_update_streams(const struct weir_cuda_kernels *kernels, enum weir_precision precision,
                               int wide, void *data, size_t stride, size_t count, void *stream) {
    const size_t reals = !wide ? 1 : 16 / weir_precision_row(precision)->real_bytes;
    size_t values = count / reals, distance = stride / reals;
    const unsigned blocks = (unsigned)((values + WEIR_STREAM_THREADS - 1) / WEIR_STREAM_THREADS);
    return (int)launch(kernels, WEIR_CUDA_STREAM + 2 * (int)precision + (wide != 0), along(blocks),
                       along(WEIR_STREAM_THREADS), (void *[]){&data, &distance, &values}, stream);
}

int weir_launch_multiply_adds(const struct weir_cuda_kernels *kernels, enum weir_precision precision,
                              int blocks, void *values, int turns, void *stream) {
    return (int)launch(kernels, WEIR_CUDA_MULTIPLY_ADDS + (int)precision, along((unsigned)blocks),
                       along(WEIR_CHAINS_THREADS), (void *[]){&values, &turns}, stream);
}
