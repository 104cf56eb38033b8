/* The system's C compiler, for kernels of CPUs. */
#ifndef WEIR_KERNELS_COMPILER_H
#define WEIR_KERNELS_COMPILER_H

#include <stdatomic.h>

enum { WEIR_COMPILER_WORDS_MAX = 96 };

struct weir_compiler {
    char name[256];    /* as it is started: the words of $CC, or cc, gcc, clang */
    char version[256]; /* the first line of what it says of itself; "" : there is no compiler */
    char key[9];       /* changes with all that it says */
};

/* The compiler found, once per process; its version is "" where there is none. */
const struct weir_compiler *weir_compiler(void);

/* Runs the compiler with further words (closed by NULL), what it says going to a file. Returns its exit
 * status; 128 and more: a signal ended it; -1: it cannot be started. */
int weir_compiler_run(const char *const *words, const char *log);

/* The same of any program. given_up: once it is set, from another thread, the program is ended; NULL: it
 * never is. */
int weir_compiler_run_program(const char *const *words, const char *log, const atomic_bool *given_up);

#endif
