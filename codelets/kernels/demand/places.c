/* Where compiled kernels are looked for. */
#include "codelets/kernels/demand/provide.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INSTALLED_MAX = 3 };

static struct weir_kernel_folder installed[INSTALLED_MAX], cache;
static int installed_count;

static void add(const char *path) {
    for (int k = 0; k < installed_count; k++)
        if (strcmp(installed[k].path, path) == 0)
            return;
    weir_kernel_folder_open(&installed[installed_count++], path, true, false);
}

/* What the user names, what lies beside the program, what was installed with it. */
static void open_installed(void) {
    char path[PATH_MAX], program[PATH_MAX];
    const char *const named = getenv("WEIR_KERNELS");
    if (named && *named)
        add(named);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        *strrchr(program, '/') = '\0';
        if (snprintf(path, sizeof path, "%s/kernels", program) < (int)sizeof path)
            add(path);
    }
    add(WEIR_KERNELS_INSTALLED);
}

static void open_cache(void) {
    char path[PATH_MAX];
    const char *const named = getenv("WEIR_KERNEL_CACHE"), *const caches = getenv("XDG_CACHE_HOME"),
                      *const home = getenv("HOME");
    if (named && *named)
        snprintf(path, sizeof path, "%s", named);
    else if (caches && *caches == '/')
        snprintf(path, sizeof path, "%s/weir/kernels", caches);
    else if (home && *home)
        snprintf(path, sizeof path, "%s/.cache/weir/kernels", home);
    else
        path[0] = '\0';
    if (path[0]) {
        weir_kernel_folder_open(&cache, path, false, true);
        return;
    }
    cache.descriptor = -1;
    snprintf(cache.reason, sizeof cache.reason, "there is no cache folder: HOME is not set");
}

const struct weir_kernel_folder *weir_kernel_installed(int number) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_installed);
    return number < installed_count ? &installed[number] : NULL;
}

const struct weir_kernel_folder *weir_kernel_cache(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_cache);
    return &cache;
}
