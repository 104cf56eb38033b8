#include "graph/domain.h"

#include "graph/base/error.h"
#include "graph/problem/boundaries.h"
#include "graph/ranks/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weir_check_submitted(int result, const struct weir_task_kind *kind) {
    if (result == 0)
        return 0;
    if (result == -ENOMEM)
        return weir_fail(
            WEIR_FAILED,
            "out of memory while submitting the task %s; choose larger blocks, of which there are fewer",
            kind->codelet.name);
    return weir_fail(WEIR_UNAVAILABLE,
                     "no worker here can run the task %s (%s); try --set placement.workers=auto",
                     kind->codelet.name, strerror(-result));
}

/* Bits of the faces of a block through which something reaches a block with fluid, or itself. What crosses
 * several faces leaves through the first of them, whoever lies beyond that. */
static unsigned open_faces(const struct weir_model *model, const struct weir_block_grid *grid, int number) {
    const struct weir_box box = weir_block_grid_box(grid, number);
    unsigned open = 0;
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const struct weir_offset offset = weir_offset(k);
        if (k != WEIR_ITSELF && weir_block_grid_fluid_neighbour(grid, number, offset.along) >= 0 &&
            weir_model_crossing_bytes(model, box.extent, offset) > 0)
            open |= 1u << weir_offset_face(offset);
    }
    return open;
}

static starpu_data_handle_t register_datum(const struct weir_box *box, size_t bytes) {
    const starpu_data_handle_t handle = weir_register_bytes(bytes);
    starpu_data_set_coordinates(handle, 3, box->origin[0], box->origin[1], box->origin[2]);
    return handle;
}

/* The data of a block that is new on this rank. */
static void register_block(struct weir_domain *domain, struct weir_block *block,
                           const struct weir_block_form *form) {
    struct weir_datum data[WEIR_DATA_MAX];
    block->data_count =
        weir_model_data(&domain->model, form, open_faces(&domain->model, &domain->grid, block->number), data);
    for (int k = 0; k < block->data_count; k++) {
        const struct weir_datum *is = &data[k];
        block->data[k] = (struct weir_block_datum){*is, register_datum(&form->box, is->bytes)};
        if (is->message)
            block->channel[is->number].outgoing[is->parity][is->face] = block->data[k].handle;
    }
}

/* before: as of set_up_blocks. */
static int set_up_block(struct weir_domain *domain, int index, const struct weir_domain *before) {
    struct weir_block *block = &domain->blocks[index];
    const struct weir_problem *problem = domain->problem;
    const int number = domain->set.blocks[index];
    const struct weir_block *stays = before ? weir_domain_block(before, number) : NULL;
    for (int parity = 0; parity < 2; parity++)
        domain->step_arguments[index][parity] = (struct weir_step_argument){block, parity, 1, false};
    if (stays) {
        *block = *stays;
        return 0;
    }
    const struct weir_box box = weir_block_grid_box(&domain->grid, number);
    struct weir_block_form form;
    WEIR_TRY(weir_block_form_count(problem, &box, &form));
    block->context = &domain->context;
    block->number = number;
    block->home.group = -1;
    block->home.block = weir_domain_place(domain, number);
    for (int axis = 0; axis < 3; axis++) {
        block->place.origin[axis] = box.origin[axis];
        block->place.domain[axis] = problem->cells[axis];
    }
    weir_block_grid_extents(&domain->grid, number, block->view.extent);
    block->layout = weir_boundaries_layout(problem, &form);
    register_block(domain, block, &form);
    return 0;
}

/* A message that a block takes in a channel: what it is of what comes from an offset. */
struct source {
    int block, face;
};

/* False where nothing comes from there. */
static bool find_source(const struct weir_domain *domain, int channel, int number, int neighbour_index,
                        struct source *source) {
    const struct weir_message_layout *layout = &domain->model.channel[channel].layout;
    const struct weir_offset offset = weir_offset(neighbour_index);
    source->face = weir_message_face(layout, offset);
    source->block =
        source->face < 0 ? -1 : weir_block_grid_fluid_neighbour(&domain->grid, number, offset.along);
    if (source->block < 0)
        return false;
    const struct weir_box box = weir_block_grid_box(&domain->grid, source->block);
    return weir_message_crossing(layout, box.extent, weir_offset_back(offset)) > 0;
}

static int compare_ghosts(const void *a, const void *b) {
    const struct weir_ghost *p = a, *q = b;
    return p->channel != q->channel ? p->channel - q->channel
           : p->block != q->block   ? (p->block > q->block) - (p->block < q->block)
                                    : p->face - q->face;
}

/* Notes all messages of other ranks' blocks that this rank's blocks take, repeated as they come; only counts
 * them where there is no room yet. */
static int find_ghosts(struct weir_domain *domain) {
    int found = 0;
    for (int channel = 0; channel < domain->model.channel_count; channel++)
        for (int index = 0; index < domain->set.count; index++)
            for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
                struct source source;
                if (!find_source(domain, channel, domain->set.blocks[index], k, &source) ||
                    weir_domain_block(domain, source.block))
                    continue;
                if (domain->ghosts)
                    domain->ghosts[found] =
                        (struct weir_ghost){.channel = channel, .block = source.block, .face = source.face};
                found++;
            }
    return found;
}

/* Registers the messages of other ranks' blocks that this rank's blocks take, each once. */
static int set_up_ghosts(struct weir_domain *domain) {
    const int found = find_ghosts(domain);
    if (found == 0)
        return 0;
    if (!(domain->ghosts = calloc((size_t)found, sizeof *domain->ghosts)))
        return weir_fail(WEIR_FAILED, "out of memory for the messages of other ranks; choose larger blocks");
    find_ghosts(domain);
    qsort(domain->ghosts, (size_t)found, sizeof *domain->ghosts, compare_ghosts);
    for (int k = 0; k < found; k++)
        if (k == 0 || compare_ghosts(&domain->ghosts[k], &domain->ghosts[domain->ghost_count - 1]) != 0)
            domain->ghosts[domain->ghost_count++] = domain->ghosts[k];
    for (int k = 0; k < domain->ghost_count; k++) {
        struct weir_ghost *ghost = &domain->ghosts[k];
        const struct weir_box box = weir_block_grid_box(&domain->grid, ghost->block);
        for (int parity = 0; parity < 2; parity++)
            ghost->message[parity] = register_datum(
                &box, weir_model_message_bytes(&domain->model, ghost->channel, box.extent, ghost->face / 2));
    }
    return 0;
}

/* Finds, for every offset, the message that a block takes of what comes from there. */
static void wire_channel(const struct weir_domain *domain, struct weir_block *block, int number) {
    struct weir_block_channel *channel = &block->channel[number];
    channel->incoming_count = 0;
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        struct source source;
        int index = 0;
        channel->incoming_index[k] = -1;
        if (!find_source(domain, number, block->number, k, &source))
            continue;
        const starpu_data_handle_t message =
            weir_domain_message(domain, number, source.block, source.face, 0);
        while (index < channel->incoming_count && channel->incoming[0][index] != message)
            index++;
        channel->incoming_index[k] = (int8_t)index;
        if (index == channel->incoming_count) {
            channel->incoming_count++;
            channel->incoming[0][index] = message;
            channel->incoming[1][index] = weir_domain_message(domain, number, source.block, source.face, 1);
        }
    }
}

static void wire_block(struct weir_domain *domain, struct weir_block *block) {
    for (int channel = 0; channel < domain->model.channel_count; channel++)
        wire_channel(domain, block, channel);
}

void weir_domain_wire(struct weir_domain *domain) {
    for (int index = 0; index < domain->set.count; index++)
        wire_block(domain, &domain->blocks[index]);
}

struct weir_block *weir_domain_block(const struct weir_domain *domain, int number) {
    const int index = weir_block_set_index(&domain->set, number);
    return index < 0 ? NULL : &domain->blocks[index];
}

starpu_data_handle_t weir_domain_message(const struct weir_domain *domain, int channel, int block, int face,
                                         int parity) {
    const struct weir_block *here = weir_domain_block(domain, block);
    if (here)
        return here->channel[channel].outgoing[parity][face];
    const struct weir_ghost key = {.channel = channel, .block = block, .face = face};
    const struct weir_ghost *ghost = domain->ghost_count > 0
                                         ? bsearch(&key, domain->ghosts, (size_t)domain->ghost_count,
                                                   sizeof *domain->ghosts, compare_ghosts)
                                         : NULL;
    return ghost ? ghost->message[parity] : NULL;
}

static bool is_of_rank(const struct weir_block_grid *grid, const int *rank_of, int rank, int number) {
    return (!rank_of || rank_of[number] == rank) && !weir_block_is_solid(grid, number);
}

/* The numbers of this rank's blocks. NULL when memory is short. */
static int *blocks_of(const struct weir_block_grid *grid, const int *rank_of, int rank, int *count) {
    *count = 0;
    for (int number = 0; number < grid->total; number++)
        *count += is_of_rank(grid, rank_of, rank, number);
    int *blocks = malloc(sizeof *blocks * ((size_t)*count + 1));
    for (int number = 0, k = 0; blocks && number < grid->total; number++)
        if (is_of_rank(grid, rank_of, rank, number))
            blocks[k++] = number;
    return blocks;
}

/* False when memory is short. */
static bool count_idle_ranks(struct weir_domain *domain, const int *rank_of) {
    const int ranks = weir_world_size(domain->world);
    bool *has_blocks = calloc((size_t)ranks, sizeof *has_blocks);
    if (!has_blocks)
        return false;
    domain->idle_ranks = ranks;
    for (int block = 0; block < domain->grid.total; block++) {
        if (weir_block_is_solid(&domain->grid, block))
            continue;
        domain->idle_ranks -= !has_blocks[rank_of[block]];
        has_blocks[rank_of[block]] = true;
    }
    free(has_blocks);
    return true;
}

/* False when memory is short. */
static bool find_places(struct weir_domain *domain) {
    if (!domain->grid.solid)
        return true;
    domain->places = malloc(sizeof *domain->places * (size_t)domain->grid.total);
    for (int block = 0, next = 0; domain->places && block < domain->grid.total; block++)
        domain->places[block] = weir_block_is_solid(&domain->grid, block) ? -1 : next++;
    return domain->places != NULL;
}

static bool allocate_blocks(struct weir_domain *domain, const int *rank_of) {
    const size_t total = (size_t)domain->grid.total;
    if (rank_of && (domain->rank_of = malloc(sizeof *rank_of * total)))
        memcpy(domain->rank_of, rank_of, sizeof *rank_of * total);
    const bool counted = (!rank_of || count_idle_ranks(domain, rank_of)) && find_places(domain);
    domain->set.blocks =
        blocks_of(&domain->grid, rank_of, weir_world_rank(domain->world), &domain->set.count);
    domain->blocks = calloc((size_t)domain->set.count + 1, sizeof *domain->blocks);
    domain->step_arguments = calloc((size_t)domain->set.count + 1, sizeof *domain->step_arguments);
    return (!rank_of || domain->rank_of) && counted && domain->set.blocks && domain->blocks &&
           domain->step_arguments;
}

/* Gives back what the domain has, but the data of blocks that `heir` has, too (NULL: nobody). */
static void release(struct weir_domain *domain, const struct weir_domain *heir) {
    for (int index = 0; index < domain->set.count; index++) {
        struct weir_block *block = &domain->blocks[index];
        struct weir_block *const inherited = heir ? weir_domain_block(heir, block->number) : NULL;
        if (inherited) {
            if (!inherited->routed) { /* they may have been made since it was */
                inherited->routes = block->routes;
                inherited->routed = block->routed;
            }
            continue;
        }
        free(block->routes);
        for (int k = 0; k < block->data_count; k++)
            starpu_data_unregister_no_coherency(block->data[k].handle);
    }
    for (int k = 0; k < domain->ghost_count; k++)
        for (int parity = 0; parity < 2; parity++)
            starpu_data_unregister_no_coherency(domain->ghosts[k].message[parity]);
    free(domain->blocks);
    free(domain->step_arguments);
    free(domain->ghosts);
    free((int *)domain->set.blocks);
    free(domain->rank_of);
    free(domain->places);
}

/* Fills a domain with this rank's blocks and ghosts. before: whose blocks' data is shared, NULL: all is new.
 * Where it fails the domain is gone. */
static int set_up_blocks(struct weir_domain *domain, const int *rank_of, const struct weir_domain *before) {
    int error = 0;
    if (!allocate_blocks(domain, rank_of)) {
        error = weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks with blocks.cells",
                          domain->set.count);
        domain->set.count = 0; /* none has data yet */
    }
    for (int index = 0; index < domain->set.count && error == 0; index++)
        error = set_up_block(domain, index, before);
    if (error == 0)
        error = set_up_ghosts(domain);
    if (error != 0) {
        release(domain, before);
        free(domain);
        return error;
    }
    weir_domain_wire(domain);
    return 0;
}

int weir_domain_create(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                       const struct weir_world *world,
                       const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT], const int *rank_of,
                       struct weir_domain **result) {
    struct weir_domain *domain = calloc(1, sizeof *domain);
    if (!domain)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the domain");
    domain->problem = problem;
    domain->grid = *grid;
    domain->world = world;
    weir_failure_init(&domain->failure);
    domain->context = (struct weir_block_context){
        .fluid = weir_problem_fluid(problem),
        .failure = &domain->failure,
    };
    memcpy(domain->context.kernels, kernels, sizeof domain->context.kernels);
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++)
        domain->context.costs[kind] = weir_cell_kinds[kind].cost;
    weir_model_make(problem, steady, &domain->model);
    const char *mistake = weir_model_mistake(&domain->model);
    if (mistake) {
        free(domain);
        return weir_fail(WEIR_FAILED, "the model of the problem: %s", mistake);
    }
    domain->context.channel_count = domain->model.channel_count;
    domain->context.with_flow = weir_model_with_flow(&domain->model);
    domain->context.potentials = weir_model_find(&domain->model, WEIR_POTENTIALS);
    domain->context.varying = weir_model_varying(&domain->model);
    starpu_pause(); /* cells are counted by all cores, which workers that wait for tasks would keep busy */
    const int error = set_up_blocks(domain, rank_of, NULL);
    starpu_resume();
    WEIR_TRY(error);
    *result = domain;
    return 0;
}

int weir_domain_divide_anew(const struct weir_domain *domain, const int *rank_of,
                            struct weir_domain **result) {
    struct weir_domain *next = calloc(1, sizeof *next);
    if (!next)
        return weir_fail(WEIR_FAILED, "out of memory while moving blocks between ranks");
    next->problem = domain->problem;
    next->grid = domain->grid;
    next->world = domain->world;
    next->model = domain->model;
    next->context = domain->context;
    WEIR_TRY(set_up_blocks(next, rank_of, domain));
    *result = next;
    return 0;
}

void weir_domain_become(struct weir_domain *domain, struct weir_domain *next) {
    release(domain, next);
    domain->rank_of = next->rank_of;
    domain->places = next->places;
    domain->idle_ranks = next->idle_ranks;
    domain->set = next->set;
    domain->blocks = next->blocks;
    domain->step_arguments = next->step_arguments;
    domain->ghosts = next->ghosts;
    domain->ghost_count = next->ghost_count;
    domain->fluid_cells = 0;
    for (int index = 0; index < domain->set.count; index++) {
        domain->blocks[index].context = &domain->context;
        domain->fluid_cells += domain->blocks[index].fluid_cells;
    }
    free(next);
}

void weir_domain_discard_next(const struct weir_domain *domain, struct weir_domain *next) {
    release(next, domain);
    free(next);
}

void weir_domain_destroy(struct weir_domain *domain) {
    if (!domain)
        return;
    release(domain, NULL);
    free(domain);
}

static int64_t block_bytes(const struct weir_model *model, const struct weir_block_grid *grid, int number) {
    struct weir_datum data[WEIR_DATA_MAX];
    if (weir_block_is_solid(grid, number))
        return 0;
    const struct weir_box box = weir_block_grid_box(grid, number);
    const struct weir_block_form form = weir_block_form(model->problem, &box);
    const int count = weir_model_data(model, &form, open_faces(model, grid, number), data);
    int64_t bytes = 0;
    for (int k = 0; k < count; k++)
        bytes += (int64_t)data[k].bytes;
    return bytes;
}

int64_t weir_domain_block_bytes(const struct weir_domain *domain, int number) {
    return block_bytes(&domain->model, &domain->grid, number);
}

/* Blocks of a grid differ by whether they are the first or the last along an axis, or in between: the place
 * of the k-th such kind, and how many of it there are. */
static int64_t blocks_alike(const struct weir_block_grid *grid, int axis, int k, int *position) {
    const int count = grid->count[axis];
    *position = k == 0 ? 0 : k == 1 ? count - 1 : 1;
    return k == 0 ? 1 : k == 1 ? count > 1 : count > 2 ? count - 2 : 0;
}

int64_t weir_domain_bytes(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                          const struct weir_block_set *set) {
    struct weir_model model;
    int64_t bytes = 0;
    weir_model_make(problem, steady, &model);
    const bool alike = problem->list_up_to <= 0 && !grid->solid; /* those of one place in the grid */
    const int count = set ? set->count : alike ? 0 : grid->total;
    for (int k = 0; k < count; k++)
        bytes += block_bytes(&model, grid, set ? set->blocks[k] : k);
    for (int kind = 0; !set && alike && kind < 27; kind++) {
        int at[3];
        const int64_t blocks = blocks_alike(grid, 0, kind % 3, &at[0]) *
                               blocks_alike(grid, 1, kind / 3 % 3, &at[1]) *
                               blocks_alike(grid, 2, kind / 9, &at[2]);
        if (blocks > 0)
            bytes +=
                blocks * block_bytes(&model, grid, (at[2] * grid->count[1] + at[1]) * grid->count[0] + at[0]);
    }
    return bytes;
}
