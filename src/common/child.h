/* Another program, or another run of this same one, as a child process, which ends when this one is asked to
 * end, and is asked to end when this one is gone. */
#ifndef WEIR_SRC_COMMON_CHILD_H
#define WEIR_SRC_COMMON_CHILD_H

#include <stdbool.h>

/* From now on Ctrl-C and SIGTERM are kept for weir_child_interrupted and weir_child_run to find. To be called
 * before any thread is started. */
void weir_child_hold_signals(void);

/* Whether this process has been asked to end. */
bool weir_child_interrupted(void);

/* Runs this program with these arguments (words[0] is the command; closed by NULL) and waits for its end. Its
 * standard output is dropped, its standard error goes to the file `said`, which is replaced. environment:
 * NAME=VALUE texts that come before this process's own, closed by NULL. Returns 0 when it ended with 0;
 * otherwise its exit code as an error, with what it said: a signal or a failure to start are -WEIR_FAILED,
 * and so is an interruption of this process, after which the child has ended too. */
int weir_child_run(const char *const *words, const char *const *environment, const char *said);

/* The same with another program, a path (NULL: this one). */
int weir_child_run_program(const char *program, const char *const *words, const char *const *environment,
                           const char *said);

#endif
