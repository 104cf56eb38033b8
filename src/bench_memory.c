#include "src/bench_memory.h"

#include <stdio.h>
#include <unistd.h>

/* A number alone in a file; -1 when there is none ("max" means no limit). */
static double number_in(const char *path) {
    double value = -1;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    if (fscanf(file, "%lf", &value) != 1)
        value = -1;
    fclose(file);
    return value;
}

double weir_memory_available(void) {
    double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    double kibibytes;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kibibytes) == 1)
            available = 1024 * kibibytes; /* counts what the page cache would give back */
    if (file)
        fclose(file);
    const double limit = number_in("/sys/fs/cgroup/memory.max"),
                 used = number_in("/sys/fs/cgroup/memory.current");
    if (limit > 0 && used >= 0 && limit - used < available)
        available = limit > used ? limit - used : 0;
    return available;
}
