/* What no wait for tasks comes back from: memory that StarPU asks for again for ever, or a GPU of which every
 * call fails, where StarPU would abort. Whoever finds it out, in a thread of StarPU's, ends the program here.
 */
#ifndef WEIR_GRAPH_RUNTIME_DEAD_END_H
#define WEIR_GRAPH_RUNTIME_DEAD_END_H

/* Whom to tell; text: what has happened and what would help. Called once. It has to end the program, which
 * happens by itself where it returns or is NULL: with "weir: TEXT" and WEIR_FAILED. One per process. */
typedef void weir_dead_end(void *context, const char *text);
void weir_dead_end_guard(weir_dead_end *guard, void *context);

/* Does not come back. The first one counts; others wait for the end. */
_Noreturn void weir_dead_end_reached(const char *text);

#endif
