#include "src/trace/trace_near_wall.h"

#include "graph/base/error.h"
#include "graph/base/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fit needs a block more than it has unknowns; beside walls counts what improves it as much as twice the
 * standard error of its coefficient does (F test); and times that it misses by more than this depend on
 * something else. */
enum { BLOCKS_LEAST = WEIR_UNKNOWNS + 1 };
static const double improvement_least = 4, error_most = 0.25;

/* The time model is not better than that. */
static const double model_error = 0.1;

/* Steps of one block. Half of them read their populations elsewhere than the others do (docs/streaming.md),
 * and take another time. */
struct steps {
    double *seconds[2]; /* [parity][count] */
    int count[2];
    int worker; /* that took the last of them */
};

static int by_value(const void *a, const void *b) {
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The usual time of a step, mean of both parities; 0 where there is none. */
static double usual(struct steps *steps) {
    double sum = 0;
    int parities = 0;
    for (int parity = 0; parity < 2; parity++)
        if (steps->count[parity] > 0) {
            qsort(steps->seconds[parity], (size_t)steps->count[parity], sizeof(double), by_value);
            sum += steps->seconds[parity][steps->count[parity] / 2];
            parities++;
        }
    return parities > 0 ? sum / parities : 0;
}

static void collect(const struct weir_trace *trace, struct steps *blocks, double *room) {
    for (int pass = 0; pass < 2; pass++) { /* counts; then fills */
        for (int block = 0; pass == 1 && block < trace->machine->block_count; block++)
            for (int parity = 0; parity < 2; parity++) {
                blocks[block].seconds[parity] = room;
                room += blocks[block].count[parity];
                blocks[block].count[parity] = 0;
            }
        for (int64_t k = 0; k < trace->task_count; k++) {
            const struct weir_traced_task *task = &trace->tasks[k];
            const int stage = weir_trace_stage(trace, task->kind), parity = task->step & 1;
            if (trace->machine->workers[task->worker].cuda || stage < 0)
                continue;
            struct steps *steps = &blocks[task->block];
            /* A block's stages come in order: its first one begins a step, the others belong to it. */
            if (stage == 0)
                steps->count[parity]++;
            if (pass == 1 && stage == 0)
                steps->seconds[parity][steps->count[parity] - 1] = 0;
            if (pass == 1 && steps->count[parity] > 0)
                steps->seconds[parity][steps->count[parity] - 1] += task->end - task->start;
            steps->worker = task->worker;
        }
    }
}

/* Seconds of a step of a block = x0 fluid + x1 beside walls + x2 solid, by least squares of relative errors.
 */
static void fit(double (*rows)[WEIR_UNKNOWNS], int count, struct weir_trace_near_wall *near_wall,
                double *more) {
    double x[WEIR_UNKNOWNS] = {0}, without[WEIR_UNKNOWNS];
    const double squares = weir_least_squares(rows, count, x);
    for (int row = 0; row < count; row++)
        rows[row][1] = 0;
    const double plain = weir_least_squares(rows, count, without), left = squares / (count - WEIR_UNKNOWNS);
    *more = 0;
    near_wall->error = sqrt(squares / count);
    /* Where all agree to the last digits, the difference must do so too. */
    if (near_wall->error > error_most || plain - squares < improvement_least * left ||
        plain < 1e-12 * count || !(x[0] > 0))
        return;
    *more = x[1];
    near_wall->factor = 1 + x[1] / x[0];
}

/* A block as both ways to the cost see it. */
struct row {
    double fluid, beside, solid; /* cells */
    double steps, seconds;       /* in the window; of one of them */
    int worker;
};

/* The measured kind of worker groups that a worker is, or leads; NULL: none was. */
static const struct weir_machine_kind *kind_of(const struct weir_trace *trace, int worker) {
    const int cores = trace->machine->workers[worker].cores;
    for (int k = 0; trace->measured && k < trace->measured->kind_count; k++) {
        const struct weir_machine_kind *kind = &trace->measured->kinds[k];
        if (kind->kind == (cores > 1 ? WEIR_WORKER_GROUP_TEAM : WEIR_WORKER_GROUP_CORE) &&
            (cores <= 1 || kind->cores == cores))
            return kind;
    }
    return NULL;
}

/* What steps take beyond what they would without walls. */
static void compare(const struct weir_trace *trace, const struct row *rows, int count,
                    struct weir_trace_near_wall *near_wall) {
    double extra = 0, expected = 0, beside = 0, plain = 0, fluid = 0, cells = 0;
    for (int k = 0; k < count; k++) /* of each worker, in the mean */
        cells += (rows[k].fluid + rows[k].solid) / trace->machine->worker_count;
    for (int k = 0; k < count; k++) {
        const struct row *row = &rows[k];
        const struct weir_machine_kind *kind = kind_of(trace, row->worker);
        if (!kind)
            return;
        const struct weir_rates rates = weir_time_model_rates(kind, cells);
        const double step = rates.task_seconds + rates.fluid_cell_seconds * row->fluid +
                            rates.solid_cell_seconds * row->solid;
        extra += row->steps * (row->seconds - step);
        expected += row->steps * step;
        beside += row->steps * row->beside;
        plain += row->steps * row->fluid * rates.fluid_cell_seconds;
        fluid += row->steps * row->fluid;
    }
    if (!(extra > model_error * expected))
        return;
    near_wall->seconds = extra;
    near_wall->factor = 1 + extra / beside / (plain / fluid);
    near_wall->measured = true;
}

static void find_cost(const struct weir_trace *trace, const struct row *rows, int count,
                      double (*equations)[WEIR_UNKNOWNS], struct weir_trace_near_wall *near_wall) {
    double beside = 0, more = 0;
    for (int k = 0; k < count; k++) {
        equations[k][0] = rows[k].fluid / rows[k].seconds;
        equations[k][1] = rows[k].beside / rows[k].seconds;
        equations[k][2] = rows[k].solid / rows[k].seconds;
        beside += rows[k].steps * rows[k].beside;
    }
    if (!(beside > 0))
        return;
    if (count >= BLOCKS_LEAST)
        fit(equations, count, near_wall, &more);
    if (more > 0)
        near_wall->seconds = more * beside;
    else
        compare(trace, rows, count, near_wall);
}

/* Fills rows[blocks] with those of which steps are known; returns how many, and counts all cells. */
static int fill_rows(const struct weir_trace *trace, struct steps *blocks, struct row *rows, double *fluid,
                     double *beside) {
    int count = 0;
    for (int k = 0; k < trace->machine->block_count; k++) {
        const struct weir_recorded_block *block = &trace->machine->blocks[k];
        const struct row row = {.fluid = (double)block->fluid_cells,
                                .beside = (double)block->near_wall_cells,
                                .solid = (double)(block->cells - block->fluid_cells),
                                .steps = blocks[k].count[0] + blocks[k].count[1],
                                .seconds = usual(&blocks[k]),
                                .worker = blocks[k].worker};
        *fluid += row.fluid;
        *beside += row.beside;
        if (row.seconds > 0)
            rows[count++] = row;
    }
    return count;
}

int weir_trace_near_wall_find(const struct weir_trace *trace, struct weir_trace_near_wall *near_wall) {
    const size_t block_count = (size_t)trace->machine->block_count;
    struct steps *blocks = calloc(block_count + 1, sizeof *blocks);
    struct row *rows = malloc(sizeof *rows * (block_count + 1));
    double *room = malloc(sizeof *room * ((size_t)trace->task_count + 1));
    double(*equations)[WEIR_UNKNOWNS] = malloc(sizeof *equations * (block_count + 1));
    const bool enough = blocks && rows && room && equations;
    *near_wall = (struct weir_trace_near_wall){NAN, NAN, NAN, NAN, false};
    if (enough) {
        double fluid = 0, beside = 0;
        collect(trace, blocks, room);
        const int count = fill_rows(trace, blocks, rows, &fluid, &beside);
        near_wall->share = fluid > 0 ? beside / fluid : NAN;
        if (!trace->surface)
            find_cost(trace, rows, count, equations, near_wall);
    }
    free(blocks);
    free(rows);
    free(room);
    free(equations);
    return enough ? 0
                  : weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
}
