/* The kernel texts that the program carries: what lies in codelets/kernels/, under the paths by which texts
 * include each other. */
#ifndef WEIR_KERNELS_TEXTS_H
#define WEIR_KERNELS_TEXTS_H

#include "codelets/kernels/demand/specification.h"

#include <stdbool.h>

struct weir_text {
    const char *path; /* "codelets/kernels/cuda/step.cuh" */
    const char *text;
};

extern const struct weir_text weir_texts[];
extern const int weir_text_count;

enum { WEIR_TEXTS_MAX = 256 };

/* A text with all that it includes, and the definitions that these mention: what its object depends on. */
struct weir_text_closure {
    bool member[WEIR_TEXTS_MAX]; /* of weir_texts */
    bool defined[WEIR_DEFINITIONS_MAX];
};

/* Number of a text; -1: there is none of this path. */
int weir_text_find(const char *path);

/* The closure of text number `text` under these definitions. Conditions are not looked at, so it may hold
 * more than a compiler would read. */
void weir_text_close(int text, const struct weir_definitions *definitions, struct weir_text_closure *closure);

/* Writes all texts below a folder that exists. 0, or -1 with errno. */
int weir_texts_write(const char *folder);

#endif
