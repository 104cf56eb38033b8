/* Functions of a compiled CPU text, loaded into this process. */
#ifndef WEIR_KERNELS_SHARED_OBJECT_H
#define WEIR_KERNELS_SHARED_OBJECT_H

#include "codelets/kernels/demand/kept_file.h"

/* A function, and where in a struct its address goes. "?" before the name: not in every object. */
struct weir_symbol {
    const char *name; /* NULL: past the last */
    size_t member;
};

/* Loads the object, until the process ends, and fills the members. Returns 0 or -1 with a reason. */
int weir_shared_object_open(const struct weir_kept_file *file, const struct weir_symbol *symbols,
                            void *members, char *reason, size_t size);

#endif
