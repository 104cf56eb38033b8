/* A recorded window as plain arrays: tasks, what workers did, what was copied. What files of StarPU's say and
 * an analysis reads; knows neither. Times are seconds since the window began. */
#ifndef WEIR_SRC_TRACE_TRACE_DATA_H
#define WEIR_SRC_TRACE_TRACE_DATA_H

#include "codelets/task_expectations.h"
#include "graph/base/core_use.h"
#include "graph/plan/run_record.h"
#include "graph/plan/time_model.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_TRACE_KINDS_MAX = 32, WEIR_TRACE_KIND_NAME = 48 };

/* Ranks count their tasks each for itself: this times the rank makes one number of both. */
#define WEIR_JOB_RANK ((int64_t)1 << 40)

struct weir_traced_task {
    int32_t kind;  /* index into kinds */
    int32_t block; /* -1: of none */
    int64_t step;  /* that it takes, or before which it observes the state */
    int64_t job;   /* StarPU's number on its rank, and the rank in WEIR_JOB_RANK's place */
    int32_t worker;
    int32_t dependency_count;
    int64_t first_dependency; /* in dependencies */
    double submitted;
    int32_t message_count; /* of those that it waits for */
    int64_t first_message; /* in awaited */
    double ready;          /* submitted, and all that it waits for has ended or arrived */
    double start, end;
    uint32_t footprint; /* StarPU's hash of the sizes of its data */
    double expected;    /* seconds that StarPU's models expected on its worker; NAN: they did not know */
};

/* What a worker does; from one entry to the next of the same worker. */
enum weir_activity {
    WEIR_IN_KERNEL,
    WEIR_WAITING_DATA,  /* data is fetched or brought back */
    WEIR_WAITING_TASKS, /* sleeping or idle */
    WEIR_OVERHEAD,      /* scheduling, callbacks, whatever else StarPU does */
    WEIR_ACTIVITY_COUNT
};
extern const char *const weir_activity_names[]; /* keys in JSON */
extern const uint32_t weir_activity_colours[];  /* 0xRRGGBB, those of the pages */

/* What a state of a worker is, by StarPU's short name for it in paje.trace; any other name is a task's. */
enum weir_activity weir_activity_of(const char *state);

struct weir_trace_change {
    double time;
    int32_t worker;
    int32_t activity; /* enum weir_activity */
};

/* A copy between memories of a rank, or a message from one rank to another. */
struct weir_traced_transfer {
    int64_t bytes;
    int32_t from, to;           /* memory nodes; a rank's come after those of the rank before it */
    int32_t from_rank, to_rank; /* unlike each other: a message */
    int32_t carries;            /* enum weir_message_kind (graph/ranks/rank_tags.h); -1: a copy */
    double start, end;
    double hidden; /* seconds of it in which a worker that it is for ran a kernel */
    /* Of a message, as far as it is known; else -1: */
    int64_t step;           /* of what waits for it; else, of what it was sent after */
    int64_t sent_task;      /* that made what it carries: index into tasks */
    int64_t passed_message; /* that brought what it carries, where no task made it: index into transfers */
};

/* What transfers carry, by WEIR_MESSAGE_...; "copy" for -1. */
const char *weir_carried_name(int carries);

static inline bool weir_is_message(const struct weir_traced_transfer *transfer) {
    return transfer->from_rank != transfer->to_rank;
}

struct weir_trace {
    char kinds[WEIR_TRACE_KINDS_MAX][WEIR_TRACE_KIND_NAME];
    int kind_count;
    struct weir_traced_task *tasks; /* [task_count], by start */
    int64_t task_count;
    int64_t *dependencies; /* [dependency_count], indices into tasks */
    int64_t dependency_count;
    int64_t *awaited; /* [awaited_count], messages: indices into transfers */
    int64_t awaited_count;
    struct weir_trace_change *changes; /* [change_count], by time */
    int64_t change_count;
    struct weir_traced_transfer *transfers; /* [transfer_count], by start */
    int64_t transfer_count;
    const struct weir_run_record *machine;            /* workers and blocks; not ours */
    const struct weir_task_expectation *expectations; /* [expectation_count]; not ours */
    int expectation_count;
    int64_t from, steps;
    double seconds;              /* length of the window */
    bool shared_cores;           /* on some rank the thread that moves messages shares a core with a worker */
    struct weir_core_loss cores; /* of the rank that lost most; NaN where it is not known */
    const struct weir_machine *measured; /* what is kept of this machine for such blocks; NULL: nothing */
    double limit_gbs;                    /* of memory, measured in the same run; 0: not known */
    double bytes_per_update;             /* that a step of a fluid cell moves at least */
    bool surface;                        /* the liquid has a free surface */
};

/* Kind, block and step of a task from its name (codelets/task_names.h); false when it is no such name. */
bool weir_task_name_read(const char *name, char kind[WEIR_TRACE_KIND_NAME], struct weir_traced_task *task);

/* Which stage of a step tasks of a kind are, of machine->stages; -1: they are none. */
int weir_trace_stage(const struct weir_trace *trace, int kind);

/* Whether tasks of a kind are a stage of steps beside collision and streaming. */
bool weir_trace_is_further_stage(const struct weir_trace *trace, int kind);

/* Index of a kind, added where it is new; -1 when there are too many. */
int weir_trace_kind(struct weir_trace *trace, const char *name);

/* Sorts tasks, changes and transfers by time, keeping what refers to them right, and works out `ready`,
 * `expected` and `hidden`. -WEIR_FAILED when memory is short. */
int weir_trace_order(struct weir_trace *trace);

/* Frees the arrays but the machine's. */
void weir_trace_release(struct weir_trace *trace);

#endif
