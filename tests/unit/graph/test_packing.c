/* The tasks that pack and unpack, under StarPU, on whatever workers there are: halo messages of both parities
 * go from one rank's messages to another's copies of them. */
#include "codelets/packing.h"
#include "graph/plan/halo_messages.h"
#include "graph/problem/model.h"
#include "graph/problem/problem.h"
#include "graph/runtime/allocations.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/sanitized.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 24, ROUNDS = 3 };

/* Both ends of one halo message, of which the test holds the memory of messages and halo message. */
struct ends {
    struct weir_block_context context;
    struct weir_model model;
    struct weir_failure failure;
    struct weir_packing sender, receiver;
};

static starpu_data_handle_t register_segments(const struct weir_halo_message *halo) {
    const size_t bytes = sizeof *halo->segments * (size_t)halo->segment_count;
    const starpu_data_handle_t handle = weir_register_bytes(bytes);
    assert_int_equal(starpu_data_acquire(handle, STARPU_W), 0);
    memcpy((void *)STARPU_VECTOR_GET_PTR(starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM)),
           halo->segments, bytes);
    starpu_data_release(handle);
    return handle;
}

static void open_end(struct weir_packing *end, const struct ends *ends, const struct weir_block_grid *grid,
                     const struct weir_halo_message *halo) {
    const size_t bytes = (size_t)halo->populations * ends->context.kernels[WEIR_BRICK]->stored_size;
    *end = (struct weir_packing){.context = &ends->context,
                                 .kernels = ends->context.kernels[WEIR_BRICK],
                                 .rank = halo->rank,
                                 .message_count = halo->message_count,
                                 .segment_count = halo->segment_count,
                                 .bytes = (int64_t)bytes,
                                 .home = {.group = -1, .block = -1},
                                 .segments = register_segments(halo)};
    for (int parity = 0; parity < 2; parity++) {
        end->halo[parity] = weir_register_bytes(bytes);
        for (int m = 0; m < halo->message_count; m++) {
            const struct weir_box box = weir_block_grid_box(grid, halo->messages[m].block);
            end->message[parity][m] = weir_register_bytes(
                weir_model_message_bytes(&ends->model, 0, box.extent, halo->messages[m].face / 2));
        }
    }
}

static void close_end(struct weir_packing *end) {
    starpu_data_unregister(end->segments);
    for (int parity = 0; parity < 2; parity++) {
        starpu_data_unregister(end->halo[parity]);
        for (int m = 0; m < end->message_count; m++)
            starpu_data_unregister(end->message[parity][m]);
    }
}

/* A handle's memory for the test; release it. */
static unsigned char *acquire(starpu_data_handle_t handle, enum starpu_data_access_mode mode) {
    assert_int_equal(starpu_data_acquire(handle, mode), 0);
    return (unsigned char *)STARPU_VECTOR_GET_PTR(starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM));
}

static unsigned char byte_of(int round, int parity, int message, size_t k) {
    return (unsigned char)(k * 37 + (k >> 8) * 11 + (size_t)(message * 5 + parity * 3 + round * 7));
}

static void send(struct ends *ends, struct weir_task_kind *pack, struct weir_task_kind *unpack, int round,
                 int parity) {
    for (int m = 0; m < ends->sender.message_count; m++) {
        const starpu_data_handle_t handle = ends->sender.message[parity][m];
        unsigned char *bytes = acquire(handle, STARPU_W);
        for (size_t k = 0; k < starpu_data_get_size(handle); k++)
            bytes[k] = byte_of(round, parity, m, k);
        starpu_data_release(handle);
    }
    assert_int_equal(weir_pack_submit(pack, &ends->sender, parity), 0);
    const size_t bytes = starpu_data_get_size(ends->sender.halo[parity]);
    memcpy(acquire(ends->receiver.halo[parity], STARPU_W), acquire(ends->sender.halo[parity], STARPU_R),
           bytes);
    starpu_data_release(ends->sender.halo[parity]);
    starpu_data_release(ends->receiver.halo[parity]);
    assert_int_equal(weir_unpack_submit(unpack, &ends->receiver, parity), 0);
}

static void check(struct ends *ends, const struct weir_halo_message *halo, int round, int parity) {
    const size_t size = ends->context.kernels[WEIR_BRICK]->stored_size;
    unsigned char *is[WEIR_HALO_FACE_MESSAGES_MAX];
    for (int m = 0; m < halo->message_count; m++)
        is[m] = acquire(ends->receiver.message[parity][m], STARPU_R);
    for (const struct weir_halo_segment *segment = halo->segments;
         segment < halo->segments + halo->segment_count; segment++)
        for (int row = 0; row < segment->rows; row++)
            for (size_t k = 0; k < (size_t)segment->row_length * size; k++) {
                const size_t at =
                    (size_t)(segment->in_message + (int64_t)row * segment->row_stride) * size + k;
                assert_int_equal(is[segment->message][at], byte_of(round, parity, segment->message, at));
            }
    for (int m = 0; m < halo->message_count; m++)
        starpu_data_release(ends->receiver.message[parity][m]);
}

static void try_precision(enum weir_precision precision, struct weir_task_kind *pack,
                          struct weir_task_kind *unpack) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){150, 140, 12}, sizeof problem.cells);
    memset(problem.periodic, true, sizeof problem.periodic);
    struct weir_block_grid grid;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){75, 35, 4}, &grid), 0);
    assert_int_equal(grid.total, BLOCKS);
    int rank_of[BLOCKS], own[BLOCKS], own_count = 0;
    for (int block = 0; block < BLOCKS; block++) {
        rank_of[block] = block % 3 == 1;
        if (rank_of[block] == 0)
            own[own_count++] = block;
    }
    static struct ends ends;
    memset(&ends, 0, sizeof ends);
    weir_failure_init(&ends.failure);
    ends.context = (struct weir_block_context){
        .kernels = {find_kernels(problem.lattice, WEIR_TRT, precision)}, .failure = &ends.failure};
    problem.precision = precision;
    weir_model_make(&problem, false, &ends.model);
    weir_pack_define(pack, ends.context.kernels[WEIR_BRICK]);
    weir_unpack_define(unpack, ends.context.kernels[WEIR_BRICK]);
    struct weir_halo_messages *halos;
    assert_int_equal(
        weir_halo_messages_create(&ends.model.channel[0].layout, &grid, rank_of, 0, own, own_count, &halos),
        0);
    assert_true(halos->sent_count > 0);
    assert_true(halos->sent[0].message_count > 10 && halos->sent[0].segment_count > 20);
    open_end(&ends.sender, &ends, &grid, &halos->sent[0]);
    open_end(&ends.receiver, &ends, &grid, &halos->sent[0]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int parity = 0; parity < 2; parity++)
            send(&ends, pack, unpack, round, parity);
        for (int parity = 0; parity < 2; parity++)
            check(&ends, &halos->sent[0], round, parity);
    }
    assert_false(weir_failed(&ends.failure));

    /* After a failure nothing is touched any more. */
    weir_failure_record(&ends.failure, 1, "for the test");
    send(&ends, pack, unpack, ROUNDS, 0);
    starpu_task_wait_for_all();
    check(&ends, &halos->sent[0], ROUNDS - 1, 0);
    close_end(&ends.sender);
    close_end(&ends.receiver);
    weir_halo_messages_destroy(halos);
}

static void test_both_ends(void **state) {
    (void)state;
    /* StarPU knows their models until it stops. */
    static struct weir_task_kind kinds[POPULATION_PRECISIONS][2];
    if (starpu_init(NULL) != 0) {
        fail_msg("StarPU does not start");
        return;
    }
    for (int precision = 0; precision < POPULATION_PRECISIONS; precision++)
        try_precision((enum weir_precision)precision, &kinds[precision][0], &kinds[precision][1]);
    starpu_shutdown();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
