/* Something that is made beside what goes on, in a thread of its own: it is asked for now and then whether it
 * is ready, and may be given up. */
#ifndef WEIR_GRAPH_LATER_H
#define WEIR_GRAPH_LATER_H

#include <stdatomic.h>
#include <stdbool.h>

struct weir_later;

/* Makes it. Returns soon after given_up is set. */
typedef void weir_later_make(void *context, const atomic_bool *given_up);

/* Starts making it, with all signals blocked. context: stays the caller's, who leaves it alone until it is
 * ready. NULL: there is no memory, or no thread to be had. */
struct weir_later *weir_later_start(weir_later_make *make, void *context);

/* Whether it has been made: all that `make` wrote is seen then. */
bool weir_later_ready(const struct weir_later *later);

/* Gives up what is not ready, and waits until `make` has returned. NULL is allowed. */
void weir_later_destroy(struct weir_later *later);

#endif
