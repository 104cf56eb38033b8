#include "graph/probes.h"

#include "codelets/call.h"
#include "codelets/kernels/cells/precisions.h"
#include "codelets/sample.h"
#include "codelets/solid_values.h"
#include "graph/base/error.h"
#include "graph/lanes.h"
#include "graph/ranks/world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a block has of a probe's cells. */
struct part {
    int block, probe;
    struct weir_box box;         /* in the domain */
    struct weir_local_box local; /* in the block */
};

/* A block with such parts, of any rank. */
struct seen_block {
    int number;
    struct weir_local_box *boxes;              /* [count], of its parts */
    int first, count;                          /* of its parts */
    starpu_data_handle_t boxes_handle, values; /* of the batch begun, where the block is this rank's */
};

struct weir_probes {
    struct weir_domain *domain;
    struct weir_probe_tasks *tasks;
    struct weir_probe_sink sink;
    struct weir_probes *before;
    struct part *parts; /* [part_count], by block */
    int part_count;
    struct seen_block *seen; /* [seen_count] */
    int seen_count;
    struct weir_local_box *boxes; /* of all parts */
    int64_t *steps;               /* [sink.batch] of the batch begun */
    int samples;
    starpu_data_handle_t token; /* taken for writing by every call of the sink: they come in order */
    pthread_mutex_t lock;       /* the sink is being called, or has been abandoned */
    struct weir_lanes lanes;
};

static size_t slot_reals(const struct weir_probes *probes) {
    return (size_t)weir_problem_observed(probes->domain->problem) * WEIR_SAMPLE_CELLS;
}

static size_t slot_bytes(const struct weir_probes *probes) {
    return slot_reals(probes) * probes->domain->model.real_size;
}

/* Argument of the tasks that call the sink. */
struct call_argument {
    struct weir_probes *probes;
    const struct seen_block *seen;
    int64_t *steps; /* of finish, which frees it */
    int samples;
};

static void fail_with_error_text(struct weir_probes *probes) {
    weir_failure_record(&probes->domain->failure, WEIR_FAILED, "%s", weir_error_text());
}

/* One sample of one part. */
static int put_part(const struct call_argument *a, const struct part *part, int sample, const char *slot) {
    const struct weir_problem *problem = a->probes->domain->problem;
    double values[WEIR_OBSERVED_MAX * WEIR_SAMPLE_CELLS];
    const size_t count = (size_t)weir_problem_observed(problem) * (size_t)weir_box_cells(&part->box);
    weir_reals_widen(problem->precision, slot, count, values);
    return a->probes->sink.put(a->probes->sink.context, &(struct weir_probe_values){.probe = part->probe,
                                                                                    .sample = sample,
                                                                                    .box = part->box,
                                                                                    .values = values});
}

static void put(void *argument, void *const data[]) {
    const struct call_argument *a = argument;
    struct weir_probes *probes = a->probes;
    if (weir_failed(&probes->domain->failure))
        return;
    const char *slot = data[1];
    int error = 0;
    pthread_mutex_lock(&probes->lock);
    for (int sample = 0; error == 0 && sample < a->samples; sample++)
        for (int k = 0; error == 0 && k < a->seen->count; k++, slot += slot_bytes(probes))
            error = put_part(a, &probes->parts[a->seen->first + k], sample, slot);
    pthread_mutex_unlock(&probes->lock);
    if (error < 0)
        fail_with_error_text(probes);
}

static void finish(void *argument, void *const data[]) {
    (void)data;
    const struct call_argument *a = argument;
    struct weir_probes *probes = a->probes;
    pthread_mutex_lock(&probes->lock);
    const int error = probes->sink.finish(probes->sink.context, a->steps, a->samples,
                                          !weir_failed(&probes->domain->failure));
    pthread_mutex_unlock(&probes->lock);
    free(a->steps);
    if (error < 0)
        fail_with_error_text(probes);
}

void weir_probes_define(struct weir_probe_tasks *tasks, const struct weir_kernels *kernels, unsigned where) {
    weir_sample_define(&tasks->sample, kernels);
    tasks->sample.codelet.where &= where;
    weir_solid_values_define(&tasks->solid, kernels);
    weir_call_define(&tasks->put, "probe_put", kernels, put);
    weir_call_define(&tasks->finish, "probe_finish", kernels, finish);
}

/* Appends what a block has of the probes' cells. */
static void add_parts(struct weir_probes *probes, int block) {
    const struct weir_box whole = weir_block_grid_box(&probes->domain->grid, block);
    const int first = probes->part_count;
    for (int probe = 0; probe < probes->sink.count; probe++) {
        struct part *part = &probes->parts[probes->part_count];
        if (!weir_box_intersect(&whole, &probes->sink.boxes[probe], &part->box))
            continue;
        part->block = block;
        part->probe = probe;
        for (int axis = 0; axis < 3; axis++) {
            part->local.origin[axis] = part->box.origin[axis] - whole.origin[axis];
            part->local.extent[axis] = part->box.extent[axis];
        }
        probes->boxes[probes->part_count++] = part->local;
    }
    if (probes->part_count > first)
        probes->seen[probes->seen_count++] = (struct seen_block){.number = block,
                                                                 .boxes = probes->boxes + first,
                                                                 .first = first,
                                                                 .count = probes->part_count - first};
}

static int allocate(struct weir_probes *probes) {
    const size_t most =
        (size_t)probes->sink.count * WEIR_SAMPLE_CELLS; /* a probe's cells in as many blocks */
    const size_t blocks = (size_t)probes->domain->grid.total;
    probes->parts = calloc(most, sizeof *probes->parts);
    probes->boxes = calloc(most, sizeof *probes->boxes);
    probes->seen = calloc(most < blocks ? most : blocks, sizeof *probes->seen);
    probes->steps = calloc((size_t)probes->sink.batch, sizeof *probes->steps);
    return probes->parts && probes->boxes && probes->seen && probes->steps
               ? 0
               : weir_fail(WEIR_FAILED, "out of memory for %d probes", probes->sink.count);
}

static void release(struct weir_probes *probes) {
    free(probes->parts);
    free(probes->boxes);
    free(probes->seen);
    free(probes->steps);
    free(probes);
}

int weir_probes_create(struct weir_domain *domain, struct weir_probe_tasks *tasks,
                       struct weir_together *together, const struct weir_probe_sink *sink,
                       struct weir_probes *before, struct weir_probes **result) {
    struct weir_probes *probes = calloc(1, sizeof *probes);
    if (!probes)
        return weir_fail(WEIR_FAILED, "out of memory for %d probes", sink->count);
    probes->domain = domain;
    probes->tasks = tasks;
    probes->sink = *sink;
    probes->before = before;
    const int error = allocate(probes);
    if (error < 0) {
        release(probes);
        return error;
    }
    for (int block = 0; block < domain->grid.total; block++)
        add_parts(probes, block);
    weir_lanes_init(&probes->lanes, domain->world, together->watches++, domain->grid.total);
    pthread_mutex_init(&probes->lock, NULL);
    probes->token = weir_register_bytes(1);
    *result = probes;
    return 0;
}

struct weir_probes *weir_probes_before(const struct weir_probes *probes) {
    return probes->before;
}

static void forget_batch(struct weir_probes *probes) {
    for (int k = 0; k < probes->seen_count; k++) {
        struct seen_block *seen = &probes->seen[k];
        if (!seen->values)
            continue;
        starpu_data_unregister_submit(seen->values);
        starpu_data_unregister_submit(seen->boxes_handle);
        seen->values = seen->boxes_handle = NULL;
    }
    probes->samples = 0;
}

void weir_probes_destroy(struct weir_probes *probes) {
    if (!probes)
        return;
    weir_lanes_drain(&probes->lanes);
    forget_batch(probes); /* of a run that has failed */
    starpu_data_unregister_no_coherency(probes->token);
    release(probes);
}

void weir_probes_abandon(struct weir_probes *probes, const struct timespec *until) {
    if (probes)
        (void)pthread_mutex_timedlock(&probes->lock, until); /* for good */
}

static starpu_data_handle_t register_values(const struct weir_probes *probes, const struct seen_block *seen) {
    return weir_register_bytes((size_t)probes->sink.batch * (size_t)seen->count * slot_bytes(probes));
}

/* Data of a block of this rank for a batch. */
static void begin_batch(const struct weir_probes *probes, struct seen_block *seen) {
    const size_t bytes = (size_t)seen->count * sizeof *seen->boxes;
    seen->values = register_values(probes, seen);
    seen->boxes_handle = weir_register_bytes(bytes);
    starpu_data_acquire(seen->boxes_handle, STARPU_W);
    memcpy((void *)starpu_vector_get_local_ptr(seen->boxes_handle), seen->boxes, bytes);
    starpu_data_release(seen->boxes_handle);
}

int weir_probes_sample(struct weir_probes *probes, int64_t step) {
    for (int k = 0; k < probes->seen_count; k++) {
        struct seen_block *seen = &probes->seen[k];
        struct weir_block *block = weir_domain_block(probes->domain, seen->number);
        if (!block)
            continue;
        if (probes->samples == 0)
            begin_batch(probes, seen);
        const struct weir_sample sample = {.boxes = seen->boxes_handle,
                                           .values = seen->values,
                                           .count = seen->count,
                                           .slot_bytes = slot_bytes(probes),
                                           .number = probes->samples};
        WEIR_TRY(
            weir_check_submitted(weir_sample_submit(&probes->tasks->sample, block, (int)(step % 2), &sample),
                                 &probes->tasks->sample));
    }
    probes->steps[probes->samples++] = step;
    return 0;
}

int weir_probes_waiting(const struct weir_probes *probes) {
    return probes->samples;
}

bool weir_probes_full(const struct weir_probes *probes) {
    return probes->samples == probes->sink.batch;
}

static int submit_call(struct weir_probes *probes, struct weir_task_kind *kind,
                       const struct call_argument *argument, starpu_data_handle_t input) {
    struct weir_buffers buffers = {.count = 0};
    struct call_argument copy = *argument;
    weir_buffers_add(&buffers, probes->token, STARPU_W);
    weir_buffers_add(&buffers, input, STARPU_R);
    return weir_check_submitted(
        weir_task_submit(kind, &buffers,
                         &(struct weir_task_options){.argument = &copy, .argument_size = sizeof copy}),
        kind);
}

/* Other ranks send what their blocks have. */
static int send_batch(struct weir_probes *probes) {
    weir_lanes_enter(&probes->lanes);
    for (int k = 0; k < probes->seen_count; k++)
        if (probes->seen[k].values)
            WEIR_TRY(weir_lanes_send(&probes->lanes, probes->seen[k].values, probes->seen[k].number, 0, 0));
    return 0;
}

/* What a block has that is not this rank's: nothing where it is solid, else what its rank sends. */
static int obtain(struct weir_probes *probes, const struct seen_block *seen, starpu_data_handle_t values) {
    const struct weir_domain *domain = probes->domain;
    if (weir_block_is_solid(&domain->grid, seen->number))
        return weir_check_submitted(
            weir_solid_values_submit(&probes->tasks->solid, values, domain->model.real_size, NULL),
            &probes->tasks->solid);
    return weir_lanes_receive(&probes->lanes, values, seen->number, 0, domain->rank_of[seen->number]);
}

/* Rank 0: what a block has, its own or another rank's, goes to the sink. */
static int put_block(struct weir_probes *probes, struct seen_block *seen) {
    starpu_data_handle_t values = seen->values;
    int error = 0;
    if (!values) {
        values = register_values(probes, seen);
        error = obtain(probes, seen, values);
    }
    if (error == 0)
        error = submit_call(
            probes, &probes->tasks->put,
            &(struct call_argument){.probes = probes, .seen = seen, .samples = probes->samples}, values);
    if (!seen->values)
        starpu_data_unregister_submit(values);
    return error;
}

static int put_batch(struct weir_probes *probes, starpu_data_handle_t verdict) {
    const size_t bytes = (size_t)probes->samples * sizeof *probes->steps;
    for (int k = 0; k < probes->seen_count; k++)
        WEIR_TRY(put_block(probes, &probes->seen[k]));
    int64_t *steps = malloc(bytes);
    if (!steps)
        return weir_fail(WEIR_FAILED, "out of memory for %d probes", probes->sink.count);
    memcpy(steps, probes->steps, bytes);
    const struct call_argument argument = {.probes = probes, .steps = steps, .samples = probes->samples};
    const int error = submit_call(probes, &probes->tasks->finish, &argument, verdict);
    if (error < 0)
        free(steps);
    return error;
}

int weir_probes_hand_over(struct weir_probes *probes, starpu_data_handle_t verdict) {
    if (probes->samples == 0)
        return 0;
    const int error =
        weir_world_rank(probes->domain->world) > 0 ? send_batch(probes) : put_batch(probes, verdict);
    weir_lanes_next(&probes->lanes);
    forget_batch(probes);
    return error;
}
