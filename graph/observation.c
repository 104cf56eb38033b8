#include "graph/observation.h"

#include "codelets/call.h"
#include "codelets/kernels/cells/precisions.h"
#include "codelets/macroscopic.h"
#include "codelets/snapshot.h"
#include "codelets/solid_values.h"
#include "codelets/time_sums.h"
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
    starpu_data_handle_t *slots; /* [sink.at_once]: who copies a block has one */
    int copied;                  /* blocks, so far */
    bool open;                   /* between begin and finish; read and written by those tasks only */
    pthread_mutex_t lock;        /* the sink is being called, or has been abandoned */
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
    unsigned faces; /* bits of those beside which cells are seen too: a buffer each */
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

/* What a box's values are as doubles: `values` itself, or an array that is added to `own`. NULL when memory
 * is short. */
static const double *widen(const struct weir_problem *problem, const void *values, size_t cells,
                           double **own) {
    if (weir_precision_row(problem->precision)->real_bytes == sizeof **own)
        return values;
    const size_t count = (size_t)weir_problem_observed(problem) * cells;
    double *wide = *own = malloc(count * sizeof *wide);
    if (wide)
        weir_reals_widen(problem->precision, values, count, wide);
    return wide;
}

/* Fills in what a sink receives; false when memory is short. data: values of the box, then of the layers
 * beside it. */
static bool observation_of(const struct call_argument *a, void *const data[],
                           double *own[WEIR_BLOCK_MESSAGES], struct weir_observation *observation) {
    const struct weir_problem *problem = a->watch->domain->problem;
    if (a->watch->sink.populations) {
        *observation = (struct weir_observation){
            .box = a->box, .populations = (const char *)data[0] + WEIR_SNAPSHOT_HEAD, .digest = data[0]};
        return true;
    }
    if (a->watch->sink.time_sums) {
        *observation = (struct weir_observation){.box = a->box, .time_sums = data[0]};
        return true;
    }
    const size_t cells = (size_t)weir_box_cells(&a->box);
    const double *wide = widen(problem, *data++, cells, own++);
    if (!wide)
        return false;
    *observation =
        (struct weir_observation){.box = a->box,
                                  .density = wide,
                                  .velocity = {wide + cells, wide + 2 * cells, wide + 3 * cells},
                                  .fifth = weir_problem_macroscopic(problem) > 4 ? wide + 4 * cells : NULL};
    if (problem->turbulence.present)
        observation->eddy_viscosity = wide + (size_t)weir_problem_macroscopic(problem) * cells;
    for (int face = 0; face < 6; face++) {
        if (!(a->faces & 1u << face))
            continue;
        const size_t layer = cells / (size_t)a->box.extent[face / 2];
        wide = widen(problem, *data++, layer, own++);
        if (!wide)
            return false;
        observation->beside[face] = wide + layer; /* behind the density */
    }
    return true;
}

static void put(void *argument, void *const data[]) {
    const struct call_argument *a = argument;
    struct weir_failure *failure = &a->watch->domain->failure;
    double *own[WEIR_BLOCK_MESSAGES] = {NULL};
    struct weir_observation observation;
    if (weir_failed(failure))
        return;
    if (observation_of(a, data + 1, own, &observation)) {
        pthread_mutex_lock(&a->watch->lock);
        if (a->watch->sink.put(a->watch->sink.context, &observation) < 0)
            fail_with_error_text(a->watch);
        pthread_mutex_unlock(&a->watch->lock);
    } else {
        weir_failure_record(failure, WEIR_FAILED,
                            "out of memory for output of %lld cells; choose smaller blocks",
                            (long long)weir_box_cells(&a->box));
    }
    for (int k = 0; k < WEIR_BLOCK_MESSAGES; k++)
        free(own[k]);
}

/* Nothing is called: the token is taken where another rank's sink needs what is read, so that this rank's
 * finish, in which it may wait for the other, comes after it has been computed. */
static void lend(void *argument, void *const data[]) {
    (void)argument, (void)data;
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
    weir_snapshot_define(&tasks->snapshot, kernels);
    tasks->snapshot.codelet.where &= where;
    weir_copy_time_sums_define(&tasks->time_sums, kernels);
    tasks->time_sums.codelet.where &= where;
    weir_solid_values_define(&tasks->solid, kernels);
    weir_call_define(&tasks->begin, "output_begin", kernels, begin);
    weir_call_define(&tasks->put, "output_put", kernels, put);
    weir_call_define(&tasks->lend, "output_lend", kernels, lend);
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

static int make_slots(struct weir_watch *watch) {
    const int count = watch->sink.at_once;
    watch->slots = calloc((size_t)count + 1, sizeof *watch->slots);
    for (int k = 0; watch->slots && k < count; k++)
        watch->slots[k] = weir_register_bytes(1);
    return watch->slots ? 0 : weir_fail(WEIR_FAILED, "out of memory while preparing output");
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
    const int error = make_slots(watch);
    if (error != 0) {
        free(watch);
        return error;
    }
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
        starpu_data_acquire(watch->token, STARPU_W); /* no call may have written it yet */
        starpu_data_release(watch->token);
    }
    for (int k = 0; k < watch->sink.at_once; k++)
        starpu_data_unregister_no_coherency(watch->slots[k]);
    free(watch->slots);
    free(watch);
}

/* Of the block that is seen next. */
static starpu_data_handle_t slot_of(const struct weir_watch *watch) {
    return watch->slots[watch->copied % watch->sink.at_once];
}

/* Submits a call that reads these handles. One that puts a copy gives back the block's slot. */
static int submit_call(struct weir_watch *watch, struct weir_task_kind *kind,
                       const struct call_argument *argument, const starpu_data_handle_t *inputs, int count,
                       bool first) {
    struct call_argument copy = *argument;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, watch->token, first ? STARPU_W : STARPU_RW);
    for (int k = 0; k < count; k++)
        weir_buffers_add(&buffers, inputs[k], STARPU_R);
    if (watch->sink.at_once > 0 && kind == &watch->tasks->put)
        weir_buffers_add(&buffers, slot_of(watch), STARPU_W);
    return weir_check_submitted(
        weir_task_submit(kind, &buffers,
                         &(struct weir_task_options){.argument = &copy, .argument_size = sizeof copy}),
        kind);
}

static int submit_begin(struct weir_watch *watch, int64_t step, const starpu_data_handle_t *verdict) {
    return submit_call(watch, &watch->tasks->begin, &(struct call_argument){.watch = watch, .step = step},
                       verdict, verdict != NULL, true);
}

static int submit_finish(struct weir_watch *watch, int64_t step, const starpu_data_handle_t *verdict) {
    return submit_call(watch, &watch->tasks->finish, &(struct call_argument){.watch = watch, .step = step},
                       verdict, verdict != NULL, false);
}

/* The part of a block that a sink sees; false: none. */
static bool seen_part(const struct weir_watch *watch, int block, struct weir_box *box) {
    const struct weir_box whole = weir_block_grid_box(&watch->domain->grid, block);
    return weir_box_intersect(&whole, &watch->sink.region, box);
}

static starpu_data_handle_t register_values(const struct weir_watch *watch, const struct weir_box *box) {
    if (watch->sink.populations)
        return weir_register_bytes(WEIR_SNAPSHOT_HEAD + weir_model_cell_bytes(&watch->domain->model) *
                                                            (size_t)weir_box_cells(box));
    if (watch->sink.time_sums)
        return weir_register_bytes((size_t)weir_problem_time_sums(watch->domain->problem) *
                                   (size_t)weir_box_cells(box) * sizeof(double));
    return weir_register_bytes((size_t)weir_problem_observed(watch->domain->problem) *
                               (size_t)weir_box_cells(box) * watch->domain->model.real_size);
}

static int submit_snapshot(struct weir_watch *watch, const struct weir_block *block, int64_t step,
                           starpu_data_handle_t values) {
    struct weir_domain *domain = watch->domain;
    return weir_check_submitted(
        weir_snapshot_submit(&watch->tasks->snapshot,
                             &domain->step_arguments[block - domain->blocks][step % 2], slot_of(watch),
                             values),
        &watch->tasks->snapshot);
}

static int submit_time_sums(struct weir_watch *watch, const struct weir_block *block, int64_t step,
                            starpu_data_handle_t values) {
    struct weir_domain *domain = watch->domain;
    const int number = weir_model_time_sums(&domain->model, watch->sink.time_sums - 1);
    return weir_check_submitted(
        weir_copy_time_sums_submit(&watch->tasks->time_sums,
                                   &domain->step_arguments[block - domain->blocks][step % 2],
                                   block->data[number].handle, slot_of(watch), values),
        &watch->tasks->time_sums);
}

/* Computes what is seen of a block of this rank. */
static int submit_observation(struct weir_watch *watch, struct weir_block *block, int64_t step,
                              const struct weir_box *box, starpu_data_handle_t values) {
    if (watch->sink.populations)
        return submit_snapshot(watch, block, step, values);
    if (watch->sink.time_sums)
        return submit_time_sums(watch, block, step, values);
    struct weir_local_box local;
    for (int axis = 0; axis < 3; axis++) {
        local.origin[axis] = box->origin[axis] - (int)block->place.origin[axis];
        local.extent[axis] = box->extent[axis];
    }
    return weir_check_submitted(
        weir_macroscopic_submit(&watch->tasks->macroscopic, block, (int)(step % 2), &local, values),
        &watch->tasks->macroscopic);
}

/* The rank of a block. */
static int rank_of(const struct weir_domain *domain, int block) {
    return domain->rank_of ? domain->rank_of[block] : weir_world_rank(domain->world);
}

/* What is seen about a block: piece 0 is the part of it that the sink sees, 1 + face the layer of cells
 * beside that, which lies in the block itself or in one other. */
struct piece {
    int block; /* where it lies */
    struct weir_box box;
};

/* false: the domain ends there. */
static bool layer_beside(const struct weir_domain *domain, int block, const struct weir_box *part, int face,
                         struct piece *piece) {
    const struct weir_block_grid *grid = &domain->grid;
    const struct weir_box whole = weir_block_grid_box(grid, block);
    const int axis = face / 2;
    int offset[3] = {0, 0, 0};
    *piece = (struct piece){block, *part};
    piece->box.extent[axis] = 1;
    piece->box.origin[axis] += face % 2 ? part->extent[axis] : -1;
    if (axis >= weir_lattice_dimensions(domain->problem->lattice))
        return false;
    if (piece->box.origin[axis] >= whole.origin[axis] &&
        piece->box.origin[axis] < whole.origin[axis] + whole.extent[axis])
        return true;
    offset[axis] = face % 2 ? 1 : -1;
    piece->block = weir_block_grid_neighbour(grid, block, offset);
    piece->box.origin[axis] = (piece->box.origin[axis] + grid->cells[axis]) % grid->cells[axis];
    return piece->block >= 0;
}

/* All that is seen about a block, by piece; bits of those that there are. */
static unsigned pieces_of(const struct weir_watch *watch, int block,
                          struct piece pieces[WEIR_BLOCK_MESSAGES]) {
    pieces[0].block = block;
    if (!seen_part(watch, block, &pieces[0].box))
        return 0;
    unsigned there = 1;
    for (int face = 0; watch->sink.gradients && face < 6; face++)
        if (layer_beside(watch->domain, block, &pieces[0].box, face, &pieces[1 + face]))
            there |= 2u << face;
    return there;
}

/* What is seen of a solid block, which every rank can say. */
static int submit_solid(struct weir_watch *watch, starpu_data_handle_t values) {
    const size_t real_bytes = watch->sink.populations ? 0
                              : watch->sink.time_sums ? sizeof(double)
                                                      : watch->domain->model.real_size;
    return weir_check_submitted(weir_solid_values_submit(&watch->tasks->solid, values, real_bytes,
                                                         watch->sink.at_once > 0 ? slot_of(watch) : NULL),
                                &watch->tasks->solid);
}

/* Makes a piece for the sink of this rank: computes it, or receives it. */
static int obtain(struct weir_watch *watch, int block, int number, const struct piece *piece, int64_t step,
                  starpu_data_handle_t values) {
    struct weir_block *here = weir_domain_block(watch->domain, piece->block);
    if (weir_block_is_solid(&watch->domain->grid, piece->block))
        return submit_solid(watch, values);
    return here ? submit_observation(watch, here, step, &piece->box, values)
                : weir_lanes_receive(&watch->lanes, values, block, number,
                                     rank_of(watch->domain, piece->block));
}

/* What is seen about a block, for the sink of this rank. */
static int submit_block(struct weir_watch *watch, int block, int64_t step) {
    struct piece pieces[WEIR_BLOCK_MESSAGES];
    starpu_data_handle_t values[WEIR_BLOCK_MESSAGES];
    const unsigned there = pieces_of(watch, block, pieces);
    int count = 0, error = 0;
    for (int number = 0; error == 0 && number < WEIR_BLOCK_MESSAGES; number++)
        if (there & 1u << number) {
            values[count] = register_values(watch, &pieces[number].box);
            error = obtain(watch, block, number, &pieces[number], step, values[count++]);
        }
    if (error == 0 && there)
        error = submit_call(
            watch, &watch->tasks->put,
            &(struct call_argument){.watch = watch, .step = step, .box = pieces[0].box, .faces = there >> 1},
            values, count, false);
    watch->copied++;
    for (int k = 0; k < count; k++)
        starpu_data_unregister_submit(values[k]);
    return error;
}

/* A piece of this rank's, for the sink of another. */
static int send_piece(struct weir_watch *watch, int block, int number, const struct piece *piece,
                      int64_t step, int to) {
    const starpu_data_handle_t values = register_values(watch, &piece->box);
    int error = obtain(watch, block, number, piece, step, values);
    if (error == 0)
        error = weir_lanes_send(&watch->lanes, values, block, number, to);
    if (error == 0 && is_everywhere(watch))
        error = submit_call(watch, &watch->tasks->lend, &(struct call_argument){.watch = watch, .step = step},
                            &values, 1, false);
    watch->copied++;
    starpu_data_unregister_submit(values);
    return error;
}

/* What this rank has of what is seen about a block by the sink of another. */
static int send_pieces(struct weir_watch *watch, int block, int64_t step, int to) {
    struct piece pieces[WEIR_BLOCK_MESSAGES];
    const unsigned there = pieces_of(watch, block, pieces);
    for (int number = 0; number < WEIR_BLOCK_MESSAGES; number++)
        if (there & 1u << number && weir_domain_block(watch->domain, pieces[number].block))
            WEIR_TRY(send_piece(watch, block, number, &pieces[number], step, to));
    return 0;
}

/* All that this rank has to do with what is seen: for its own sink, where it has one, and for those of
 * others.
 */
static int submit_blocks(struct weir_watch *watch, int64_t step) {
    const struct weir_domain *domain = watch->domain;
    const int here = weir_world_rank(domain->world);
    weir_lanes_enter(&watch->lanes);
    for (int block = 0; block < domain->grid.total; block++) {
        const int sink = is_everywhere(watch) ? rank_of(domain, block) : 0;
        WEIR_TRY(sink == here ? submit_block(watch, block, step) : send_pieces(watch, block, step, sink));
    }
    return 0;
}

/* Where boxes go to rank 0. */
static int submit_gathering(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    if (weir_world_rank(watch->domain->world) > 0)
        return submit_blocks(watch, step);
    WEIR_TRY(submit_begin(watch, step, NULL));
    WEIR_TRY(submit_blocks(watch, step));
    return submit_finish(watch, step, &verdict);
}

static int submit_everywhere(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    WEIR_TRY(submit_begin(watch, step, &verdict));
    WEIR_TRY(submit_blocks(watch, step));
    return submit_finish(watch, step, NULL);
}

int weir_watch_submit(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict) {
    const int error = is_everywhere(watch) ? submit_everywhere(watch, step, verdict)
                                           : submit_gathering(watch, step, verdict);
    weir_lanes_next(&watch->lanes);
    return error;
}
