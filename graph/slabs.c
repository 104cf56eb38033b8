#include "graph/slabs.h"

#include "codelets/move.h"
#include "graph/base/error.h"
#include "graph/problem/fluid_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of data by which blocks of different slabs share a place. */
enum { KINDS = WEIR_KEPT_MAX + 2 * WEIR_FACES * WEIR_CHANNELS_MAX };

/* A place of one datum: whose it has now, as tasks are submitted. */
struct place {
    starpu_data_handle_t handle;
    size_t bytes; /* of the largest that comes here */
    int block;    /* place of the block in the domain, -1: none */
    bool changed; /* it is newer than at home */
};

/* A datum of a block. */
struct home {
    starpu_data_handle_t handle;
    starpu_data_handle_t own; /* what the block had, and gets back */
    struct place *place;
    bool filled; /* it has been put back once, and what it has is looked at again */
};

struct weir_slabs {
    struct weir_domain *domain;
    struct weir_slabs_tasks *tasks;
    struct weir_slab_plan plan;
    int mover[2][WEIR_MOVERS_EACH_WAY]; /* workers that bring, and that put back */
    int moved[2];                       /* so often: they take turns */
    int *first, *blocks;                /* [plan.count + 1], [blocks]: places in the domain, slab by slab */
    int (
        *beside)[WEIR_NEIGHBOURS]; /* [blocks]: places in the domain of those around; -1: nobody, or itself */
    int64_t *step; /* [plan.count] that the slab's blocks have been advanced to, -1: none yet */
    struct home (*home)[WEIR_DATA_MAX]; /* [blocks] */
    struct place *place;                /* [plan.places][most blocks of a slab][KINDS] */
    int place_count;
    uint32_t kept;    /* bits of the kept data that steps begin with */
    uint32_t lasting; /* bits of the channels of which they take what the last step gave */
};

void weir_slabs_define(struct weir_slabs_tasks *tasks, const struct weir_kernels *kernels) {
    weir_bring_define(&tasks->bring, kernels);
    weir_put_back_define(&tasks->put_back, kernels);
}

/* ---- how a domain is cut ------------------------------------------------------------------------------- */

/* Of blocks that keep all of their cells. */
static double brick_bytes(const struct weir_problem *problem, bool steady) {
    enum { CELLS = 1 << 24 };
    struct weir_problem bricks = *problem;
    struct weir_block_grid grid;
    int cells[3];
    bricks.list_up_to = 0;
    weir_block_grid_choose(&bricks, 1, CELLS, cells);
    return weir_block_grid_create(&bricks, cells, &grid) < 0
               ? 0
               : (double)weir_domain_bytes(&bricks, steady, &grid, NULL);
}

/* Bytes as a share of those of bricks, about. */
static double kept_share(const struct weir_problem *problem) {
    const double in_list = 1.25; /* of a fluid cell of a list, as a share of one of a brick */
    const struct weir_box all = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}};
    return problem->list_up_to <= 0
               ? 1
               : fmin(1, in_list * weir_fluid_estimate(problem, &all, weir_fluid_share_distance(problem)) /
                             (double)weir_box_cells(&all));
}

double weir_slabs_domain_bytes(const struct weir_problem *problem, bool steady) {
    return kept_share(problem) * brick_bytes(problem, steady);
}

/* Bytes of the place that every slab of a grid fits into: of the largest first block of a slab, the largest
 * second one, and so on. */
static double place_bytes(const struct weir_problem *problem, bool steady,
                          const struct weir_block_grid *grid) {
    const int axis = weir_slab_axis(grid);
    const size_t slabs = (size_t)weir_slab_count(grid), most = 2 * (size_t)(grid->total / grid->count[axis]);
    int *next = calloc(slabs, sizeof *next);
    double sum = HUGE_VAL, *bytes = calloc(most, sizeof *bytes);
    /* Without solids they differ by where they are alone. */
    const bool alike = problem->list_up_to <= 0 && !grid->solid;
    for (int block = 0; next && bytes && block < grid->total; block++) {
        const int slab = weir_slab_of(grid, block);
        const struct weir_block_set set = {&block, 1};
        int position[3];
        weir_block_grid_position(grid, block, position);
        if (weir_block_is_solid(grid, block) || (alike && slab > 1 && position[axis] < grid->count[axis] - 2))
            continue;
        double *const place = &bytes[next[slab]++];
        *place = fmax(*place, (double)weir_domain_bytes(problem, steady, grid, &set));
    }
    if (next && bytes) {
        sum = 0;
        for (size_t k = 0; k < most; k++)
            sum += bytes[k];
    }
    free(next);
    free(bytes);
    return sum;
}

int weir_slabs_find_plan(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                         double memory, struct weir_slab_plan *plan) {
    struct weir_model model;
    weir_model_make(problem, steady, &model);
    return weir_slab_plan_make(grid, place_bytes(problem, steady, grid), memory, model.stage_count, plan);
}

/* Rough speeds of a GPU and, both ways at once, of its link to main memory; of a task, and of a kernel that
 * begins and ends; of a thin block, how many layers' time its two faces cost more; and what sweeps reach of
 * all that (measured on an H200: docs/measured/2026-11-26-larger-than-a-gpu.md). */
static const double GPU_BANDWIDTH = 3.3e12, LINK_BANDWIDTH = 37e9, TASK_SECONDS = 20e-6,
                    KERNEL_SECONDS = 5e-6, FACES_LAYERS = 2, REACHED = 0.88;

double weir_slabs_efficiency(const struct weir_problem *problem, bool steady,
                             const struct weir_block_grid *grid, double memory) {
    const double bytes = place_bytes(problem, steady, grid),
                 cells = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];
    const int thickness = grid->block_cells[weir_slab_axis(grid)];
    struct weir_model model;
    struct weir_slab_plan plan;
    weir_model_make(problem, steady, &model);
    if (weir_slab_plan_make(grid, bytes, memory, model.stage_count, &plan) < 0)
        return 0;
    const double undivided = cells / plan.count * weir_bytes_per_update(problem) / GPU_BANDWIDTH,
                 tasks = (double)grid->total / plan.count * model.stage_count,
                 step = fmax(undivided * (1 + FACES_LAYERS / thickness) + tasks * KERNEL_SECONDS,
                             tasks * TASK_SECONDS);
    return REACHED * weir_slab_plan_efficiency(&plan, step, undivided, bytes / LINK_BANDWIDTH);
}

void weir_slabs_block_cells(const struct weir_problem *problem, bool steady, double memory,
                            int block_cells[3]) {
    const int axis = problem->cells[2] > 1 ? 2 : 1;
    const double of_bricks = memory / kept_share(problem);
    struct weir_problem bricks = *problem; /* what lists save is not looked for in every block */
    struct weir_block_grid grid;
    struct weir_slab_plan plan;
    double best = 0;
    int thickness = 1;
    bricks.list_up_to = 0;
    memcpy(block_cells, problem->cells, sizeof problem->cells);
    for (int thin = 1; thin <= (problem->cells[axis] + 1) / 2; thin++) {
        block_cells[axis] = thin;
        if (weir_block_grid_create(&bricks, block_cells, &grid) < 0)
            continue;
        const double efficiency = weir_slabs_efficiency(&bricks, steady, &grid, of_bricks);
        if (efficiency > best) {
            best = efficiency;
            thickness = thin;
        }
    }
    /* Fluid may be where some of the slabs are, and not where others. */
    for (int thinner = thickness; thinner >= 1; thinner /= 2) {
        block_cells[axis] = thinner;
        if (weir_block_grid_create(problem, block_cells, &grid) < 0)
            break;
        thickness = thinner;
        if (weir_slabs_find_plan(problem, steady, &grid, memory, &plan) == 0)
            break;
    }
    block_cells[axis] = thickness;
}

/* ---- places -------------------------------------------------------------------------------------------- */

static int kind_of(const struct weir_datum *datum) {
    return datum->message ? WEIR_KEPT_MAX + (datum->number * 2 + datum->parity) * WEIR_FACES + datum->face
                          : datum->number;
}

static int slab_of(const struct weir_slabs *slabs, int block) {
    return weir_slab_of(&slabs->domain->grid, slabs->domain->set.blocks[block]);
}

/* The blocks slab by slab. */
static void sort_blocks(struct weir_slabs *slabs) {
    const struct weir_domain *domain = slabs->domain;
    for (int k = 0; k < domain->set.count; k++)
        slabs->first[slab_of(slabs, k) + 1]++;
    for (int slab = 0; slab < slabs->plan.count; slab++)
        slabs->first[slab + 1] += slabs->first[slab];
    for (int slab = 0, next = 0; slab < slabs->plan.count; slab++)
        for (int k = 0; k < domain->set.count; k++)
            if (slab_of(slabs, k) == slab)
                slabs->blocks[next++] = k;
}

static void find_neighbours(struct weir_slabs *slabs) {
    const struct weir_domain *domain = slabs->domain;
    for (int block = 0; block < domain->set.count; block++)
        for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
            const int number = weir_block_grid_fluid_neighbour(&domain->grid, domain->set.blocks[block],
                                                               weir_offset(k).along);
            slabs->beside[block][k] =
                k == WEIR_ITSELF || number < 0 ? -1 : weir_block_set_index(&domain->set, number);
        }
}

static int most_blocks(const struct weir_slabs *slabs) {
    int most = 1;
    for (int slab = 0; slab < slabs->plan.count; slab++)
        if (slabs->first[slab + 1] - slabs->first[slab] > most)
            most = slabs->first[slab + 1] - slabs->first[slab];
    return most;
}

/* Where data of the block that is number `index` in its slab has its places: [KINDS]. */
static struct place *places_of(const struct weir_slabs *slabs, int slab, int index, int most) {
    return slabs->place + ((size_t)(slab % slabs->plan.places) * (size_t)most + (size_t)index) * KINDS;
}

static void give_place(struct weir_slabs *slabs, int block, struct place *places) {
    struct weir_block *b = &slabs->domain->blocks[block];
    for (int k = 0; k < b->data_count; k++) {
        struct place *place = &places[kind_of(&b->data[k].is)];
        slabs->home[block][k] = (struct home){.own = b->data[k].handle, .place = place};
        if (b->data[k].is.bytes > place->bytes)
            place->bytes = b->data[k].is.bytes;
    }
}

/* Memory that GPUs can copy from and to while they compute: its pages are held, which takes a second for some
 * 2 GiB. */
static int take_homes(struct weir_slabs *slabs) {
    for (int block = 0; block < slabs->domain->set.count; block++)
        for (int k = 0; k < slabs->domain->blocks[block].data_count; k++) {
            struct home *home = &slabs->home[block][k];
            const size_t bytes = slabs->domain->blocks[block].data[k].is.bytes;
            if (!(home->handle = weir_register_home(bytes)))
                return weir_fail(WEIR_FAILED,
                                 "out of memory: %.1f MiB more of main memory are not to be had for blocks "
                                 "that wait there; choose fewer cells, single precision or half storage",
                                 (double)bytes / (1 << 20));
        }
    return 0;
}

static void swap_data(struct weir_slabs *slabs, bool places) {
    for (int block = 0; block < slabs->domain->set.count; block++) {
        struct weir_block *b = &slabs->domain->blocks[block];
        for (int k = 0; k < b->data_count; k++) {
            const struct home *home = &slabs->home[block][k];
            const struct weir_datum *is = &b->data[k].is;
            b->data[k].handle = places ? home->place->handle : home->own;
            if (is->message)
                b->channel[is->number].outgoing[is->parity][is->face] = b->data[k].handle;
        }
    }
    weir_domain_wire(slabs->domain);
}

/* ---- what is where ------------------------------------------------------------------------------------- */

/* Whether a later step looks at what the block has in this datum now. */
static bool is_alive(const struct weir_slabs *slabs, int block, const struct weir_datum *is) {
    const int64_t step = slabs->step[slab_of(slabs, block)];
    const int last = (int)((step + 1) % 2);
    return !is->message || step < 0 || (slabs->lasting >> is->number & 1 && is->parity == last);
}

static void note(struct weir_slabs *slabs, int result, const struct weir_task_kind *kind) {
    if (weir_check_submitted(result, kind) < 0)
        weir_failure_record(&slabs->domain->failure, WEIR_FAILED, "%s", weir_error_text());
}

enum { BRING, PUT_BACK };

static int mover(struct weir_slabs *slabs, int way) {
    return slabs->mover[way][slabs->moved[way]++ % WEIR_MOVERS_EACH_WAY];
}

/* Puts back what a place has. */
static void clear(struct weir_slabs *slabs, struct place *place, int kind) {
    const struct weir_block *b = &slabs->domain->blocks[place->block];
    int k = 0;
    while (kind_of(&b->data[k].is) != kind)
        k++;
    struct home *home = &slabs->home[place->block][k];
    const bool alive = is_alive(slabs, place->block, &b->data[k].is);
    if (place->changed && alive)
        note(slabs,
             weir_put_back_submit(&slabs->tasks->put_back, b, home->handle, place->handle,
                                  mover(slabs, PUT_BACK)),
             &slabs->tasks->put_back);
    home->filled = alive && (home->filled || place->changed);
    place->block = -1;
    place->changed = false;
}

static void need(struct weir_slabs *slabs, int block, int k, enum starpu_data_access_mode mode) {
    const struct weir_block *b = &slabs->domain->blocks[block];
    struct home *home = &slabs->home[block][k];
    struct place *place = home->place;
    if (place->block != block) {
        if (place->block >= 0)
            clear(slabs, place, kind_of(&b->data[k].is));
        place->block = block;
        if (home->filled && mode != STARPU_W)
            note(slabs,
                 weir_bring_submit(&slabs->tasks->bring, b, home->handle, place->handle, mover(slabs, BRING)),
                 &slabs->tasks->bring);
    }
    place->changed = place->changed || mode != STARPU_R;
}

/* False: this is none of the block's. */
static bool need_of_block(struct weir_slabs *slabs, int block, starpu_data_handle_t handle,
                          enum starpu_data_access_mode mode) {
    const struct weir_block *b = &slabs->domain->blocks[block];
    for (int k = 0; k < b->data_count; k++)
        if (b->data[k].handle == handle) {
            need(slabs, block, k, mode);
            return true;
        }
    return false;
}

/* The messages of neighbours that it takes. */
static void need_of_neighbours(struct weir_slabs *slabs, int block, starpu_data_handle_t handle,
                               enum starpu_data_access_mode mode) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++)
        if (slabs->beside[block][k] >= 0 && need_of_block(slabs, slabs->beside[block][k], handle, mode))
            return;
}

static void needs(void *context, const struct weir_block *block, const struct weir_buffers *buffers) {
    struct weir_slabs *slabs = context;
    const int index = (int)(block - slabs->domain->blocks);
    for (int k = 0; k < buffers->count; k++)
        if (!need_of_block(slabs, index, buffers->handle[k], buffers->mode[k]))
            need_of_neighbours(slabs, index, buffers->handle[k], buffers->mode[k]);
}

/* ---- what others see ----------------------------------------------------------------------------------- */

/* What steps begin with: what any stage looks at before it, or another one, fills it. */
static void find_beginnings(struct weir_slabs *slabs) {
    const struct weir_model *model = &slabs->domain->model;
    slabs->lasting = weir_model_lasting_channels(model);
    for (int number = 0; number < model->kept_count; number++)
        for (int stage = 0; stage < model->stage_count; stage++) {
            const struct weir_access *access = &model->stage[stage].access;
            const uint32_t with_flow =
                access->updates >> WEIR_FLOW & 1 ? slabs->domain->context.with_flow : 0;
            if ((access->reads | access->updates | with_flow) >> number & 1)
                slabs->kept |= 1u << number;
        }
    if (slabs->domain->context.varying >= 0)
        slabs->kept |= 3u << slabs->domain->context.varying;
}

static int allocate(struct weir_slabs *slabs) {
    const size_t blocks = (size_t)slabs->domain->set.count + 1, count = (size_t)slabs->plan.count;
    slabs->first = calloc(count + 1, sizeof *slabs->first);
    slabs->step = calloc(count, sizeof *slabs->step);
    slabs->blocks = calloc(blocks, sizeof *slabs->blocks);
    slabs->beside = calloc(blocks, sizeof *slabs->beside);
    slabs->home = calloc(blocks, sizeof *slabs->home);
    if (!slabs->first || !slabs->step || !slabs->blocks || !slabs->beside || !slabs->home)
        return -1;
    for (size_t slab = 0; slab < count; slab++)
        slabs->step[slab] = -1;
    sort_blocks(slabs);
    find_neighbours(slabs);
    const int most = most_blocks(slabs);
    slabs->place_count = slabs->plan.places * most * KINDS;
    slabs->place = calloc((size_t)slabs->place_count, sizeof *slabs->place);
    if (!slabs->place)
        return -1;
    for (int slab = 0; slab < slabs->plan.count; slab++)
        for (int k = slabs->first[slab]; k < slabs->first[slab + 1]; k++)
            give_place(slabs, slabs->blocks[k], places_of(slabs, slab, k - slabs->first[slab], most));
    return 0;
}

static void release(struct weir_slabs *slabs) {
    for (int k = 0; k < slabs->place_count; k++)
        if (slabs->place[k].handle)
            starpu_data_unregister_no_coherency(slabs->place[k].handle);
    for (int block = 0; slabs->home && block < slabs->domain->set.count; block++)
        for (int k = 0; k < slabs->domain->blocks[block].data_count; k++)
            if (slabs->home[block][k].handle)
                weir_unregister_home(slabs->home[block][k].handle);
    free(slabs->first);
    free(slabs->step);
    free(slabs->blocks);
    free(slabs->beside);
    free(slabs->home);
    free(slabs->place);
    free(slabs);
}

int weir_slabs_create(struct weir_domain *domain, bool steady, struct weir_slabs_tasks *tasks, double memory,
                      const int movers[2 * WEIR_MOVERS_EACH_WAY], struct weir_slabs **result) {
    struct weir_slab_plan plan;
    WEIR_TRY(weir_slabs_find_plan(domain->problem, steady, &domain->grid, memory, &plan));
    struct weir_slabs *slabs = calloc(1, sizeof *slabs);
    if (slabs)
        *slabs = (struct weir_slabs){.domain = domain, .tasks = tasks, .plan = plan};
    if (!slabs || allocate(slabs) < 0) {
        if (slabs)
            release(slabs);
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", domain->set.count);
    }
    if (take_homes(slabs) < 0) {
        release(slabs);
        return -WEIR_FAILED;
    }
    for (int k = 0; k < slabs->place_count; k++) {
        slabs->place[k].block = -1;
        if (slabs->place[k].bytes > 0)
            slabs->place[k].handle = weir_register_bytes(slabs->place[k].bytes);
    }
    memcpy(slabs->mover, movers, sizeof slabs->mover);
    find_beginnings(slabs);
    swap_data(slabs, true);
    domain->context.needs = needs;
    domain->context.slabs = slabs;
    *result = slabs;
    return 0;
}

void weir_slabs_destroy(struct weir_slabs *slabs) {
    if (!slabs)
        return;
    slabs->domain->context.needs = NULL;
    swap_data(slabs, false);
    release(slabs);
}

const struct weir_slab_plan *weir_slabs_plan(const struct weir_slabs *slabs) {
    return &slabs->plan;
}

int weir_slabs_blocks(const struct weir_slabs *slabs, int slab, const int **blocks) {
    *blocks = slabs->blocks + slabs->first[slab];
    return slabs->first[slab + 1] - slabs->first[slab];
}

static bool is_there(const struct weir_slabs *slabs, int slab) {
    for (int k = slabs->first[slab]; k < slabs->first[slab + 1]; k++)
        if (slabs->home[slabs->blocks[k]][WEIR_FLOW].place->block != slabs->blocks[k])
            return false;
    return true;
}

bool weir_slabs_last_is_there(const struct weir_slabs *slabs) {
    return is_there(slabs, slabs->plan.count - 1) && !is_there(slabs, 0);
}

void weir_slabs_advanced(struct weir_slabs *slabs, int slab, int64_t step) {
    slabs->step[slab] = step;
}

void weir_slabs_expect(struct weir_slabs *slabs, int slab) {
    for (int index = slabs->first[slab]; index < slabs->first[slab + 1]; index++) {
        const int block = slabs->blocks[index];
        const struct weir_block *b = &slabs->domain->blocks[block];
        for (int k = 0; k < b->data_count; k++) {
            const struct weir_datum *is = &b->data[k].is;
            if (slabs->home[block][k].filled && (is->message || slabs->kept >> is->number & 1))
                need(slabs, block, k, STARPU_R);
        }
    }
}
