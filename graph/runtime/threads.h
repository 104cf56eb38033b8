/* Where the threads of a run are: the cores that StarPU's workers and the main thread are bound to, and the
 * teams that the other cores form. StarPU knows nothing of a team's helpers. */
#ifndef WEIR_GRAPH_RUNTIME_THREADS_H
#define WEIR_GRAPH_RUNTIME_THREADS_H

#include "graph/runtime/runtime.h"

struct weir_threads;

/* Before StarPU binds threads: afterwards only their cores would be found. Error: -WEIR_FAILED. */
int weir_threads_create(struct weir_threads **threads);

/* Ends the helpers and lets the calling thread, the main one, run where it might before; StarPU has stopped.
 * NULL is allowed. */
void weir_threads_destroy(struct weir_threads *threads);

/* Domains of cores that share a last-level cache: as many teams can be. */
int weir_threads_domains(const struct weir_threads *threads);

/* Says which thread moves messages between ranks, by the system's number: no team gets its core. */
void weir_threads_reserve(struct weir_threads *threads, int thread);

/* Sets `core` of the workers[count], StarPU's all of them in its order, to where their threads really are. */
void weir_threads_observe(struct weir_threads *threads, struct weir_worker *workers, int count);

/* Gives each of the last `teams` CPU workers the free cores of a domain to lead, or as many free cores as
 * `size` says, of any domain (0: those of its domain), after weir_threads_observe; sets what changes in
 * workers[count]: leaders take steps, other CPU workers none. -WEIR_FAILED when threads cannot be started. */
int weir_threads_form_teams(struct weir_threads *threads, struct weir_worker *workers, int count, int teams,
                            int size);

/* Whether a worker leads a team. */
bool weir_threads_leads(const struct weir_threads *threads, int worker);

/* Logical number of the processing unit that the main thread is bound to; -1: not bound. */
int weir_threads_main_core(const struct weir_threads *threads);

/* The same for the thread that weir_threads_reserve named. */
int weir_threads_reserved_core(const struct weir_threads *threads);

/* Two threads that spin on one core keep each other from working: a fault of StarPU's binding, or of
 * variables that steer it. -WEIR_UNAVAILABLE, naming them. */
int weir_threads_check(const struct weir_worker *workers, int count);

#endif
