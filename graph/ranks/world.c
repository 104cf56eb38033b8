#include "graph/ranks/world.h"

#include "graph/base/error.h"
#include "graph/ranks/agreement.h"
#include "graph/ranks/idle_yield.h"
#include "graph/ranks/supervisor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST_SIZE = 64, SHOWN_LONGEST = 48 };

struct weir_world {
    int rank, size, local_rank, local_size;
    MPI_Comm ranks, local, watch; /* for others */
    MPI_Comm control;             /* for the collective functions here alone */
    char (*hosts)[HOST_SIZE];
    struct weir_visible_gpus gpus;
    struct weir_supervisor *supervisor;
    bool joined;
    bool failed; /* all ranks know, and have the same in error_code and error_text */
    enum weir_error_code error_code;
    char error_text[2048];
};

/* A number in the environment, `missing` where it is not set. */
static int number(const char *name, int missing) {
    const char *text = getenv(name);
    return text && text[0] != '\0' ? atoi(text) : missing;
}

/* How many processes a launcher says that it started: 1 without one, 0 where it does not say. Starting MPI
 * alone takes a second, and some launchers' daemons. SLURM_NTASKS and the like do not count: they are there
 * in a job's script, too, before anything is launched. */
static int launched(void) {
    const int size = number("OMPI_COMM_WORLD_SIZE", number("PMI_SIZE", number("MV2_COMM_WORLD_SIZE", -1)));
    if (size >= 0)
        return size;
    if (getenv("PMIX_RANK") || getenv("PMI_RANK") || getenv("PMI_FD") || getenv("MPI_LOCALNRANKS"))
        return number("SLURM_STEP_NUM_TASKS", 0);
    return 1;
}

static void find_hosts(struct weir_world *world) {
    char host[HOST_SIZE] = "";
    gethostname(host, sizeof host - 1);
    MPI_Allgather(host, HOST_SIZE, MPI_CHAR, world->hosts, HOST_SIZE, MPI_CHAR, world->control);
}

/* The end of MPI. */
static void leave(struct weir_world *world) {
    weir_supervisor_leave(world->supervisor);
    world->supervisor = NULL;
    MPI_Comm_free(&world->control);
    MPI_Comm_free(&world->ranks);
    MPI_Comm_free(&world->watch);
    MPI_Comm_free(&world->local);
    MPI_Finalize();
    world->joined = false;
}

/* For a program that ends by exit(), as the reader of the command line does, having told why. The others hear
 * of it where they meet next. */
static void leave_at_exit(int status, void *argument) {
    struct weir_world *world = argument;
    if (!world->joined)
        return;
    if (status != 0)
        (void)weir_world_agree(world, weir_fail(status == WEIR_USAGE ? WEIR_USAGE : WEIR_FAILED,
                                                "ended with exit code %d", status));
    leave(world);
}

static int start(struct weir_world *world, int expected) {
    int level;
    weir_visible_gpus(&world->gpus); /* before MPI: some networks do not bear a fork */
    weir_idle_yield_on();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level); /* its errors end the program */
    world->joined = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->size);
    MPI_Comm_dup(MPI_COMM_WORLD, &world->control);
    MPI_Comm_dup(MPI_COMM_WORLD, &world->ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &world->watch);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &world->local);
    MPI_Comm_rank(world->local, &world->local_rank);
    MPI_Comm_size(world->local, &world->local_size);
    on_exit(leave_at_exit, world);
    world->hosts = calloc((size_t)world->size, sizeof *world->hosts);
    int error = 0;
    if (world->size == 1 && expected > 1)
        error = weir_fail(
            WEIR_USAGE,
            "a launcher started %d processes, and MPI finds this one alone; use the launcher (mpirun, "
            "srun --mpi=...) that belongs to the MPI that Weir was built with",
            expected);
    else if (!world->hosts)
        error = weir_fail(WEIR_FAILED, "out of memory while joining %d ranks", world->size);
    else if (level < MPI_THREAD_MULTIPLE)
        error =
            weir_fail(WEIR_FAILED, "this MPI does not let several threads communicate (it lacks "
                                   "MPI_THREAD_MULTIPLE), which a run on many ranks needs; use another MPI, "
                                   "or build this one with threads");
    if (world->rank != 0 && !freopen("/dev/null", "w", stdout))
        error = weir_fail(WEIR_FAILED, "/dev/null cannot be opened");
    WEIR_TRY(weir_world_agree(world, error));
    find_hosts(world);
    return weir_world_agree(world, weir_supervisor_create(world, &world->supervisor));
}

int weir_world_join(struct weir_world **result) {
    struct weir_world *world = calloc(1, sizeof *world);
    if (!world)
        abort(); /* before anything was done */
    *result = world;
    world->size = world->local_size = 1;
    world->ranks = world->local = world->watch = world->control = MPI_COMM_NULL;
    const int expected = launched();
    return expected == 1 ? 0 : start(world, expected);
}

int weir_world_pretend(int rank, int size, struct weir_world **result) {
    struct weir_world *world = calloc(1, sizeof *world);
    if (!world)
        return weir_fail(WEIR_FAILED, "out of memory");
    *result = world;
    world->rank = rank;
    world->size = size;
    world->local_size = 1;
    world->ranks = world->local = world->control = MPI_COMM_NULL;
    return 0;
}

bool weir_world_pretends(const struct weir_world *world) {
    return world && !world->joined && world->size > 1;
}

void weir_world_leave(struct weir_world *world) {
    if (!world)
        return;
    if (!world->joined) {
        free(world);
        return;
    }
    leave(world);
    free(world->hosts);
    world->hosts = NULL; /* the rest is kept until the program ends: leave_at_exit looks at it */
}

int weir_world_rank(const struct weir_world *world) {
    return world ? world->rank : 0;
}

int weir_world_size(const struct weir_world *world) {
    return world ? world->size : 1;
}

bool weir_world_speaks(const struct weir_world *world) {
    return weir_world_rank(world) == 0;
}

const char *weir_world_host(const struct weir_world *world, int rank) {
    return world->hosts ? world->hosts[rank] : "this host";
}

int weir_world_local_size(const struct weir_world *world) {
    return world ? world->local_size : 1;
}

int weir_world_local_rank(const struct weir_world *world) {
    return world->local_rank;
}

const struct weir_visible_gpus *weir_world_gpus(const struct weir_world *world) {
    return &world->gpus;
}

MPI_Comm weir_world_comm(const struct weir_world *world) {
    return world->ranks;
}

MPI_Comm weir_world_local_comm(const struct weir_world *world) {
    return world->local;
}

MPI_Comm weir_world_watch_comm(const struct weir_world *world) {
    return world->watch;
}

struct weir_supervisor *weir_world_supervisor(const struct weir_world *world) {
    return world ? world->supervisor : NULL;
}

/* for_all: the text names ranks and hosts already. */
static int agree(struct weir_world *world, int error, bool for_all) {
    if (!world->joined)
        return error;
    if (!world->failed) {
        const struct weir_agreeing all = {world->control, world->supervisor, NULL};
        const int agreed = weir_agreement(&all, error, for_all);
        if (agreed == 0)
            return 0;
        weir_supervisor_expect_end(world->supervisor, agreed, true);
        world->failed = true;
        world->error_code = (enum weir_error_code) - agreed;
        snprintf(world->error_text, sizeof world->error_text, "%s", weir_error_text());
    }
    return weir_fail(world->error_code, "%s", world->error_text);
}

int weir_world_agree(struct weir_world *world, int error) {
    return world ? agree(world, error, false) : error;
}

void weir_world_tell(struct weir_world *world) {
    if (weir_world_speaks(world))
        weir_supervisor_tell(weir_world_supervisor(world), weir_error_text());
}

/* As a part of a message: " (1.2)", or nothing where it is long or no text. */
static void show(const char *bytes, size_t size, char text[SHOWN_LONGEST + 8]) {
    bool printable = size > 0 && size <= SHOWN_LONGEST;
    for (size_t k = 0; k < size && printable; k++)
        printable = isprint((unsigned char)bytes[k]);
    text[0] = '\0';
    if (printable)
        snprintf(text, SHOWN_LONGEST + 8, " (%.*s)", (int)size, bytes);
}

int weir_world_same(struct weir_world *world, const char *what, const void *bytes, size_t size) {
    if (!world->joined)
        return 0;
    WEIR_TRY(agree(world, 0, false));
    unsigned long first_size = size;
    MPI_Bcast(&first_size, 1, MPI_UNSIGNED_LONG, 0, world->control);
    char *first = malloc(first_size + 1);
    WEIR_TRY(
        agree(world, first ? 0 : weir_fail(WEIR_FAILED, "out of memory while comparing %s", what), false));
    if (world->rank == 0)
        memcpy(first, bytes, size);
    MPI_Bcast(first, (int)first_size, MPI_BYTE, 0, world->control);
    int error = 0;
    if (first_size != size || memcmp(first, bytes, size) != 0) {
        char mine[SHOWN_LONGEST + 8], theirs[SHOWN_LONGEST + 8];
        show(bytes, size, mine);
        show(first, first_size, theirs);
        error = weir_fail(WEIR_USAGE,
                          "%s: rank %d on %s has another%s than rank 0 on %s%s; all ranks need the same",
                          what, world->rank, world->hosts[world->rank], mine, world->hosts[0], theirs);
    }
    free(first);
    return agree(world, error, true);
}

int weir_world_gather(struct weir_world *world, const char *text, size_t size, char *all) {
    WEIR_TRY(weir_world_agree(world, 0));
    if (world->joined)
        MPI_Gather(text, (int)size, MPI_CHAR, all, (int)size, MPI_CHAR, 0, world->control);
    else
        memcpy(all, text, size);
    return 0;
}

static void reduce(const struct weir_world *world, void *value, int count, MPI_Datatype type,
                   MPI_Op operation) {
    if (weir_world_size(world) > 1)
        MPI_Allreduce(MPI_IN_PLACE, value, count, type, operation, weir_world_comm(world));
}

void weir_world_sum(const struct weir_world *world, double *value, int count) {
    reduce(world, value, count, MPI_DOUBLE, MPI_SUM);
}

void weir_world_sum_counts(const struct weir_world *world, int64_t *value, int count) {
    reduce(world, value, count, MPI_INT64_T, MPI_SUM);
}

void weir_world_max(const struct weir_world *world, double *value, int count) {
    reduce(world, value, count, MPI_DOUBLE, MPI_MAX);
}

void weir_world_max_counts(const struct weir_world *world, int64_t *value, int count) {
    reduce(world, value, count, MPI_INT64_T, MPI_MAX);
}
