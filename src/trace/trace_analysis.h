/* Where the time of a recorded window went. Arithmetic on arrays only; docs/tracing.md has the formulas.
 *
 * Time is counted in seconds of homes (src/report/run_analysis.h): cores, teams, GPUs. A window of T seconds
 * on n of them has n T. The workers that feed one GPU share it: it computes while any of them does. */
#ifndef WEIR_SRC_TRACE_TRACE_ANALYSIS_H
#define WEIR_SRC_TRACE_TRACE_ANALYSIS_H

#include "src/common/statistics.h"
#include "src/report/run_analysis.h"
#include "src/trace/trace_data.h"
#include "src/trace/trace_disturbance.h"
#include "src/trace/trace_losses.h"
#include "src/trace/trace_near_wall.h"
#include "src/trace/trace_path.h"
#include "src/trace/trace_sections.h"

struct weir_worker_time {
    double seconds[WEIR_ACTIVITY_COUNT]; /* their sum is the window */
    int64_t tasks;
};

/* Kinds of workers, which StarPU's models and eyes tell apart. */
enum weir_worker_class { WEIR_CORE, WEIR_TEAM, WEIR_GPU, WEIR_WORKER_CLASS_COUNT };
extern const char *const weir_worker_class_names[]; /* in JSON */
enum weir_worker_class weir_worker_class_of(const struct weir_recorded_worker *worker);

/* Tasks of one kind on one kind of worker, against what StarPU's models expected of them. */
struct weir_kind_times {
    int kind; /* index into the trace's */
    enum weir_worker_class workers;
    struct weir_spread spread; /* seconds of tasks */
    double seconds;            /* their sum */
    int expected_count;        /* tasks of which something was expected; of these: */
    double expected;           /* mean of what was expected, seconds; NAN where there are none */
    double deviation;          /* sum of the time taken / sum of what was expected - 1 */
    double mean_deviation;     /* sum of |taken - expected| / sum of what was expected */
};

struct weir_trace_analysis {
    double seconds, step_seconds;
    struct weir_worker_time *workers; /* [worker_count] */
    int worker_count;
    struct weir_worker_time *homes;    /* [run.home_count] */
    double total[WEIR_ACTIVITY_COUNT]; /* over the homes; sum n T */

    struct weir_critical_path path;

    int64_t transfer_count, transfer_bytes;
    int64_t message_count, message_bytes;    /* those of them that go from rank to rank */
    double transfer_seconds, hidden_seconds; /* sums over transfers */
    double message_seconds, message_hidden_seconds;
    double hidden;       /* hidden / all; NAN without transfers */
    int64_t least_bytes; /* between memories, that the placement made necessary; steps of blocks only */
    int64_t moves;       /* changes of a block's home from a step to the next */
    double moved;        /* of the blocks, from a step to the next */
    int64_t rank_moves;  /* changes of a block's rank */
    int64_t home_bytes;  /* that changed hands within a memory */

    /* Seconds per step that would be left without one kind of loss, all else as it was. */
    double balanced_step_seconds;  /* work dealt out evenly: nobody waits for tasks */
    double transfers_free_seconds; /* nobody waits for data */
    double overhead_free_seconds;  /* StarPU takes no time */

    struct weir_spread *kinds;     /* [kind_count]: seconds of tasks of each kind */
    double *kind_seconds;          /* [kind_count]: sum */
    struct weir_kind_times *times; /* [time_count], by kind, then kind of worker; those that there are */
    int time_count;
    struct weir_trace_near_wall near_wall;
    double stages_seconds; /* of tasks of stages beside collision and streaming */
    struct weir_trace_disturbance disturbance;
    double gbs, limit_gbs; /* of memory: moved for the updates that were done, and the most that was measured;
                              NAN: not known */
    struct weir_loss_shares shares; /* of the whole window */
    struct weir_trace_sections sections;
    struct weir_run_analysis run; /* of the steps of blocks: homes, who had which block */
};

/* Analyses a trace (weir_trace_order has been called). The caller releases the result in any case. Error:
 * -WEIR_FAILED when memory is short, or a block misses a step. */
int weir_trace_analyse(const struct weir_trace *trace, struct weir_trace_analysis *analysis);

void weir_trace_analysis_release(struct weir_trace_analysis *analysis);

/* Of the whole window. */
enum weir_main_loss weir_trace_main_loss(const struct weir_trace_analysis *analysis);

/* Whether something else on the machine made times worth little. */
bool weir_trace_is_disturbed(const struct weir_trace_analysis *analysis);

#endif
