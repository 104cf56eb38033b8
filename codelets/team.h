/* A team: threads on cores of one cache domain that take every block together, each some of its rows. The
 * worker that StarPU knows leads it; the others wait for the next block, spinning at first, for it comes
 * soon. */
#ifndef WEIR_CODELETS_TEAM_H
#define WEIR_CODELETS_TEAM_H

struct weir_team;

/* Starts threads - 1 helpers; helper k, from 1, calls bind(context, k) first. Error: the number is too great
 * for the system: returns NULL. */
struct weir_team *weir_team_create(int threads, void (*bind)(void *context, int thread), void *context);

/* Ends the helpers. NULL is allowed. */
void weir_team_destroy(struct weir_team *team);

/* Returns when all helpers have called bind: its context may go then. */
void weir_team_wait_started(struct weir_team *team);

/* Makes the calling thread the team's leader: what it divides from now on, all do. NULL: it is alone again.
 */
void weir_team_lead(struct weir_team *team);

/* Calls function(context, begin, end) for pieces that make up 0 to count, by all threads of the team that the
 * calling thread leads, or by itself alone at once; returns when all have ended. Each thread begins with the
 * same pieces whenever count is the same, and then takes what others have not come to: a thread whose core
 * has something else to do is not waited for. */
void weir_team_divide(void (*function)(void *context, int begin, int end), void *context, int count);

/* Calls function(context) once by every thread of the team at the same time, or by the calling thread alone.
 */
void weir_team_all(void (*function)(void *context), void *context);

#endif
