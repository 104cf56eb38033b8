/* Compiled objects from wherever they are: the folders installed with the program, the user's cache, or a
 * compiler. */
#ifndef WEIR_KERNELS_PROVIDE_H
#define WEIR_KERNELS_PROVIDE_H

#include "codelets/kernels/demand/object.h"

#include <stdbool.h>

/* What came of a request. */
struct weir_kernel_news {
    int code;         /* 0; 1: compiling failed; 77: no compiler */
    char error[6144]; /* what, where, how to mend it */
    int compiled;     /* objects, by this process */
    int waited;       /* objects that other processes compiled meanwhile */
    double seconds;
    char not_kept[WEIR_REASON_SIZE]; /* why they are compiled again next time; "": they are kept */
};

/* Fills object->file of all objects. out: where to put them, as they travel with a program; NULL: they are
 * for this process, and kept in the user's cache. Returns 0 or -1; news are written as a whole. */
int weir_kernel_objects_provide(struct weir_kernel_object *objects, int count,
                                const struct weir_kernel_folder *out, struct weir_kernel_news *news);

/* How objects may be had while a run goes on. */
struct weir_kernel_patience {
    bool compile;                /* else: only if they are there */
    const atomic_bool *given_up; /* NULL: it is waited for. Else compilers are processes of low priority, and
                                    end when this is set from another thread; so does waiting for others' */
};

/* The same for objects of GPUs, for this process. Returns 1 where some are not there and nothing may be
 * compiled. */
int weir_kernel_objects_provide_in_time(struct weir_kernel_object *objects, int count,
                                        const struct weir_kernel_patience *patience,
                                        struct weir_kernel_news *news);

/* The folders, opened once per process: those installed with the program (NULL past the last), and the user's
 * cache. */
const struct weir_kernel_folder *weir_kernel_installed(int number);
const struct weir_kernel_folder *weir_kernel_cache(void);

#endif
