#include "src/trace/trace_analysis.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
}

/* ---- workers and homes -------------------------------------------------------------------------------- */

/* What one of a trace's workers, or homes, was last said to do, and since when. */
struct doing {
    int activity;
    double since;
};

static void goes_on(struct doing *doing, struct weir_worker_time *time, double until, int activity) {
    time->seconds[doing->activity] += until - doing->since;
    *doing = (struct doing){activity, until};
}

/* What homes did in each section of the window. */
struct by_section {
    double (*seconds)[WEIR_ACTIVITY_COUNT]; /* [count][homes] */
    double length;                          /* seconds of a section */
    int count, homes;
};

/* Before goes_on. */
static void add_to_sections(const struct by_section *sections, int home, const struct doing *doing,
                            double until) {
    const int last = sections->count - 1;
    int section = (int)fmin(doing->since / sections->length, last);
    for (double since = doing->since; since < until; section++) {
        const double end = section < last ? fmin(until, sections->length * (section + 1)) : until;
        if (end > since)
            sections->seconds[section * sections->homes + home][doing->activity] += end - since;
        since = fmax(end, since);
        if (section == last)
            break;
    }
}

/* What a home does whose workers do so: a GPU waits only while none of those that feed it computes. */
static int activity_of_home(const int workers[WEIR_ACTIVITY_COUNT]) {
    static const enum weir_activity first[] = {WEIR_IN_KERNEL, WEIR_WAITING_DATA, WEIR_OVERHEAD};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        if (workers[first[k]] > 0)
            return (int)first[k];
    return WEIR_WAITING_TASKS;
}

/* Each moment of the window counts for what the worker was last said to do; before that it had nothing. The
 * homes are known. */
static int divide_time(const struct weir_trace *trace, const struct by_section *sections,
                       struct weir_trace_analysis *a) {
    const int count = a->worker_count, homes = a->run.home_count;
    struct doing *worker = malloc(sizeof *worker * ((size_t)count + 1)),
                 *home = malloc(sizeof *home * ((size_t)homes + 1));
    int(*at_home)[WEIR_ACTIVITY_COUNT] = calloc((size_t)homes + 1, sizeof *at_home); /* workers by activity */
    a->homes = calloc((size_t)homes + 1, sizeof *a->homes);
    if (!worker || !home || !at_home || !a->homes) {
        free(worker);
        free(home);
        free(at_home);
        return no_memory();
    }
    for (int k = 0; k < count; k++) {
        worker[k] = (struct doing){WEIR_WAITING_TASKS, 0};
        if (a->run.home_of[k] >= 0)
            at_home[a->run.home_of[k]][WEIR_WAITING_TASKS]++;
    }
    for (int k = 0; k < homes; k++)
        home[k] = (struct doing){WEIR_WAITING_TASKS, 0};
    for (int64_t k = 0; k < trace->change_count; k++) {
        const struct weir_trace_change *change = &trace->changes[k];
        const double time = fmin(fmax(change->time, 0), trace->seconds);
        const int at = a->run.home_of[change->worker];
        if (at >= 0) {
            at_home[at][worker[change->worker].activity]--;
            at_home[at][change->activity]++;
            add_to_sections(sections, at, &home[at], time);
            goes_on(&home[at], &a->homes[at], time, activity_of_home(at_home[at]));
        }
        goes_on(&worker[change->worker], &a->workers[change->worker], time, change->activity);
    }
    for (int k = 0; k < count; k++)
        goes_on(&worker[k], &a->workers[k], trace->seconds, WEIR_WAITING_TASKS);
    for (int64_t k = 0; k < trace->task_count; k++) {
        const int taker = trace->tasks[k].worker;
        a->workers[taker].tasks++;
        if (a->run.home_of[taker] >= 0)
            a->homes[a->run.home_of[taker]].tasks++;
    }
    for (int k = 0; k < homes; k++) {
        add_to_sections(sections, k, &home[k], trace->seconds);
        goes_on(&home[k], &a->homes[k], trace->seconds, WEIR_WAITING_TASKS);
        for (int activity = 0; activity < WEIR_ACTIVITY_COUNT; activity++)
            a->total[activity] += a->homes[k].seconds[activity];
    }
    free(worker);
    free(home);
    free(at_home);
    return 0;
}

/* ---- transfers ---------------------------------------------------------------------------------------- */

/* A transfer is hidden while the workers that it is for have something else to do. */
static void analyse_transfers(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    a->transfer_count = trace->transfer_count;
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        const struct weir_traced_transfer *transfer = &trace->transfers[k];
        a->transfer_bytes += transfer->bytes;
        a->transfer_seconds += transfer->end - transfer->start;
        a->hidden_seconds += transfer->hidden;
        if (!weir_is_message(transfer))
            continue;
        a->message_count++;
        a->message_bytes += transfer->bytes;
        a->message_seconds += transfer->end - transfer->start;
        a->message_hidden_seconds += transfer->hidden;
    }
    a->hidden = a->transfer_seconds > 0 ? a->hidden_seconds / a->transfer_seconds : NAN;
}

/* ---- placement ---------------------------------------------------------------------------------------- */

static int64_t count_rank_moves(const struct weir_trace *trace, const struct weir_run_analysis *run) {
    const struct weir_recorded_worker *workers = trace->machine->workers;
    int64_t moves = 0;
    for (int64_t entry = run->block_count; entry < run->steps * run->block_count; entry++)
        moves +=
            workers[run->worker_of[entry]].rank != workers[run->worker_of[entry - run->block_count]].rank;
    return moves;
}

/* The steps of blocks as a record, which the analysis of whole runs takes. */
static int analyse_placement(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    struct weir_run_record record = *trace->machine;
    record.tasks = calloc((size_t)trace->task_count + 1, sizeof *record.tasks);
    record.task_count = 0;
    record.steps = trace->steps;
    record.wall_seconds = trace->seconds;
    if (!record.tasks)
        return no_memory();
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *t = &trace->tasks[k];
        const int stage = weir_trace_stage(trace, t->kind);
        if (stage >= 0)
            record.tasks[record.task_count++] = (struct weir_recorded_task){
                .step = t->step - trace->from,
                .start = t->start,
                .end = t->end,
                .block = t->block,
                .worker = t->worker,
                .stage = stage,
                .home = -1, /* who took the step counts, at home or not: what it needs must get there */
            };
    }
    const int error = weir_run_analyse(&record, &a->run);
    free(record.tasks);
    WEIR_TRY(error);
    a->least_bytes = a->run.node_bytes;
    a->home_bytes = a->run.home_bytes;
    a->moves = a->run.moves;
    a->rank_moves = count_rank_moves(trace, &a->run);
    a->moved = trace->steps > 1 ? (double)a->moves / ((double)(trace->steps - 1) * a->run.block_count) : 0;
    return 0;
}

/* ---- kinds -------------------------------------------------------------------------------------------- */

const char *const weir_worker_class_names[] = {"cores", "teams", "GPUs"};

enum weir_worker_class weir_worker_class_of(const struct weir_recorded_worker *worker) {
    return worker->cuda ? WEIR_GPU : worker->cores > 1 ? WEIR_TEAM : WEIR_CORE;
}

/* Fills an entry with the tasks of its kind and kind of worker; seconds: room for those of all tasks. */
static int analyse_times(const struct weir_trace *trace, struct weir_kind_times *times, double *seconds) {
    double taken = 0, expected = 0, off = 0;
    int count = 0;
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        if (task->kind != times->kind ||
            weir_worker_class_of(&trace->machine->workers[task->worker]) != times->workers)
            continue;
        seconds[count] = task->end - task->start;
        times->seconds += seconds[count];
        if (isfinite(task->expected)) {
            taken += seconds[count];
            expected += task->expected;
            off += fabs(seconds[count] - task->expected);
            times->expected_count++;
        }
        count++;
    }
    times->expected = times->expected_count > 0 ? expected / times->expected_count : NAN;
    times->deviation = expected > 0 ? taken / expected - 1 : NAN;
    times->mean_deviation = expected > 0 ? off / expected : NAN;
    return weir_spread_of(seconds, count, &times->spread);
}

static int analyse_kinds(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    double *seconds = malloc(sizeof *seconds * ((size_t)trace->task_count + 1));
    if (!seconds)
        return no_memory();
    int error = 0;
    for (int kind = 0; kind < trace->kind_count && error == 0; kind++) {
        int count = 0;
        for (int64_t k = 0; k < trace->task_count; k++)
            if (trace->tasks[k].kind == kind) {
                seconds[count] = trace->tasks[k].end - trace->tasks[k].start;
                a->kind_seconds[kind] += seconds[count++];
            }
        error = weir_spread_of(seconds, count, &a->kinds[kind]);
        for (int class = 0; class < WEIR_WORKER_CLASS_COUNT && error == 0; class ++) {
            struct weir_kind_times *times = &a->times[a->time_count];
            *times = (struct weir_kind_times){.kind = kind, .workers = (enum weir_worker_class) class};
            error = analyse_times(trace, times, seconds);
            a->time_count += times->spread.count > 0;
        }
    }
    free(seconds);
    return error;
}

/* ---- what decides -------------------------------------------------------------------------------------- */

static double further_stages(const struct weir_trace *trace) {
    double seconds = 0;
    for (int64_t k = 0; k < trace->task_count; k++)
        if (weir_trace_is_further_stage(trace, trace->tasks[k].kind))
            seconds += trace->tasks[k].end - trace->tasks[k].start;
    return seconds;
}

static void share_losses(struct weir_trace_analysis *a) {
    const int homes = a->run.home_count;
    const double all = a->seconds * (homes > 0 ? homes : 1);
    a->shares = (struct weir_loss_shares){
        .tasks = a->total[WEIR_WAITING_TASKS] / all,
        .data = a->total[WEIR_WAITING_DATA] / all,
        .overhead = a->total[WEIR_OVERHEAD] / all,
        .least_tasks = homes > 0 ? INFINITY : 0,
        .moved = a->moved,
        .messages = a->path.message_seconds / a->seconds,
        .late = a->path.late,
        .stages = a->stages_seconds / all,
        .near_wall = isfinite(a->near_wall.seconds) ? a->near_wall.seconds / all : 0};
    for (int home = 0; home < homes; home++)
        a->shares.least_tasks =
            fmin(a->shares.least_tasks, a->homes[home].seconds[WEIR_WAITING_TASKS] / a->seconds);
}

/* Where time went, of the window and of its sections. */
static int analyse_time(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    const int count = weir_section_count(trace->steps), homes = a->run.home_count;
    const struct by_section sections = {
        .seconds = calloc((size_t)count * (size_t)homes + 1, sizeof *sections.seconds),
        .length = trace->seconds / count,
        .count = count,
        .homes = homes};
    int error = sections.seconds ? divide_time(trace, &sections, a) : no_memory();
    if (error == 0) {
        share_losses(a);
        weir_trace_sections_find(trace, &a->path, &a->run, a->shares.near_wall, a->shares.stages,
                                 (const double(*)[WEIR_ACTIVITY_COUNT])sections.seconds, &a->sections);
    }
    free(sections.seconds);
    return error;
}

static void analyse_bandwidth(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    a->gbs = trace->bytes_per_update > 0 ? 1e-3 * a->run.mlups * trace->bytes_per_update : NAN;
    a->limit_gbs = trace->limit_gbs > 0 ? trace->limit_gbs : NAN;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void bound(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    const double share = 1.0 / (a->run.home_count > 0 ? a->run.home_count : 1) / (double)trace->steps;
    double all = 0;
    for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
        all += a->total[k];
    a->balanced_step_seconds = share * (all - a->total[WEIR_WAITING_TASKS]);
    a->transfers_free_seconds = share * (all - a->total[WEIR_WAITING_DATA]);
    a->overhead_free_seconds = share * (all - a->total[WEIR_OVERHEAD]);
}

int weir_trace_analyse(const struct weir_trace *trace, struct weir_trace_analysis *a) {
    *a = (struct weir_trace_analysis){.seconds = trace->seconds,
                                      .step_seconds = trace->seconds / (double)trace->steps,
                                      .worker_count = trace->machine->worker_count};
    a->workers = calloc((size_t)a->worker_count + 1, sizeof *a->workers);
    a->kinds = calloc((size_t)trace->kind_count + 1, sizeof *a->kinds);
    a->kind_seconds = calloc((size_t)trace->kind_count + 1, sizeof *a->kind_seconds);
    a->times = calloc((size_t)trace->kind_count * WEIR_WORKER_CLASS_COUNT + 1, sizeof *a->times);
    if (!a->workers || !a->kinds || !a->kind_seconds || !a->times)
        return no_memory();
    WEIR_TRY(weir_critical_path_find(trace, &a->path));
    analyse_transfers(trace, a);
    WEIR_TRY(analyse_placement(trace, a));
    WEIR_TRY(weir_trace_near_wall_find(trace, &a->near_wall));
    a->stages_seconds = further_stages(trace);
    WEIR_TRY(weir_trace_disturbance_find(trace, &a->run, &a->disturbance));
    WEIR_TRY(analyse_time(trace, a));
    analyse_bandwidth(trace, a);
    WEIR_TRY(analyse_kinds(trace, a));
    bound(trace, a);
    return 0;
}

void weir_trace_analysis_release(struct weir_trace_analysis *a) {
    free(a->workers);
    free(a->homes);
    weir_critical_path_release(&a->path);
    free(a->kinds);
    free(a->kind_seconds);
    free(a->times);
    weir_run_analysis_release(&a->run);
    *a = (struct weir_trace_analysis){0};
}

enum weir_main_loss weir_trace_main_loss(const struct weir_trace_analysis *a) {
    return weir_main_loss_of(&a->shares);
}

bool weir_trace_is_disturbed(const struct weir_trace_analysis *a) {
    return weir_trace_disturbed(&a->disturbance, weir_loss_share(&a->shares, weir_trace_main_loss(a)));
}
