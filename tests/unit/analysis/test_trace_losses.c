/* Which loss of a window is the main one, and what is said and advised of it. */
#include "tests/unit/analysis/trace_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Each of the losses, where it is the main one. */
static void test_main_loss(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;

    make(&b, 3, 2, 2, 3); /* both blocks change their worker in every step */
    for (int step = 0; step < 3; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, (block + step) % 2, step, step + 1, -1);
    analyse(&b, &a);
    assert_int_equal(a.moves, 4);
    same(a.moved, 1);
    assert_int_equal(a.home_bytes, 4000);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_BOUNCING);
    said(&b, &a, "starpu:lws", "Blocks bounce: ", " 100 % ", "starpu:lws", "balanced or static");
    said(&b, &a, "static", "Blocks bounce: ", " 100 % ", "static", "fewer, larger blocks");
    done(&b, &a);

    make(&b, 3, 2, 2, 60); /* the same, while hardly anything is done */
    for (int step = 0; step < 3; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, (block + step) % 2, step, step + 1, -1);
    for (int worker = 0; worker < 2; worker++)
        change(&b, worker, 3, WEIR_WAITING_TASKS);
    b.trace.tasks[4].worker = b.trace.tasks[2].worker; /* both blocks stay once */
    b.trace.tasks[5].worker = b.trace.tasks[3].worker;
    analyse(&b, &a);
    same(a.moved, 0.5);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make(&b, 1, 2, 2, 10); /* one has ten times the work of the other */
    task(&b, 0, 0, 0, 0, 10, -1);
    task(&b, 1, 0, 1, 0, 1, -1);
    change(&b, 1, 1, WEIR_WAITING_TASKS);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    done(&b, &a);

    make(&b, 1, 2, 2, 10); /* neither has anything to do */
    for (int worker = 0; worker < 2; worker++) {
        task(&b, worker, 0, worker, 5, 10, -1);
        change(&b, worker, 10, WEIR_WAITING_TASKS);
    }
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make_ranks(&b, 6, 6, 8); /* both wait for messages */
    message(&b, 1, 6, 2.5, 5.5);
    message(&b, 5, 2, 2.5, 5.5);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_MESSAGES);
    said(&b, &a, "balanced", "Messages between ranks hold up the steps: ", " 41 %",
         " 1625 of 4000 ms in each step", "larger blocks");
    b.machine.blocks[0].neighbour[16] = 1; /* y+ */
    b.machine.blocks[1].neighbour[10] = 0;
    said(&b, &a, "balanced", "Messages between ranks", "every block of rank ", "smaller blocks",
         "fewer ranks along y");
    b.trace.shared_cores = true;
    said(&b, &a, "balanced", "Messages between ranks", " 41 %", "from rank ",
         "every rank four cores or more");
    done(&b, &a);

    make_ranks(&b, 6, 6, 8); /* as long, and messages came soon: something else held them up */
    message(&b, 1, 6, 2.5, 2.6);
    message(&b, 5, 2, 2.5, 2.6);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make(&b, 1, 1, 1, 10); /* no loss, but a quarter of the time is not in steps of blocks */
    task(&b, 0, 0, 0, 0, 7.5, -1);
    task(&b, 0, 0, 0, 7.5, 10, -1);
    b.trace.tasks[1].kind = weir_trace_kind(&b.trace, "totals");
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "in the kernels (75 %", "steps of blocks",
         "25 % totals)");
    done(&b, &a);

    make(&b, 1, 4, 4, 10); /* GPUs of two ranks always compute, while the last block waits for a message */
    for (int worker = 0; worker < 4; worker++) {
        b.machine.workers[worker].cuda = true;
        b.machine.workers[worker].device = 0;
        b.machine.workers[worker].rank = worker / 2;
        b.machine.workers[worker].memory_node = 64 * (worker / 2) + 1;
    }
    task(&b, 0, 0, 0, 0, 9.99, -1);
    task(&b, 1, 0, 1, 0, 4, -1);
    task(&b, 2, 0, 2, 0, 9.99, -1);
    task(&b, 3, 0, 3, 7, 10, -1);
    message(&b, 1, 3, 4, 6.5);
    analyse(&b, &a);
    same(a.path.message_seconds, 2.5);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "no loss stands out, but messages",
         " 25 % of the critical path", "in the kernels, which");
    done(&b, &a);

    make(&b, 1, 1, 1, 10);
    change(&b, 0, 0, WEIR_WAITING_DATA);
    task(&b, 0, 0, 0, 6, 10, -1);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_DATA);
    done(&b, &a);

    make(&b, 1, 1, 1, 10);
    task(&b, 0, 0, 0, 0, 7, -1);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_OVERHEAD);
    done(&b, &a);
}

/* The loss of the window is that of all its sections, of most, or of too few for an advice. */
static void test_sections(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_sections(&b, &a, (double[]){0.3, 0.25, 0.2, 0.25, 0.3});
    assert_int_equal(a.sections.count, 5);
    for (int k = 0; k < 5; k++)
        same(a.sections.section[k].shares.overhead, (double[]){0.3, 0.25, 0.2, 0.25, 0.3}[k]);
    assert_int_equal(weir_section_votes_for(&a.sections, WEIR_LOSS_OVERHEAD).agree, 5);
    said(&b, &a, "balanced", "StarPU takes 26 %", "many steps of a lone block", "in 5 of 5 sections",
         "at 20 to 30 %.");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.3, 0.05, 0.2, 0.25, 0.3});
    said(&b, &a, "balanced", "StarPU takes 22 %", "many steps of a lone block", "in 4 of 5 sections",
         "at 5 to 30 %.");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.05, 0.05, 0.05, 0.25, 0.3}); /* as of something that began meanwhile */
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_OVERHEAD);
    assert_false(weir_sections_agree(&a.sections, WEIR_LOSS_OVERHEAD));
    said(&b, &a, "balanced", "What is lost changes", "no loss stands out in 3, StarPU takes most in 2",
         "measure again", "--steps 40");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.05, 0, 0, 0, 0.02});
    said(&b, &a, "balanced", "Workers compute 99 %", "no loss stands out", "in 5 of 5 sections", "0 to 5 %.");
    done(&b, &a);

    assert_int_equal(weir_section_count(1), 1);
    assert_int_equal(weir_section_count(5), 2);
    assert_int_equal(weir_section_count(1000), 5);
}

/* Two workers with a block each and ten steps, of which those of worker 1 from `slow` on take three seconds
 * and not one, as long as there are; worker 0 waits for it. */
static void make_slow(struct bench *b, struct weir_trace_analysis *a, int slow, int slow_steps) {
    double time = 0;
    make(b, 10, 2, 2, 10 + 2 * slow_steps);
    snprintf(b->machine.workers[1].name, sizeof b->machine.workers[1].name, "CPU 1");
    for (int step = 0; step < 10; step++) {
        const double length = step >= slow && step < slow + slow_steps ? 3 : 1;
        task(b, 0, step, 0, time, time + 1, -1);
        change(b, 0, time + 1, WEIR_WAITING_TASKS);
        task(b, 1, step, 1, time, time + length, -1);
        time += length;
    }
    analyse(b, a);
}

/* What looks as if work were uneven is something else that used a worker's core. */
static void test_disturbed_worker(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_slow(&b, &a, 4, 3);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    assert_int_equal(a.disturbance.compared, 20);
    assert_int_equal(a.disturbance.slow, 3);
    assert_int_equal(a.disturbance.worker, 1);
    same(a.disturbance.slow_seconds, 6);
    same(a.disturbance.slow_share, 6.0 / 16);
    same(a.disturbance.slow_factor, 3);
    said(&b, &a, "balanced", "Something else used this machine", "CPU 1 took 3 times as long as usual",
         "lost 38 % of its time", "measure again");
    done(&b, &a);

    make_slow(&b, &a, 0, 10); /* always slow: that is how it is */
    assert_int_equal(a.disturbance.slow, 0);
    said(&b, &a, "balanced", "Work is dealt out unevenly: ", "waits 67 %", "smaller blocks", "5 of 5");
    done(&b, &a);

    make(&b, 10, 2, 1, 16); /* slow after each move, as a block is whose cells are in another's cache */
    for (int step = 0, worker = 0; step < 10; step++) {
        const bool moves = step == 3 || step == 6 || step == 8;
        worker = moves ? !worker : worker;
        const double start = step < 1 ? 0 : b.trace.tasks[step - 1].end;
        task(&b, 0, step, worker, start, start + (moves ? 3 : 1), step - 1);
    }
    analyse(&b, &a);
    assert_int_equal(a.disturbance.slow, 0);
    done(&b, &a);
}

/* What /proc says: no advice where it is much against the loss; a note in the table where it is not. */
static void test_disturbed_cores(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_sections(&b, &a, (double[]){0.3, 0.25, 0.2, 0.25, 0.3});
    b.trace.cores = (struct weir_core_loss){.others = 0.5, .waited = 0.2, .lost = 0.2, .switches = 100};
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(weir_trace_is_disturbed(&a));
    said(&b, &a, "balanced", "Something else used this machine", "others took 50 %", "waited as much as 20 %",
         "measure again");
    weir_trace_analysis_release(&a);
    b.trace.cores.lost = 0.12; /* less than half of the loss */
    analyse(&b, &a);
    assert_false(weir_trace_is_disturbed(&a));
    weir_trace_analysis_release(&a);
    b.trace.cores.lost = NAN;
    analyse(&b, &a);
    said(&b, &a, "balanced", "StarPU takes 26 %", "many steps of a lone block", "5 of 5", ".");
    done(&b, &a);
}

/* Blocks of 100 cells, whose steps take a second per fluid cell, `beside` more for one beside a wall, half a
 * second for a solid one, and in odd steps a tenth less. */
static void make_walls(struct bench *b, struct weir_trace_analysis *a, const int (*cells)[2], int blocks,
                       double beside) {
    double time = 0;
    make(b, 4, 1, blocks, 1);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < blocks; block++) {
            const int fluid = cells[block][0], near = cells[block][1];
            const double seconds = (fluid + beside * near + 0.5 * (100 - fluid)) * (step % 2 ? 0.9 : 1);
            b->machine.blocks[block].fluid_cells = fluid;
            b->machine.blocks[block].near_wall_cells = near;
            task(b, block, step, 0, time, time + seconds, -1);
            time += seconds;
        }
    b->trace.seconds = time;
    analyse(b, a);
}

static void test_cells_beside_walls(void **state) {
    (void)state;
    static const int cells[][2] = {{100, 0}, {100, 10}, {90, 30}, {80, 20}, {60, 45}, {75, 60}};
    struct bench b;
    struct weir_trace_analysis a;
    make_walls(&b, &a, cells, 6, 2);
    same(a.near_wall.share, 165.0 / 505);
    assert_true(fabs(a.near_wall.factor - 3) < 1e-6);
    assert_true(fabs(a.near_wall.seconds - 2 * 165 * 4 * 0.95) < 1e-3);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NEAR_WALL);
    said(&b, &a, "balanced", "Cells beside walls are the loss: 33 %", "3 times as long as others",
         "37 % of the workers' time", "in 2 of 2 sections");
    done(&b, &a);

    make_walls(&b, &a, cells, 6, 0); /* they cost nothing */
    assert_true(isnan(a.near_wall.factor));
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "in the kernels",
         "33 % of the fluid cells lie beside walls", ".");
    b.trace.limit_gbs = 2e-6;
    b.trace.bytes_per_update = 1000;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    same(a.gbs, 1e-9 * 1000 * 4 * 505 / b.trace.seconds);
    said(&b, &a, "balanced", "Workers compute", "move 9", "2e-06 GB/s that this run measured",
         "bench kernels");
    done(&b, &a);

    static const int alike[][2] = {{90, 30}, {90, 30}, {90, 30}, {90, 30}, {90, 30}};
    make_walls(&b, &a, alike, 5, 2); /* nothing tells what is whose */
    same(a.near_wall.share, 1.0 / 3);
    assert_true(isnan(a.near_wall.factor) && isnan(a.near_wall.seconds));
    done(&b, &a);

    const struct weir_machine machine = {
        .kind_count = 2,
        .kinds = {{.kind = WEIR_WORKER_GROUP_GPU, .count = 1, .rates = {0.01, 0.01, 0}},
                  {.kind = WEIR_WORKER_GROUP_CORE,
                   .count = 1,
                   .rates = {.fluid_cell_seconds = 0.95, .solid_cell_seconds = 0.475}}}};
    make_walls(&b, &a, alike, 5, 2); /* but what the machine needs without walls is known */
    b.trace.measured = &machine;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(a.near_wall.measured);
    assert_true(fabs(a.near_wall.factor - 3) < 1e-6);
    assert_true(fabs(a.near_wall.seconds - 2 * 150 * 4 * 0.95) < 1e-3);
    said(&b, &a, "balanced", "Cells beside walls are the loss: 33 %", "3 times as long as others", "2 of 2",
         ".");
    done(&b, &a);
    make_walls(&b, &a, alike, 5, 0.2); /* no more than the model may be off */
    b.trace.measured = &machine;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(isnan(a.near_wall.factor));
    done(&b, &a);

    make_walls(&b, &a, cells, 3, 2); /* as many blocks as unknowns: any noise would fit */
    assert_true(isnan(a.near_wall.factor));
    done(&b, &a);
}

/* Five blocks, of which the step takes 3 s and a further stage 1 s, and cells beside walls seem to cost. */
static void make_stages(struct bench *b, struct weir_trace_analysis *a, bool surface) {
    double time = 0;
    make(b, 4, 1, 5, 1);
    b->machine.stage_count = 2;
    strcpy(b->machine.stages[1], "surface_mass");
    b->machine.taken[0][1] = b->machine.taken[1][1] = true;
    b->trace.surface = surface;
    const int further = weir_trace_kind(&b->trace, "surface_mass");
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < 5; block++) {
            b->machine.blocks[block].near_wall_cells = 10 * block;
            task(b, block, step, 0, time, time + 3 + 0.3 * block, -1);
            task(b, block, step, 0, time + 3 + 0.3 * block, time + 4 + 0.4 * block, -1);
            b->trace.tasks[b->trace.task_count - 1].kind = further;
            time += 4 + 0.4 * block;
        }
    b->trace.seconds = time;
    analyse(b, a);
}

/* What a free surface costs is put down to its stages, and not to walls. */
static void test_further_stages(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_stages(&b, &a, true);
    same(a.stages_seconds, 0.25 * b.trace.seconds);
    same(a.shares.stages, 0.25);
    assert_true(isnan(a.near_wall.factor) && isnan(a.near_wall.seconds));
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STAGES);
    said(&b, &a, "balanced",
         "Stages beside collision and streaming are the loss: ", "25 % of the workers' time",
         "(surface_mass 25 %)", "for the free surface");
    done(&b, &a);
    make_stages(&b, &a, false); /* of another model: both are told, the larger one as the loss */
    assert_true(a.near_wall.factor > 1);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STAGES);
    said(&b, &a, "balanced", "Stages beside collision", "(surface_mass 25 %)", "the case's model",
         "of 2 sections");
    done(&b, &a);
}

/* Two blocks whose tasks StarPU takes as long for: larger ones would help, unlike of a lone block above. */
static void test_larger_blocks(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 4, 1, 2, 8);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, 0, 2 * step + block, 2 * step + block + 0.5, -1);
    analyse(&b, &a);
    said(&b, &a, "balanced", "StarPU takes 50 %", "use larger blocks", "2 of 2", "50 to 50 %.");
    done(&b, &a);
}

/* Smaller blocks are no advice where tasks come too late, or cost StarPU much already: they would be more. */
static void test_no_smaller_blocks_than_pay(void **state) {
    (void)state;
    const struct weir_loss_shares late = {.tasks = 0.3, .least_tasks = 0.05, .late = 0.5};
    const struct weir_loss_shares uneven = {.tasks = 0.3, .least_tasks = 0.05, .late = 0.1};
    assert_int_equal(weir_main_loss_of(&late), WEIR_LOSS_SUBMISSION);
    assert_int_equal(weir_main_loss_of(&uneven), WEIR_LOSS_IMBALANCE);

    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 10, 2, 2, 10);
    for (int step = 0; step < 10; step++) {
        task(&b, 0, step, 0, step, step + 0.8, -1);
        task(&b, 1, step, 1, step, step + 0.3, -1);
        change(&b, 1, step + 0.4, WEIR_WAITING_TASKS);
    }
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    said(&b, &a, "balanced", "Work is dealt out unevenly: ", "choose larger blocks", "cost StarPU more",
         "5 of 5");
    done(&b, &a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_loss),          cmocka_unit_test(test_sections),
        cmocka_unit_test(test_disturbed_worker),   cmocka_unit_test(test_disturbed_cores),
        cmocka_unit_test(test_cells_beside_walls), cmocka_unit_test(test_further_stages),
        cmocka_unit_test(test_larger_blocks),      cmocka_unit_test(test_no_smaller_blocks_than_pay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
