#include "src/trace_near_wall.h"

#include "graph/error.h"
#include "graph/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fit needs a block more than it has unknowns; beside walls counts what improves it as much as twice the
 * standard error of its coefficient does (F test); and times that it misses by more than this depend on
 * something else. */
enum { BLOCKS_LEAST = WEIR_UNKNOWNS + 1 };
static const double improvement_least = 4, error_most = 0.25;

/* Steps of one block. Half of them read their populations elsewhere than the others do (docs/streaming.md),
 * and take another time. */
struct steps {
    double *seconds[2]; /* [parity][count] */
    int count[2];
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
            if (trace->machine->workers[task->worker].cuda ||
                strcmp(trace->kinds[task->kind], "collide_stream") != 0)
                continue;
            struct steps *steps = &blocks[task->block];
            const int parity = task->step & 1;
            if (pass == 1)
                steps->seconds[parity][steps->count[parity]] = task->end - task->start;
            steps->count[parity]++;
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

int weir_trace_near_wall_find(const struct weir_trace *trace, struct weir_trace_near_wall *near_wall) {
    const int block_count = trace->machine->block_count;
    struct steps *blocks = calloc((size_t)block_count + 1, sizeof *blocks);
    double *room = malloc(sizeof *room * ((size_t)trace->task_count + 1));
    double(*rows)[WEIR_UNKNOWNS] = malloc(sizeof *rows * ((size_t)block_count + 1));
    double fluid = 0, beside = 0, more = 0, steps_beside = 0;
    int count = 0;
    *near_wall = (struct weir_trace_near_wall){NAN, NAN, NAN, NAN};
    if (blocks && room && rows)
        collect(trace, blocks, room);
    for (int k = 0; blocks && room && rows && k < block_count; k++) {
        const struct weir_recorded_block *block = &trace->machine->blocks[k];
        const double seconds = usual(&blocks[k]);
        fluid += (double)block->fluid_cells;
        beside += (double)block->near_wall_cells;
        steps_beside += (double)block->near_wall_cells * (blocks[k].count[0] + blocks[k].count[1]);
        if (!(seconds > 0))
            continue;
        rows[count][0] = (double)block->fluid_cells / seconds;
        rows[count][1] = (double)block->near_wall_cells / seconds;
        rows[count++][2] = (double)(block->cells - block->fluid_cells) / seconds;
    }
    if (fluid > 0)
        near_wall->share = beside / fluid;
    if (count >= BLOCKS_LEAST && beside > 0) {
        fit(rows, count, near_wall, &more);
        if (more > 0)
            near_wall->seconds = more * steps_beside;
    }
    const bool enough = blocks && room && rows;
    free(blocks);
    free(room);
    free(rows);
    return enough ? 0
                  : weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
}
