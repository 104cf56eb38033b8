#include "graph/ranks/host_share.h"

#include "graph/base/error.h"
#include "graph/plan/rank_shares.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cores and their processing units as all ranks of a host number them: also those that a container or a job
 * denies this process. */
struct host {
    hwloc_topology_t topology;
    int units, cores;
    int *core_of;     /* [units] */
    bool *may_unit;   /* [ranks * units]: where a rank was started */
    bool *may, *gets; /* [ranks * cores] */
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory while dividing this host's cores");
}

static hwloc_obj_t unit_at(const struct host *host, int unit) {
    return hwloc_get_obj_by_type(host->topology, HWLOC_OBJ_PU, (unsigned)unit);
}

static int read_host(struct host *host, int ranks) {
    if (hwloc_topology_init(&host->topology) != 0)
        return fail_memory();
    hwloc_topology_set_flags(host->topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(host->topology) != 0)
        return weir_fail(WEIR_FAILED, "hwloc cannot read this machine's cores; see the command lstopo");
    host->units = hwloc_get_nbobjs_by_type(host->topology, HWLOC_OBJ_PU);
    if (host->units < 1)
        return weir_fail(WEIR_FAILED, "hwloc finds no processing unit; see the command lstopo");
    host->core_of = calloc((size_t)host->units, sizeof *host->core_of);
    host->may_unit = calloc((size_t)ranks * (size_t)host->units, sizeof *host->may_unit);
    if (!host->core_of || !host->may_unit)
        return fail_memory();
    hwloc_obj_t last = NULL;
    for (int unit = 0; unit < host->units; unit++) {
        hwloc_obj_t object = unit_at(host, unit);
        hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(host->topology, HWLOC_OBJ_CORE, object);
        host->cores += !core || core != last;
        last = core;
        host->core_of[unit] = host->cores - 1;
    }
    host->may = calloc((size_t)ranks * (size_t)host->cores, sizeof *host->may);
    host->gets = calloc((size_t)ranks * (size_t)host->cores, sizeof *host->gets);
    return host->may && host->gets ? 0 : fail_memory();
}

static void release_host(struct host *host) {
    if (host->topology)
        hwloc_topology_destroy(host->topology);
    free(host->core_of);
    free(host->may_unit);
    free(host->may);
    free(host->gets);
}

/* What this process may use as it was started. */
static void find_allowed(const struct host *host, bool *may_unit) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(host->topology, set, HWLOC_CPUBIND_PROCESS) != 0 || hwloc_bitmap_iszero(set))
        hwloc_bitmap_copy(set, hwloc_topology_get_topology_cpuset(host->topology));
    hwloc_bitmap_and(set, set, hwloc_topology_get_allowed_cpuset(host->topology));
    for (int unit = 0; unit < host->units; unit++)
        may_unit[unit] = hwloc_bitmap_isset(set, unit_at(host, unit)->os_index);
    hwloc_bitmap_free(set);
}

static bool any_may(const struct host *host, int ranks, int unit) {
    bool may = false;
    for (int rank = 0; rank < ranks; rank++)
        may = may || host->may_unit[rank * host->units + unit];
    return may;
}

static int count(const bool *set, int size) {
    int sum = 0;
    for (int k = 0; k < size; k++)
        sum += set[k];
    return sum;
}

static int allowed_cores(const struct host *host) {
    int cores = 0;
    for (int unit = 0, last = -1; unit < host->units; unit++)
        if (host->core_of[unit] != last &&
            hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(host->topology),
                               unit_at(host, unit)->os_index)) {
            last = host->core_of[unit];
            cores++;
        }
    return cores;
}

static void add_gpu(const char *const *name, int gpu, struct weir_host_share *share) {
    enum { SHORT = 12 }; /* messages that tell GPUs of a host apart */
    const size_t used = strlen(share->gpu_names);
    if (share->gpus == WEIR_GPUS_MAX)
        return;
    share->gpu[share->gpus++] = gpu;
    snprintf(share->gpu_names + used, sizeof share->gpu_names - used, " %d %.*s", gpu, SHORT, name[gpu]);
}

/* GPUs of this rank, in the order in which CUDA numbers them here: that of the host's where
 * CUDA_VISIBLE_DEVICES was set, else that in which they were seen. */
static void list_gpus(const char *const *name, const bool *gets, int gpus,
                      const struct weir_visible_gpus *seen, struct weir_host_share *share) {
    for (int gpu = 0; gpu < gpus && !seen; gpu++)
        if (gets[gpu])
            add_gpu(name, gpu, share);
    for (int k = 0; seen && k < seen->count; k++)
        for (int gpu = 0; gpu < gpus; gpu++)
            if (strcmp(name[gpu], seen->name[k]) == 0)
                add_gpu(name, gpu, share);
}

/* All threads of this process, MPI's too. */
static int bind(const struct host *host, int ranks, int rank) {
    const bool *gets = host->gets + rank * host->cores;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (int unit = 0; unit < host->units; unit++)
        if (gets[host->core_of[unit]] && any_may(host, ranks, unit))
            hwloc_bitmap_set(set, unit_at(host, unit)->os_index);
    const int refused = hwloc_set_cpubind(host->topology, set, HWLOC_CPUBIND_PROCESS) != 0 ? errno : 0;
    hwloc_bitmap_free(set);
    return refused == 0
               ? 0
               : weir_fail(WEIR_FAILED,
                           "this rank cannot be bound to its part of the host's cores: %s; start ranks "
                           "with cores of their own (mpirun --bind-to, srun --cpus-per-task)",
                           strerror(refused));
}

static int too_few(const struct weir_world *world, int cores) {
    return weir_fail(
        WEIR_USAGE,
        "%d ranks on %s have %d core%s between them, and each needs one of its own; start fewer ranks "
        "there, or give them more cores (mpirun --map-by ppr:1:node --bind-to none, srun "
        "--cpus-per-task=N)",
        weir_world_local_size(world), weir_world_host(world, weir_world_rank(world)), cores,
        cores == 1 ? "" : "s");
}

static int divide_cores(const struct weir_world *world, struct host *host, struct weir_host_share *share) {
    const int ranks = weir_world_local_size(world), rank = weir_world_local_rank(world);
    for (int other = 0; other < ranks; other++)
        for (int unit = 0; unit < host->units; unit++)
            if (host->may_unit[other * host->units + unit])
                host->may[other * host->cores + host->core_of[unit]] = true;
    WEIR_TRY(weir_rank_shares(ranks, host->cores, host->may, host->gets));
    bool all_have = true;
    for (int other = 0; other < ranks; other++)
        all_have = all_have && count(host->gets + other * host->cores, host->cores) > 0;
    share->ranks_cores = count(host->gets, ranks * host->cores);
    share->host_cores = allowed_cores(host);
    if (!all_have)
        return getenv("STARPU_WORKERS_NOBIND") ? 0 : too_few(world, share->ranks_cores);
    share->cores = count(host->gets + rank * host->cores, host->cores);
    if (memcmp(host->gets + rank * host->cores, host->may + rank * host->cores, (size_t)host->cores) == 0)
        return 0;
    return bind(host, ranks, rank);
}

static int share_cores(struct weir_world *world, struct weir_host_share *share) {
    const int ranks = weir_world_local_size(world), rank = weir_world_local_rank(world);
    struct host host = {0};
    int error = weir_world_agree(world, read_host(&host, ranks));
    if (error == 0) {
        int units[2] = {host.units, -host.units}, most[2];
        find_allowed(&host, host.may_unit + rank * host.units);
        MPI_Allreduce(units, most, 2, MPI_INT, MPI_MAX, weir_world_local_comm(world));
        if (most[0] != -most[1])
            error =
                weir_fail(WEIR_FAILED,
                          "the ranks on %s see %d to %d processing units; start them in the same container",
                          weir_world_host(world, weir_world_rank(world)), -most[1], most[0]);
        else
            MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, host.may_unit, host.units, MPI_C_BOOL,
                          weir_world_local_comm(world));
    }
    if (error == 0)
        error = divide_cores(world, &host, share);
    release_host(&host);
    return weir_world_agree(world, error);
}

/* Numbers all GPUs of the host in the order in which ranks name them. */
static int number_gpus(const struct weir_visible_gpus *gpus, int ranks, const char **name) {
    int known = 0;
    for (int rank = 0; rank < ranks; rank++)
        for (int k = 0; k < gpus[rank].count; k++) {
            bool seen = false;
            for (int gpu = 0; gpu < known; gpu++)
                seen = seen || strcmp(name[gpu], gpus[rank].name[k]) == 0;
            if (!seen)
                name[known++] = gpus[rank].name[k];
        }
    return known;
}

static bool sees(const struct weir_visible_gpus *gpus, const char *name) {
    bool seen = false;
    for (int k = 0; k < gpus->count; k++)
        seen = seen || strcmp(gpus->name[k], name) == 0;
    return seen;
}

static void show_cuda(const char *const *name, const bool *gets, int gpus) {
    char list[WEIR_GPUS_MAX * WEIR_GPU_NAME] = "";
    for (int gpu = 0; gpu < gpus; gpu++)
        if (gets[gpu] && strlen(list) + WEIR_GPU_NAME < sizeof list) {
            strcat(list, list[0] ? "," : "");
            strcat(list, name[gpu]);
        }
    setenv("CUDA_VISIBLE_DEVICES", list, 1);
}

static int share_gpus(struct weir_world *world, struct weir_host_share *share) {
    const size_t ranks = (size_t)weir_world_local_size(world), rank = (size_t)weir_world_local_rank(world);
    struct weir_visible_gpus *seen = calloc(ranks, sizeof *seen);
    const char **name = calloc(ranks * WEIR_GPUS_MAX, sizeof *name);
    bool *may = calloc(ranks * ranks * WEIR_GPUS_MAX, sizeof *may);
    bool *gets = calloc(ranks * ranks * WEIR_GPUS_MAX, sizeof *gets);
    int error = weir_world_agree(world, seen && name && may && gets ? 0 : fail_memory());
    if (error == 0) {
        MPI_Allgather(weir_world_gpus(world), sizeof *seen, MPI_BYTE, seen, sizeof *seen, MPI_BYTE,
                      weir_world_local_comm(world));
        const size_t gpus = (size_t)number_gpus(seen, (int)ranks, name);
        for (size_t other = 0; other < ranks; other++)
            for (size_t gpu = 0; gpu < gpus; gpu++)
                may[other * gpus + gpu] = sees(&seen[other], name[gpu]);
        error = weir_rank_shares((int)ranks, (int)gpus, may, gets);
        const bool divided = error == 0 && memcmp(gets + rank * gpus, may + rank * gpus, gpus) != 0;
        if (divided)
            show_cuda(name, gets + rank * gpus, (int)gpus);
        list_gpus(name, gets + rank * gpus, (int)gpus, divided ? NULL : &seen[rank], share);
    }
    free(seen);
    free(name);
    free(may);
    free(gets);
    return weir_world_agree(world, error);
}

int weir_host_share(struct weir_world *world, struct weir_host_share *share) {
    *share = (struct weir_host_share){0};
    if (weir_world_size(world) == 1)
        return 0;
    WEIR_TRY(share_cores(world, share));
    return share_gpus(world, share);
}
