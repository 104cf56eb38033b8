/* Ranks of which the last one fails, in the set-up or while they compute, in ways that cannot be had of the
 * program; test_rank_failures.py starts them and says what is to come of it. Usage:
 *
 *     failing_steps silent|exchange|task|call|stuck|open|close */
#include "graph/base/error.h"
#include "graph/ranks/agreement.h"
#include "graph/ranks/supervisor.h"
#include "graph/ranks/world.h"
#include "graph/simulation.h"
#include "graph/supervision.h"

#include <dlfcn.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEP_OF_FAILURE = 20 };
static volatile sig_atomic_t never;
static bool refuses_messages;

/* StarPU's own, called where ranks exchange what they need for a step. */
int starpu_mpi_irecv_detached(starpu_data_handle_t data, int source, starpu_mpi_tag_t tag, MPI_Comm comm,
                              void (*callback)(void *), void *argument) {
    int (*const receive)(starpu_data_handle_t, int, starpu_mpi_tag_t, MPI_Comm, void (*)(void *), void *) =
        (int (*)(starpu_data_handle_t, int, starpu_mpi_tag_t, MPI_Comm, void (*)(void *), void *))dlsym(
            RTLD_NEXT, "starpu_mpi_irecv_detached");
    return refuses_messages ? -12 : receive(data, source, tag, comm, callback, argument);
}

static void hush(void *world) {
    if (weir_world_speaks(world))
        fprintf(stderr, "hush\n");
}

static void abandon(void *world, const char *text) {
    if (weir_world_speaks(world))
        printf("abandoned: %s\n", text);
    fflush(stdout);
}

/* A sink that all ranks open and close together, of which the last one never comes through one. */
struct together {
    const struct weir_agreeing *who;
    bool last, open, close;
};

static int come_together(const struct together *together, bool never_comes) {
    weir_agreeing_enter(together->who);
    while (together->last && never_comes)
        pause();
    weir_agreeing_leave(together->who);
    return weir_agreement(together->who, 0, false);
}

static int open_together(void *context, int64_t step) {
    (void)step;
    const struct together *together = context;
    return come_together(together, together->open);
}

static int put(void *context, const struct weir_observation *observation) {
    (void)context;
    (void)observation;
    return 0;
}

static int close_together(void *context, bool sound) {
    (void)sound;
    const struct together *together = context;
    return come_together(together, together->close);
}

static int observe(struct weir_world *world, struct weir_simulation *simulation, const char *way) {
    static struct together together;
    together = (struct together){.who = weir_simulation_sink_ranks(simulation),
                                 .last = weir_world_rank(world) == weir_world_size(world) - 1,
                                 .open = strcmp(way, "open") == 0,
                                 .close = strcmp(way, "close") == 0};
    const struct weir_sink sink = {.context = &together,
                                   .region = {.extent = {1, 1, 1}},
                                   .begin = open_together,
                                   .put = put,
                                   .finish = close_together,
                                   .everywhere = true};
    struct weir_watch *watch;
    WEIR_TRY(weir_simulation_watch(simulation, &sink, &watch));
    return weir_simulation_observe(simulation, watch);
}

static int compute(struct weir_supervisor *supervisor, struct weir_simulation *simulation, const char *way) {
    for (;;) {
        if (weir_supervisor_stops(supervisor, weir_simulation_submitted(simulation)))
            return weir_fail(WEIR_FAILED, "nobody has asked to stop");
        if (weir_simulation_submitted(simulation) == STEP_OF_FAILURE) {
            if (strcmp(way, "task") == 0)
                weir_simulation_fail(simulation, "the task gives up");
            else if (strcmp(way, "call") == 0)
                return weir_fail(WEIR_FAILED, "the call gives up");
            else if (strcmp(way, "stuck") == 0)
                for (;;)
                    pause();
        }
        WEIR_TRY(weir_simulation_step(simulation));
    }
}

static int run(struct weir_world *world, const char *all, const char *way) {
    struct weir_problem problem;
    struct weir_runtime *runtime;
    struct weir_simulation *simulation;
    const struct weir_simulation_options options = {.block_cells = {32, 32, 1}};
    struct weir_supervisor *const supervisor = weir_world_supervisor(world);
    const struct weir_supervisor_guard guard = {.hush = hush, .abandon = abandon, .context = world};
    weir_problem_default(&problem);
    problem.lattice = WEIR_D2Q9;
    problem.cells[0] = problem.cells[1] = 64;
    problem.cells[2] = 1;
    weir_supervisor_heed(supervisor, 2, &never);
    WEIR_TRY(weir_runtime_create(
        &(struct weir_runtime_options){.policy = "static", .workers = WEIR_WORKERS_CPU, .world = world},
        &runtime));
    refuses_messages = strcmp(way, "exchange") == 0;
    if (strcmp(way, "silent") == 0)
        raise(SIGSTOP);
    WEIR_TRY(weir_simulation_create(runtime, &problem, &options, &simulation));
    weir_supervisor_guard(supervisor, &guard);
    weir_simulation_supervise(simulation, supervisor);
    if (strcmp(all, "open") == 0 || strcmp(all, "close") == 0)
        WEIR_TRY(observe(world, simulation, all));
    weir_supervisor_end(supervisor, compute(supervisor, simulation, way));
    return weir_fail(WEIR_FAILED, "came through");
}

int main(int argc, char **argv) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    const bool failing = weir_world_rank(world) == weir_world_size(world) - 1;
    if (error == 0 && argc == 2)
        error = weir_world_agree(world, run(world, argv[1], failing ? argv[1] : ""));
    if (error != 0)
        weir_world_tell(world);
    weir_world_leave(world);
    return -error;
}
