/* The eddy viscosity that is seen of cells: that of the slow reference's next collision;
 * and what GPU threads see, run on a CPU (gpu_macroscopic.cpp), is the same bits. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <stdlib.h>
#include <string.h>

#define GPU(kernel, lattice, collision, precision, model) \
    weir_gpu_##kernel##_##lattice##_##collision##_##precision##_##model
#define DECLARE(...) weir_macroscopic_cpu GPU(macroscopic, __VA_ARGS__), GPU(sample, __VA_ARGS__);
FOR_VARIANTS(DECLARE)

enum { WEIR_smagorinsky = WEIR_SMAGORINSKY, WEIR_qr = WEIR_QR };
enum { WEIR_bgk = WEIR_BGK, WEIR_trt = WEIR_TRT };
enum { WEIR_single = WEIR_SINGLE, WEIR_double = WEIR_DOUBLE, WEIR_half = WEIR_HALF };

static const struct variant {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    enum weir_turbulence_model model;
    weir_macroscopic_cpu *gpu_macroscopic, *gpu_sample;
} variants[] = {
#define ROW(lattice, collision, precision, model)            \
    {WEIR_##lattice,                                         \
     (enum weir_collision)WEIR_##collision,                  \
     (enum weir_precision)WEIR_##precision,                  \
     (enum weir_turbulence_model)WEIR_##model,               \
     GPU(macroscopic, lattice, collision, precision, model), \
     GPU(sample, lattice, collision, precision, model)},
    FOR_VARIANTS(ROW)};

static void add_eddies(struct weir_problem *problem, const struct variant *variant, double constant) {
    weir_problem_collide_by(problem, variant->collision);
    problem->precision = variant->precision;
    problem->turbulence =
        (struct weir_turbulence){.present = true, .model = variant->model, .constant = constant};
}

static struct block_harness *harness_of(const struct weir_problem *problem, const int block_cells[3]) {
    const struct weir_kernels *kernels;
    if (weir_problem_kernels(problem, WEIR_BRICK, WEIR_KERNELS_CPU, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    return block_harness_create(problem, kernels, block_cells, true);
}

/* What is seen of a box, [weir_problem_observed][cells of the box], in reals; the caller frees. */
static void *observe(const struct block_harness *h, int block, const struct weir_local_box *box,
                     weir_macroscopic_cpu *look, size_t *bytes) {
    const struct weir_block_view view = block_harness_view(h, block);
    *bytes = (size_t)weir_problem_observed(h->problem) * h->kernels->real_size *
             (size_t)(box->extent[0] * box->extent[1] * box->extent[2]);
    void *reals = calloc(1, *bytes);
    assert_non_null(reals);
    look(&view, &h->fluid, block_harness_parity(h), box, reals);
    return reals;
}

/* Value k of the eddy viscosity, the last that is seen, of a box of so many cells. */
static double eddies_at(const struct block_harness *h, const void *reals, size_t cells, size_t k) {
    const size_t last = (size_t)weir_problem_observed(h->problem) - 1;
    return block_harness_read_real(h, (const char *)reals + (last * cells + k) * h->kernels->real_size);
}

static void compare_with_reference(const struct block_harness *h, const struct reference *reference,
                                   int block, const void *reals, double tolerance) {
    const struct weir_box *box = &h->blocks[block].box;
    const size_t cells = (size_t)weir_box_cells(box);
    for (size_t k = 0; k < cells; k++) {
        const size_t row = k / (size_t)box->extent[0];
        const int cell[3] = {box->origin[0] + (int)(k % (size_t)box->extent[0]),
                             box->origin[1] + (int)(row % (size_t)box->extent[1]),
                             box->origin[2] + (int)(row / (size_t)box->extent[1])};
        const double seen = eddies_at(h, reals, cells, k);
        if (block_harness_solid(h, cell))
            assert_true(isnan(seen));
        else
            assert_close(seen, reference_eddy_viscosity(reference, cell), tolerance);
    }
}

static void compare_with_gpu(const struct block_harness *h, const struct variant *variant, int block,
                             const struct weir_local_box *whole, const void *reals, size_t bytes) {
    size_t size;
    void *seen = observe(h, block, whole, variant->gpu_macroscopic, &size);
    assert_memory_equal(seen, reals, bytes);
    free(seen);
    const struct weir_local_box around = {{1, 0, 0}, {2, 2, whole->extent[2] > 1 ? 2 : 1}};
    void *box = observe(h, block, &around, h->kernels->cpu.macroscopic, &size);
    void *sample = observe(h, block, &around, variant->gpu_sample, &size);
    assert_memory_equal(sample, box, size);
    free(sample);
    free(box);
}

/* add: what else the problem has; NULL: nothing. Then, and on wet faces, GPUs' texts are not compiled here.
 */
static void check(enum flow flow, const struct variant *variant, bool forced,
                  void (*add)(struct weir_problem *problem)) {
    static const double tolerances[] = {[WEIR_SINGLE] = 3e-7, [WEIR_DOUBLE] = 1e-14, [WEIR_HALF] = 3e-4};
    struct weir_problem problem;
    flow_problem(flow, variant->lattice, forced, &problem);
    add_eddies(&problem, variant, variant->model == WEIR_QR ? 1 : 0.4);
    if (add)
        add(&problem);
    assert_int_equal(weir_problem_observed(&problem), 5 + problem.scalar.present);
    struct block_harness *h = harness_of(&problem, (const int[3]){5, 4, 3});
    struct reference *reference = reference_create(&problem);
    for (int64_t step = 0; step < 4; step++) {
        block_harness_run_to(h, step);
        for (int block = 0; block < h->grid.total; block++) {
            struct weir_local_box whole = {.origin = {0, 0, 0}};
            size_t bytes;
            memcpy(whole.extent, h->blocks[block].box.extent, sizeof whole.extent);
            void *reals = observe(h, block, &whole, h->kernels->cpu.macroscopic, &bytes);
            compare_with_reference(h, reference, block, reals, tolerances[problem.precision]);
            if (flow != FLOW_WET && !add)
                compare_with_gpu(h, variant, block, &whole, reals, bytes);
            free(reals);
        }
        reference_step(reference);
    }
    reference_destroy(reference);
    block_harness_destroy(h);
}

static void test_against_reference(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int forced = 0; forced < 2; forced++)
            check(FLOW_BODIES, &variants[v], forced, NULL);
}

/* Of what collides in the cells of such faces, which is not what arrives there. */
static void test_on_wet_faces(void **state) {
    (void)state;
    check(FLOW_WET, &variants[0], true, NULL);
    check(FLOW_WET, &variants[1], false, NULL);
}

static void add_buoyant_scalar(struct weir_problem *problem) {
    flow_add_scalar(problem);
    flow_add_buoyancy(problem);
}

/* The eddy viscosity stands behind the scalar, and a force of its own is on each cell. */
static void test_beside_a_scalar(void **state) {
    (void)state;
    check(FLOW_BODIES, &variants[0], false, flow_add_scalar);
    check(FLOW_BODIES, &variants[0], true, add_buoyant_scalar);
    check(FLOW_BODIES, &variants[1], false, add_buoyant_scalar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_reference),
        cmocka_unit_test(test_on_wet_faces),
        cmocka_unit_test(test_beside_a_scalar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
