/* The cores that this process may use, and the caches behind them. */
#ifndef WEIR_GRAPH_RUNTIME_CORES_H
#define WEIR_GRAPH_RUNTIME_CORES_H

#include <stddef.h>

struct weir_cores;

/* Reads the machine (hwloc). Error: -WEIR_FAILED. */
int weir_cores_create(struct weir_cores **cores);

/* NULL is allowed. */
void weir_cores_destroy(struct weir_cores *cores);

/* Number of cores of which this process may use at least one processing unit. Core numbers go from 0, in the
 * order in which they share caches and memory. */
int weir_cores_count(const struct weir_cores *cores);

/* Binds the calling thread to one core. Where the system refuses, the thread stays unbound. */
void weir_cores_bind(const struct weir_cores *cores, int core);

/* Confines the calling thread, and with it the processes that it starts, to the first `count` cores, with all
 * of their processing units that the process might use when `cores` was created. */
void weir_cores_confine(const struct weir_cores *cores, int count);

/* Lets the calling thread run on all cores again that the process might use when `cores` was created. */
void weir_cores_unbind(const struct weir_cores *cores);

/* Logical number (hwloc) of the processing unit that stands for a core. */
int weir_cores_unit(const struct weir_cores *cores, int core);

/* Number of the core that a thread of this process is bound to, by the system's number of it (0: the calling
 * one); -1 when it may run on several. */
int weir_cores_bound(const struct weir_cores *cores, int thread);

/* Domains are sets of cores that share a last-level cache (or, where none is known, a NUMA node). Number of
 * the domain of a core; domains are numbered from 0 in the order of the cores. */
int weir_cores_domain(const struct weir_cores *cores, int core);

/* Bytes of the last-level caches that the first `count` cores have access to, all together. */
size_t weir_cores_cache_bytes(const struct weir_cores *cores, int count);

/* Model of the processor, as the system names it; "" where it does not. */
const char *weir_cores_model(const struct weir_cores *cores);

/* Numbers of NUMA nodes and of packages. */
int weir_cores_numa_nodes(const struct weir_cores *cores);
int weir_cores_packages(const struct weir_cores *cores);

#endif
