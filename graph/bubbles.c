#include "graph/bubbles.h"

#include "codelets/call.h"
#include "graph/base/error.h"
#include "graph/rank_tree.h"
#include "graph/ranks/world.h"

#include <stdlib.h>

/* Tables of blocks that a task takes. */
enum { TABLES_MOST = 32 };

struct weir_bubbles {
    struct weir_domain *domain;
    struct weir_bubbles_tasks *tasks;
    struct weir_gas_join *pieces; /* used by one task at a time */
    starpu_data_handle_t order;   /* which this sees to */
    starpu_data_handle_t parcel;  /* of this rank, then of all */
    struct weir_rank_value of_all;
};

/* Argument of tasks on tables of blocks: which in the domain. */
struct some_blocks {
    struct weir_bubbles *bubbles;
    int first, count;
};

static bool has_failed(const struct weir_bubbles *bubbles) {
    return weir_failed(&bubbles->domain->failure);
}

static void note(const struct weir_bubbles *bubbles, int error) {
    if (error < 0)
        weir_failure_record(&bubbles->domain->failure, -error, "%s", weir_error_text());
}

static void gather(void *argument, void *const data[]) {
    const struct some_blocks *a = argument;
    if (a->first == 0)
        weir_gas_join_begin(a->bubbles->pieces);
    for (int k = 0; k < a->count && !has_failed(a->bubbles); k++)
        note(a->bubbles, weir_gas_join_add(a->bubbles->pieces, a->bubbles->domain->set.blocks[a->first + k],
                                           data[1 + k]));
}

static void join(void *argument, void *const data[]) {
    struct weir_bubbles *bubbles = argument;
    if (!has_failed(bubbles))
        note(bubbles, weir_gas_join_here(bubbles->pieces, data[1]));
}

static void add(void *argument, void *const data[]) {
    const struct starpu_task *task = starpu_task_get_current();
    (void)argument;
    for (int k = 1; k < (int)STARPU_TASK_GET_NBUFFERS(task); k++)
        weir_gas_parcel_add(data[0], data[k]);
}

static void finish(void *argument, void *const data[]) {
    struct weir_bubbles *bubbles = argument;
    if (!has_failed(bubbles))
        note(bubbles, weir_gas_join_all(bubbles->pieces, data[1], data[2]));
}

static void tell(void *argument, void *const data[]) {
    const struct some_blocks *a = argument;
    for (int k = 0; k < a->count && !has_failed(a->bubbles); k++)
        weir_gas_join_tell(a->bubbles->pieces, a->bubbles->domain->set.blocks[a->first + k], data[1 + k]);
}

void weir_bubbles_define(struct weir_bubbles_tasks *tasks, const struct weir_kernels *kernels) {
    weir_call_define(&tasks->gather, "gather_gas", kernels, gather);
    weir_call_define(&tasks->join, "join_gas", kernels, join);
    weir_call_define(&tasks->add, "add_gas", kernels, add);
    weir_call_define(&tasks->finish, "finish_gas", kernels, finish);
    weir_call_define(&tasks->tell, "tell_gas", kernels, tell);
}

int weir_bubbles_create(struct weir_domain *domain, struct weir_bubbles_tasks *tasks,
                        struct weir_bubbles **result) {
    struct weir_bubbles *bubbles = calloc(1, sizeof *bubbles);
    if (!bubbles)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    const int error =
        weir_gas_join_create(&domain->grid, domain->problem->surface.gas_density, &bubbles->pieces);
    if (error < 0) {
        free(bubbles);
        return error;
    }
    bubbles->domain = domain;
    bubbles->tasks = tasks;
    bubbles->order = weir_register_bytes(1);
    bubbles->parcel = weir_register_bytes(sizeof(struct weir_gas_parcel));
    domain->gas_totals = weir_register_bytes(sizeof(struct weir_gas_totals));
    weir_rank_value_create(domain->world, bubbles->parcel, sizeof(struct weir_gas_parcel), &bubbles->of_all);
    *result = bubbles;
    return 0;
}

void weir_bubbles_destroy(struct weir_bubbles *bubbles) {
    if (!bubbles)
        return;
    weir_rank_value_destroy(&bubbles->of_all);
    starpu_data_unregister_no_coherency(bubbles->order);
    starpu_data_unregister_no_coherency(bubbles->parcel);
    starpu_data_unregister_no_coherency(bubbles->domain->gas_totals);
    bubbles->domain->gas_totals = NULL;
    weir_gas_join_destroy(bubbles->pieces);
    free(bubbles);
}

/* One task for some blocks' tables each; where a rank has none, one for none. */
static int submit_on_tables(struct weir_bubbles *bubbles, struct weir_task_kind *kind,
                            enum starpu_data_access_mode order, enum starpu_data_access_mode table) {
    const struct weir_domain *domain = bubbles->domain;
    for (int first = 0; first == 0 || first < domain->set.count; first += TABLES_MOST) {
        const int left = domain->set.count - first, count = left < TABLES_MOST ? left : TABLES_MOST;
        struct some_blocks some = {bubbles, first, count};
        struct weir_buffers buffers = {.count = 0};
        weir_buffers_add(&buffers, bubbles->order, order);
        for (int k = 0; k < count; k++)
            weir_buffers_add(&buffers, domain->blocks[first + k].data[WEIR_GAS_TABLE].handle, table);
        WEIR_TRY(weir_check_submitted(
            weir_task_submit(kind, &buffers,
                             &(struct weir_task_options){.argument = &some, .argument_size = sizeof some}),
            kind));
    }
    return 0;
}

static int submit(struct weir_bubbles *bubbles, struct weir_task_kind *kind,
                  const struct weir_buffers *buffers) {
    return weir_check_submitted(
        weir_task_submit(kind, buffers, &(struct weir_task_options){.argument = bubbles}), kind);
}

int weir_bubbles_join(struct weir_bubbles *bubbles) {
    struct weir_buffers joining = {.count = 0}, finishing = {.count = 0};
    weir_buffers_add(&joining, bubbles->order, STARPU_W);
    weir_buffers_add(&joining, bubbles->parcel, STARPU_W);
    weir_buffers_add(&finishing, bubbles->order, STARPU_W);
    weir_buffers_add(&finishing, bubbles->parcel, STARPU_R);
    weir_buffers_add(&finishing, bubbles->domain->gas_totals, STARPU_W);
    WEIR_TRY(submit_on_tables(bubbles, &bubbles->tasks->gather, STARPU_W, STARPU_R));
    WEIR_TRY(submit(bubbles, &bubbles->tasks->join, &joining));
    WEIR_TRY(weir_rank_value_combine(bubbles->domain->world, &bubbles->of_all, &bubbles->tasks->add,
                                     WEIR_RANKS_GAS));
    WEIR_TRY(submit(bubbles, &bubbles->tasks->finish, &finishing));
    return submit_on_tables(bubbles, &bubbles->tasks->tell, STARPU_R, STARPU_RW);
}
