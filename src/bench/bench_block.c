#include "src/bench/bench_block.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/launches.h"
#include "codelets/kernels/demand/routes.h"
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/plan/common_constants.h"
#include "graph/problem/blocks.h"
#include "graph/problem/boundaries.h"
#include "graph/problem/forms.h"
#include "graph/problem/geometry.h"
#include "graph/problem/model.h"
#include "graph/problem/problem_kernels.h"
#include "graph/problem/start_values.h"
#include "graph/specialisation.h"
#include "src/bench/bench_memory.h"

#include <stdlib.h>
#include <string.h>

struct weir_bench_block {
    const struct weir_problem *problem;
    bool on_gpu;
    struct weir_box box;
    struct weir_datum data[WEIR_DATA_MAX];
    void *memory[WEIR_DATA_MAX]; /* of each */
    int data_count;
    struct weir_first_messages
        messages; /* of these, those of the flow, by parity of the step that gives them */
    struct weir_block_view views[2];
    struct weir_block_layout layout;
    void *routes; /* of a list on CPUs */
    int64_t fluid_cells;
};

void weir_bench_problem(enum weir_lattice lattice, enum weir_precision precision, const int cells[3],
                        bool force, bool walls, struct weir_problem *problem) {
    const bool flat = weir_lattice_dimensions(lattice) == 2;
    weir_problem_default(problem);
    problem->lattice = lattice;
    weir_problem_keep(problem, precision);
    problem->relaxation_time = 0.8;
    for (int axis = 0; axis < 3; axis++) {
        problem->cells[axis] = cells[axis];
        problem->periodic[axis] = !walls || (flat && axis == 2);
    }
    problem->initial_velocity[0] = 0.03;
    problem->initial_velocity[1] = 0.02;
    if (force)
        problem->force[0] = 1e-6;
    if (walls)
        problem->walls[1 + (flat ? 3 : 5)].velocity[0] = 0.05;
}

void weir_bench_add_scalar(struct weir_problem *problem) {
    problem->scalar.present = true;
    problem->scalar.relaxation_time = 0.8;
    problem->scalar.initial = 0.5;
}

void weir_bench_add_turbulence(struct weir_problem *problem) {
    problem->turbulence.present = true;
    problem->turbulence.constant = weir_turbulence_rows[problem->turbulence.model].constant;
}

void weir_bench_keep(enum weir_cell_kind kind, struct weir_problem *problem) {
    problem->list_up_to = kind == WEIR_LIST;
}

enum weir_cell_kind weir_bench_kept(const struct weir_problem *problem) {
    return problem->list_up_to > 0 ? WEIR_LIST : WEIR_BRICK;
}

void weir_bench_with(const struct weir_problem *p, char with[WEIR_BENCH_WITH]) {
    snprintf(with, WEIR_BENCH_WITH, "%s%s%s%s", p->force[0] != 0 ? "force " : "",
             !p->periodic[0] ? "walls " : "", p->turbulence.present ? "eddies " : "",
             p->scalar.present ? "scalar" : "");
}

double weir_bench_block_bytes(const struct weir_problem *problem) {
    struct weir_block_grid grid;
    if (weir_block_grid_create(problem, problem->cells, &grid) < 0)
        return 0;
    return (double)weir_domain_bytes(problem, false, &grid, NULL);
}

void weir_bench_block_destroy(struct weir_bench_block *block) {
    if (!block)
        return;
    for (int k = 0; k < block->data_count; k++)
        weir_bench_release(block->on_gpu, block->memory[k]);
    free(block->routes);
    free(block);
}

/* Flags and walls, made in main memory and moved to where the block is. */
static int fill_geometry(struct weir_bench_block *block) {
    const struct weir_problem *problem = block->problem;
    const size_t bytes = block->data[WEIR_GEOMETRY].bytes;
    uint8_t *geometry = block->on_gpu ? malloc(bytes) : block->memory[WEIR_GEOMETRY];
    if (!geometry)
        return weir_fail(WEIR_FAILED, "out of memory for a block");
    block->fluid_cells = weir_boundaries_fill(problem, &block->box, 1, &block->layout, geometry);
    int error = block->fluid_cells < 0    ? (int)block->fluid_cells
                : block->fluid_cells == 0 ? weir_fail(WEIR_FAILED,
                                                      "solids fill the block of %d x %d x %d cells; "
                                                      "give --solids a smaller share",
                                                      problem->cells[0], problem->cells[1], problem->cells[2])
                                          : 0;
#if WEIR_WITH_CUDA
    if (block->on_gpu) {
        if (cudaMemcpy(block->memory[WEIR_GEOMETRY], geometry, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
            error = weir_fail(WEIR_FAILED, "copying to the GPU failed; see nvidia-smi");
        free(geometry);
    }
#endif
    return error;
}

/* Which message populations from each neighbour arrive in: one of the block's own, or none. */
static void wire(struct weir_bench_block *block, const struct weir_block_grid *grid, int parity) {
    struct weir_block_view *view = &block->views[parity];
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side++) {
            int offset[3] = {0, 0, 0};
            offset[axis] = side;
            view->extent[axis][side + 1] =
                weir_block_grid_neighbour(grid, 0, offset) < 0 ? 0 : block->box.extent[axis];
        }
    weir_layout_open(&block->layout, block->memory[WEIR_FLOW], block->memory[WEIR_GEOMETRY], NULL, view);
    if (block->problem->scalar.present)
        view->further = block->memory[WEIR_FURTHER_SET];
    memcpy(view->outgoing, block->messages.message[parity], sizeof view->outgoing);
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const struct weir_offset offset = weir_offset(k);
        if (k != WEIR_ITSELF && weir_block_grid_neighbour(grid, 0, offset.along) >= 0)
            view->incoming[k] =
                block->messages.message[1 - parity][weir_offset_face(weir_offset_back(offset))];
    }
}

/* What cells of the block and its ring begin with, where the block lives; NULL where all are alike. */
static int create_values(const struct weir_bench_block *block, double **values) {
    const struct weir_problem *problem = block->problem;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    struct weir_box ringed = block->box;
    *values = NULL;
    if (!weir_start_values_differ(problem))
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        ringed.origin[axis] -= weir_lattice_ring(lattice, axis);
        ringed.extent[axis] += 2 * weir_lattice_ring(lattice, axis);
    }
    const size_t bytes =
        (size_t)weir_start_values_count(problem) * (size_t)weir_box_cells(&ringed) * sizeof(double);
    double *const host = malloc(bytes);
    int error = host ? weir_start_values_fill(problem, &ringed, host)
                     : weir_fail(WEIR_FAILED, "out of memory for a block");
    if (error != 0) {
        free(host);
        return error;
    }
    *values = host;
#if WEIR_WITH_CUDA
    if (block->on_gpu) {
        *values = weir_bench_allocate(true, bytes);
        if (!*values || cudaMemcpy(*values, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
            error = weir_fail(WEIR_FAILED, "copying to the GPU failed; see nvidia-smi");
        free(host);
    }
#endif
    return error;
}

static int initialise_with(struct weir_bench_block *block, const double *values) {
    const struct weir_problem *problem = block->problem;
    const struct weir_kernels *kernels;
    WEIR_TRY(weir_problem_kernels(problem, block->layout.kept.kind,
                                  block->on_gpu ? WEIR_KERNELS_CUDA : WEIR_KERNELS_CPU, &kernels));
    const struct weir_fluid fluid = weir_problem_fluid(problem);
    struct weir_initial_state state = {
        .density = problem->initial_density, .fifth = weir_problem_initial_fifth(problem), .values = values};
    struct weir_block_view view = block->views[0];
    memcpy(state.velocity, problem->initial_velocity, sizeof state.velocity);
    /* The first step reads what a step of parity 1 would have written. */
    memcpy(view.outgoing, block->messages.message[1], sizeof view.outgoing);
#if WEIR_WITH_CUDA
    if (block->on_gpu) {
        int error = weir_launch_initialise(kernels, &view, &fluid, &state, &block->messages, NULL);
        if (error == cudaSuccess)
            error = (int)cudaDeviceSynchronize();
        return error == cudaSuccess ? 0
                                    : weir_fail(WEIR_FAILED, "kernel initialise failed on the GPU: %s",
                                                cudaGetErrorString((cudaError_t)error));
    }
#endif
    const int rows = view.extent[1][1] * view.extent[2][1];
    kernels->cpu.clear(&view, false, &block->messages, 0, rows);
    kernels->cpu.initialise(&view, &fluid, &state, 0, rows);
    block->routes = weir_routes_create(kernels, &view);
    for (int parity = 0; parity < 2; parity++)
        block->views[parity].list.routes = block->routes;
    return 0;
}

static int initialise(struct weir_bench_block *block) {
    double *values;
    int error = create_values(block, &values);
    if (error == 0)
        error = initialise_with(block, values);
    if (values)
        weir_bench_release(block->on_gpu, values);
    return error;
}

/* -WEIR_FAILED when memory is short. */
static int allocate_data(struct weir_bench_block *block, const struct weir_block_grid *grid) {
    struct weir_model model;
    struct weir_block_form form;
    unsigned open = 0;
    bool complete = true;
    for (int face = 0; face < WEIR_FACES; face++)
        open |= (unsigned)(weir_block_grid_neighbour(grid, 0, weir_offset_beyond(face).along) >= 0) << face;
    weir_model_make(block->problem, false, &model);
    WEIR_TRY(weir_block_form_count(block->problem, &block->box, &form));
    block->layout = weir_boundaries_layout(block->problem, &form);
    block->data_count = weir_model_data(&model, &form, open, block->data);
    for (int k = 0; k < block->data_count; k++) {
        const struct weir_datum *datum = &block->data[k];
        block->memory[k] = weir_bench_allocate(block->on_gpu, datum->bytes);
        complete = complete && block->memory[k];
        if (datum->message) {
            block->messages.message[datum->parity][datum->face] = block->memory[k];
            block->messages.bytes[datum->face] = datum->bytes;
        }
    }
    const int *extent = block->box.extent;
    return complete ? 0
                    : weir_fail(WEIR_FAILED, "out of %smemory for a block of %d x %d x %d cells",
                                block->on_gpu ? "GPU " : "", extent[0], extent[1], extent[2]);
}

/* Memory and wiring; nothing is filled in main memory. */
static int prepare(const struct weir_problem *problem, bool on_gpu, struct weir_bench_block **result) {
    struct weir_bench_block *block = calloc(1, sizeof *block);
    struct weir_block_grid grid;
    if (!block)
        return weir_fail(WEIR_FAILED, "out of memory for a block");
    block->problem = problem;
    block->on_gpu = on_gpu;
    int error = weir_block_grid_create(problem, problem->cells, &grid);
    if (error != 0) {
        free(block);
        return error;
    }
    block->box = weir_block_grid_box(&grid, 0);
    error = allocate_data(block, &grid);
    for (int parity = 0; parity < 2 && error == 0; parity++)
        wire(block, &grid, parity);
    if (error == 0)
        error = fill_geometry(block);
    if (error != 0) {
        weir_bench_block_destroy(block);
        return error;
    }
    *result = block;
    return 0;
}

/* Each thread's share of the rows, in every direction's array. */
static void touch(void *context, int thread, int threads) {
    struct weir_bench_block *block = context;
    const size_t stride_bytes =
        block->views[0].stride * weir_precision_row(block->problem->precision)->stored_bytes;
    const size_t begin = stride_bytes * (size_t)thread / (size_t)threads,
                 end = stride_bytes * (size_t)(thread + 1) / (size_t)threads;
    const int sets[] = {WEIR_FLOW, WEIR_FURTHER_SET};
    for (int k = 0; k < 1 + block->problem->scalar.present; k++)
        for (size_t array = 0; array < block->data[sets[k]].bytes; array += stride_bytes)
            memset((char *)block->memory[sets[k]] + array + begin, 0, end - begin);
}

static int finish(struct weir_bench_block *block, struct weir_bench_block **result) {
    const int error = initialise(block);
    if (error != 0) {
        weir_bench_block_destroy(block);
        return error;
    }
    *result = block;
    return 0;
}

int weir_bench_block_create(const struct weir_problem *problem, struct weir_bench_team *team, int threads,
                            struct weir_bench_block **result) {
    struct weir_bench_block *block = NULL;
    WEIR_TRY(prepare(problem, false, &block));
    weir_bench_team_run(team, threads, touch, block);
    return finish(block, result);
}

int weir_bench_block_create_here(const struct weir_problem *problem, struct weir_bench_block **result) {
    struct weir_bench_block *block = NULL;
    WEIR_TRY(prepare(problem, false, &block));
    return finish(block, result);
}

int weir_bench_block_create_on_gpu(const struct weir_problem *problem, struct weir_bench_block **result) {
    struct weir_bench_block *block = NULL;
    WEIR_TRY(prepare(problem, true, &block));
    return finish(block, result);
}

double weir_bench_block_fluid_cells(const struct weir_bench_block *block) {
    return (double)block->fluid_cells;
}

const struct weir_block_view *weir_bench_block_view(const struct weir_bench_block *block, int parity) {
    return &block->views[parity];
}

struct weir_fluid weir_bench_block_fluid(const struct weir_bench_block *block) {
    return weir_problem_fluid(block->problem);
}

int weir_bench_block_snapshot(const struct weir_bench_block *block, const struct weir_kernels *kernels,
                              size_t bytes, void *populations) {
    const int rows = block->box.extent[1] * block->box.extent[2];
#if WEIR_WITH_CUDA
    if (block->on_gpu) {
        void *const there = weir_bench_allocate(true, bytes);
        int error = there ? weir_launch_snapshot(kernels, &block->views[0], 0, there, NULL)
                          : (int)cudaErrorMemoryAllocation;
        if (error == cudaSuccess)
            error = (int)cudaMemcpy(populations, there, bytes, cudaMemcpyDeviceToHost);
        weir_bench_release(true, there);
        return error == cudaSuccess ? 0
                                    : weir_fail(WEIR_FAILED, "reading a block back from the GPU failed: %s",
                                                cudaGetErrorString((cudaError_t)error));
    }
#endif
    (void)bytes;
    kernels->cpu.snapshot(&block->views[0], 0, 0, rows, populations);
    return 0;
}

#if WEIR_WITH_CUDA
int weir_bench_specialise(const struct weir_problem *problem, const struct weir_kernels *kernels) {
    const struct weir_kernel_patience patience = {.compile = true};
    struct weir_common_constants common;
    struct weir_block_grid grid;
    struct weir_kernel_news news;
    enum weir_specialise mode;
    WEIR_TRY(weir_specialise_mode(&mode));
    if (mode != WEIR_SPECIALISE_FIRST)
        return 0;
    WEIR_TRY(weir_block_grid_create(problem, problem->cells, &grid));
    weir_common_constants_of_grid(problem, &grid, &common);
    for (int kind = 0; kind < common.count; kind++)
        if (weir_kernels_specialise(kernels, &common.kind[kind].constants, &patience, &news) != 0)
            return weir_fail_for_kernels(&news);
    return 0;
}
#endif

/* ---- digests ----------------------------------------------------------------------------------------- */

/* An even number, so that whoever goes on begins with an even step. */
enum { DIGEST_STEPS = 6 };

static struct weir_place place_of(const struct weir_bench_block *block) {
    struct weir_place place;
    for (int axis = 0; axis < 3; axis++) {
        place.origin[axis] = block->box.origin[axis];
        place.domain[axis] = block->problem->cells[axis];
    }
    return place;
}

#if WEIR_WITH_CUDA
static int digest_on_gpu(const struct weir_bench_block *block, const struct weir_kernels *kernels,
                         uint64_t digest[2]) {
    enum { BYTES = 2 * sizeof(uint64_t) };
    const struct weir_fluid fluid = weir_bench_block_fluid(block);
    const struct weir_place place = place_of(block);
    uint64_t *sum = NULL;
    int error = (int)cudaMalloc((void **)&sum, BYTES);
    for (int step = 0; step < DIGEST_STEPS && error == cudaSuccess; step++)
        error = weir_launch_collide_stream(kernels, &block->views[step % 2], &fluid, step % 2, NULL);
    if (error == cudaSuccess)
        error = weir_launch_digest(kernels, &block->views[0], &fluid, 0, &place, sum, NULL);
    if (error == cudaSuccess)
        error = (int)cudaMemcpy(digest, sum, BYTES, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return error == cudaSuccess ? 0
                                : weir_fail(WEIR_FAILED, "the digest of a block failed on the GPU: %s",
                                            cudaGetErrorString((cudaError_t)error));
}
#endif

int weir_bench_block_digest(const struct weir_bench_block *block, const struct weir_kernels *kernels,
                            uint64_t digest[2]) {
#if WEIR_WITH_CUDA
    if (block->on_gpu)
        return digest_on_gpu(block, kernels, digest);
#endif
    const struct weir_fluid fluid = weir_bench_block_fluid(block);
    const struct weir_place place = place_of(block);
    const int rows = block->box.extent[1] * block->box.extent[2];
    for (int step = 0; step < DIGEST_STEPS; step++)
        kernels->cpu.collide_stream(&block->views[step % 2], &fluid, step % 2, 0, rows);
    digest[0] = digest[1] = 0;
    kernels->cpu.digest(&block->views[0], &fluid, 0, &place, 0, rows, digest);
    return 0;
}
