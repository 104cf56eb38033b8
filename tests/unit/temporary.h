/* Files and folders of tests that go when the test ends: in $TMPDIR, as those of the program. */
#ifndef WEIR_TESTS_TEMPORARY_H
#define WEIR_TESTS_TEMPORARY_H

#include "codelets/kernels/demand/work_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEMPORARY_PATH = 200 };

static inline bool name_temporary(char path[TEMPORARY_PATH]) {
    const int length = snprintf(path, TEMPORARY_PATH, "%s/weir-test-XXXXXX", weir_temporary_folder());
    return length < TEMPORARY_PATH;
}

/* Makes a folder; the caller removes it. False: it cannot be made. */
static inline bool make_temporary_folder(char path[TEMPORARY_PATH]) {
    return name_temporary(path) && mkdtemp(path);
}

/* Makes an empty file; the caller removes it. Its descriptor, or -1. */
static inline int make_temporary_file(char path[TEMPORARY_PATH]) {
    return name_temporary(path) ? mkstemp(path) : -1;
}

#endif
