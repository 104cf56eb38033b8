#include "tests/unit/block_harness.h"

#include "codelets/kernels/demand/routes.h"
#include "graph/problem/boundaries.h"
#include "graph/problem/geometry.h"
#include "graph/problem/start_values.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"
#include "tests/unit/reference_collisions.h"
#include "tests/unit/upper_halves.h"

#include <stdlib.h>
#include <string.h>

/* NULL for 0 bytes, which no kernel may touch. */
static void *allocate(size_t bytes) {
    void *memory = bytes > 0 ? malloc(bytes) : NULL;
    if (bytes > 0 && !memory)
        abort();
    return memory;
}

static bool any_wall_moves(const struct weir_problem *p) {
    for (int wall = 0; wall < p->wall_count; wall++)
        if (weir_wall_acts(&p->walls[wall]))
            return true;
    return false;
}

static unsigned moving_faces(const struct weir_problem *p) {
    unsigned faces = 0;
    for (int face = 0; face < WEIR_FACES; face++)
        faces |= (unsigned)weir_wall_acts(&p->walls[WEIR_WALL_OF_FACE(face)]) << face;
    return faces;
}

/* numerics.md (N25), (N34), (N57). */
static double eddies_of(const struct weir_turbulence *t) {
    return (t->model == WEIR_WALE ? 1 : t->model == WEIR_QR ? 18 : 18 * sqrt(2)) * t->constant * t->constant;
}

static struct weir_fluid fluid_of(const struct weir_problem *p) {
    const double tau_odd = p->collision == WEIR_BGK || p->collision == WEIR_THERMAL_BGK ? p->relaxation_time
                           : p->collision == WEIR_THERMAL_HERMITE
                               ? 0.5 + (p->relaxation_time - 0.5) / p->parameters[0]
                           : p->collision == WEIR_TRT ? 0.5 + p->parameters[0] / (p->relaxation_time - 0.5)
                           : p->collision == WEIR_MRT ? 1 / p->parameters[2]
                                                      : 1;
    const double tau = p->scalar.relaxation_time;
    struct weir_fluid fluid = {.scalar_omega_minus = 1 / tau,
                               .scalar_omega_plus = 1 / (0.5 + p->scalar.magic / (tau - 0.5)),
                               .scalar_excess = tau - 0.5,
                               .scalar_magic = p->scalar.magic,
                               .omega_plus = 1 / p->relaxation_time,
                               .omega_minus = 1 / tau_odd,
                               .force = {p->force[0], p->force[1], p->force[2]},
                               .buoyancy_reference = p->scalar.reference,
                               .forced = p->force[0] != 0 || p->force[1] != 0 || p->force[2] != 0 ||
                                         weir_problem_is_buoyant(p),
                               .walls_move = any_wall_moves(p),
                               .moving_faces = moving_faces(p),
                               .eddies = p->turbulence.present ? eddies_of(&p->turbulence) : 0};
    if (p->turbulence.present && p->scalar.present)
        fluid.scalar_mixing =
            (weir_lattice_dimensions(p->lattice) == 2 ? 3 : 4) / p->scalar.turbulent_prandtl;
    for (int axis = 0; axis < 3; axis++)
        fluid.buoyancy[axis] = reference_inertia(p, p->reference_density) * p->scalar.buoyancy[axis];
    memcpy(fluid.parameters, p->parameters, sizeof fluid.parameters);
    weir_problem_ends(p, fluid.ends);
    if (p->collision == WEIR_PARAMETRISED_CUMULANT) /* behind the limiter */
        reference_cumulant_rates(p->relaxation_time, fluid.parameters + 1);
    return fluid;
}

double block_harness_read_real(const struct block_harness *h, const void *real) {
    return h->kernels->real_size == sizeof(float) ? (double)*(const float *)real : *(const double *)real;
}

void block_harness_write_real(const struct block_harness *h, void *real, double value) {
    if (h->kernels->real_size == sizeof(float))
        *(float *)real = (float)value;
    else
        *(double *)real = value;
}

double block_harness_read(const struct block_harness *h, const void *stored) {
    if (h->problem->precision != WEIR_HALF)
        return block_harness_read_real(h, stored);
    _Float16 half;
    memcpy(&half, stored, sizeof half);
    return (double)half / 32768;
}

void block_harness_write(const struct block_harness *h, void *stored, double value) {
    if (h->problem->precision != WEIR_HALF) {
        block_harness_write_real(h, stored, value);
    } else {
        const _Float16 half = (_Float16)(value * 32768);
        memcpy(stored, &half, sizeof half);
    }
}

int block_harness_parity(const struct block_harness *h) {
    return (int)(h->step % 2);
}

static void *stored_at(const struct block_harness *h, void *stored, size_t number) {
    return (char *)stored + number * h->kernels->stored_size;
}

/* Flag of a cell of a block or its ring. */
static uint8_t flag_at(const struct block_harness *h, const struct harness_block *block, const int local[3]) {
    int place = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const int ring = weir_lattice_ring(h->lattice, axis);
        place = place * (block->box.extent[axis] + 2 * ring) + local[axis] + ring;
    }
    return ((const uint8_t *)block->geometry)[place];
}

static bool solid_flag(uint8_t flag) {
    return flag != WEIR_FLUID && flag < WEIR_NEAR_WALL;
}

/* Cells lie in the block's arrays x fastest; in lists solid ones have no place. */
static void list_entries(const struct block_harness *h, struct harness_block *block) {
    const int *n = block->box.extent;
    const bool all = block->layout.kept.kind == WEIR_BRICK;
    block->entries = allocate((size_t)weir_box_cells(&block->box) * sizeof *block->entries);
    int entry = 0, cell = 0;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                block->entries[cell++] = entry;
                entry += all || !solid_flag(flag_at(h, block, (const int[3]){x, y, z}));
            }
    if (entry != block->layout.kept.count)
        abort();
}

/* The values of a step's boundaries, where those of the last but one were. */
static void vary(const struct block_harness *h, const struct harness_block *block, int64_t step) {
    if (weir_boundaries_vary(h->problem, &block->box, &block->layout, step, block->varying[step % 2]) < 0)
        abort();
}

static void allocate_block(const struct block_harness *h, int number) {
    struct harness_block *block = &h->blocks[number];
    const struct weir_problem *p = h->problem;
    const size_t size = h->kernels->stored_size;
    block->box = weir_block_grid_box(&h->grid, number);
    const int *extent = block->box.extent;
    struct weir_block_form form;
    if (weir_block_form_count(p, &block->box, &form) < 0)
        abort();
    block->layout = weir_boundaries_layout(p, &form);
    block->populations = allocate(block->layout.populations_bytes);
    block->geometry = allocate(block->layout.geometry_bytes);
    if (h->further_lattice->populations > 0)
        block->scalar =
            allocate(weir_layout_populations_bytes(h->further_lattice, &block->layout.kept, size));
    if (weir_boundaries_fill(p, &block->box, 3, &block->layout, block->geometry) < 0)
        abort();
    list_entries(h, block);
    for (int parity = 0; parity < 2; parity++) {
        block->varying[parity] = allocate(block->layout.varying_bytes);
        vary(h, block, parity);
    }
    struct weir_message_layout messages;
    flow_messages(p, &messages);
    for (int face = 0; face < WEIR_FACES; face++) {
        if (weir_block_grid_neighbour(&h->grid, number, weir_offset_beyond(face).along) < 0)
            continue;
        block->messages.bytes[face] = weir_message_bytes(&messages, extent, face / 2, size);
        for (int parity = 0; parity < 2; parity++)
            block->messages.message[parity][face] = allocate(block->messages.bytes[face]);
    }
}

/* Initial density and velocity of a block and its ring; cells beyond a face that is not periodic repeat those
 * at the face, and must not matter. NULL where all cells are alike. */
static double *initial_values(const struct weir_problem *p, const struct weir_lattice_table *lattice,
                              const struct weir_box *box) {
    if (!weir_start_values_differ(p))
        return NULL;
    const size_t cells = weir_layout_ringed_cells(lattice, box->extent);
    const int ring[3] = {weir_lattice_ring(lattice, 0), weir_lattice_ring(lattice, 1),
                         weir_lattice_ring(lattice, 2)};
    const size_t count = (size_t)weir_problem_initial_values(p), all = (size_t)weir_start_values_count(p);
    double *values = allocate(all * cells * sizeof *values), *value = values;
    for (int z = -ring[2]; z < box->extent[2] + ring[2]; z++)
        for (int y = -ring[1]; y < box->extent[1] + ring[1]; y++)
            for (int x = -ring[0]; x < box->extent[0] + ring[0]; x++, value++) {
                int cell[3] = {box->origin[0] + x, box->origin[1] + y, box->origin[2] + z};
                for (int axis = 0; axis < 3; axis++) {
                    const int n = p->cells[axis];
                    if (p->periodic[axis])
                        cell[axis] = (cell[axis] + n) % n;
                    else
                        cell[axis] = cell[axis] < 0 ? 0 : cell[axis] >= n ? n - 1 : cell[axis];
                }
                double here[WEIR_INITIAL_MAX];
                reference_initial(p, cell, here);
                for (size_t k = 0; k < count; k++)
                    value[k * cells] = here[k];
            }
    const struct weir_box ringed = {
        .origin = {box->origin[0] - ring[0], box->origin[1] - ring[1], box->origin[2] - ring[2]},
        .extent = {box->extent[0] + 2 * ring[0], box->extent[1] + 2 * ring[1], box->extent[2] + 2 * ring[2]}};
    if (all > count && weir_start_values_conductors(p, &ringed, values + count * cells) < 0)
        abort();
    return values;
}

static void initialise_block(const struct block_harness *h, int number, bool poison) {
    const struct weir_problem *p = h->problem;
    struct weir_block_view view = block_harness_view(h, number);
    /* The first step reads what a step of parity 1 would have written. */
    memcpy(view.outgoing, h->blocks[number].messages.message[1], sizeof view.outgoing);
    double *values = initial_values(p, h->lattice, &h->blocks[number].box);
    const struct weir_initial_state state = {
        .density = p->initial_density,
        .velocity = {p->initial_velocity[0], p->initial_velocity[1], p->initial_velocity[2]},
        .fifth = weir_problem_initial_fifth(p),
        .source = p->scalar.source,
        .values = values,
        .poison = poison};
    const int rows = view.extent[1][1] * view.extent[2][1];
    const struct weir_kernels *kernels = block_harness_kernels(h, number);
    kernels->cpu.clear(&view, poison, &h->blocks[number].messages, 0, rows);
    kernels->cpu.initialise(&view, &h->fluid, &state, 0, rows);
    expect_cleared_upper_halves("initialise");
    free(values);
}

const struct weir_kernels *block_harness_kernels(const struct block_harness *h, int block) {
    return h->of_cells[h->blocks[block].layout.kept.kind];
}

struct block_harness *block_harness_create(const struct weir_problem *problem,
                                           const struct weir_kernels *kernels, const int block_cells[3],
                                           bool poison) {
    const struct weir_kernels *const of_cells[WEIR_CELL_KIND_COUNT] = {kernels};
    return block_harness_create_of(problem, of_cells, block_cells, poison);
}

struct block_harness *block_harness_create_of(const struct weir_problem *problem,
                                              const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT],
                                              const int block_cells[3], bool poison) {
    struct block_harness *h = allocate(sizeof *h);
    *h = (struct block_harness){
        .problem = problem,
        .kernels = kernels[WEIR_BRICK],
        .lattice = weir_lattice_table((int)problem->lattice),
        .scalar_lattice =
            problem->scalar.present ? weir_lattice_table((int)weir_scalar_lattice(problem)) : NULL,
        .further_lattice = weir_resting_table(weir_lattice_dimensions(problem->lattice),
                                              problem->scalar.present, weir_problem_resting_values(problem)),
        .fluid = fluid_of(problem)};
    memcpy(h->of_cells, kernels, sizeof h->of_cells);
    if (weir_block_grid_create(problem, block_cells, &h->grid) < 0)
        abort();
    h->blocks = calloc((size_t)h->grid.total, sizeof *h->blocks);
    if (!h->blocks)
        abort();
    for (int block = 0; block < h->grid.total; block++)
        allocate_block(h, block);
    for (int block = 0; block < h->grid.total; block++)
        initialise_block(h, block, poison);
    return h;
}

void block_harness_destroy(struct block_harness *h) {
    if (!h)
        return;
    for (int block = 0; block < h->grid.total; block++) {
        free(h->blocks[block].populations);
        free(h->blocks[block].scalar);
        free(h->blocks[block].geometry);
        free(h->blocks[block].varying[0]);
        free(h->blocks[block].varying[1]);
        free(h->blocks[block].entries);
        free(h->blocks[block].routes);
        for (int face = 0; face < WEIR_FACES; face++) {
            free(h->blocks[block].messages.message[0][face]);
            free(h->blocks[block].messages.message[1][face]);
        }
    }
    free(h->blocks);
    free(h);
}

/* Face through which the neighbour at an offset sent what arrives from it: that of the first crossed axis,
 * towards here. */
static int face_of_arrival(const int offset[3]) {
    const int axis = offset[0] != 0 ? 0 : offset[1] != 0 ? 1 : 2;
    return 2 * axis + (offset[axis] < 0);
}

struct weir_block_view block_harness_view(const struct block_harness *h, int number) {
    const struct harness_block *block = &h->blocks[number];
    const int parity = block_harness_parity(h);
    struct weir_block_view view = {.stride = 0};
    weir_layout_open(&block->layout, block->populations, block->geometry, block->varying[parity], &view);
    view.further = block->scalar;
    memcpy(view.outgoing, block->messages.message[parity], sizeof view.outgoing);
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const struct weir_offset towards = weir_offset(k);
        const int *const offset = towards.along;
        const int neighbour = weir_block_grid_neighbour(&h->grid, number, offset);
        if (neighbour < 0)
            continue;
        const struct harness_block *other = &h->blocks[neighbour];
        if (neighbour != number || k != WEIR_ITSELF)
            view.incoming[k] = other->messages.message[1 - parity][face_of_arrival(offset)];
        for (int axis = 0; axis < 3; axis++)
            view.extent[axis][offset[axis] + 1] = other->box.extent[axis];
    }
    return view;
}

/* Every other list has a table of its routes. */
static void take_routes(const struct block_harness *h, int number, struct weir_block_view *view) {
    struct harness_block *block = &h->blocks[number];
    if (number % 2 == 0 && !block->routes)
        block->routes = weir_routes_create(block_harness_kernels(h, number), view);
    view->list.routes = block->routes;
}

static void step_block(const struct block_harness *h, int number) {
    enum { ROWS = 4 };
    struct weir_block_view view = block_harness_view(h, number);
    take_routes(h, number, &view);
    const int parity = block_harness_parity(h);
    const int rows = h->blocks[number].box.extent[1] * h->blocks[number].box.extent[2];
    const int parts = (rows + ROWS - 1) / ROWS;
    for (int k = 0; k < parts; k++) {
        const int begin = ROWS * (parity ? k : parts - 1 - k); /* as weir_turn has it */
        const int end = begin + ROWS < rows ? begin + ROWS : rows;
        clear_upper_halves_before();
        block_harness_kernels(h, number)->cpu.collide_stream(&view, &h->fluid, parity, begin, end);
        expect_cleared_upper_halves("collide_stream");
    }
}

void block_harness_end_step(struct block_harness *h) {
    for (int block = 0; block < h->grid.total; block++)
        vary(h, &h->blocks[block], h->step + 2);
    h->step++;
}

void block_harness_run_to(struct block_harness *h, int64_t step) {
    while (h->step < step) {
        for (int block = 0; block < h->grid.total; block++)
            step_block(h, block_harness_parity(h) ? h->grid.total - 1 - block : block);
        block_harness_end_step(h);
    }
}

struct weir_place block_harness_place(const struct block_harness *h, int block) {
    struct weir_place place;
    for (int axis = 0; axis < 3; axis++) {
        place.origin[axis] = h->blocks[block].box.origin[axis];
        place.domain[axis] = h->problem->cells[axis];
    }
    return place;
}

int block_harness_find(const struct block_harness *h, const int cell[3], int local[3]) {
    int position[3];
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = cell[axis] / h->grid.block_cells[axis];
        local[axis] = cell[axis] % h->grid.block_cells[axis];
    }
    return (position[2] * h->grid.count[1] + position[1]) * h->grid.count[0] + position[0];
}

bool block_harness_solid(const struct block_harness *h, const int cell[3]) {
    int local[3];
    const int block = block_harness_find(h, cell, local);
    return solid_flag(flag_at(h, &h->blocks[block], local));
}

bool block_harness_next_fluid(const struct block_harness *h, int cell[3]) {
    const int *const cells = h->problem->cells;
    do {
        cell[0]++;
        for (int axis = 0; axis < 2 && cell[axis] == cells[axis]; axis++) {
            cell[axis] = 0;
            cell[axis + 1]++;
        }
    } while (cell[2] < cells[2] && block_harness_solid(h, cell));
    return cell[2] < cells[2];
}

/* A set of populations: the flow's, or the scalar's with what is kept behind it. */
static const struct weir_lattice_table *lattice_of(const struct block_harness *h, bool scalar) {
    return scalar ? h->further_lattice : h->lattice;
}

static void *slot_at(const struct block_harness *h, const struct harness_block *block, bool scalar, int i,
                     const int local[3]) {
    const int *n = block->box.extent;
    const int entry = block->entries[(local[2] * n[1] + local[1]) * n[0] + local[0]];
    const size_t stride = weir_layout_stride((size_t)block->layout.kept.count, h->kernels->stored_size),
                 group = (size_t)entry / WEIR_LISTED_TOGETHER, cell = (size_t)entry % WEIR_LISTED_TOGETHER,
                 populations = (size_t)lattice_of(h, scalar)->populations;
    const size_t place = block->layout.kept.kind == WEIR_BRICK
                             ? (size_t)i * stride + (size_t)entry
                             : (group * populations + (size_t)i) * WEIR_LISTED_TOGETHER + cell;
    return stored_at(h, scalar ? block->scalar : block->populations, place);
}

/* Place in a message: the layers of directions that leave through the face, in the order of their numbers,
 * one for each depth; the face's two axes in their order, the lower one fastest. */
static void *message_at(const struct block_harness *h, const struct harness_block *block, bool scalar, int i,
                        int face, const int local[3]) {
    const int axis = face / 2, low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    const int *n = block->box.extent;
    int of_flow = 0; /* the scalar's come behind all of these */
    for (int j = 0; scalar && j < h->lattice->populations; j++)
        of_flow += abs(h->lattice->velocity[j][axis]);
    const int layer = of_flow / 2 + reference_first_layer(lattice_of(h, scalar), i, axis) +
                      (face % 2 ? n[axis] - 1 - local[axis] : local[axis]);
    const int number = (layer * n[high] + local[high]) * n[low] + local[low];
    return stored_at(h, block->messages.message[1 - block_harness_parity(h)][face], (size_t)number);
}

/* The direction along which f_i left that arrives past mirrors, and where from, counted as `here` is; 0: it
 * does not. The way back is the same. */
static int past_mirrors(const struct block_harness *h, const int cell[3], int i, const int here[3],
                        int from[3]) {
    const int *const back = h->lattice->velocity[h->lattice->opposite[i]];
    int turned[3], there[3], sent = 0;
    if (i == 0 || reference_mirror(h->problem, cell, back, turned, there) == 0)
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = here[axis] + (turned[axis] == back[axis] ? back[axis] : 0);
        turned[axis] = -turned[axis];
    }
    while (memcmp(h->lattice->velocity[sent], turned, sizeof turned) != 0)
        sent++;
    return sent;
}

static void *population_of(const struct block_harness *h, bool scalar, const int cell[3], int i) {
    const struct weir_lattice_table *lattice = lattice_of(h, scalar);
    int here[3], from[3], offset[3];
    const int number = block_harness_find(h, cell, here);
    const struct harness_block *block = &h->blocks[number];
    bool outside = false;
    for (int axis = 0; axis < 3; axis++) {
        const int n = block->box.extent[axis];
        from[axis] = here[axis] - lattice->velocity[i][axis];
        /* Along an axis that the population does not move along it stays in this block. */
        offset[axis] = from[axis] < 0 ? -1 : from[axis] >= n ? 1 : 0;
        outside = outside || offset[axis] != 0;
    }
    int sent = i; /* the direction along which it left */
    if (i == 0 || solid_flag(flag_at(h, block, from))) {
        sent = scalar ? 0 : past_mirrors(h, cell, i, here, from);
        if (sent == 0)
            return slot_at(h, block, scalar, i, here);
        outside = false;
        for (int axis = 0; axis < 3; axis++) {
            const int n = block->box.extent[axis];
            offset[axis] = from[axis] < 0 ? -1 : from[axis] >= n ? 1 : 0;
            outside = outside || offset[axis] != 0;
        }
    }
    if (!outside)
        return block_harness_parity(h) ? slot_at(h, block, scalar, lattice->opposite[sent], from)
                                       : slot_at(h, block, scalar, i, here);
    const struct harness_block *other = &h->blocks[weir_block_grid_neighbour(&h->grid, number, offset)];
    for (int axis = 0; axis < 3; axis++)
        if (offset[axis] != 0)
            from[axis] += offset[axis] < 0 ? other->box.extent[axis] : -block->box.extent[axis];
    return message_at(h, other, scalar, sent, face_of_arrival(offset), from);
}

void *block_harness_population(const struct block_harness *h, const int cell[3], int i) {
    return population_of(h, false, cell, i);
}

void *block_harness_scalar(const struct block_harness *h, const int cell[3], int i) {
    return population_of(h, true, cell, i);
}

void block_harness_digest(const struct block_harness *h, uint64_t sum[2]) {
    sum[0] = sum[1] = 0;
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        const struct weir_place place = block_harness_place(h, block);
        uint64_t part[2];
        block_harness_kernels(h, block)->cpu.digest(&view, &h->fluid, block_harness_parity(h), &place, 0,
                                                    view.extent[1][1] * view.extent[2][1], part);
        expect_cleared_upper_halves("digest");
        sum[0] += part[0];
        sum[1] += part[1];
    }
}

void *block_harness_natural(const struct block_harness *h, size_t *bytes) {
    const int *n = h->problem->cells;
    const size_t size = h->kernels->stored_size;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const int of_flow = h->lattice->populations,
              all_sets = of_flow + (h->scalar_lattice ? h->scalar_lattice->populations : 0);
    *bytes = cells * (size_t)all_sets * size;
    char *all = calloc(cells * (size_t)all_sets, size), *next = all;
    if (!all)
        abort();
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, next += (size_t)all_sets * size) {
                const int cell[3] = {x, y, z};
                const int count = block_harness_solid(h, cell) ? 0 : all_sets;
                for (int i = 0; i < count; i++)
                    memcpy(next + (size_t)i * size,
                           i < of_flow ? block_harness_population(h, cell, i)
                                       : block_harness_scalar(h, cell, i - of_flow),
                           size);
            }
    return all;
}

static void take_larger(double *largest, double difference) {
    if (!(fabs(difference) <= *largest)) /* NaN, too, and it stays */
        *largest = fabs(difference);
}

double block_harness_difference(const struct block_harness *h, const struct reference *r) {
    double largest = 0;
    for (int cell[3] = BEFORE_CELLS; block_harness_next_fluid(h, cell);) {
        const double *f = reference_populations(r, cell);
        for (int i = 0; i < h->lattice->populations; i++)
            take_larger(&largest, block_harness_read(h, block_harness_population(h, cell, i)) -
                                      (f[i] - h->lattice->weight[i]));
        const double *g = h->scalar_lattice ? reference_scalar_populations(r, cell) : NULL;
        for (int i = 0; g && i < h->scalar_lattice->populations; i++)
            take_larger(&largest, block_harness_read(h, block_harness_scalar(h, cell, i)) - g[i]);
    }
    return largest;
}

bool block_harness_same(const struct block_harness *a, const struct block_harness *b) {
    size_t bytes_a, bytes_b;
    uint64_t digest_a[2], digest_b[2];
    void *natural_a = block_harness_natural(a, &bytes_a), *natural_b = block_harness_natural(b, &bytes_b);
    block_harness_digest(a, digest_a);
    block_harness_digest(b, digest_b);
    const bool same = bytes_a == bytes_b && memcmp(natural_a, natural_b, bytes_a) == 0 &&
                      memcmp(digest_a, digest_b, sizeof digest_a) == 0;
    free(natural_a);
    free(natural_b);
    return same;
}
