/* How ranks are started: a command with {ranks} in it. */
#ifndef WEIR_SRC_COMMON_LAUNCHER_H
#define WEIR_SRC_COMMON_LAUNCHER_H

#include <stddef.h>

enum { WEIR_LAUNCHER_WORDS_MAX = 32 };

struct weir_launcher {
    char *words[WEIR_LAUNCHER_WORDS_MAX + 1]; /* closed by NULL; the first is the program's path */
    int count;
};

/* Takes a command apart at its spaces, with the number of ranks in the place of {ranks}, and finds its
 * program in PATH. The launcher is to be released in any case. -WEIR_UNAVAILABLE when there is no such
 * program; -WEIR_USAGE when there are too many words. */
int weir_launcher_create(const char *command, int ranks, struct weir_launcher *launcher);

void weir_launcher_release(struct weir_launcher *launcher);

/* Path of a program: as it is where there is a slash in its name, else of the first in PATH; NULL where there
 * is none. The caller's. */
char *weir_program_find(const char *name);

#endif
