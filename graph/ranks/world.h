/* The ranks of this run: processes that an MPI launcher started together. A program that no launcher started
 * is a world of one rank and never touches MPI.
 *
 * What goes wrong on one rank has to end all of them, with one message: weir_world_agree. Functions marked
 * collective are called by all ranks, from the thread that joined; every one of them first hears whether
 * another rank has failed. A rank that fails may therefore call weir_world_agree at once, while others are on
 * their way to any collective function: that one fails there. After the first failure that all know of,
 * collective functions return it and communicate no more. */
#ifndef WEIR_GRAPH_RANKS_WORLD_H
#define WEIR_GRAPH_RANKS_WORLD_H

#include "graph/base/visible_gpus.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_supervisor;
struct weir_world;

/* Joins the run, once, before StarPU and CUDA are started; starts MPI where a launcher did (its environment
 * tells) more than one process. Ranks other than 0 lose their standard output. *world is the caller's also on
 * failure (weir_world_leave). -WEIR_FAILED, agreed, where MPI cannot serve
 * several threads; -WEIR_USAGE where the launcher belongs to another MPI. */
int weir_world_join(struct weir_world **world);

/* Plays one rank of a world whose other ranks are not there, for benchmarks of what a rank does by itself.
 * Nothing is to be sent, and of the functions below those that are collective hear of this rank only. *world
 * is the caller's (weir_world_leave). */
int weir_world_pretend(int rank, int size, struct weir_world **world);
bool weir_world_pretends(const struct weir_world *world);

/* Ends MPI, waiting for all ranks to come here; NULL is allowed. A program that exits without has an error
 * that it has told itself: the others hear of it then. */
void weir_world_leave(struct weir_world *world);

/* In these, NULL is a world of one. */
int weir_world_rank(const struct weir_world *world);
int weir_world_size(const struct weir_world *world);

/* Whether this rank tells the user what happens: rank 0. */
bool weir_world_speaks(const struct weir_world *world);

/* Name of the host of a rank, for every rank. */
const char *weir_world_host(const struct weir_world *world, int rank);

/* Ranks on this rank's host, this one among them, and its number there. */
int weir_world_local_size(const struct weir_world *world);
int weir_world_local_rank(const struct weir_world *world);

/* GPUs that this rank found when it joined; none in a world of one. */
const struct weir_visible_gpus *weir_world_gpus(const struct weir_world *world);

/* All ranks, for messages and collective output; who makes collective calls in a thread of its own duplicates
 * it first. MPI_COMM_NULL in a world of one. The second: the ranks of this host. */
MPI_Comm weir_world_comm(const struct weir_world *world);
MPI_Comm weir_world_local_comm(const struct weir_world *world);

/* All ranks, for the supervisor alone, who looks after them from join to leave (supervisor.h); NULL in a
 * world of one. */
MPI_Comm weir_world_watch_comm(const struct weir_world *world);
struct weir_supervisor *weir_world_supervisor(const struct weir_world *world);

/* Collective: 0 when no rank brings an error (a negative value, with its text as weir_fail left it). Else the
 * error of the lowest rank that does, on all ranks alike; its text names rank and host unless all ranks fail
 * with the same text. In a world of one: `error`. Where the others do not come, or all do not leave the world
 * within seconds after it, the supervisor ends them with this error. */
int weir_world_agree(struct weir_world *world, int error);

/* The last word on an error that all ranks have agreed on: the user is told it, once. */
void weir_world_tell(struct weir_world *world);

/* Collective: -WEIR_USAGE, agreed, unless all ranks have the same bytes; `what` names them, as in "the case
 * file cavity.json with its --set options". Short texts are shown. */
int weir_world_same(struct weir_world *world, const char *what, const void *bytes, size_t size);

/* Collective: rank 0 receives the texts of all ranks, `size` bytes of each, in all[ranks * size] (its own;
 * NULL elsewhere). In a world of one: its text. */
int weir_world_gather(struct weir_world *world, const char *text, size_t size, char *all);

/* Collective, all ranks healthy: each of value[count] becomes the sum, or the largest, over all ranks. */
void weir_world_sum(const struct weir_world *world, double *value, int count);
void weir_world_sum_counts(const struct weir_world *world, int64_t *value, int count);
void weir_world_max(const struct weir_world *world, double *value, int count);
void weir_world_max_counts(const struct weir_world *world, int64_t *value, int count);

#endif
