#include "src/trace/trace_disturbance.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A task is slow that takes so many times what is usual. What cores that share a memory take from each other
 * stays below that. */
static const double slow_from = 1.75;

/* Fewer steps than this of a block say nothing of what is usual. */
enum { SAMPLES_LEAST = 4 };

/* One stage of a step of a block. */
struct sample {
    int32_t block, parity, stage, cores;
    int32_t worker;
    bool stayed; /* the block's step before was taken at the same home */
    double seconds;
};

static int by_sort_of_step(const void *a, const void *b) {
    const struct sample *one = a, *other = b;
    const int block = (one->block > other->block) - (one->block < other->block),
              parity = (one->parity > other->parity) - (one->parity < other->parity),
              stage = (one->stage > other->stage) - (one->stage < other->stage),
              cores = (one->cores > other->cores) - (one->cores < other->cores),
              seconds = (one->seconds > other->seconds) - (one->seconds < other->seconds);
    return block ? block : parity ? parity : stage ? stage : cores ? cores : seconds;
}

static bool same_sort(const struct sample *a, const struct sample *b) {
    return a->block == b->block && a->parity == b->parity && a->stage == b->stage && a->cores == b->cores;
}

/* Steps of blocks on cores and teams: a GPU's tasks share it, and take as long as there are others. */
static int64_t collect(const struct weir_trace *trace, const struct weir_run_analysis *run,
                       struct sample *samples) {
    int64_t count = 0;
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        const struct weir_recorded_worker *worker = &trace->machine->workers[task->worker];
        const int stage = weir_trace_stage(trace, task->kind);
        if (worker->cuda || stage < 0)
            continue;
        const int64_t entry = (task->step - trace->from) * run->block_count + task->block;
        samples[count++] = (struct sample){.block = task->block,
                                           .parity = (int32_t)(task->step & 1),
                                           .stage = stage,
                                           .cores = worker->cores,
                                           .worker = task->worker,
                                           .stayed = task->step > trace->from &&
                                                     run->home_of[run->worker_of[entry - run->block_count]] ==
                                                         run->home_of[task->worker],
                                           .seconds = task->end - task->start};
    }
    qsort(samples, (size_t)count, sizeof *samples, by_sort_of_step);
    return count;
}

/* What slow steps cost each worker. What is usual is the lower quartile: it holds also where more than half
 * of the steps were slow. */
static void analyse(const struct sample *samples, int64_t count, double *lost, double *factors, int64_t *slow,
                    struct weir_trace_disturbance *d) {
    for (int64_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && same_sort(&samples[first], &samples[next]))
            next++;
        if (next - first < SAMPLES_LEAST)
            continue;
        const double usual = samples[first + (next - first) / 4].seconds;
        d->compared += next - first;
        for (int64_t k = first; k < next; k++)
            if (samples[k].stayed && samples[k].seconds >= slow_from * usual) {
                lost[samples[k].worker] += samples[k].seconds - usual;
                factors[samples[k].worker] += samples[k].seconds / usual;
                slow[samples[k].worker]++;
                d->slow++;
            }
    }
}

int weir_trace_disturbance_find(const struct weir_trace *trace, const struct weir_run_analysis *run,
                                struct weir_trace_disturbance *d) {
    const size_t workers = (size_t)trace->machine->worker_count + 1;
    struct sample *samples = malloc(sizeof *samples * ((size_t)trace->task_count + 1));
    double *lost = calloc(workers, sizeof *lost), *factors = calloc(workers, sizeof *factors);
    int64_t *slow = calloc(workers, sizeof *slow);
    const bool room = samples && lost && factors && slow;
    *d = (struct weir_trace_disturbance){.worker = -1, .slow_factor = NAN};
    if (room)
        analyse(samples, collect(trace, run, samples), lost, factors, slow, d);
    for (int worker = 0; room && d->compared > 0 && worker < trace->machine->worker_count; worker++)
        if (d->worker < 0 || lost[worker] > d->slow_seconds) {
            d->worker = worker;
            d->worker_slow = slow[worker];
            d->slow_seconds = lost[worker];
            d->slow_factor = slow[worker] > 0 ? factors[worker] / (double)slow[worker] : NAN;
        }
    d->slow_share = d->slow_seconds / trace->seconds;
    d->lost = fmax(d->slow_share, isnan(trace->cores.lost) ? 0 : trace->cores.lost);
    free(samples);
    free(lost);
    free(factors);
    free(slow);
    return room ? 0
                : weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
}

bool weir_trace_disturbed(const struct weir_trace_disturbance *d, double main_loss) {
    return d->lost >= WEIR_CORES_LOST_MUCH && d->lost >= 0.5 * main_loss;
}
