#include "graph/record.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>
#include <string.h>

/* A chunk holds 512 KiB: at 10,000 tasks a second and worker, one allocation in 1.6 seconds. */
enum { CHUNK_TASKS = 16384 };

/* Steps that a worker has begun and not ended: one on a CPU; a GPU's worker launches up to StarPU's pipeline
 * of four ahead, which end in the order of their launches. */
enum { BEGUN_MAX = 16 };

enum { CACHE_LINE = 64 };

struct chunk {
    struct chunk *next;
    int count;
    struct weir_recorded_task tasks[CHUNK_TASKS];
};

/* What one worker writes; nobody else looks at it before the end. */
struct lane {
    _Alignas(CACHE_LINE) struct chunk *first;
    struct chunk *last;
    struct weir_recorded_task begun[BEGUN_MAX];
    unsigned first_begun, next_begun; /* counted on and on */
    bool lost;                        /* something was not recorded */
};

struct weir_record {
    const struct weir_runtime *runtime;
    const struct weir_domain *domain;
    double origin;
    int64_t *begun;     /* [block] steps; written as one begins, and StarPU orders the tasks of a block */
    struct lane *lanes; /* [STARPU_NMAXWORKERS], by StarPU's number */
};

int weir_record_create(const struct weir_runtime *runtime, const struct weir_domain *domain,
                       struct weir_record **result) {
    struct weir_record *record = calloc(1, sizeof *record);
    if (record) {
        record->runtime = runtime;
        record->domain = domain;
        record->begun = calloc((size_t)domain->grid.total, sizeof *record->begun);
        record->lanes = aligned_alloc(CACHE_LINE, sizeof *record->lanes * STARPU_NMAXWORKERS);
    }
    if (!record || !record->begun || !record->lanes) {
        if (record) {
            free(record->begun);
            free(record->lanes);
        }
        free(record);
        return weir_fail(WEIR_FAILED, "out of memory for the record of %d blocks; run without --record",
                         domain->grid.total);
    }
    memset(record->lanes, 0, sizeof *record->lanes * STARPU_NMAXWORKERS);
    record->origin = weir_seconds();
    *result = record;
    return 0;
}

void weir_record_count_from(struct weir_record *record, double origin) {
    record->origin = origin;
}

void weir_record_destroy(struct weir_record *record) {
    if (!record)
        return;
    for (int id = 0; id < STARPU_NMAXWORKERS; id++)
        for (struct chunk *chunk = record->lanes[id].first, *next; chunk; chunk = next) {
            next = chunk->next;
            free(chunk);
        }
    free(record->lanes);
    free(record->begun);
    free(record);
}

double weir_record_seconds(const struct weir_record *record) {
    return weir_seconds() - record->origin;
}

/* Begin and end meet in the worker's lane and not at the block: the block's next step may begin, elsewhere,
 * before StarPU has called back for this one. */
void weir_record_begin(void *argument, const struct weir_block *block, const struct weir_stage *stage) {
    struct weir_record *record = argument;
    const int worker = starpu_worker_get_id();
    struct lane *lane = &record->lanes[worker];
    if (lane->next_begun - lane->first_begun == BEGUN_MAX) {
        lane->lost = true;
        return;
    }
    const int number = (int)(stage - record->domain->model.stage);
    if (number == 0)
        record->begun[block->home.block]++;
    lane->begun[lane->next_begun++ % BEGUN_MAX] = (struct weir_recorded_task){
        .step = record->begun[block->home.block] - 1,
        .stage = number,
        .start = weir_record_seconds(record),
        .block = block->home.block,
        .worker = worker,
        .home = block->home.group,
    };
}

static struct weir_recorded_task *next_place(struct lane *lane) {
    if (!lane->last || lane->last->count == CHUNK_TASKS) {
        struct chunk *chunk = malloc(sizeof *chunk);
        if (!chunk)
            return NULL;
        chunk->next = NULL;
        chunk->count = 0;
        if (lane->last)
            lane->last->next = chunk;
        else
            lane->first = chunk;
        lane->last = chunk;
    }
    return &lane->last->tasks[lane->last->count++];
}

void weir_record_end(struct weir_record *record) {
    struct lane *lane = &record->lanes[starpu_worker_get_id()];
    if (lane->first_begun == lane->next_begun)
        return; /* a step that did nothing, because the run has failed */
    struct weir_recorded_task *task = next_place(lane);
    if (!task) {
        lane->lost = true;
        return;
    }
    *task = lane->begun[lane->first_begun++ % BEGUN_MAX];
    task->end = weir_record_seconds(record);
}

static void describe_worker(const struct weir_worker *worker, struct weir_recorded_worker *row) {
    *row = (struct weir_recorded_worker){
        .id = worker->id,
        .cuda = worker->cuda,
        .steps = worker->steps,
        .device = worker->device,
        .cores = worker->cores,
        .core = worker->core,
        .memory_node = (int32_t)starpu_worker_get_memory_node((unsigned)worker->id),
    };
    _Static_assert(sizeof row->name == sizeof worker->name, "names of workers fit");
    memcpy(row->name, worker->name, sizeof row->name);
}

/* With nothing under way. */
static int64_t near_wall_cells(const struct weir_domain *domain, const struct weir_block *block,
                               const struct weir_box *box) {
    const starpu_data_handle_t geometry = block->data[WEIR_GEOMETRY].handle;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, geometry, STARPU_R);
    weir_block_needs(block, &buffers);
    if (starpu_data_acquire(geometry, STARPU_R) != 0)
        return 0;
    const int64_t cells =
        weir_geometry_near_wall(weir_lattice_table((int)domain->model.problem->lattice), box->extent,
                                (const uint8_t *)starpu_variable_get_local_ptr(geometry), true);
    starpu_data_release(geometry);
    return cells;
}

static void describe_block(const struct weir_domain *domain, int number, struct weir_recorded_block *row) {
    const struct weir_block *block = weir_domain_block(domain, number);
    if (!block) /* another rank's */
        return;
    const struct weir_box box = weir_block_grid_box(&domain->grid, number);
    row->fluid_cells = block->fluid_cells;
    row->cells = weir_box_cells(&box);
    row->near_wall_cells = near_wall_cells(domain, block, &box);
    int64_t of_pair[WEIR_RECORD_FACES] = {0}; /* bytes in an even and an odd step */
    for (int axis = 0; axis < 3; axis++) {
        row->origin[axis] = box.origin[axis];
        row->extent[axis] = box.extent[axis];
    }
    for (int k = 0; k < block->data_count; k++) {
        const struct weir_datum *datum = &block->data[k].is;
        if (!datum->message)
            row->bytes += (int64_t)datum->bytes;
        else if (datum->parity == 0)
            of_pair[datum->face] +=
                (int64_t)datum->bytes * weir_model_channel_uses(&domain->model, datum->number);
    }
    for (int face = 0; face < WEIR_RECORD_FACES; face++)
        row->message_bytes[face] = of_pair[face] / 2;
    for (int k = 0; k < WEIR_RECORD_OFFSETS; k++) {
        bool comes = false;
        for (int channel = 0; channel < domain->model.channel_count; channel++)
            comes = comes || block->channel[channel].incoming_index[k] >= 0;
        row->neighbour[k] = comes ? weir_domain_place(domain, weir_block_grid_neighbour(&domain->grid, number,
                                                                                        weir_offset(k).along))
                                  : -1;
    }
}

int weir_record_collect(const struct weir_record *record, struct weir_run_record *result) {
    const int workers = weir_runtime_worker_count(record->runtime),
              blocks = weir_block_grid_fluid_blocks(&record->domain->grid);
    int64_t tasks = 0;
    for (int id = 0; id < STARPU_NMAXWORKERS; id++) {
        if (record->lanes[id].lost)
            return weir_fail(WEIR_FAILED, "memory was too short to record every step of every block; record "
                                          "fewer steps, or choose larger blocks");
        for (const struct chunk *chunk = record->lanes[id].first; chunk; chunk = chunk->next)
            tasks += chunk->count;
    }
    WEIR_TRY(weir_run_record_create(result, tasks, workers, blocks));
    result->stage_count = record->domain->model.stage_count;
    for (int stage = 0; stage < result->stage_count; stage++) {
        snprintf(result->stages[stage], sizeof result->stages[stage], "%s",
                 record->domain->model.stage[stage].name);
        for (int parity = 0; parity < 2; parity++)
            result->taken[parity][stage] = weir_stage_is_taken(&record->domain->model.stage[stage], parity);
    }
    struct weir_recorded_task *place = result->tasks;
    for (int index = 0; index < workers; index++) {
        const struct weir_worker *worker = weir_runtime_worker(record->runtime, index);
        describe_worker(worker, &result->workers[index]);
        for (const struct chunk *chunk = record->lanes[worker->id].first; chunk; chunk = chunk->next)
            for (int k = 0; k < chunk->count; k++) {
                *place = chunk->tasks[k];
                place++->worker = index;
            }
    }
    result->task_count = place - result->tasks;
    for (int number = 0; number < record->domain->grid.total; number++)
        if (weir_domain_place(record->domain, number) >= 0)
            describe_block(record->domain, number,
                           &result->blocks[weir_domain_place(record->domain, number)]);
    return 0;
}
