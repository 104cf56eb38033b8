#include "src/common/own_descriptor.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder that a path's last part is in, as it really is called, and that part. */
static bool split(const char *path, char folder[PATH_MAX], const char **name) {
    char above[PATH_MAX];
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    return realpath(above, folder) != NULL;
}

static bool is_of_this_process(const char *folder) {
    char own[32];
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    return strcmp(folder, own) == 0;
}

static bool is_number(const char *name) {
    return *name && !name[strspn(name, "0123456789")];
}

int weir_own_descriptor(const char *path) {
    enum { LINKS_MOST = 40 }; /* as the system follows */
    char at[PATH_MAX], folder[PATH_MAX], target[PATH_MAX];
    const char *name;
    if (snprintf(at, sizeof at, "%s", path) >= (int)sizeof at)
        return -1;
    for (int links = 0; links < LINKS_MOST && split(at, folder, &name); links++) {
        if (is_of_this_process(folder) && is_number(name))
            return atoi(name);
        const ssize_t bytes = readlink(at, target, sizeof target - 1);
        if (bytes < 0)
            return -1;
        target[bytes] = '\0';
        if (target[0] == '/')
            strcpy(at, target);
        else if (snprintf(at, sizeof at, "%s/%s", folder, target) >= (int)sizeof at)
            return -1;
    }
    return -1;
}
