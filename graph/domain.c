#include "graph/domain.h"

#include "graph/base/error.h"
#include "graph/plan/ranks.h"
#include "graph/problem/boundaries.h"
#include "graph/ranks/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of the velocity that the test for a steady flow keeps, per cell; floats whatever the run's precision. */
enum { VELOCITY_BYTES = 3 * sizeof(float) };

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

static void register_message(const struct weir_domain *domain, int number, int face,
                             starpu_data_handle_t message[2]) {
    const struct weir_box box = weir_block_grid_box(&domain->grid, number);
    for (int parity = 0; parity < 2; parity++) {
        message[parity] = weir_register_bytes(weir_message_bytes(
            &domain->context.messages, box.extent, face / 2, domain->context.kernels->stored_size));
        starpu_data_set_coordinates(message[parity], 3, box.origin[0], box.origin[1], box.origin[2]);
    }
}

static void register_velocities(struct weir_block *block) {
    const struct weir_block_view *view = &block->view;
    block->velocities = weir_register_bytes(VELOCITY_BYTES * (size_t)view->extent[0][1] *
                                            (size_t)view->extent[1][1] * (size_t)view->extent[2][1]);
}

void weir_domain_register_velocities(struct weir_domain *domain) {
    for (int k = 0; k < domain->set.count; k++)
        register_velocities(&domain->blocks[k]);
    domain->has_velocities = true;
}

/* The data of a block that is new on this rank. */
static void register_block(struct weir_domain *domain, struct weir_block *block, const struct weir_box *box) {
    block->populations = weir_register_bytes(block->layout.populations_bytes);
    block->geometry = weir_register_bytes(block->layout.geometry_bytes);
    starpu_data_set_coordinates(block->populations, 3, box->origin[0], box->origin[1], box->origin[2]);
    for (int face = 0; face < WEIR_FACES; face++) {
        block->outgoing_index[face] = -1;
        if (weir_message_values(&domain->context.messages, box->extent, face / 2) == 0 ||
            weir_block_grid_neighbour(&domain->grid, block->number, weir_offset_beyond(face).along) < 0)
            continue;
        block->outgoing_index[face] = block->outgoing_count++;
        starpu_data_handle_t message[2];
        register_message(domain, block->number, face, message);
        block->outgoing[0][face] = message[0];
        block->outgoing[1][face] = message[1];
    }
}

/* before: as of set_up_blocks. */
static void set_up_block(struct weir_domain *domain, int index, const struct weir_domain *before) {
    struct weir_block *block = &domain->blocks[index];
    const struct weir_problem *problem = domain->problem;
    const int number = domain->set.blocks[index];
    const struct weir_block *stays = before ? weir_domain_block(before, number) : NULL;
    for (int parity = 0; parity < 2; parity++)
        domain->step_arguments[index][parity] = (struct weir_step_argument){block, parity, 1};
    if (stays) {
        *block = *stays;
        return;
    }
    const struct weir_box box = weir_block_grid_box(&domain->grid, number);
    const size_t stored_size = domain->context.kernels->stored_size;
    block->context = &domain->context;
    block->number = number;
    block->home.part = -1;
    block->home.block = number;
    for (int axis = 0; axis < 3; axis++) {
        block->place.origin[axis] = box.origin[axis];
        block->place.domain[axis] = problem->cells[axis];
        for (int side = -1; side <= 1; side++) {
            int offset[3] = {0, 0, 0};
            offset[axis] = side;
            const int neighbour = weir_block_grid_neighbour(&domain->grid, number, offset);
            block->view.extent[axis][side + 1] =
                neighbour < 0 ? 0 : weir_block_grid_box(&domain->grid, neighbour).extent[axis];
        }
    }
    block->view.stride = weir_layout_stride((size_t)weir_box_cells(&box), stored_size);
    block->layout = weir_boundaries_layout(problem, &box);
    register_block(domain, block, &box);
    if (domain->has_velocities)
        register_velocities(block);
}

/* Block and face of the message that populations from an offset arrive in; false where none do. */
static bool find_source(const struct weir_domain *domain, int number, int neighbour_index, int *source,
                        int *face) {
    const struct weir_offset offset = weir_offset(neighbour_index);
    *face = weir_message_face(&domain->context.messages, offset);
    *source = *face < 0 ? -1 : weir_block_grid_neighbour(&domain->grid, number, offset.along);
    if (*source < 0)
        return false;
    const struct weir_box box = weir_block_grid_box(&domain->grid, *source);
    return weir_message_crossing(&domain->context.messages, box.extent, weir_offset_back(offset)) > 0;
}

static int compare_ghosts(const void *a, const void *b) {
    const struct weir_ghost *p = a, *q = b;
    return p->block != q->block ? (p->block > q->block) - (p->block < q->block) : p->face - q->face;
}

/* Registers the messages of other ranks' blocks that this rank's blocks read, each once. */
static int set_up_ghosts(struct weir_domain *domain) {
    int capacity = 0, found = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int index = 0; index < domain->set.count; index++)
            for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
                int source, face;
                if (!find_source(domain, domain->set.blocks[index], k, &source, &face) ||
                    weir_domain_block(domain, source))
                    continue;
                if (pass == 0)
                    capacity++;
                else
                    domain->ghosts[found++] = (struct weir_ghost){.block = source, .face = face};
            }
        if (capacity == 0)
            return 0;
        if (pass == 0 && !(domain->ghosts = calloc((size_t)capacity, sizeof *domain->ghosts)))
            return weir_fail(WEIR_FAILED,
                             "out of memory for the messages of other ranks; choose larger blocks");
    }
    qsort(domain->ghosts, (size_t)found, sizeof *domain->ghosts, compare_ghosts);
    for (int k = 0; k < found; k++)
        if (k == 0 || compare_ghosts(&domain->ghosts[k], &domain->ghosts[domain->ghost_count - 1]) != 0)
            domain->ghosts[domain->ghost_count++] = domain->ghosts[k];
    for (int k = 0; k < domain->ghost_count; k++)
        register_message(domain, domain->ghosts[k].block, domain->ghosts[k].face, domain->ghosts[k].message);
    return 0;
}

/* Finds, for every offset, the message that populations from there arrive in. */
static void wire_block(struct weir_domain *domain, struct weir_block *block) {
    block->incoming_count = 0;
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        int source, face, index = 0;
        block->incoming_index[k] = -1;
        if (!find_source(domain, block->number, k, &source, &face))
            continue;
        const starpu_data_handle_t message = weir_domain_message(domain, source, face, 0);
        while (index < block->incoming_count && block->incoming[0][index] != message)
            index++;
        block->incoming_index[k] = index;
        if (index == block->incoming_count) {
            block->incoming_count++;
            block->incoming[0][index] = message;
            block->incoming[1][index] = weir_domain_message(domain, source, face, 1);
        }
    }
}

struct weir_block *weir_domain_block(const struct weir_domain *domain, int number) {
    const int index = weir_block_set_index(&domain->set, number);
    return index < 0 ? NULL : &domain->blocks[index];
}

starpu_data_handle_t weir_domain_message(const struct weir_domain *domain, int block, int face, int parity) {
    const struct weir_block *here = weir_domain_block(domain, block);
    if (here)
        return here->outgoing[parity][face];
    const struct weir_ghost key = {.block = block, .face = face};
    const struct weir_ghost *ghost = domain->ghost_count > 0
                                         ? bsearch(&key, domain->ghosts, (size_t)domain->ghost_count,
                                                   sizeof *domain->ghosts, compare_ghosts)
                                         : NULL;
    return ghost ? ghost->message[parity] : NULL;
}

/* The numbers of this rank's blocks. NULL when memory is short. */
static int *blocks_of(const struct weir_block_grid *grid, const int *rank_of, int rank, int *count) {
    *count = 0;
    for (int number = 0; number < grid->total; number++)
        *count += !rank_of || rank_of[number] == rank;
    int *blocks = malloc(sizeof *blocks * ((size_t)*count + 1));
    for (int number = 0, k = 0; blocks && number < grid->total; number++)
        if (!rank_of || rank_of[number] == rank)
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
        domain->idle_ranks -= !has_blocks[rank_of[block]];
        has_blocks[rank_of[block]] = true;
    }
    free(has_blocks);
    return true;
}

static bool allocate_blocks(struct weir_domain *domain, const int *rank_of) {
    const size_t total = (size_t)domain->grid.total;
    if (rank_of && (domain->rank_of = malloc(sizeof *rank_of * total)))
        memcpy(domain->rank_of, rank_of, sizeof *rank_of * total);
    const bool counted = !rank_of || count_idle_ranks(domain, rank_of);
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
        if (heir && weir_domain_block(heir, block->number))
            continue;
        starpu_data_unregister_no_coherency(block->populations);
        starpu_data_unregister_no_coherency(block->geometry);
        if (block->velocities)
            starpu_data_unregister_no_coherency(block->velocities);
        for (int parity = 0; parity < 2; parity++)
            for (int face = 0; face < WEIR_FACES; face++)
                if (block->outgoing[parity][face])
                    starpu_data_unregister_no_coherency(block->outgoing[parity][face]);
    }
    for (int k = 0; k < domain->ghost_count; k++)
        for (int parity = 0; parity < 2; parity++)
            starpu_data_unregister_no_coherency(domain->ghosts[k].message[parity]);
    free(domain->blocks);
    free(domain->step_arguments);
    free(domain->ghosts);
    free((int *)domain->set.blocks);
    free(domain->rank_of);
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
    for (int index = 0; index < domain->set.count; index++)
        set_up_block(domain, index, before);
    if (error == 0)
        error = set_up_ghosts(domain);
    if (error != 0) {
        release(domain, before);
        free(domain);
        return error;
    }
    for (int index = 0; index < domain->set.count; index++)
        wire_block(domain, &domain->blocks[index]);
    return 0;
}

int weir_domain_create(const struct weir_problem *problem, const struct weir_block_grid *grid,
                       const struct weir_world *world, const struct weir_kernels *kernels, const int *rank_of,
                       struct weir_domain **result) {
    struct weir_domain *domain = calloc(1, sizeof *domain);
    if (!domain)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the domain");
    domain->problem = problem;
    domain->grid = *grid;
    domain->world = world;
    weir_failure_init(&domain->failure);
    domain->context = (struct weir_block_context){
        .kernels = kernels,
        .lattice = weir_lattice_table((int)problem->lattice),
        .fluid = weir_problem_fluid(problem),
        .failure = &domain->failure,
    };
    weir_problem_messages(problem, &domain->context.messages);
    WEIR_TRY(set_up_blocks(domain, rank_of, NULL));
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
    next->context = domain->context;
    next->has_velocities = domain->has_velocities;
    WEIR_TRY(set_up_blocks(next, rank_of, domain));
    *result = next;
    return 0;
}

void weir_domain_become(struct weir_domain *domain, struct weir_domain *next) {
    release(domain, next);
    domain->rank_of = next->rank_of;
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

int64_t weir_domain_velocity_bytes(const struct weir_block_grid *grid, const struct weir_block_set *set) {
    int64_t cells = 0;
    if (!set)
        return (int64_t)VELOCITY_BYTES * grid->cells[0] * grid->cells[1] * grid->cells[2];
    for (int k = 0; k < set->count; k++) {
        const struct weir_box box = weir_block_grid_box(grid, set->blocks[k]);
        cells += weir_box_cells(&box);
    }
    return VELOCITY_BYTES * cells;
}

static int64_t block_bytes(const struct weir_problem *problem, const struct weir_block_grid *grid,
                           int number) {
    struct weir_message_layout messages;
    weir_problem_messages(problem, &messages);
    const size_t stored_size = weir_stored_size(problem->precision);
    const struct weir_box box = weir_block_grid_box(grid, number);
    const struct weir_block_layout layout = weir_boundaries_layout(problem, &box);
    size_t bytes = layout.populations_bytes + layout.geometry_bytes;
    for (int face = 0; face < WEIR_FACES; face++) {
        if (weir_block_grid_neighbour(grid, number, weir_offset_beyond(face).along) >= 0)
            bytes += 2 * weir_message_bytes(&messages, box.extent, face / 2, stored_size);
    }
    return (int64_t)bytes;
}

/* Blocks of a grid differ by whether they are the first or the last along an axis, or in between: the place
 * of the k-th such kind, and how many of it there are. */
static int64_t blocks_alike(const struct weir_block_grid *grid, int axis, int k, int *position) {
    const int count = grid->count[axis];
    *position = k == 0 ? 0 : k == 1 ? count - 1 : 1;
    return k == 0 ? 1 : k == 1 ? count > 1 : count > 2 ? count - 2 : 0;
}

int64_t weir_domain_bytes(const struct weir_problem *problem, const struct weir_block_grid *grid,
                          const struct weir_block_set *set) {
    int64_t bytes = 0;
    for (int k = 0; set && k < set->count; k++)
        bytes += block_bytes(problem, grid, set->blocks[k]);
    for (int kind = 0; !set && kind < 27; kind++) {
        int at[3];
        const int64_t alike = blocks_alike(grid, 0, kind % 3, &at[0]) *
                              blocks_alike(grid, 1, kind / 3 % 3, &at[1]) *
                              blocks_alike(grid, 2, kind / 9, &at[2]);
        if (alike > 0)
            bytes +=
                alike * block_bytes(problem, grid, (at[2] * grid->count[1] + at[1]) * grid->count[0] + at[0]);
    }
    return bytes;
}
