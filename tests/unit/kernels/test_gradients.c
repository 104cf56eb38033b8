/* What is kept of the velocity's gradient: differences of the velocities around each cell, of walls too, as
 * they are written down once more here; the same bits however the domain is cut, of bricks and of lists, and
 * by what GPU threads do, run on a CPU (gpu_gradients.cpp). */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GPU(kernel, lattice, precision) weir_gpu_velocity_##kernel##_##lattice##_##precision
#define DECLARE(...)                                 \
    weir_velocity_field_cpu GPU(field, __VA_ARGS__); \
    weir_velocity_gradient_cpu GPU(gradient, __VA_ARGS__);
FOR_VARIANTS(DECLARE)

enum { WEIR_single = WEIR_SINGLE, WEIR_double = WEIR_DOUBLE, WEIR_half = WEIR_HALF };

static const struct variant {
    enum weir_lattice lattice;
    enum weir_precision precision;
    weir_velocity_field_cpu *gpu_field;
    weir_velocity_gradient_cpu *gpu_gradient;
} variants[] = {
#define ROW(lattice, precision)                                                             \
    {WEIR_##lattice, (enum weir_precision)WEIR_##precision, GPU(field, lattice, precision), \
     GPU(gradient, lattice, precision)},
    FOR_VARIANTS(ROW)};

static void problem_of(enum flow flow, const struct variant *variant, bool forced,
                       struct weir_problem *problem) {
    flow_problem(flow, variant->lattice, forced, problem);
    weir_problem_collide_by(problem, WEIR_HYBRID_RECURSIVE);
    problem->precision = variant->precision;
    problem->turbulence = (struct weir_turbulence){.present = true, .model = WEIR_WALE, .constant = 0.5};
}

static struct block_harness *harness_of(const struct weir_problem *problem, const int block_cells[3],
                                        bool lists) {
    const struct weir_kernels *kernels[WEIR_CELL_KIND_COUNT] = {NULL};
    for (int kind = 0; kind <= (lists ? WEIR_LIST : WEIR_BRICK); kind++)
        if (weir_problem_kernels(problem, (enum weir_cell_kind)kind, WEIR_KERNELS_CPU, &kernels[kind]) < 0)
            fail_msg("%s", weir_error_text());
    return block_harness_create_of(problem, kernels, block_cells, true);
}

/* The velocities of the blocks of a harness, and the messages with them. */
struct velocities {
    const struct block_harness *h;
    void **of;
    void *(*message)[WEIR_FACES];
};

static void *zeros(size_t bytes) {
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

static struct velocities velocities_of(const struct block_harness *h) {
    struct velocities v = {h, zeros((size_t)h->grid.total * sizeof *v.of),
                           zeros((size_t)h->grid.total * sizeof *v.message)};
    const size_t cell_bytes = (size_t)h->lattice->dimensions * h->kernels->real_size;
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_box *box = &h->blocks[block].box;
        v.of[block] = zeros((size_t)weir_box_cells(box) * cell_bytes);
        for (int face = 0; face < WEIR_FACES; face++)
            if (h->blocks[block].messages.message[0][face])
                v.message[block][face] =
                    zeros((size_t)(weir_box_cells(box) / box->extent[face / 2]) * cell_bytes);
    }
    return v;
}

static void velocities_free(struct velocities *v) {
    for (int block = 0; block < v->h->grid.total; block++) {
        free(v->of[block]);
        for (int face = 0; face < WEIR_FACES; face++)
            free(v->message[block][face]);
    }
    free(v->of);
    free(v->message);
}

/* The messages that arrive at a block. */
static void arriving(const struct velocities *v, int block, const void *incoming[WEIR_NEIGHBOURS]) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const struct weir_offset offset = weir_offset(k);
        const int neighbour = weir_block_grid_neighbour(&v->h->grid, block, offset.along);
        incoming[k] = k == WEIR_ITSELF || neighbour < 0
                          ? NULL
                          : v->message[neighbour][weir_offset_face(weir_offset_back(offset))];
    }
}

/* Both stages of all blocks. gpu: NULL, or whose functions do it. */
static void fill(const struct velocities *v, const struct variant *gpu) {
    for (int block = 0; block < v->h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(v->h, block);
        const struct weir_kernels *kernels = block_harness_kernels(v->h, block);
        (gpu ? gpu->gpu_field : kernels->cpu.velocity_field)(&view, &v->h->fluid, block_harness_parity(v->h),
                                                             0, view.extent[1][1] * view.extent[2][1],
                                                             v->of[block], v->message[block]);
    }
    for (int block = 0; block < v->h->grid.total; block++) {
        const void *incoming[WEIR_NEIGHBOURS];
        const struct weir_block_view view = block_harness_view(v->h, block);
        const struct weir_kernels *kernels = block_harness_kernels(v->h, block);
        arriving(v, block, incoming);
        (gpu ? gpu->gpu_gradient : kernels->cpu.velocity_gradient)(
            &view, &v->h->fluid, 0, view.extent[1][1] * view.extent[2][1], v->of[block], incoming);
    }
}

/* Value k of what is kept of a cell. */
static double kept_at(const struct block_harness *h, const int cell[3], int k) {
    return block_harness_read(h, block_harness_scalar(h, cell, k));
}

static void assert_same(const struct block_harness *a, const struct block_harness *b, int values) {
    for (int cell[3] = BEFORE_CELLS; block_harness_next_fluid(a, cell);)
        for (int k = 0; k < values; k++)
            assert_true(kept_at(a, cell, k) == kept_at(b, cell, k));
}

/* What lies at an offset along an axis from a cell of the one block of a harness: the distance to a velocity
 * there. */
static double look(const struct velocities *v, const int cell[3], int axis, int side, double velocity[3]) {
    const struct block_harness *h = v->h;
    const struct weir_problem *p = h->problem;
    const int dimensions = h->lattice->dimensions;
    int there[3] = {cell[0], cell[1], cell[2]};
    there[axis] += side;
    const struct weir_block_view view = block_harness_view(h, 0);
    const uint8_t flag =
        view.flags[((there[2] + 1) * (p->cells[1] + 2) + there[1] + 1) * (p->cells[0] + 2) + there[0] + 1];
    if (flag != WEIR_FLUID && flag < WEIR_NEAR_WALL) {
        const struct weir_wall *wall = &p->walls[flag];
        memcpy(velocity, wall->velocity, 3 * sizeof *velocity);
        return wall->rule == WEIR_RULE_WALL || wall->rule == WEIR_RULE_VELOCITY ? 0.5 : 0;
    }
    there[axis] = (there[axis] + p->cells[axis]) % p->cells[axis];
    const size_t cells = (size_t)p->cells[0] * (size_t)p->cells[1] * (size_t)p->cells[2],
                 at = ((size_t)there[2] * (size_t)p->cells[1] + (size_t)there[1]) * (size_t)p->cells[0] +
                      (size_t)there[0];
    for (int a = 0; a < dimensions; a++)
        velocity[a] = block_harness_read_real(h, (const char *)v->of[0] +
                                                     ((size_t)a * cells + at) * h->kernels->real_size);
    return 1;
}

/* The derivative at 0 of the parabola through (-to_before, before), (0, here), (to_after, after). */
static double derivative(double before, double to_before, double here, double after, double to_after) {
    if (to_before == 0 && to_after == 0)
        return 0;
    if (to_before == 0 || to_after == 0)
        return to_before == 0 ? (after - here) / to_after : (here - before) / to_before;
    return (to_before * to_before * (after - here) + to_after * to_after * (here - before)) /
           (to_before * to_after * (to_before + to_after));
}

static void gradient_at(const struct velocities *v, const int cell[3], double gradient[3][3]) {
    double here[3], before[3], after[3];
    memset(gradient, 0, 9 * sizeof(double));
    look(v, cell, 0, 0, here);
    for (int axis = 0; axis < v->h->lattice->dimensions; axis++) {
        const double to_before = look(v, cell, axis, -1, before), to_after = look(v, cell, axis, 1, after);
        for (int a = 0; a < v->h->lattice->dimensions; a++)
            gradient[a][axis] = derivative(before[a], to_before, here[a], after[a], to_after);
    }
}

/* numerics.md (N57), as it is written there. */
static double wale(const double g[3][3], double constant) {
    double square[3][3] = {{0}}, trace = 0, ss = 0, dd = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 3; k++)
                square[a][b] += g[a][k] * g[k][b];
    for (int a = 0; a < 3; a++)
        trace += square[a][a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double s = (g[a][b] + g[b][a]) / 2,
                         d = (square[a][b] + square[b][a]) / 2 - (a == b ? trace / 3 : 0);
            ss += s * s;
            dd += d * d;
        }
    return ss + dd > 0 ? constant * constant * pow(dd, 1.5) / (pow(ss, 2.5) + pow(dd, 1.25)) : 0;
}

static void compare_with_differences(const struct velocities *v) {
    static const double tolerances[] = {[WEIR_SINGLE] = 2e-6, [WEIR_DOUBLE] = 1e-13, [WEIR_HALF] = 1e-3};
    const struct block_harness *h = v->h;
    const int dimensions = h->lattice->dimensions;
    const double tolerance = tolerances[h->problem->precision];
    double largest = 0;
    for (int cell[3] = BEFORE_CELLS; block_harness_next_fluid(h, cell);) {
        double g[3][3];
        gradient_at(v, cell, g);
        const double eddies = wale(g, h->problem->turbulence.constant);
        largest = fmax(largest, eddies);
        assert_close(kept_at(h, cell, 0), eddies, tolerance * 0.1);
        int k = 1;
        for (int a = 0; a < dimensions; a++)
            assert_close(kept_at(h, cell, k++), g[a][a], tolerance * 0.1);
        for (int a = 0; a < dimensions; a++)
            for (int b = a + 1; b < dimensions; b++)
                assert_close(kept_at(h, cell, k++), (g[a][b] + g[b][a]) / 2, tolerance * 0.1);
    }
    assert_true(largest > 1e-4);
}

static void check(enum flow flow, const struct variant *variant, bool forced) {
    struct weir_problem problem, in_lists;
    problem_of(flow, variant, forced, &problem);
    in_lists = problem;
    in_lists.list_up_to = 1;
    struct block_harness *const whole = harness_of(&problem, problem.cells, false);
    struct velocities of_whole = velocities_of(whole);
    fill(&of_whole, NULL);
    compare_with_differences(&of_whole);
    const int values = weir_problem_gradient_values(&problem);
    for (int other = 0; other < 4; other++) {
        const bool lists = other == 1;
        struct block_harness *const h = harness_of(
            lists ? &in_lists : &problem, other == 3 ? problem.cells : (const int[3]){5, 4, 3}, lists);
        struct velocities v = velocities_of(h);
        fill(&v, other >= 2 ? variant : NULL);
        assert_same(h, whole, values);
        velocities_free(&v);
        block_harness_destroy(h);
    }
    velocities_free(&of_whole);
    block_harness_destroy(whole);
}

static void test_differences(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        check(FLOW_BODIES, &variants[v], true);
        check(FLOW_CAVITY, &variants[v], false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
