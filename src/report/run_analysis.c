#include "src/report/run_analysis.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Speed that counts as recovered, as a part of the ideal; and the part of the rest of the phase that must
 * hold it, so that a slow moment of a shared machine does not decide. */
static const double recovered = 0.9, held = 0.75;

/* ---- spans -------------------------------------------------------------------------------------------- */

struct span {
    int home; /* or worker */
    double start, end;
};

static int compare_spans(const void *a, const void *b) {
    const struct span *p = a, *q = b;
    if (p->home != q->home)
        return (p->home > q->home) - (p->home < q->home);
    return (p->start > q->start) - (p->start < q->start);
}

/* Adds the length of the union of each home's spans to busy[home]; sorts the spans. */
static void add_unions(struct span *spans, int64_t count, double *busy) {
    qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    double covered = -HUGE_VAL; /* up to here, for this home */
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || spans[k].home != spans[k - 1].home)
            covered = -HUGE_VAL;
        const double start = spans[k].start > covered ? spans[k].start : covered;
        if (spans[k].end > start) {
            busy[spans[k].home] += spans[k].end - start;
            covered = spans[k].end;
        }
    }
}

/* ---- the record as a matrix --------------------------------------------------------------------------- */

static int fail_count(const struct weir_run_record *record) {
    return weir_fail(WEIR_FAILED,
                     "record: %lld tasks are there, and not each block took each of %lld steps of %d blocks",
                     (long long)record->task_count, (long long)record->steps, record->block_count);
}

static void find_last_stages(const struct weir_run_record *record, struct weir_run_analysis *a) {
    for (int64_t k = 0; k < record->task_count; k++) {
        int *const last = &a->last_stage[record->tasks[k].step & 1];
        *last = record->tasks[k].stage > *last ? record->tasks[k].stage : *last;
    }
}

/* Whether a task completes a step of its block: it is of its last stage. */
static bool completes(const struct weir_run_analysis *a, const struct weir_recorded_task *task) {
    return task->stage == a->last_stage[task->step & 1];
}

/* Who completed each step of each block. taken: which stages of it there are, bit by bit, all 0. */
static int fill_matrix(const struct weir_run_record *record, struct weir_run_analysis *a, uint8_t *taken) {
    const int64_t entries = a->steps * a->block_count;
    for (int64_t k = 0; k < entries; k++)
        a->worker_of[k] = -1;
    for (int64_t k = 0; k < record->task_count; k++) {
        const struct weir_recorded_task *task = &record->tasks[k];
        if (task->block < 0 || task->block >= a->block_count || task->step < 0 || task->step >= a->steps ||
            task->stage < 0 || task->stage >= record->stage_count || task->worker < 0 ||
            task->worker >= a->worker_count || !(task->end >= task->start))
            return weir_fail(WEIR_FAILED, "record: row %lld (block %d, step %lld, worker %d) is not possible",
                             (long long)k, task->block, (long long)task->step, task->worker);
        if (a->home_of[task->worker] < 0)
            return weir_fail(WEIR_FAILED,
                             "record: step %lld of block %d was taken by a worker that takes none",
                             (long long)task->step, task->block);
        const int64_t entry = task->step * a->block_count + task->block;
        if (taken[entry] & 1u << task->stage)
            return weir_fail(WEIR_FAILED, "record: step %lld of block %d is there twice",
                             (long long)task->step, task->block);
        taken[entry] = (uint8_t)(taken[entry] | 1u << task->stage);
        if (completes(a, task)) {
            a->worker_of[entry] = task->worker;
            a->assigned[entry] = task->home;
        }
    }
    /* Steps with even numbers have the same stages all, and so have odd ones. */
    for (int64_t entry = 0; entry < entries; entry++) {
        const int64_t first = a->steps > 1 ? entry / a->block_count % 2 * a->block_count : 0;
        if (a->worker_of[entry] < 0 || taken[entry] != taken[first])
            return fail_count(record);
    }
    return 0;
}

static void find_homes(const struct weir_run_record *record, struct weir_run_analysis *a) {
    for (int worker = 0; worker < a->worker_count; worker++) {
        const struct weir_recorded_worker *row = &record->workers[worker];
        a->home_of[worker] = -1;
        if (!row->steps)
            continue;
        int home = 0;
        for (; home < a->home_count; home++) {
            const struct weir_recorded_worker *first = &record->workers[a->homes[home].worker];
            if (row->cuda && first->cuda && first->device == row->device && first->rank == row->rank)
                break;
        }
        if (home == a->home_count)
            a->homes[a->home_count++] = (struct weir_home_use){.worker = worker};
        a->home_of[worker] = home;
    }
}

/* ---- busy, rates, progress ---------------------------------------------------------------------------- */

static int measure_busy(const struct weir_run_record *record, struct weir_run_analysis *a) {
    struct span *spans = malloc(sizeof *spans * (size_t)(record->task_count > 0 ? record->task_count : 1));
    double *busy = calloc((size_t)(a->worker_count > 0 ? a->worker_count : 1), sizeof *busy);
    if (!spans || !busy) {
        free(spans);
        free(busy);
        return weir_fail(WEIR_FAILED, "out of memory for a record of %lld steps of blocks",
                         (long long)record->task_count);
    }
    for (int64_t k = 0; k < record->task_count; k++) {
        const struct weir_recorded_task *task = &record->tasks[k];
        spans[k] = (struct span){task->worker, task->start, task->end};
    }
    add_unions(spans, record->task_count, a->worker_busy);
    for (int64_t k = 0; k < record->task_count; k++) {
        const struct weir_recorded_task *task = &record->tasks[k];
        const int home = a->home_of[task->worker];
        spans[k] = (struct span){home, task->start, task->end};
        a->homes[home].tasks++;
        if (completes(a, task))
            a->homes[home].updates += record->blocks[task->block].fluid_cells;
    }
    add_unions(spans, record->task_count, busy);
    for (int worker = 0; worker < a->worker_count; worker++)
        a->worker_busy[worker] /= a->wall_seconds;
    double ideal = 0;
    a->busy_least = a->home_count > 0 ? HUGE_VAL : 0;
    for (int home = 0; home < a->home_count; home++) {
        struct weir_home_use *use = &a->homes[home];
        use->busy_seconds = busy[home];
        use->busy = busy[home] / a->wall_seconds;
        a->busy_mean += use->busy / a->home_count;
        a->busy_least = fmin(a->busy_least, use->busy);
        if (use->busy_seconds > 0)
            ideal += (double)use->updates / use->busy_seconds;
    }
    a->ideal_mlups = 1e-6 * ideal;
    a->loss = ideal > 0 ? 1 - a->mlups / a->ideal_mlups : 0;
    free(spans);
    free(busy);
    return 0;
}

static int compare_ends(const void *a, const void *b) {
    const struct weir_recorded_task *const *p = a, *const *q = b;
    return ((*p)->end > (*q)->end) - ((*p)->end < (*q)->end);
}

static int follow_progress(const struct weir_run_record *record, struct weir_run_analysis *a) {
    const struct weir_recorded_task **order =
        malloc(sizeof *order * (size_t)(record->task_count > 0 ? record->task_count : 1));
    if (!order)
        return weir_fail(WEIR_FAILED, "out of memory for a record of %lld steps of blocks",
                         (long long)record->task_count);
    for (int64_t k = 0; k < record->task_count; k++)
        order[k] = &record->tasks[k];
    qsort(order, (size_t)record->task_count, sizeof *order, compare_ends);
    int64_t updates = 0, step = 0;
    for (int64_t k = 0; k < record->task_count; k++) {
        if (completes(a, order[k]))
            updates += record->blocks[order[k]->block].fluid_cells;
        while (step < a->steps && updates >= (step + 1) * a->updates_per_step)
            a->step_end[step++] = order[k]->end;
    }
    free(order);
    return 0;
}

/* ---- what moved --------------------------------------------------------------------------------------- */

/* Bytes of one message between consecutive steps: once for each memory node that reads it and is not where it
 * was written, and once for each other home of that node. `seen` lists readers that have been counted. */
struct readers {
    int nodes[WEIR_RECORD_OFFSETS], node_count;
    int homes[WEIR_RECORD_OFFSETS], home_count;
};

static bool add_new(int *list, int *count, int value) {
    for (int k = 0; k < *count; k++)
        if (list[k] == value)
            return false;
    list[(*count)++] = value;
    return true;
}

static void count_read(const struct weir_run_record *record, struct weir_run_analysis *a, int writer,
                       int reader, int64_t bytes, struct readers *seen) {
    const int from_node = record->workers[writer].memory_node, to_node = record->workers[reader].memory_node;
    const int from_home = a->home_of[writer], to_home = a->home_of[reader];
    if (from_node != to_node) {
        if (add_new(seen->nodes, &seen->node_count, to_node))
            a->node_bytes += bytes;
    } else if (from_home != to_home && add_new(seen->homes, &seen->home_count, to_home))
        a->home_bytes += bytes;
}

/* Who reads the messages of each block: the inverse of the record's table of neighbours. */
struct reading {
    int block, face;
};

struct readings {
    struct reading *all;
    int *first; /* [block_count + 1]: of the block that writes */
};

static int invert(const struct weir_run_record *record, struct readings *readings) {
    const int blocks = record->block_count;
    int *next = calloc((size_t)blocks + 1, sizeof *next);
    readings->first = calloc((size_t)blocks + 1, sizeof *readings->first);
    int error = 0;
    if (next && readings->first) {
        for (int block = 0; error == 0 && block < blocks; block++)
            for (int k = 0; k < WEIR_RECORD_OFFSETS; k++) {
                const int source = record->blocks[block].neighbour[k];
                if (source >= blocks)
                    error = weir_fail(WEIR_FAILED, "record: block %d has the neighbour %d of %d", block,
                                      source, blocks);
                else if (source >= 0 && k != WEIR_RECORD_OFFSETS / 2 &&
                         ++readings->first[source + 1] > WEIR_RECORD_OFFSETS - 1)
                    error = weir_fail(WEIR_FAILED, "record: block %d is a neighbour at more than %d offsets",
                                      source, WEIR_RECORD_OFFSETS - 1);
            }
        for (int block = 0; block < blocks; block++)
            next[block + 1] = readings->first[block + 1] += readings->first[block];
        readings->all = malloc(sizeof *readings->all * (size_t)(readings->first[blocks] + 1));
    }
    if (error == 0 && !readings->all)
        error = weir_fail(WEIR_FAILED, "out of memory for the record of %d blocks", blocks);
    for (int block = 0; error == 0 && block < blocks; block++)
        for (int k = 0; k < WEIR_RECORD_OFFSETS; k++) {
            const int source = record->blocks[block].neighbour[k];
            if (source >= 0 && k != WEIR_RECORD_OFFSETS / 2)
                readings->all[next[source]++] = (struct reading){block, weir_run_record_face(k)};
        }
    free(next);
    return error;
}

/* Whether a block's home changes after a step: the one that the policy gave it, or, where it gave none, that
 * of the worker who took it. An idle worker who takes a step for another does not change the home. */
static bool has_moved(const struct weir_run_analysis *a, int64_t step, int block) {
    const int64_t now = step * a->block_count + block, then = now + a->block_count;
    if (a->assigned[now] >= 0 && a->assigned[then] >= 0)
        return a->assigned[now] != a->assigned[then];
    return a->home_of[a->worker_of[now]] != a->home_of[a->worker_of[then]];
}

static void count_transition(const struct weir_run_record *record, const struct readings *readings,
                             struct weir_run_analysis *a, int64_t step) {
    const int32_t *now = a->worker_of + step * a->block_count, *then = now + a->block_count;
    for (int block = 0; block < a->block_count; block++) {
        const struct weir_recorded_block *row = &record->blocks[block];
        struct readers seen[WEIR_RECORD_FACES] = {0}, own = {0};
        for (int k = readings->first[block]; k < readings->first[block + 1]; k++) {
            const struct reading *reading = &readings->all[k];
            count_read(record, a, now[block], then[reading->block], row->message_bytes[reading->face],
                       &seen[reading->face]);
        }
        count_read(record, a, now[block], then[block], row->bytes, &own);
        if (has_moved(a, step, block)) {
            a->moves++;
            a->moved_after[step]++;
        }
    }
}

static int count_traffic(const struct weir_run_record *record, struct weir_run_analysis *a) {
    struct readings readings = {NULL, NULL};
    const int error = invert(record, &readings);
    for (int64_t step = 0; error == 0 && step + 1 < a->steps; step++)
        count_transition(record, &readings, a, step);
    if (a->steps > 1) {
        const double transitions = (double)(a->steps - 1);
        a->node_bytes_per_step = (double)a->node_bytes / transitions;
        a->home_bytes_per_step = (double)a->home_bytes / transitions;
        a->moves_per_100_steps = 100 * (double)a->moves / transitions;
    }
    free(readings.all);
    free(readings.first);
    return error;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static bool is_sound(const struct weir_recorded_block *block, int64_t most) {
    bool good =
        block->fluid_cells >= 0 && block->fluid_cells <= most && block->bytes >= 0 && block->bytes <= most;
    for (int face = 0; face < WEIR_RECORD_FACES; face++)
        good = good && block->message_bytes[face] >= 0 && block->message_bytes[face] <= most;
    return good;
}

/* No sum over all tasks and all that read what they wrote may wrap: a file may say anything. */
static int check_blocks(const struct weir_run_record *record) {
    const int64_t most = INT64_MAX / WEIR_RECORD_OFFSETS / record->task_count;
    for (int block = 0; block < record->block_count; block++)
        if (!is_sound(&record->blocks[block], most))
            return weir_fail(WEIR_FAILED, "record: block %d has numbers of cells or bytes that no block has",
                             block);
    return 0;
}

static int analyse(const struct weir_run_record *record, struct weir_run_analysis *a) {
    const size_t workers = (size_t)record->worker_count + 1, steps = (size_t)record->steps + 1;
    a->steps = record->steps;
    a->wall_seconds = record->wall_seconds;
    a->worker_count = record->worker_count;
    a->block_count = record->block_count;
    if (a->steps <= 0 || !(a->wall_seconds > 0) || a->block_count <= 0)
        return weir_fail(WEIR_FAILED, "record: no step was taken");
    if (a->steps >
        record->task_count / a->block_count) /* also so many that their product with blocks wraps */
        return fail_count(record);
    WEIR_TRY(check_blocks(record));
    for (int block = 0; block < a->block_count; block++)
        a->updates_per_step += record->blocks[block].fluid_cells;
    a->step_seconds = a->wall_seconds / (double)a->steps;
    a->mlups = 1e-6 * (double)a->updates_per_step / a->step_seconds;
    a->homes = calloc(workers, sizeof *a->homes);
    a->home_of = calloc(workers, sizeof *a->home_of);
    a->worker_busy = calloc(workers, sizeof *a->worker_busy);
    a->step_end = calloc(steps, sizeof *a->step_end);
    a->moved_after = calloc(steps, sizeof *a->moved_after);
    a->worker_of = malloc(sizeof *a->worker_of * steps * (size_t)a->block_count);
    a->assigned = malloc(sizeof *a->assigned * steps * (size_t)a->block_count);
    if (!a->assigned || !a->homes || !a->home_of || !a->worker_busy || !a->step_end || !a->moved_after ||
        !a->worker_of)
        return weir_fail(WEIR_FAILED, "out of memory for a record of %lld steps of %d blocks",
                         (long long)a->steps, a->block_count);
    find_homes(record, a);
    find_last_stages(record, a);
    uint8_t *taken = calloc(steps * (size_t)a->block_count, sizeof *taken);
    const int error = taken ? fill_matrix(record, a, taken)
                            : weir_fail(WEIR_FAILED, "out of memory for a record of %lld steps of %d blocks",
                                        (long long)a->steps, a->block_count);
    free(taken);
    WEIR_TRY(error);
    WEIR_TRY(measure_busy(record, a));
    WEIR_TRY(follow_progress(record, a));
    return count_traffic(record, a);
}

int weir_run_analyse(const struct weir_run_record *record, struct weir_run_analysis *analysis) {
    *analysis = (struct weir_run_analysis){0};
    const int error = analyse(record, analysis);
    if (error != 0)
        weir_run_analysis_release(analysis);
    return error;
}

void weir_run_analysis_release(struct weir_run_analysis *a) {
    free(a->homes);
    free(a->home_of);
    free(a->worker_busy);
    free(a->step_end);
    free(a->moved_after);
    free(a->worker_of);
    free(a->assigned);
    *a = (struct weir_run_analysis){0};
}

/* ---- recovery ----------------------------------------------------------------------------------------- */

/* Seconds per step that all homes together would take, at the rates of their tasks that ended after `from`
 * and not after `to`; NaN where there is none. */
static int ideal_between(const struct weir_run_record *record, const struct weir_run_analysis *a, double from,
                         double to, double *seconds) {
    struct span *spans = malloc(sizeof *spans * (size_t)(record->task_count > 0 ? record->task_count : 1));
    double *busy = calloc((size_t)a->home_count, sizeof *busy);
    int64_t *updates = calloc((size_t)a->home_count, sizeof *updates), count = 0;
    int error = 0;
    if (spans && busy && updates) {
        for (int64_t k = 0; k < record->task_count; k++) {
            const struct weir_recorded_task *task = &record->tasks[k];
            if (task->end <= from || task->end > to)
                continue;
            const int home = a->home_of[task->worker];
            spans[count++] = (struct span){home, task->start, task->end};
            if (completes(a, task))
                updates[home] += record->blocks[task->block].fluid_cells;
        }
        add_unions(spans, count, busy);
        double rate = 0;
        for (int home = 0; home < a->home_count; home++)
            if (busy[home] > 0)
                rate += (double)updates[home] / busy[home];
        *seconds = rate > 0 ? (double)a->updates_per_step / rate : NAN;
    } else
        error = weir_fail(WEIR_FAILED, "out of memory for a record of %lld steps of blocks",
                          (long long)record->task_count);
    free(spans);
    free(busy);
    free(updates);
    return error;
}

/* First step after which the smoothed time per step is at most `limit`, there and at `held` of all later
 * steps of the phase; counted from the beginning of the phase, -1: none. begin and end are times at which the
 * phase's steps ended: begin[-1] is when it began. */
static int64_t steps_until(const double *step_end, int64_t first, int64_t last, double phase_start,
                           int64_t smoothing, double limit) {
    int64_t good = 0, all = 0, found = -1;
    for (int64_t step = last; step - smoothing >= first - 1; step--) {
        const double before = step - smoothing >= first ? step_end[step - smoothing] : phase_start;
        const bool within = (step_end[step] - before) / (double)smoothing <= limit;
        good += within;
        all++;
        if (within && (double)good >= held * (double)all && all >= smoothing / 2)
            found = step - first + 1;
    }
    return found;
}

int weir_run_recovery(const struct weir_run_record *record, const struct weir_run_analysis *a, double from,
                      double to, struct weir_recovery *recovery) {
    *recovery = (struct weir_recovery){.steps = -1,
                                       .seconds = NAN,
                                       .ideal_step_seconds = NAN,
                                       .settled_step_seconds = NAN,
                                       .settled_moves_per_100_steps = NAN};
    int64_t first = 0;
    while (first < a->steps && a->step_end[first] <= from)
        first++;
    int64_t last = first - 1;
    while (last + 1 < a->steps && a->step_end[last + 1] <= to)
        last++;
    recovery->phase_steps = last - first + 1;
    if (recovery->phase_steps < WEIR_RECOVERY_STEPS_LEAST)
        return 0;
    recovery->smoothing = recovery->phase_steps / 6;
    if (recovery->smoothing > WEIR_RECOVERY_SMOOTHING)
        recovery->smoothing = WEIR_RECOVERY_SMOOTHING;
    /* The settled part: from the end of step `settled` on. */
    const int64_t settled = last - recovery->phase_steps / 3;
    WEIR_TRY(
        ideal_between(record, a, a->step_end[settled], a->step_end[last], &recovery->ideal_step_seconds));
    recovery->settled_step_seconds = (a->step_end[last] - a->step_end[settled]) / (double)(last - settled);
    int64_t moves = 0;
    for (int64_t step = settled; step < last; step++)
        moves += a->moved_after[step];
    recovery->settled_moves_per_100_steps = 100 * (double)moves / (double)(last - settled);
    /* A step ends somewhere in a span that began before the phase: the first counts from the phase's start.
     */
    recovery->steps = steps_until(a->step_end, first, last, from, recovery->smoothing,
                                  recovery->ideal_step_seconds / recovered);
    if (recovery->steps > 0)
        recovery->seconds = a->step_end[first + recovery->steps - 1] - from;
    return 0;
}
