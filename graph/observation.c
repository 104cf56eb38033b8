#include "graph/observation.h"

#include "codelets/call.h"
#include "codelets/macroscopic.h"
#include "graph/base/error.h"
#include "graph/lanes.h"
#include "graph/ranks/world.h"

#include <pthread.h>
#include <stdlib.h>

struct weir_watch {
    struct weir_domain *domain;
    struct weir_observation_tasks *tasks;
    struct weir_sink sink;
    struct weir_agreeing who; /* of a sink that is called everywhere; else this rank alone */
    /* Taken for writing by every call of the sink: they come one after the other. Shared where there are
     * ranks. */
    starpu_data_handle_t token;
    bool open;            /* between begin and finish; read and written by those tasks only */
    pthread_mutex_t lock; /* the sink is being called, or has been abandoned */
    struct weir_lanes lanes;
};

static bool is_everywhere(const struct weir_watch *watch) {
    return watch->who.ranks != MPI_COMM_NULL;
}

/* Argument of the tasks that call the sink. */
struct call_argument {
    struct weir_watch *watch;
    int64_t step;
    struct weir_box box;
};

static void fail_with_error_text(struct weir_watch *watch) {
    weir_failure_record(&watch->domain->failure, WEIR_FAILED, "%s", weir_error_text());
}

/* The same with an error that all ranks have agreed on, where the sink is called everywhere. */
static void fail_with_agreed_text(struct weir_watch *watch) {
    if (is_everywhere(watch))
        weir_failure_record_everywhere(&watch->domain->failure, WEIR_FAILED, "%s", weir_error_text());
    else
        fail_with_error_text(watch);
}

/* Whether the run goes on: here, and on all ranks of a sink that is called everywhere. */
static bool goes_on(struct weir_watch *watch) {
    struct weir_failure *failure = &watch->domain->failure;
    int error = 0;
    if (weir_failed(failure))
        error = weir_fail((enum weir_error_code)failure->exit_code, "%s", failure->text);
    if (weir_agreement(&watch->who, error, error != 0 && failure->everywhere) == 0)
        return true;
    fail_with_agreed_text(watch);
    return false;
}

static void begin(void *argument, void *const data[]) {
    (void)data;
    const struct call_argument *a = argument;
    weir_agreeing_enter(&a->watch->who);
    pthread_mutex_lock(&a->watch->lock);
    if (goes_on(a->watch)) {
        a->watch->open = true;
        if (a->watch->sink.begin(a->watch->sink.context, a->step) < 0)
            fail_with_agreed_text(a->watch);
    }
    pthread_mutex_unlock(&a->watch->lock);
    weir_agreeing_leave(&a->watch->who);
}

static void put(void *argument, void *const data[]) {
    const struct call_argument *a = argument;
    struct weir_domain *domain = a->watch->domain;
    if (weir_failed(&domain->failure))
        return;
    const size_t cells = (size_t)weir_box_cells(&a->box);
    const void *values = data[1];
    double *converted = NULL;
    const size_t count = (size_t)weir_problem_macroscopic(domain->problem) * cells;
    if (domain->problem->precision != WEIR_DOUBLE) {
        converted = malloc(count * sizeof *converted);
        if (!converted) {
            weir_failure_record(&domain->failure, WEIR_FAILED,
                                "out of memory for output of %zu cells; choose smaller blocks", cells);
            return;
        }
        for (size_t k = 0; k < count; k++)
            converted[k] = (double)((const float *)values)[k];
    }
    const double *wide = converted ? converted : values;
    const struct weir_observation observation = {
        .box = a->box,
        .density = wide,
        .velocity = {wide + cells, wide + 2 * cells, wide + 3 * cells},
        .scalar = domain->problem->scalar.present ? wide + 4 * cells : NULL};
    pthread_mutex_lock(&a->watch->lock);
    if (a->watch->sink.put(a->watch->sink.context, &observation) < 0)
        fail_with_error_text(a->watch);
    pthread_mutex_unlock(&a->watch->lock);
    free(converted);
}

static void finish(void *argument, void *const data[]) {
    (void)data;
    const struct call_argument *a = argument;
    if (!a->watch->open)
        return;
    a->watch->open = false;
    pthread_mutex_lock(&a->watch->lock);
    if (a->watch->sink.finish(a->watch->sink.context, goes_on(a->watch)) < 0)
        fail_with_error_text(a->watch);
    pthread_mutex_unlock(&a->watch->lock);
}

void weir_watch_abandon(struct weir_watch *watch, const struct timespec *until) {
    if (watch)
        (void)pthread_mutex_timedlock(&watch->lock, until); /* for good */
}

void weir_observation_define(struct weir_observation_tasks *tasks, const struct weir_kernels *kernels,
                             unsigned where) {
    weir_macroscopic_define(&tasks->macroscopic, kernels);
    tasks->macroscopic.codelet.where &= where;
    weir_call_define(&tasks->begin, "output_begin", kernels, begin);
    weir_call_define(&tasks->put, "output_put", kernels, put);
    weir_call_define(&tasks->finish, "output_finish", kernels, finish);
}

void weir_together_create(const struct weir_world *world, struct weir_together *together) {
    *together = (struct weir_together){.who = {.ranks = MPI_COMM_NULL,
                                               .supervisor = weir_world_supervisor(world),
                                               .inside = &together->inside}};
    if (weir_world_size(world) == 1 || weir_world_pretends(world))
        return;
    MPI_Comm_dup(weir_world_comm(world), &together->who.ranks);
    together->token = weir_register_bytes(1);
}

void weir_together_destroy(struct weir_together *together) {
    if (!together->token)
        return;
    starpu_data_unregister_no_coherency(together->token);
    MPI_Comm_free(&together->who.ranks);
}

int weir_watch_create(struct weir_domain *domain, struct weir_observation_tasks *tasks,
                      struct weir_together *together, const struct weir_sink *sink,
                      struct weir_watch **result) {
    struct weir_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return weir_fail(WEIR_FAILED, "out of memory while preparing output");
    watch->domain = domain;
    watch->tasks = tasks;
    watch->sink = *sink;
    weir_lanes_init(&watch->lanes, domain->world, together->watches++, domain->grid.total);
    pthread_mutex_init(&watch->lock, NULL);
    watch->who = sink->everywhere ? together->who : (struct weir_agreeing){.ranks = MPI_COMM_NULL};
    watch->token = is_everywhere(watch) ? together->token : weir_register_bytes(1);
    *result = watch;
    return 0;
}

void weir_watch_destroy(struct weir_watch *watch) {
    if (!watch)
        return;
    weir_lanes_drain(&watch->lanes);
    if (!is_everywhere(watch)) {
        starpu_data_unregister_no_coherency(watch->token);
    } else {
        starpu_data_acquire(watch->token, STARPU_RW);
        starpu_data_release(watch->token);
    }
    free(watch);
}

static int submit_call(struct weir_watch *watch, struct weir_task_kind *kind, int64_t step,
                       const struct weir_box *box, starpu_data_handle_t input, bool first) {
    struct call_argument argument = {.watch = watch, .step = step};
    if (box)
        argument.box = *box;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, watch->token, first ? STARPU_W : STARPU_RW);
    if (input)
        weir_buffers_add(&buffers, input, STARPU_R);
    return weir_check_submitted(
        weir_task_submit(
            kind, &buffers,
            &(struct weir_task_options){.argument = &argument, .argument_size = sizeof argument}),
        kind);
}

/* The part of a block that a sink sees; false: none. */
static bool seen_part(const struct weir_watch *watch, int block, struct weir_box *box) {
    const struct weir_box whole = weir_block_grid_box(&watch->domain->grid, block);
    return weir_box_intersect(&whole, &watch->sink.region, box);
}

static starpu_data_handle_t register_values(const struct weir_watch *watch, const struct weir_box *box) {
    return weir_register_bytes((size_t)weir_problem_macroscopic(watch->domain->problem) *
                               (size_t)weir_box_cells(box) * watch->domain->model.real_size);
}

/* Computes what is seen of a block of this rank. */
static int submit_observation(struct weir_watch *watch, struct weir_block *block, int64_t step,
                              const struct weir_box *box, starpu_data_handle_t values) {
    struct weir_local_box local;
    for (int axis = 0; axis < 3; axis++) {
        local.origin[axis] = box->origin[axis] - (int)block->place.origin[axis];
        local.extent[axis] = box->extent[axis];
    }
    return weir_check_submitted(
        weir_macroscopic_submit(&watch->tasks->macroscopic, block, (int)(step % 2), &local, values),
        &watch->tasks->macroscopic);
}

/* Other ranks compute and send. */
static int submit_sending(struct weir_watch *watch, int64_t step) {
    struct weir_domain *domain = watch->domain;
    weir_lanes_enter(&watch->lanes);
    for (int k = 0; k < domain->set.count; k++) {
        struct weir_box box;
        if (!seen_part(watch, domain->set.blocks[k], &box))
            continue;
        const starpu_data_handle_t values = register_values(watch, &box);
        int error = submit_observation(watch, &domain->blocks[k], step, &box, values);
        if (error == 0)
            error = weir_lanes_send(&watch->lanes, values, domain->set.blocks[k], 0);
        starpu_data_unregister_submit(values);
        WEIR_TRY(error);
    }
    return 0;
}

/* One block, at a rank that has the sink. */
static int submit_block(struct weir_watch *watch, int number, int64_t step) {
    struct weir_domain *domain = watch->domain;
    struct weir_block *block = weir_domain_block(domain, number);
    struct weir_box box;
    if (!seen_part(watch, number, &box))
        return 0;
    const starpu_data_handle_t values = register_values(watch, &box);
    int error = block ? submit_observation(watch, block, step, &box, values)
                      : weir_lanes_receive(&watch->lanes, values, number, domain->rank_of[number]);
    if (error == 0)
        error = submit_call(watch, &watch->tasks->put, step, &box, values, false);
    starpu_data_unregister_submit(values);
    return error;
}

/* Where boxes go to rank 0. */
static int submit_gathering(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    const struct weir_domain *domain = watch->domain;
    if (weir_world_rank(domain->world) > 0)
        return submit_sending(watch, step);
    WEIR_TRY(submit_call(watch, &watch->tasks->begin, step, NULL, NULL, true));
    for (int number = 0; number < domain->grid.total; number++)
        WEIR_TRY(submit_block(watch, number, step));
    return submit_call(watch, &watch->tasks->finish, step, NULL, verdict, false);
}

static int submit_everywhere(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    const struct weir_domain *domain = watch->domain;
    WEIR_TRY(submit_call(watch, &watch->tasks->begin, step, NULL, verdict, true));
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(submit_block(watch, domain->set.blocks[k], step));
    return submit_call(watch, &watch->tasks->finish, step, NULL, NULL, false);
}

int weir_watch_submit(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    const int error = is_everywhere(watch) ? submit_everywhere(watch, step, verdict)
                                           : submit_gathering(watch, step, verdict);
    weir_lanes_next(&watch->lanes);
    return error;
}
