/* Memory layouts of weir bench layouts, on CPUs and as GPU threads step them, against the kernels of runs:
 * the same bits after some steps in a periodic domain, by propagation and collision one after the other, and
 * in one pass. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4 };

typedef weir_layout_step_cpu *operations[WEIR_LAYOUT_OPERATIONS];

/* A domain by the kernels of runs: populations in natural order before the first step and after the last. */
struct stepped {
    struct weir_problem problem;
    struct weir_fluid fluid;
    size_t number_bytes, bytes;
    void *start, *end;
};

static void *allocate(size_t bytes) {
    void *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 64, (bytes + 63) / 64 * 64), 0);
    return memory;
}

static void *natural(const struct block_harness *h, size_t bytes) {
    const struct weir_block_view view = block_harness_view(h, 0);
    void *populations = allocate(bytes);
    h->kernels->cpu.snapshot(&view, block_harness_parity(h), 0, view.extent[1][1] * view.extent[2][1],
                             populations);
    return populations;
}

static const struct weir_kernels *kernels_of(const struct weir_kernel_specification *specification) {
    struct weir_kernel_news news;
    const struct weir_kernels *const kernels = weir_kernels_find(specification, WEIR_KERNELS_CPU, &news);
    if (!kernels)
        fail_msg("%s", news.error);
    return kernels;
}

static void create_stepped(enum weir_lattice lattice, enum weir_collision collision,
                           enum weir_precision precision, struct stepped *flow) {
    struct weir_problem *const p = &flow->problem;
    flow_problem(FLOW_PERIODIC, lattice, false, p);
    weir_problem_collide_by(p, collision);
    p->precision = precision;
    memcpy(p->cells, (const int[3]){48, 7, weir_lattice_dimensions(lattice) == 3 ? 5 : 1}, sizeof p->cells);
    const struct weir_kernel_specification specification = weir_problem_specification(p, WEIR_BRICK);
    struct block_harness *h = block_harness_create(p, kernels_of(&specification), p->cells, true);
    flow->fluid = h->fluid;
    flow->number_bytes = weir_precision_row(precision)->stored_bytes;
    flow->bytes = (size_t)(p->cells[0] * p->cells[1] * p->cells[2]) * (size_t)h->lattice->populations *
                  flow->number_bytes;
    flow->start = natural(h, flow->bytes);
    block_harness_run_to(h, STEPS);
    flow->end = natural(h, flow->bytes);
    assert_true(memcmp(flow->start, flow->end, flow->bytes) != 0);
    for (size_t k = 0; k < flow->bytes; k += flow->number_bytes)
        assert_true(isfinite(block_harness_read(h, (char *)flow->end + k)));
    block_harness_destroy(h);
}

static void destroy_stepped(struct stepped *flow) {
    free(flow->start);
    free(flow->end);
}

/* Does an operation in two parts, the second first, and swaps the copies. */
static void operate(const struct stepped *flow, const struct weir_site_layout *layout,
                    weir_layout_step_cpu *operation, void *copy[2]) {
    const int rows = layout->cells[1] * layout->cells[2], half = rows / 2;
    operation(layout, &flow->fluid, copy[0], copy[1], half, rows);
    operation(layout, &flow->fluid, copy[0], copy[1], 0, half);
    void *const other = copy[0];
    copy[0] = copy[1];
    copy[1] = other;
}

static void compare(const struct stepped *flow, bool together, int cluster,
                    weir_layout_step_cpu *const *steps, const char *where) {
    const size_t size = flow->number_bytes;
    struct weir_site_layout layout;
    weir_site_layout_make(weir_lattice_table((int)flow->problem.lattice), flow->problem.cells, together,
                          cluster, size, &layout);
    for (int fused = 0; fused < 2; fused++) {
        void *copy[2] = {allocate(layout.numbers * size), allocate(layout.numbers * size)};
        void *const end = allocate(flow->bytes);
        for (int k = 0; k < 2; k++)
            memset(copy[k], 0xff, layout.numbers * size); /* a NaN */
        weir_site_layout_put(&layout, size, flow->start, copy[0]);
        operate(flow, &layout, steps[WEIR_LAYOUT_COLLIDE], copy);
        for (int step = 1; step < STEPS; step++) {
            weir_site_layout_fill_margin(&layout, size, copy[0]);
            operate(flow, &layout, steps[fused ? WEIR_LAYOUT_FUSED : WEIR_LAYOUT_PROPAGATE], copy);
            if (!fused)
                operate(flow, &layout, steps[WEIR_LAYOUT_COLLIDE], copy);
        }
        weir_site_layout_fill_margin(&layout, size, copy[0]);
        operate(flow, &layout, steps[WEIR_LAYOUT_PROPAGATE], copy);
        weir_site_layout_get(&layout, size, copy[0], end);
        if (memcmp(end, flow->end, flow->bytes) != 0)
            fail_msg("%s on a %s, clusters of %d, %s: other populations than those of runs",
                     weir_site_layout_name(together, cluster), where, cluster,
                     fused ? "in one pass" : "in two");
        free(copy[0]);
        free(copy[1]);
        free(end);
    }
}

/* Also with stores past the caches. */
static void check_on_cpu(const struct stepped *flow, bool together, int cluster) {
    const bool lines = weir_site_layout_in_lines(together, cluster, flow->number_bytes);
    for (int past_caches = 0; past_caches <= (WEIR_COPIES_NONTEMPORAL && lines); past_caches++) {
        struct weir_kernel_specification s = weir_problem_specification(&flow->problem, WEIR_BRICK);
        weir_specify_layout(&s, together, cluster, past_caches != 0);
        compare(flow, together, cluster, kernels_of(&s)->cpu.layout, "CPU");
    }
}

static void check(enum weir_lattice lattice, enum weir_collision collision, enum weir_precision precision) {
    struct stepped flow;
    create_stepped(lattice, collision, precision, &flow);
    for (int together = 0; together < 2; together++) {
        check_on_cpu(&flow, together != 0, 1);
        if (precision == WEIR_SINGLE)
            check_on_cpu(&flow, together != 0, 4);
        check_on_cpu(&flow, together != 0, 16);
    }
    destroy_stepped(&flow);
}

static void test_thermal(void **state) {
    (void)state;
    if (WEIR_SANITIZED)
        skip(); /* compilers take minutes */
    check(WEIR_D2Q37, WEIR_THERMAL_BGK, WEIR_DOUBLE);
}

static void test_double(void **state) {
    (void)state;
    check(WEIR_SANITIZED ? WEIR_D2Q9 : WEIR_D3Q19, WEIR_TRT, WEIR_DOUBLE);
}

static void test_single(void **state) {
    (void)state;
    check(WEIR_SANITIZED ? WEIR_D2Q9 : WEIR_D3Q19, WEIR_TRT, WEIR_SINGLE);
}

/* FOR_VARIANTS(variant): lattice, collision, precision, whether populations lie together, cells of a cluster.
 */
#define GPU_STEP(operation, lattice, collision, precision, together, cluster) \
    weir_gpu_layout_##operation##_##lattice##_##collision##_##precision##_##together##_##cluster
#define DECLARE(...)                                                                       \
    weir_layout_step_cpu GPU_STEP(propagate, __VA_ARGS__), GPU_STEP(collide, __VA_ARGS__), \
        GPU_STEP(fused, __VA_ARGS__);
FOR_VARIANTS(DECLARE)

#define WEIR_trt WEIR_TRT
#define WEIR_thermal_bgk WEIR_THERMAL_BGK
#define WEIR_single WEIR_SINGLE
#define WEIR_double WEIR_DOUBLE
#define CHECK_ON_GPU(lattice, collision, precision, together, cluster)                              \
    {                                                                                               \
        struct stepped flow;                                                                        \
        create_stepped(WEIR_##lattice, WEIR_##collision, WEIR_##precision, &flow);                  \
        compare(&flow, together, cluster,                                                           \
                (operations){GPU_STEP(propagate, lattice, collision, precision, together, cluster), \
                             GPU_STEP(collide, lattice, collision, precision, together, cluster),   \
                             GPU_STEP(fused, lattice, collision, precision, together, cluster)},    \
                "GPU");                                                                             \
        destroy_stepped(&flow);                                                                     \
    }

static void test_on_gpu(void **state) {
    (void)state;
    FOR_VARIANTS(CHECK_ON_GPU)
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thermal), cmocka_unit_test(test_double),
                                       cmocka_unit_test(test_single), cmocka_unit_test(test_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
