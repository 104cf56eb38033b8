#include "graph/base/core_use.h"

#include "graph/base/clock.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* ---- a moment ----------------------------------------------------------------------------------------- */

/* Time that cores were not idle, from lines such as "cpu0 user nice system idle iowait irq softirq steal". */
static void read_busy(double busy[WEIR_CORE_USE_CORES]) {
    for (int core = 0; core < WEIR_CORE_USE_CORES; core++)
        busy[core] = NAN;
    FILE *file = fopen("/proc/stat", "r");
    char line[512];
    const double ticks = (double)sysconf(_SC_CLK_TCK);
    while (file && fgets(line, sizeof line, file)) {
        int core;
        double user, nice, system, idle, wait, irq, soft, steal = 0;
        if (sscanf(line, "cpu%d %lf %lf %lf %lf %lf %lf %lf %lf", &core, &user, &nice, &system, &idle, &wait,
                   &irq, &soft, &steal) >= 8 &&
            core >= 0 && core < WEIR_CORE_USE_CORES)
            busy[core] = (user + nice + system + irq + soft + steal) / ticks;
    }
    if (file)
        fclose(file);
}

/* Seconds that a thread was ready and did not run: the second number of its schedstat, in nanoseconds. 0 of a
 * thread that has just ended. */
static double waited_by(const char *thread) {
    char path[64];
    double waited = NAN;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/schedstat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return access("/proc/self/schedstat", R_OK) == 0 ? 0 : NAN;
    if (fscanf(file, "%*f %lf", &waited) != 1)
        waited = NAN;
    fclose(file);
    return 1e-9 * waited;
}

/* Adds the cores of a thread; of one that is bound to a core, to the first set as well. */
static void add_cores(pid_t thread, uint64_t bound[WEIR_CORE_SET_WORDS], uint64_t all[WEIR_CORE_SET_WORDS]) {
    cpu_set_t set;
    if (sched_getaffinity(thread, sizeof set, &set) != 0)
        return;
    const bool one = CPU_COUNT(&set) == 1;
    for (size_t core = 0; core < WEIR_CORE_USE_CORES && core < CPU_SETSIZE; core++) {
        const uint64_t bit = (uint64_t)CPU_ISSET(core, &set) << core % 64;
        all[core / 64] |= bit;
        bound[core / 64] |= one ? bit : 0;
    }
}

static void read_threads(struct weir_core_use *use) {
    uint64_t all[WEIR_CORE_SET_WORDS] = {0}, any = 0;
    DIR *threads = opendir("/proc/self/task");
    use->waited = threads ? 0 : NAN;
    memset(use->set, 0, sizeof use->set);
    for (const struct dirent *entry; threads && (entry = readdir(threads));) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        use->waited += waited_by(entry->d_name);
        add_cores((pid_t)atol(entry->d_name), use->set, all);
    }
    if (threads)
        closedir(threads);
    for (int word = 0; word < WEIR_CORE_SET_WORDS; word++)
        any |= use->set[word];
    if (any == 0)
        memcpy(use->set, all, sizeof all);
}

void weir_core_use_read(struct weir_core_use *use) {
    struct timespec own;
    struct rusage usage;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    use->own = (double)own.tv_sec + 1e-9 * (double)own.tv_nsec;
    use->switches = getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_nivcsw : NAN;
    use->seconds = weir_seconds();
    read_busy(use->busy);
    read_threads(use);
}

/* ---- a span ------------------------------------------------------------------------------------------- */

struct weir_core_span weir_core_use_between(const struct weir_core_use *before,
                                            const struct weir_core_use *after) {
    struct weir_core_span span = {.seconds = after->seconds - before->seconds,
                                  .own = after->own - before->own,
                                  .waited = after->waited - before->waited,
                                  .switches = after->switches - before->switches};
    memcpy(span.set, after->set, sizeof span.set);
    for (int core = 0; core < WEIR_CORE_USE_CORES; core++)
        if (span.set[core / 64] >> core % 64 & 1) {
            span.busy += after->busy[core] - before->busy[core];
            span.cores++;
        }
    return span;
}

struct weir_core_loss weir_core_span_loss(const struct weir_core_span *span, double beside) {
    const double tick = 0.01; /* to which /proc counts a core's time */
    const double all = span->seconds * span->cores, others = span->busy - span->own - beside;
    struct weir_core_loss loss = {NAN, NAN, NAN, NAN};
    if (!(all > 0))
        return loss;
    if (!isnan(others))
        loss.others = others > tick * span->cores ? others / all : 0;
    loss.waited = isnan(span->waited) ? NAN : fmax(span->waited, 0) / all; /* a thread may have ended */
    loss.lost = isnan(loss.others) || isnan(loss.waited) ? NAN : fmin(loss.others, loss.waited);
    loss.switches = span->switches / all;
    return loss;
}

static bool share_cores(const struct weir_core_span *a, const struct weir_core_span *b) {
    uint64_t both = 0;
    for (int word = 0; word < WEIR_CORE_SET_WORDS; word++)
        both |= a->set[word] & b->set[word];
    return both != 0;
}

struct weir_core_loss weir_core_spans_loss(const struct weir_core_span *spans, const char *const *hosts,
                                           int count) {
    struct weir_core_loss most = {NAN, NAN, NAN, NAN};
    for (int k = 0; k < count; k++) {
        double beside = 0;
        for (int other = 0; other < count; other++)
            if (other != k && strcmp(hosts[k], hosts[other]) == 0 && share_cores(&spans[k], &spans[other]))
                beside += spans[other].own;
        const struct weir_core_loss loss = weir_core_span_loss(&spans[k], beside);
        if (k == 0 || isnan(most.lost) || loss.lost > most.lost)
            most = loss;
    }
    return most;
}
