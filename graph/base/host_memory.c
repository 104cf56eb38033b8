#include "graph/base/host_memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A version of control groups: where it is mounted, what its files are called. */
struct version {
    const char *type, *limit, *used, *reclaimable;
};

static const struct version versions[2] = {
    {"cgroup", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
    {"cgroup2", "memory.max", "memory.current", "inactive_file"},
};

static FILE *open_below(const char *root, const char *folder, const char *name) {
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return length < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* A number alone in a file; -1 where there is none ("max": no limit). */
static double number_in(const char *root, const char *folder, const char *name) {
    double value = -1;
    FILE *file = open_below(root, folder, name);
    if (!file)
        return -1;
    if (fscanf(file, "%lf", &value) != 1)
        value = -1;
    fclose(file);
    return value;
}

/* The number behind a word at the beginning of a line; -1 where no line has it. */
static double number_after(const char *root, const char *folder, const char *name, const char *word) {
    FILE *file = open_below(root, folder, name);
    char line[512];
    double value = -1;
    const size_t length = strlen(word);
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, word, length) != 0 || sscanf(line + length, "%lf", &value) != 1)
            value = -1;
    if (file)
        fclose(file);
    return value;
}

/* Whether a list of words with commas between has one. */
static bool lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ',') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

/* This process' group: the line "4:memory:/path" of version 1, "0::/path" of version 2. */
static bool find_group(const char *root, bool second, char path[PATH_MAX]) {
    FILE *file = open_below(root, "/proc/self", "cgroup");
    char line[PATH_MAX + 64], controllers[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *first = strchr(line, ':'), *next = first ? strchr(first + 1, ':') : NULL;
        if (!next || (size_t)(next - first) > sizeof controllers)
            continue;
        snprintf(controllers, sizeof controllers, "%.*s", (int)(next - first - 1), first + 1);
        found = second ? controllers[0] == '\0' : lists(controllers, "memory");
        if (found)
            snprintf(path, PATH_MAX, "%.*s", (int)strcspn(next + 1, "\n"), next + 1);
    }
    if (file)
        fclose(file);
    return found;
}

/* Where a version is mounted, and which group appears there: fields 5 and 4 of a line, whose end says what it
 * is of. */
static bool find_mount(const char *root, const struct version *version, char group[PATH_MAX],
                       char place[PATH_MAX]) {
    FILE *file = open_below(root, "/proc/self", "mountinfo");
    char line[3 * PATH_MAX], type[64], options[1024];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *end = strstr(line, " - ");
        if (!end || sscanf(line, "%*s %*s %*s %4095s %4095s", group, place) != 2 ||
            sscanf(end + 3, "%63s %*s %1023s", type, options) != 2)
            continue;
        found = strcmp(type, version->type) == 0 && (version == &versions[1] || lists(options, "memory"));
    }
    if (file)
        fclose(file);
    return found;
}

/* What one group leaves; pages that only keep files at hand are given back when they are needed. */
static double left_in(const char *root, const char *folder, const struct version *version) {
    const double unlimited = 4e18; /* version 1 says 2^63 less a page */
    const double limit = number_in(root, folder, version->limit),
                 used = number_in(root, folder, version->used),
                 files = number_after(root, folder, "memory.stat", version->reclaimable);
    if (limit < 0 || limit > unlimited || used < 0)
        return HUGE_VAL;
    return fmax(0, limit - fmax(0, used - fmax(0, files)));
}

/* What this process' group and those above it leave. */
static double left_in_groups(const char *root, const struct version *version) {
    char path[PATH_MAX], group[PATH_MAX], place[PATH_MAX], folder[2 * PATH_MAX];
    if (!find_group(root, version == &versions[1], path) || !find_mount(root, version, group, place))
        return HUGE_VAL;
    const size_t shared = strcmp(group, "/") == 0 ? 0 : strlen(group);
    const bool below = strncmp(path, group, shared) == 0;
    const size_t top = (size_t)snprintf(folder, sizeof folder, "%s", place);
    snprintf(folder + top, sizeof folder - top, "%s", below ? path + shared : "");
    double left = HUGE_VAL;
    for (;;) {
        left = fmin(left, left_in(root, folder, version));
        char *last = strrchr(folder + top, '/');
        if (!last)
            return left;
        *last = '\0';
    }
}

static double left_of_addresses(const char *root) {
    struct rlimit limit;
    const double used = number_in(root, "/proc/self", "statm") * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || used < 0)
        return HUGE_VAL;
    return fmax(0, (double)limit.rlim_cur - used);
}

static double free_on_host(const char *root) {
    const double kibibytes = number_after(root, "/proc", "meminfo", "MemAvailable:");
    return kibibytes >= 0 ? 1024 * kibibytes
                          : (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

static void bound_by(struct weir_memory_room *room, enum weir_memory_bound bound, double bytes) {
    if (bytes < room->bytes)
        *room = (struct weir_memory_room){bytes, bound};
}

struct weir_memory_room weir_memory_room_below(const char *root, int sharers) {
    struct weir_memory_room room = {free_on_host(root) / sharers, WEIR_BOUND_BY_HOST};
    for (int k = 0; k < 2; k++)
        bound_by(&room, WEIR_BOUND_BY_GROUP, left_in_groups(root, &versions[k]) / sharers);
    bound_by(&room, WEIR_BOUND_BY_PROCESS, left_of_addresses(root));
    return room;
}

struct weir_memory_room weir_memory_room(int sharers) {
    return weir_memory_room_below("", sharers);
}
