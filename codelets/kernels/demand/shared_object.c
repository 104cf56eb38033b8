#include "codelets/kernels/demand/shared_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An object that is nowhere in a folder goes by way of a file in memory, which stays open: its name, by which
 * the loader knows what it has loaded, is then its own. */
static void *open_in_memory(const struct weir_kept_file *file) {
    char path[64];
    const int memory = memfd_create("weir-kernel", MFD_CLOEXEC);
    if (memory < 0)
        return NULL;
    for (size_t done = 0; done < file->size;) {
        const ssize_t part = write(memory, file->data + done, file->size - done);
        if (part < 0) {
            close(memory);
            return NULL;
        }
        done += (size_t)part;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

int weir_shared_object_open(const struct weir_kept_file *file, const struct weir_symbol *symbols,
                            void *members, char *reason, size_t size) {
    void *object = file->path[0] ? dlopen(file->path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!object)
        object = open_in_memory(file);
    if (!object) {
        const char *const error = dlerror();
        snprintf(reason, size, "%s", error ? error : strerror(errno));
        return -1;
    }
    for (; symbols->name; symbols++) {
        const bool needed = symbols->name[0] != '?';
        void *const function = dlsym(object, symbols->name + !needed);
        if (!function && needed) {
            snprintf(reason, size, "it has no function %s", symbols->name);
            return -1;
        }
        memcpy((char *)members + symbols->member, &function, sizeof function);
    }
    return 0;
}
