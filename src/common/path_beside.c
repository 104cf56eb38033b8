#include "src/common/path_beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *weir_path_beside(const char *file, const char *path) {
    const char *slash = path[0] == '/' ? NULL : strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash - file) + 1 : 0, size = folder + strlen(path) + 1;
    char *whole = malloc(size);
    if (whole)
        snprintf(whole, size, "%.*s%s", (int)folder, file, path);
    return whole;
}
