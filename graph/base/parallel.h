/* Work at set-up, before tasks are there or beside them, that all cores of this process share. */
#ifndef WEIR_GRAPH_BASE_PARALLEL_H
#define WEIR_GRAPH_BASE_PARALLEL_H

enum { WEIR_PARALLEL_MOST = 256 };

/* Notes the cores that the calling thread may use now, before it is bound to one of them, as those of this
 * process: threads that are bound share their work with all of these from now on. */
void weir_parallel_note_cores(void);

/* Cores that this process may use, or where they were not noted, the calling thread; at least one. */
int weir_parallel_cores(void);

/* Slices of a slab, where so many are divided among so many threads, and each slab has a ring of its own:
 * few, so that all threads have some, and memory is that of slabs; not so few that rings cost as much as
 * these. */
int weir_parallel_slab(int slices, int threads);

/* Calls work(context, k) for each k of 0..count - 1 once, in any order, with that many threads, of which the
 * caller is one, and at most WEIR_PARALLEL_MOST; comes back when all is done. Threads that do not start are
 * no error: the others do their work. What goes wrong stays with whoever did it: errors of weir_fail are
 * known to their thread alone. */
void weir_parallel(int threads, int count, void (*work)(void *context, int k), void *context);

#endif
