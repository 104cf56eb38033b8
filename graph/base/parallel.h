/* Work at set-up, before tasks are there or beside them, that all cores of this process share. */
#ifndef WEIR_GRAPH_BASE_PARALLEL_H
#define WEIR_GRAPH_BASE_PARALLEL_H

enum { WEIR_PARALLEL_MOST = 256 };

/* Cores that this process may use, and at least one. */
int weir_parallel_cores(void);

/* Calls work(context, k) for each k of 0..count - 1 once, in any order, with that many threads, of which the
 * caller is one, and at most WEIR_PARALLEL_MOST; comes back when all is done. Threads that do not start are
 * no error: the others do their work. What goes wrong stays with whoever did it: errors of weir_fail are
 * known to their thread alone. */
void weir_parallel(int threads, int count, void (*work)(void *context, int k), void *context);

#endif
