#include "graph/runtime/cores.h"

#include "graph/base/error.h"

#include <hwloc.h>
#include <hwloc/linux.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct weir_cores {
    hwloc_topology_t topology;
    hwloc_obj_t *units; /* first processing unit of each core that we may use */
    int count;
    hwloc_cpuset_t set; /* where this process might run */
};

/* Where the process was not confined, all that the topology holds. */
static hwloc_cpuset_t allowed(hwloc_topology_t topology) {
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) != 0 || hwloc_bitmap_iszero(set))
        hwloc_bitmap_copy(set, hwloc_topology_get_topology_cpuset(topology));
    return set;
}

int weir_cores_create(struct weir_cores **result) {
    struct weir_cores *cores = calloc(1, sizeof *cores);
    if (!cores)
        return weir_fail(WEIR_FAILED, "out of memory while looking at the machine's cores");
    if (hwloc_topology_init(&cores->topology) != 0 || hwloc_topology_load(cores->topology) != 0) {
        free(cores);
        return weir_fail(WEIR_FAILED, "hwloc cannot read this machine's cores; see the command lstopo");
    }
    cores->set = allowed(cores->topology);
    const int units = hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_PU);
    cores->units = calloc((size_t)(units > 0 ? units : 1), sizeof *cores->units);
    hwloc_obj_t last_core = NULL;
    for (int k = 0; k < units && cores->units; k++) {
        hwloc_obj_t unit = hwloc_get_obj_by_type(cores->topology, HWLOC_OBJ_PU, (unsigned)k);
        hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(cores->topology, HWLOC_OBJ_CORE, unit);
        if (!hwloc_bitmap_isset(cores->set, unit->os_index) || (core && core == last_core))
            continue;
        last_core = core;
        cores->units[cores->count++] = unit;
    }
    if (cores->count == 0) {
        weir_cores_destroy(cores);
        return weir_fail(WEIR_FAILED,
                         "hwloc finds no core that this program may use; see the command lstopo");
    }
    *result = cores;
    return 0;
}

void weir_cores_destroy(struct weir_cores *cores) {
    if (!cores)
        return;
    hwloc_bitmap_free(cores->set);
    hwloc_topology_destroy(cores->topology);
    free(cores->units);
    free(cores);
}

int weir_cores_count(const struct weir_cores *cores) {
    return cores->count;
}

void weir_cores_bind(const struct weir_cores *cores, int core) {
    hwloc_set_cpubind(cores->topology, cores->units[core % cores->count]->cpuset, HWLOC_CPUBIND_THREAD);
}

void weir_cores_confine(const struct weir_cores *cores, int count) {
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    for (int k = 0; k < count && k < cores->count; k++) {
        hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(cores->topology, HWLOC_OBJ_CORE, cores->units[k]);
        hwloc_bitmap_or(set, set, core ? core->cpuset : cores->units[k]->cpuset);
    }
    hwloc_bitmap_and(set, set, cores->set);
    hwloc_set_cpubind(cores->topology, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
}

void weir_cores_unbind(const struct weir_cores *cores) {
    hwloc_set_cpubind(cores->topology, cores->set, HWLOC_CPUBIND_THREAD);
}

/* The cache nearest to memory above a processing unit, NULL where none is known. */
static hwloc_obj_t last_cache(hwloc_obj_t unit) {
    hwloc_obj_t last = NULL;
    for (hwloc_obj_t object = unit; object; object = object->parent)
        if (hwloc_obj_type_is_dcache(object->type))
            last = object;
    return last;
}

int weir_cores_unit(const struct weir_cores *cores, int core) {
    return (int)cores->units[core]->logical_index;
}

int weir_cores_bound(const struct weir_cores *cores, int thread) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int found = -1, matches = 0;
    if (hwloc_linux_get_tid_cpubind(cores->topology, thread, set) == 0)
        for (int k = 0; k < cores->count; k++) {
            hwloc_obj_t core =
                hwloc_get_ancestor_obj_by_type(cores->topology, HWLOC_OBJ_CORE, cores->units[k]);
            if (hwloc_bitmap_intersects(set, core ? core->cpuset : cores->units[k]->cpuset)) {
                found = k;
                matches++;
            }
        }
    hwloc_bitmap_free(set);
    return matches == 1 ? found : -1;
}

static hwloc_obj_t domain_of(hwloc_obj_t unit) {
    hwloc_obj_t cache = last_cache(unit);
    if (cache && cache->attr->cache.depth > 2)
        return cache;
    /* NUMA nodes hang beside the tree: what they belong to is the first ancestor that has one. */
    for (hwloc_obj_t object = unit; object; object = object->parent)
        if (object->memory_arity > 0 || !object->parent)
            return object;
    return unit;
}

int weir_cores_domain(const struct weir_cores *cores, int core) {
    int domain = 0;
    for (int k = 0; k <= core; k++) {
        bool first = true;
        for (int before = 0; before < k; before++)
            first = first && domain_of(cores->units[before]) != domain_of(cores->units[k]);
        domain += first && k > 0;
        if (domain_of(cores->units[k]) == domain_of(cores->units[core]))
            return domain;
    }
    return domain;
}

size_t weir_cores_cache_bytes(const struct weir_cores *cores, int count) {
    size_t bytes = 0;
    for (int k = 0; k < count && k < cores->count; k++) {
        hwloc_obj_t cache = last_cache(cores->units[k]);
        bool seen = !cache;
        for (int j = 0; j < k && !seen; j++)
            seen = last_cache(cores->units[j]) == cache;
        if (!seen)
            bytes += cache->attr->cache.size;
    }
    return bytes;
}

const char *weir_cores_model(const struct weir_cores *cores) {
    hwloc_obj_t package = hwloc_get_obj_by_type(cores->topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    return model ? model : "";
}

int weir_cores_numa_nodes(const struct weir_cores *cores) {
    return hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_NUMANODE);
}

int weir_cores_packages(const struct weir_cores *cores) {
    return hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_PACKAGE);
}
