/* The time model against calculations by hand, the split against known best ones, the fit against the
 * constants that made the samples. All numbers are made up. */
#include "graph/plan/best_split.h"
#include "graph/plan/decomposition.h"
#include "graph/plan/rate_fit.h"
#include "graph/plan/time_model.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, BLOCK = SIDE * SIDE * SIDE };
static const double face_bytes = 5 * SIDE * SIDE * 4; /* D3Q19, single */

/* A row or brick of blocks of 8^3 fluid cells. periodic: along x. */
static struct weir_decomposition *decomposition_of(int nx, int ny, int nz, bool periodic,
                                                   const int64_t *fluid) {
    struct weir_problem problem;
    struct weir_block_grid grid;
    struct weir_decomposition *decomposition = NULL;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){SIDE * nx, SIDE * ny, SIDE * nz}, sizeof problem.cells);
    problem.periodic[0] = periodic;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){SIDE, SIDE, SIDE}, &grid), 0);
    assert_int_equal(weir_decomposition_create(&problem, &grid, NULL, fluid, &decomposition), 0);
    return decomposition;
}

/* A GPU that takes 1 us per block of fluid and a team that takes 9 us; all else is free. */
static struct weir_machine gpu_and_team(void) {
    return (struct weir_machine){
        .kind_count = 2,
        .kinds = {
            {.kind = WEIR_WORKER_GROUP_GPU, .count = 1, .tasks_at_once = 1, .rates = {1e-6 / BLOCK, 0, 0}},
            {.kind = WEIR_WORKER_GROUP_TEAM, .count = 1, .tasks_at_once = 1, .rates = {9e-6 / BLOCK, 0, 0}}}};
}

static struct weir_split split_of(const struct weir_machine *machine,
                                  const struct weir_decomposition *decomposition) {
    struct weir_split split;
    int *group_of = malloc(sizeof *group_of * (size_t)decomposition->grid.total);
    assert_non_null(group_of);
    assert_int_equal(weir_best_split(machine, decomposition, group_of, &split), 0);
    struct weir_prediction again;
    weir_time_model_predict(machine, decomposition, group_of, &again);
    assert_close(split.prediction.step_seconds, again.step_seconds, 0);
    free(group_of);
    return split;
}

static void test_messages_and_readers(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(2, 2, 1, false, NULL);
    assert_close(decomposition->total_fluid, 4 * BLOCK, 0);
    /* Block 0: x+ is read by 1 and, over the edge, by 3; y+ by 2; nothing leaves the domain. */
    const struct weir_decomposition_message *m = &decomposition->messages[1];
    assert_int_equal(m->reader_count, 2);
    assert_int_equal(decomposition->readers[m->first_reader], 1);
    assert_int_equal(decomposition->readers[m->first_reader + 1], 3);
    assert_close(m->bytes, face_bytes, 0);
    assert_int_equal(decomposition->messages[0].reader_count, 0);
    assert_close(decomposition->messages[0].bytes, 0, 0);
    assert_int_equal(decomposition->messages[3].reader_count, 1);
    assert_int_equal(decomposition->readers[decomposition->messages[3].first_reader], 2);
    weir_decomposition_destroy(decomposition);
}

/* Two blocks of 8^3 cells, half of one of which is solid. */
static void half_solid(struct weir_problem *problem) {
    static struct weir_shape box = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {8, 8, 4}}};
    weir_problem_default(problem);
    memcpy(problem->cells, (const int[3]){16, 8, 8}, sizeof problem->cells);
    problem->wall_count = WEIR_FIRST_BODY + 1;
    problem->shapes = &box;
    problem->shape_count = 1;
}

static void test_solids_are_counted(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_block_grid grid;
    struct weir_decomposition *decomposition = NULL;
    half_solid(&problem);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &grid), 0);
    assert_int_equal(weir_decomposition_create(&problem, &grid, NULL, NULL, &decomposition), 0);
    assert_close(decomposition->fluid_cells[0], 256, 0);
    assert_close(decomposition->solid_cells[0], 256, 0);
    assert_close(decomposition->fluid_cells[1], 512, 0);
    weir_decomposition_destroy(decomposition);
}

/* (T3): one task at a time adds up, many hide the smaller of the two. */
static void test_group(void **state) {
    (void)state;
    struct weir_machine_kind kind = {.tasks_at_once = 1, .rates = {0, 0, 2}};
    assert_close(weir_time_model_worker_group(&kind, 10, 3), 16, 1e-12);
    kind.tasks_at_once = 4;
    assert_close(weir_time_model_worker_group(&kind, 100, 10), 100 + 20 / 4.0, 1e-12);
    assert_close(weir_time_model_worker_group(&kind, 12, 10), 20 + 12 / 4.0, 1e-12);
    assert_close(weir_time_model_worker_group(&kind, 12, 1), 14, 1e-12);
    assert_close(weir_time_model_worker_group(&kind, 0, 0), 0, 0);
}

/* Every term of (T8), by hand: four blocks in a row, two on the GPU with two streams, two on the team. */
static void test_prediction_by_hand(void **state) {
    (void)state;
    const int64_t fluid[4] = {BLOCK, BLOCK, BLOCK / 2, BLOCK};
    struct weir_decomposition *decomposition = decomposition_of(4, 1, 1, false, fluid);
    struct weir_machine machine = {
        .kind_count = 2,
        .kinds =
            {{.kind = WEIR_WORKER_GROUP_GPU, .count = 1, .tasks_at_once = 2, .rates = {1e-9, 1e-10, 1e-7}},
             {.kind = WEIR_WORKER_GROUP_TEAM, .count = 1, .tasks_at_once = 1, .rates = {2e-9, 4e-10, 3e-7}}},
        .memory_link = {.message_seconds = 1e-6, .byte_seconds = 1e-10},
        .submit_seconds = 1e-7,
    };
    const int group_of[4] = {0, 0, 1, 1};
    struct weir_prediction p;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    const double gpu = 2 * BLOCK * 1e-9 + 2e-7 / 2;
    const double team = (1.5 * BLOCK) * 2e-9 + 0.5 * BLOCK * 4e-10 + 2 * 3e-7;
    const double way = 1e-6 + face_bytes * 1e-10;
    /* Block 1 (two at once on the GPU) and block 2 wait for each other. */
    const double d1 = 2 * BLOCK * 1e-9 + 1e-7, d2 = 0.5 * BLOCK * (2e-9 + 4e-10) + 3e-7;
    const double round_trip = 0.5 * (d1 + d2) + way;
    assert_close(p.group[0].seconds, gpu, 1e-15);
    assert_close(p.group[1].seconds, team, 1e-15);
    assert_int_equal(p.group[0].blocks, 2);
    assert_close(p.group[1].fluid_cells, 1.5 * BLOCK, 0);
    assert_close(p.compute_seconds, fmax(gpu, team), 1e-15);
    assert_close(p.memory_link_seconds, way, 1e-15);
    assert_close(p.gpu_link_seconds, 0, 0);
    assert_close(p.submit_seconds, 4e-7, 1e-18);
    assert_close(p.step_seconds, fmax(fmax(gpu, team), round_trip), 1e-15);
    assert_close(p.unhidden_seconds, fmax(0, round_trip - fmax(gpu, team)), 1e-15);
    assert_close(p.updates_per_second, 3.5 * BLOCK / p.step_seconds, 1e-3);

    /* A link so slow that it alone decides, and then only the way there and back is too slow. */
    machine.memory_link.byte_seconds = 1e-8;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_int_equal(p.bound, WEIR_BOUND_ROUND_TRIP);
    machine.submit_seconds = 1;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_int_equal(p.bound, WEIR_BOUND_SUBMISSION);
    assert_close(p.step_seconds, 4, 1e-12);
    weir_decomposition_destroy(decomposition);
}

/* What handing out and submitting costs is shared by the many steps of a task. */
static void test_one_block(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(1, 1, 1, false, NULL);
    const struct weir_machine machine = {
        .kind_count = 1,
        .kinds =
            {{.kind = WEIR_WORKER_GROUP_TEAM, .count = 1, .tasks_at_once = 1, .rates = {2e-9, 4e-10, 3e-4}}},
        .submit_seconds = 1,
    };
    struct weir_prediction p;
    weir_time_model_predict(&machine, decomposition, (const int[1]){0}, &p);
    assert_close(p.step_seconds, BLOCK * 2e-9, 1e-15);
    assert_int_equal(p.bound, WEIR_BOUND_COMPUTE);
    weir_decomposition_destroy(decomposition);
}

/* Messages between GPUs take the GPUs' own link, or cross two where there is none; a message is sent once to
 * each memory, however many blocks there read it. */
static void test_links(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(2, 2, 1, false, NULL);
    struct weir_machine machine = {
        .kind_count = 1,
        .kinds = {{.kind = WEIR_WORKER_GROUP_GPU, .count = 2, .tasks_at_once = 1}},
        .memory_link = {.message_seconds = 1},
        .has_gpu_link = true,
        .gpu_link = {.message_seconds = 0.25},
    };
    const int group_of[4] = {0, 1, 0, 1}; /* 0 and 2 have x = 0 */
    struct weir_prediction p;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_close(p.gpu_link_seconds, 2 * 0.25, 0); /* x+ of 0 and of 2, each once */
    assert_close(p.memory_link_seconds, 0, 0);
    machine.has_gpu_link = false;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_close(p.gpu_link_seconds, 0, 0);
    assert_close(p.memory_link_seconds, 2, 0);
    weir_decomposition_destroy(decomposition);
}

static void test_nine_to_one(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(100, 1, 1, false, NULL);
    const struct weir_machine machine = gpu_and_team();
    const struct weir_split split = split_of(&machine, decomposition);
    assert_int_equal(split.prediction.group[0].blocks, 90);
    assert_int_equal(split.prediction.group[1].blocks, 10);
    assert_close(split.prediction.step_seconds, 90e-6, 1e-12);
    assert_close(split.share[0], 0.9, 0.01);
    assert_int_equal(split.prediction.bound, WEIR_BOUND_COMPUTE);
    weir_decomposition_destroy(decomposition);
}

/* One block takes the team longer than all of them take the GPU. */
static void test_block_too_coarse(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(8, 1, 1, false, NULL);
    const struct weir_machine machine = gpu_and_team();
    const struct weir_split split = split_of(&machine, decomposition);
    assert_int_equal(split.prediction.group[0].blocks, 8);
    assert_int_equal(split.prediction.group[1].blocks, 0);
    assert_close(split.share[1], 0, 0);
    weir_decomposition_destroy(decomposition);
    decomposition = decomposition_of(11, 1, 1, false, NULL); /* now it pays: 10 us against 11 us */
    const struct weir_split larger = split_of(&machine, decomposition);
    assert_int_equal(larger.prediction.group[1].blocks, 1);
    weir_decomposition_destroy(decomposition);
}

/* Two equal cores, one half of the domain nearly all solid, which costs a quarter: equal times, not equal
 * cells. */
static void test_solid_half(void **state) {
    (void)state;
    int64_t fluid[100];
    for (int k = 0; k < 100; k++)
        fluid[k] = k < 50 ? BLOCK : 0;
    struct weir_decomposition *decomposition = decomposition_of(100, 1, 1, false, fluid);
    const struct weir_machine machine = {.kind_count = 1,
                                         .kinds = {{.kind = WEIR_WORKER_GROUP_CORE,
                                                    .count = 2,
                                                    .tasks_at_once = 1,
                                                    .rates = {4e-6 / BLOCK, 1e-6 / BLOCK, 0}}}};
    const struct weir_split split = split_of(&machine, decomposition);
    assert_close(split.prediction.step_seconds, 125e-6, 2.1e-6); /* (50 * 4 + 50 * 1) / 2, whole blocks */
    assert_in_range(split.prediction.group[0].blocks, 31, 32);
    assert_close(split.share[0], 0.5, 0);
    weir_decomposition_destroy(decomposition);
}

/* The team's blocks lie as a column at one end of a brick; the more of them, the more messages. */
static void test_slow_link(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(16, 4, 4, false, NULL);
    struct weir_machine machine = gpu_and_team();
    machine.kinds[1].rates.fluid_cell_seconds = 3e-6 / BLOCK;
    const struct weir_split fast = split_of(&machine, decomposition);
    assert_int_equal(fast.prediction.group[1].blocks, 64);
    machine.memory_link.message_seconds =
        17e-6; /* a face of 16 blocks takes 272 us, more than the GPU alone */
    const struct weir_split slow = split_of(&machine, decomposition);
    assert_in_range(slow.prediction.group[1].blocks, 0, 20);
    assert_true(slow.prediction.step_seconds > fast.prediction.step_seconds);
    assert_true(slow.prediction.step_seconds <= 256e-6); /* never worse than the GPU alone */
    weir_decomposition_destroy(decomposition);
}

/* A team that is twice as fast as long as it has one block only. With 14 blocks, 13 and 1 take 13 us; by the
 * slow rate one block would take the team 20 us and it would get none. */
static void test_cache(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(14, 1, 1, false, NULL);
    struct weir_machine machine = gpu_and_team();
    machine.kinds[1].rates.fluid_cell_seconds = 20e-6 / BLOCK;
    const struct weir_split without = split_of(&machine, decomposition);
    assert_int_equal(without.prediction.group[1].blocks, 0);
    machine.kinds[1].cached_cells = BLOCK;
    machine.kinds[1].cached_fluid_cell_seconds = 10e-6 / BLOCK;
    const struct weir_split with = split_of(&machine, decomposition);
    assert_int_equal(with.prediction.group[1].blocks, 1);
    assert_close(with.prediction.step_seconds, 13e-6, 1e-12);
    assert_close(with.prediction.group[1].seconds, 10e-6, 1e-12);
    weir_decomposition_destroy(decomposition);
}

static void test_no_groups(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(2, 1, 1, false, NULL);
    const struct weir_machine machine = {.kind_count = 1};
    struct weir_split split;
    int group_of[2];
    assert_int_equal(weir_best_split(&machine, decomposition, group_of, &split), -2);
    weir_decomposition_destroy(decomposition);
}

/* Eight GPUs, two teams and 118 cores, 4096 blocks: near the ideal, whatever the numbers. */
static void test_large_machine(void **state) {
    (void)state;
    struct weir_decomposition *decomposition = decomposition_of(16, 16, 16, true, NULL);
    const struct weir_machine machine = {
        .kind_count = 3,
        .kinds = {
            {.kind = WEIR_WORKER_GROUP_GPU, .count = 8, .tasks_at_once = 4, .rates = {1e-5 / BLOCK, 0, 0}},
            {.kind = WEIR_WORKER_GROUP_TEAM, .count = 2, .tasks_at_once = 1, .rates = {1e-4 / BLOCK, 0, 0}},
            {.kind = WEIR_WORKER_GROUP_CORE,
             .count = 118,
             .tasks_at_once = 1,
             .rates = {5e-4 / BLOCK, 0, 0}}}};
    const double ideal = 4096 / (8 / 1e-5 + 2 / 1e-4 + 118 / 5e-4);
    const struct weir_split split = split_of(&machine, decomposition);
    assert_true(split.prediction.step_seconds < 1.15 * ideal);
    int blocks = 0;
    for (int group = 0; group < split.prediction.group_count; group++)
        blocks += split.prediction.group[group].blocks;
    assert_int_equal(blocks, 4096);
    weir_decomposition_destroy(decomposition);
}

/* Blocks that are lists cost what lists do: as measured, else some bricks' worth. */
static void test_lists_have_rates_of_their_own(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_block_grid grid;
    struct weir_decomposition *decomposition = NULL;
    struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT];
    half_solid(&problem);
    problem.list_up_to = 0.5;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &grid), 0);
    assert_int_equal(weir_decomposition_create(&problem, &grid, NULL, NULL, &decomposition), 0);
    assert_int_equal(decomposition->kinds[0], WEIR_LIST);
    assert_int_equal(decomposition->kinds[1], WEIR_BRICK);
    struct weir_machine machine = {.kind_count = 1,
                                   .kinds = {{.kind = WEIR_WORKER_GROUP_CORE,
                                              .count = 1,
                                              .tasks_at_once = 1,
                                              .rates = {.fluid_cell_seconds = 2e-9,
                                                        .solid_cell_seconds = 1e-9,
                                                        .lists = {.fluid = 5e-9, .solid = 3e-9}}}}};
    const int group_of[2] = {0, 0};
    struct weir_prediction p;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_close(p.compute_seconds, 256 * 5e-9 + 256 * 3e-9 + 512 * 2e-9, 1e-15);
    machine.kinds[0].rates.lists = (struct weir_cell_seconds){0};
    assert_false(weir_time_model_costs(&machine, costs)); /* walls were not measured */
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_close(p.compute_seconds,
                 256 * 2e-9 * weir_cell_kinds[WEIR_LIST].cost.fluid +
                     256 * 1e-9 * weir_cell_kinds[WEIR_LIST].cost.solid /
                         weir_cell_kinds[WEIR_BRICK].cost.solid +
                     512 * 2e-9,
                 1e-15);
    /* Cells beside the solid half take more: a layer of the list, and of the brick beside it the cells that
     * see the solid across the face, five rows. */
    assert_close(decomposition->wall_cells[0], 64, 0);
    assert_close(decomposition->wall_cells[1], 40, 0);
    machine.kinds[0].rates.lists = (struct weir_cell_seconds){.fluid = 5e-9, .wall = 4e-9, .solid = 3e-9};
    machine.kinds[0].rates.wall_cell_seconds = 7e-9;
    weir_time_model_predict(&machine, decomposition, group_of, &p);
    assert_close(p.compute_seconds, 256 * 5e-9 + 64 * 4e-9 + 256 * 3e-9 + 512 * 2e-9 + 40 * 7e-9, 1e-15);
    assert_true(weir_time_model_costs(&machine, costs));
    assert_close(costs[WEIR_BRICK].fluid, 1, 0);
    assert_close(costs[WEIR_BRICK].wall, 3.5, 1e-12);
    assert_close(costs[WEIR_LIST].wall, 2, 1e-12);
    assert_close(costs[WEIR_LIST].solid, 1.5, 1e-12);
    weir_decomposition_destroy(decomposition);
}

/* Numbers between -1 and 1 that are the same everywhere. */
static double noise(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void check_fit(int tasks_at_once, double noisy, double tolerance) {
    const struct weir_machine_kind truth = {.tasks_at_once = tasks_at_once, .rates = {6e-11, 1.5e-11, 2e-5}};
    static const double cells[] = {32768, 262144, 2097152, 16777216};
    static const double solid[] = {0, 0.8};
    static const double tasks[] = {8, 64};
    struct weir_rate_sample samples[16];
    struct weir_rates rates;
    int count = 0;
    unsigned seed = 7;
    for (int c = 0; c < 4; c++)
        for (int s = 0; s < 2; s++)
            for (int t = 0; t < 2; t++) {
                struct weir_rate_sample *sample = &samples[count++];
                sample->tasks = tasks[t];
                sample->fluid_cells = tasks[t] * cells[c] * (1 - solid[s]);
                sample->solid_cells = tasks[t] * cells[c] * solid[s];
                const double work = weir_time_model_work(
                    &truth.rates, WEIR_BRICK,
                    &(struct weir_cell_counts){.fluid = sample->fluid_cells, .solid = sample->solid_cells});
                sample->seconds =
                    weir_time_model_worker_group(&truth, work, tasks[t]) * (1 + noisy * noise(&seed));
            }
    double error;
    assert_int_equal(weir_rate_fit(samples, count, tasks_at_once, &rates, &error), 0);
    assert_close(rates.fluid_cell_seconds / truth.rates.fluid_cell_seconds, 1, tolerance);
    assert_close(rates.solid_cell_seconds / truth.rates.solid_cell_seconds, 1, 4 * tolerance);
    assert_close(rates.task_seconds / truth.rates.task_seconds, 1, tolerance);
    assert_close(error, 0, noisy + 1e-9);
}

static void test_fit(void **state) {
    (void)state;
    check_fit(1, 0, 1e-9);
    check_fit(4, 0, 1e-9);
    check_fit(1, 0.05, 0.05);
    check_fit(4, 0.05, 0.05);
}

/* Nothing negative, and no solid cells: no rate for them. */
static void test_fit_at_its_limits(void **state) {
    (void)state;
    struct weir_rates rates;
    const struct weir_rate_sample shrinking[] = {{1000, 0, 1, 1.0, 0}, {1000, 0, 100, 0.9, 0}};
    assert_int_equal(weir_rate_fit(shrinking, 2, 1, &rates, NULL), 0);
    assert_true(rates.task_seconds >= 0);
    assert_close(rates.solid_cell_seconds, 0, 0);
    assert_close(rates.fluid_cell_seconds, 9.5e-4, 1e-5);
    assert_int_equal(weir_rate_fit(NULL, 0, 1, &rates, NULL), -1);
    const struct weir_rate_sample none = {1000, 0, 1, 0, 0};
    assert_int_equal(weir_rate_fit(&none, 1, 1, &rates, NULL), -1);
}

/* Rates from samples that they made, of which all have cells beside solids. */
static void test_fit_with_walls(void **state) {
    (void)state;
    const double fluid = 2e-9, wall = 7e-9, solid = 1e-10, task = 3e-6;
    struct weir_rate_sample samples[] = {
        {.fluid_cells = 4e6, .wall_cells = 1e4, .tasks = 4},
        {.fluid_cells = 1e6, .solid_cells = 3e6, .wall_cells = 5e4, .tasks = 4},
        {.fluid_cells = 6e3, .solid_cells = 2e4, .wall_cells = 3e3, .tasks = 60},
        {.fluid_cells = 3e6, .solid_cells = 1e6, .wall_cells = 6e5, .tasks = 4}};
    for (int k = 0; k < 4; k++)
        samples[k].seconds = fluid * samples[k].fluid_cells + wall * samples[k].wall_cells +
                             solid * samples[k].solid_cells + task * samples[k].tasks;
    struct weir_rates rates;
    assert_int_equal(weir_rate_fit_with_walls(samples, 3, &samples[3], 1, &rates), 0);
    assert_close(rates.fluid_cell_seconds, fluid, 1e-3 * fluid);
    assert_close(rates.wall_cell_seconds, wall, 1e-3 * wall);
    assert_close(rates.solid_cell_seconds, solid, 2e-2 * solid);
    assert_close(rates.task_seconds, task, 1e-3 * task);
    /* Faster beside solids than elsewhere: they take nothing more. */
    samples[3].seconds *= 0.5;
    assert_int_equal(weir_rate_fit_with_walls(samples, 3, &samples[3], 1, &rates), 0);
    assert_close(rates.wall_cell_seconds, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_and_readers),
        cmocka_unit_test(test_solids_are_counted),
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_prediction_by_hand),
        cmocka_unit_test(test_lists_have_rates_of_their_own),
        cmocka_unit_test(test_one_block),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_nine_to_one),
        cmocka_unit_test(test_block_too_coarse),
        cmocka_unit_test(test_solid_half),
        cmocka_unit_test(test_slow_link),
        cmocka_unit_test(test_no_groups),
        cmocka_unit_test(test_large_machine),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_fit_at_its_limits),
        cmocka_unit_test(test_fit_with_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
