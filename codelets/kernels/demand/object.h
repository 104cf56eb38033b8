/* One compiled text: what it is made of and called, and how compilers make it. */
#ifndef WEIR_KERNELS_OBJECT_H
#define WEIR_KERNELS_OBJECT_H

#include "codelets/kernels/demand/instruction_sets.h"
#include "codelets/kernels/demand/kept_file.h"
#include "codelets/kernels/demand/texts.h"

#include <stdatomic.h>

enum { WEIR_OBJECT_ID_SIZE = 192 };

struct weir_kernel_object {
    int text;                               /* number of the text */
    const struct weir_instruction_set *set; /* of a CPU's; NULL: a GPU's */
    char architecture[16];                  /* of a GPU's: "sm_90" */
    const char *optimisation;               /* of a CPU's: "-O3" */
    struct weir_text_closure closure;
    struct weir_definitions definitions; /* those that the closure mentions */
    bool for_some_blocks;                /* they have constants of blocks among them (constants.h) */
    char name[96];                       /* for people: "digest.D3Q19_single.v3" */
    char id[WEIR_OBJECT_ID_SIZE]; /* name and a digest of all that matters but the compiler: what does the
                                     same */

    /* What came of it, once it has been provided: */
    struct weir_kept_file file; /* file.data: the object; NULL: there is none yet */
    double seconds;             /* that compiling took; 0: it was there */
    bool waiting;               /* another process compiles it */
};

/* path: of a text, "codelets/kernels/digest.c". definitions: all there are. */
void weir_kernel_object_for_cpu(struct weir_kernel_object *object, const char *path, const char *optimisation,
                                const struct weir_instruction_set *set,
                                const struct weir_definitions *definitions);
void weir_kernel_object_for_gpu(struct weir_kernel_object *object, const char *path, const char *architecture,
                                const struct weir_definitions *definitions);

/* Names of its file: as it travels with the program, and as this machine's compiler makes it. */
void weir_kernel_object_file(const struct weir_kernel_object *object, char name[NAME_MAX]);
void weir_kernel_object_own_file(const struct weir_kernel_object *object, char name[NAME_MAX]);

/* Endings of the files of objects that are for some blocks only. */
extern const char weir_kernel_some_blocks_ending[];

/* The compiler of its kind: what it says of itself, "" where there is none. */
const char *weir_kernel_object_compiler(const struct weir_kernel_object *object);

/* Compiles it into object->file.data and size. work: a folder with all texts; what the compiler says goes to
 * the file `log`. given_up: NULL, or the compiler is a process of its own, which takes what time others leave
 * it, and is ended once this is set. Returns 0, or the compiler's exit status, -1 where it did not start. */
int weir_kernel_object_compile(struct weir_kernel_object *object, const char *work, const char *log,
                               const atomic_bool *given_up);

#endif
