#include "graph/pace.h"

#include "codelets/call.h"
#include "graph/base/error.h"
#include "graph/future.h"
#include "graph/rank_tree.h"
#include "graph/ranks/world.h"

#include <stdlib.h>

/* Ranks tell each other after so many steps that they have come so far; those with blocks are no more steps
 * ahead of their tasks than may be under way. Two such distances are what others may be behind. */
enum { STEPS_BETWEEN_SIGNS = 16 };

struct weir_pace {
    struct weir_domain *domain;
    struct weir_pace_tasks *tasks;
    bool asked; /* a sign of the others is on its way, for this rank has no blocks */
    starpu_data_handle_t value;
    struct weir_rank_value all;
    struct weir_future future;
};

/* A sign says nothing but that it has come. */
static void say_nothing(void *argument, void *const data[]) {
    (void)argument;
    (void)data;
}

static void hear(void *argument, void *const data[]) {
    struct weir_pace *pace = argument;
    (void)data;
    weir_future_set(&pace->future);
}

void weir_pace_define(struct weir_pace_tasks *tasks, const struct weir_kernels *kernels) {
    weir_call_define(&tasks->tell, "tell_pace", kernels, say_nothing);
    weir_call_define(&tasks->add, "add_pace", kernels, say_nothing);
    weir_call_define(&tasks->hear, "hear_pace", kernels, hear);
}

int weir_pace_create(struct weir_domain *domain, struct weir_pace_tasks *tasks, struct weir_pace **result) {
    struct weir_pace *pace = calloc(1, sizeof *pace);
    if (!pace)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    pace->domain = domain;
    pace->tasks = tasks;
    weir_future_init(&pace->future);
    pace->value = weir_register_bytes(1);
    weir_rank_value_create(domain->world, pace->value, 1, &pace->all);
    *result = pace;
    return 0;
}

void weir_pace_destroy(struct weir_pace *pace) {
    if (!pace)
        return;
    weir_rank_value_destroy(&pace->all);
    starpu_data_unregister_no_coherency(pace->value);
    weir_future_release(&pace->future);
    free(pace);
}

/* Submits what all ranks take part in, at the same step, wherever blocks are. */
static int submit(struct weir_pace *pace) {
    struct weir_task_kind *kind = &pace->tasks->tell;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, pace->value, STARPU_W);
    WEIR_TRY(weir_check_submitted(weir_task_submit(kind, &buffers, &(struct weir_task_options){0}), kind));
    WEIR_TRY(weir_rank_value_combine(pace->domain->world, &pace->all, &pace->tasks->add, WEIR_RANKS_PACE));
    if (pace->domain->set.count > 0)
        return 0;
    weir_future_reset(&pace->future);
    pace->asked = true;
    kind = &pace->tasks->hear;
    buffers = (struct weir_buffers){.count = 0};
    weir_buffers_add(&buffers, pace->value, STARPU_R);
    return weir_check_submitted(
        weir_task_submit(kind, &buffers, &(struct weir_task_options){.argument = pace}), kind);
}

int weir_pace_keep(struct weir_pace *pace, int64_t step) {
    if (pace->domain->idle_ranks == 0 || step % STEPS_BETWEEN_SIGNS != 0)
        return 0;
    if (pace->asked && !weir_future_wait(&pace->future, &pace->domain->failure))
        return 0; /* the run's failure is told by who meets it */
    pace->asked = false;
    return submit(pace);
}
