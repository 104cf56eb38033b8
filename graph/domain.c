#include "graph/domain.h"

#include "graph/error.h"

#include <stdlib.h>
#include <string.h>

int weir_check_submitted(int result, const struct weir_task_kind *kind) {
    if (result == 0)
        return 0;
    return weir_fail(WEIR_UNAVAILABLE,
                     "no worker here can run the task %s (%s); try --set placement.workers=auto",
                     kind->codelet.name, strerror(-result));
}

struct weir_fluid weir_domain_fluid(const struct weir_problem *problem) {
    struct weir_fluid fluid = {.omega_plus = 1 / problem->relaxation_time};
    fluid.omega_minus = fluid.omega_plus;
    if (problem->collision == WEIR_TRT)
        fluid.omega_minus = 1 / (0.5 + problem->magic / (problem->relaxation_time - 0.5));
    for (int axis = 0; axis < 3; axis++) {
        fluid.force[axis] = problem->force[axis];
        fluid.forced = fluid.forced || problem->force[axis] != 0;
    }
    return fluid;
}

static void set_up_block(struct weir_domain *domain, int number) {
    struct weir_block *block = &domain->blocks[number];
    const struct weir_problem *problem = domain->problem;
    const struct weir_box box = weir_block_grid_box(&domain->grid, number);
    const size_t stored_size = domain->context.kernels->stored_size;
    block->context = &domain->context;
    block->number = number;
    block->home.part = -1;
    block->home.block = number;
    for (int parity = 0; parity < 2; parity++)
        domain->step_arguments[number][parity] = (struct weir_step_argument){block, parity};
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
    block->walls_offset = weir_layout_walls_offset(box.extent);
    block->populations =
        weir_register_bytes(weir_layout_populations_bytes(domain->context.lattice, box.extent, stored_size));
    block->geometry = weir_register_bytes(
        weir_layout_geometry_bytes(box.extent, problem->wall_count, domain->context.kernels->real_size));
    const int x = box.origin[0], y = box.origin[1], z = box.origin[2];
    starpu_data_set_coordinates(block->populations, 3, x, y, z);
    for (int face = 0; face < WEIR_FACES; face++) {
        int offset[3] = {0, 0, 0};
        offset[face / 2] = face % 2 ? 1 : -1;
        const size_t bytes =
            weir_layout_message_bytes(domain->context.lattice, box.extent, face / 2, stored_size);
        block->outgoing_index[face] = -1;
        if (bytes == 0 || weir_block_grid_neighbour(&domain->grid, number, offset) < 0)
            continue;
        block->outgoing_index[face] = block->outgoing_count++;
        for (int parity = 0; parity < 2; parity++) {
            block->outgoing[parity][face] = weir_register_bytes(bytes);
            starpu_data_set_coordinates(block->outgoing[parity][face], 3, x, y, z);
        }
    }
}

/* Finds, for every offset, the message that populations from there arrive in. */
static void wire_block(struct weir_domain *domain, int number) {
    struct weir_block *block = &domain->blocks[number];
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        block->incoming_index[k] = -1;
        const int face = weir_lattice_message_face(domain->context.lattice, offset);
        if (face < 0)
            continue;
        const int neighbour = weir_block_grid_neighbour(&domain->grid, number, offset);
        if (neighbour < 0)
            continue;
        const struct weir_block *source = &domain->blocks[neighbour];
        int index = 0;
        while (index < block->incoming_count && block->incoming[0][index] != source->outgoing[0][face])
            index++;
        block->incoming_index[k] = index;
        if (index == block->incoming_count) {
            block->incoming_count++;
            for (int parity = 0; parity < 2; parity++)
                block->incoming[parity][index] = source->outgoing[parity][face];
        }
    }
}

int weir_domain_create(const struct weir_problem *problem, const int block_cells[3],
                       struct weir_domain **result) {
    struct weir_domain *domain = calloc(1, sizeof *domain);
    if (!domain)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the domain");
    domain->problem = problem;
    weir_failure_init(&domain->failure);
    const int error = weir_block_grid_create(problem, block_cells, &domain->grid);
    if (error != 0) {
        free(domain);
        return error;
    }
    domain->context = (struct weir_block_context){
        .kernels = weir_kernels_find(problem->lattice, problem->collision, problem->precision),
        .lattice = weir_lattice_table((int)problem->lattice),
        .fluid = weir_domain_fluid(problem),
        .failure = &domain->failure,
    };
    domain->blocks = calloc((size_t)domain->grid.total, sizeof *domain->blocks);
    domain->step_arguments = calloc((size_t)domain->grid.total, sizeof *domain->step_arguments);
    if (!domain->blocks || !domain->step_arguments) {
        free(domain->blocks);
        free(domain->step_arguments);
        const int blocks = domain->grid.total;
        free(domain);
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks with blocks.cells",
                         blocks);
    }
    for (int number = 0; number < domain->grid.total; number++)
        set_up_block(domain, number);
    for (int number = 0; number < domain->grid.total; number++)
        wire_block(domain, number);
    *result = domain;
    return 0;
}

void weir_domain_destroy(struct weir_domain *domain) {
    if (!domain)
        return;
    for (int number = 0; number < domain->grid.total; number++) {
        struct weir_block *block = &domain->blocks[number];
        starpu_data_unregister_no_coherency(block->populations);
        starpu_data_unregister_no_coherency(block->geometry);
        for (int parity = 0; parity < 2; parity++)
            for (int face = 0; face < WEIR_FACES; face++)
                if (block->outgoing[parity][face])
                    starpu_data_unregister_no_coherency(block->outgoing[parity][face]);
    }
    free(domain->blocks);
    free(domain->step_arguments);
    free(domain);
}

int64_t weir_domain_bytes(const struct weir_problem *problem, const struct weir_block_grid *grid) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const struct weir_kernels *kernels =
        weir_kernels_find(problem->lattice, problem->collision, problem->precision);
    size_t bytes = 0;
    for (int number = 0; number < grid->total; number++) {
        const struct weir_box box = weir_block_grid_box(grid, number);
        bytes += weir_layout_populations_bytes(lattice, box.extent, kernels->stored_size) +
                 weir_layout_geometry_bytes(box.extent, problem->wall_count, kernels->real_size);
        for (int face = 0; face < WEIR_FACES; face++) {
            int offset[3] = {0, 0, 0};
            offset[face / 2] = face % 2 ? 1 : -1;
            if (weir_block_grid_neighbour(grid, number, offset) >= 0)
                bytes += 2 * weir_layout_message_bytes(lattice, box.extent, face / 2, kernels->stored_size);
        }
    }
    return (int64_t)bytes;
}
