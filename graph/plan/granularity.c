#include "graph/plan/granularity.h"

#include "graph/problem/blocks.h"
#include "graph/problem/model.h"

#include <math.h>

/* Bytes that a core, or a GPU, moves per second at its best: 100 MLUPS of D3Q19 in single precision in a
 * core's cache, 22 GLUPS on an H200. */
static const double CORE_BANDWIDTH = 15e9, GPU_BANDWIDTH = 3.3e12;

/* Submitting a task and handing it out. */
static const double TASK_SECONDS = 15e-6;

/* Of a step's time, what tasks may take before cores rather share one block. */
static const double TASKS_SHARE = 0.02;

/* From the last thread's end of a step to the first one's begin of the next, in a team: with two threads, and
 * for each more. */
static const double MEETING_SECONDS = 1e-6, MEETING_SECONDS_PER_THREAD = 0.15e-6;

/* What a step on several GPUs waits for messages, where little else is to be done meanwhile. */
static const double EXCHANGE_SECONDS = 150e-6;

/* Blocks of a worker, where it has several: while one waits for messages, another is computed. */
enum { BLOCKS_PER_CORE = 4, BLOCKS_PER_GPU = 4, LEAST_BLOCKS_PER_GPU = 2, MOVABLE_BLOCKS_PER_GPU = 16 };

/* GPUs that share a domain get blocks of this size, if there are enough of them; the largest blocks. One
 * GPU's observations need memory beside a block, some fifth of it. */
enum {
    CORE_BLOCK = 96 * 96 * 96,
    GPU_BLOCK = 256 * 256 * 256,
    FULL_GPU_BLOCK = 1 << 22,
    MOST_CELLS = 1 << 27
};

static double cells_of(const struct weir_problem *problem) {
    return (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
}

/* Of a step by one of `workers`, if all work. */
static double step_seconds(const struct weir_problem *problem, double bandwidth, int workers) {
    return cells_of(problem) * weir_bytes_per_update(problem) / (bandwidth * workers);
}

static double team_seconds(const struct weir_problem *problem, int threads) {
    const double meeting = threads == 1 ? 0 : MEETING_SECONDS + MEETING_SECONDS_PER_THREAD * (threads - 2);
    return step_seconds(problem, CORE_BANDWIDTH, threads) + meeting;
}

/* Whether blocks of their own serve cores better than a share in one, or it cannot be one. */
static bool pays_to_cut(const struct weir_problem *problem, const struct weir_granularity_cores *cores) {
    const double bytes = cells_of(problem) * weir_bytes_per_update(problem) / 2;
    int largest[3];
    weir_block_grid_choose(problem, 1, MOST_CELLS, largest);
    for (int axis = 0; axis < 3; axis++)
        if (largest[axis] < problem->cells[axis])
            return true;
    if (cores->memories > 1 && bytes > cores->cache_bytes)
        return true;
    return cores->count * BLOCKS_PER_CORE * TASK_SECONDS <
           TASKS_SHARE * step_seconds(problem, CORE_BANDWIDTH, cores->count);
}

int weir_granularity_team(const struct weir_problem *problem, const int block_cells[3],
                          const struct weir_granularity_cores *cores) {
    bool whole = true, wanted = false;
    for (int axis = 0; axis < 3; axis++) {
        whole = whole && (block_cells[axis] == 0 || block_cells[axis] >= problem->cells[axis]);
        wanted = wanted || block_cells[axis] > 0;
    }
    if (!whole || (!wanted && pays_to_cut(problem, cores)))
        return 0;
    const double rows = (double)problem->cells[1] * problem->cells[2];
    int best = 1;
    for (int threads = 2; threads <= cores->count && threads <= rows; threads++)
        if (team_seconds(problem, threads) < team_seconds(problem, best))
            best = threads;
    return best;
}

/* GPUs that pay: one, if what the others take from it is less than what waiting for them costs. */
static int useful_gpus(const struct weir_problem *problem, int gpus) {
    return step_seconds(problem, GPU_BANDWIDTH, 1) <=
                   step_seconds(problem, GPU_BANDWIDTH, gpus) + EXCHANGE_SECONDS
               ? 1
               : gpus;
}

static void blocks_for_gpus(const struct weir_problem *problem, const struct weir_step_workers *workers,
                            int block_cells[3]) {
    const int gpus = workers->ranks > 1 ? workers->gpus : useful_gpus(problem, workers->gpus);
    if (gpus == 1) {
        weir_block_grid_choose(problem, 1, MOST_CELLS, block_cells);
        return;
    }
    int per_gpu = workers->ranks > 1 ? MOVABLE_BLOCKS_PER_GPU : BLOCKS_PER_GPU;
    while (per_gpu > LEAST_BLOCKS_PER_GPU && cells_of(problem) / gpus / per_gpu < FULL_GPU_BLOCK)
        per_gpu /= 2;
    weir_block_grid_choose(problem, gpus * per_gpu, GPU_BLOCK, block_cells);
}

static void blocks_for_cores(const struct weir_problem *problem, int cores, int block_cells[3]) {
    const double tasks = TASKS_SHARE * step_seconds(problem, CORE_BANDWIDTH, cores) / TASK_SECONDS;
    const int per_core = tasks < 2.0 * cores                       ? 1
                         : tasks < (double)BLOCKS_PER_CORE * cores ? 2
                                                                   : BLOCKS_PER_CORE;
    weir_block_grid_choose(problem, cores * per_core, CORE_BLOCK, block_cells);
}

void weir_granularity_blocks(const struct weir_problem *problem, const struct weir_step_workers *workers,
                             int block_cells[3]) {
    if (workers->gpus > 0)
        blocks_for_gpus(problem, workers, block_cells);
    else if (workers->teams == 1 || workers->cpus == 1)
        weir_block_grid_choose(problem, 1, MOST_CELLS, block_cells);
    else
        blocks_for_cores(problem, workers->cpus, block_cells);
}

void weir_granularity_movable_blocks(const struct weir_problem *problem,
                                     const struct weir_step_workers *workers, int block_cells[3]) {
    if (workers->gpus > 0)
        weir_block_grid_choose(problem, workers->gpus * MOVABLE_BLOCKS_PER_GPU, GPU_BLOCK, block_cells);
    else
        weir_block_grid_choose(problem, workers->cpus * BLOCKS_PER_CORE, CORE_BLOCK, block_cells);
}

double weir_granularity_submission(const struct weir_problem *problem,
                                   const struct weir_step_workers *workers, int blocks) {
    const double seconds = workers->gpus > 0 ? step_seconds(problem, GPU_BANDWIDTH, workers->gpus)
                                             : step_seconds(problem, CORE_BANDWIDTH, workers->cpus);
    return blocks * TASK_SECONDS / seconds;
}
