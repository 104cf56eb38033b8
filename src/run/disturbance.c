#include "src/run/disturbance.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/runtime/cores.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that a thread works through: several times what a core's share of a cache holds. */
enum { TOUCHED_BYTES = 64 << 20, PART_BYTES = 1 << 18 };

struct load {
    struct weir_disturbance *disturbance;
    pthread_t thread;
    int core; /* number in weir_cores, -1: unbound */
    double start, end;
    uint64_t *memory;
};

struct weir_disturbance {
    struct weir_disturbance_options options;
    int64_t (*done)(void *context);
    void *context;
    struct weir_cores *cores;
    atomic_bool stop;
    bool stopped;
    int started; /* threads */
    struct load loads[];
};

int weir_disturbance_parse(const char *text, struct weir_disturbance_options *options) {
    long long from = -1, to = -1;
    int threads = 0, used = -1;
    /* %n tells how far it got: with two numbers, then with three. */
    (void)sscanf(text, "%18lld:%18lld%n", &from, &to, &used);
    if (used > 0 && text[used] == ':') {
        const char *rest = text + used + 1;
        used = -1;
        (void)sscanf(rest, "%5d%n", &threads, &used);
        if (used > 0 && (rest[used] != '\0' || threads < 1))
            used = -1;
    } else if (used > 0 && text[used] != '\0')
        used = -1;
    if (used < 0 || strpbrk(text, " \t+-"))
        return weir_fail(WEIR_USAGE,
                         "--disturb: \"%.60s\" is no span of steps; give FROM:TO or FROM:TO:THREADS, such as "
                         "100:200",
                         text);
    if (from >= to)
        return weir_fail(WEIR_USAGE, "--disturb: %lld:%lld ends before it begins; give a later end", from,
                         to);
    *options = (struct weir_disturbance_options){.from = from, .to = to, .threads = threads};
    return 0;
}

static void bind(const struct load *load) {
    if (load->core >= 0)
        weir_cores_bind(load->disturbance->cores, load->core);
}

/* Reads and writes a part of the memory. */
static void touch(uint64_t *memory) {
    for (size_t k = 0; k < PART_BYTES / sizeof *memory; k++)
        memory[k] = memory[k] * 6364136223846793005u + k;
}

static void *work(void *argument) {
    struct load *load = argument;
    struct weir_disturbance *d = load->disturbance;
    const struct timespec millisecond = {.tv_nsec = 1000000};
    bind(load);
    while (!atomic_load(&d->stop) && d->done(d->context) < d->options.from)
        nanosleep(&millisecond, NULL);
    if (atomic_load(&d->stop))
        return NULL;
    load->start = weir_seconds();
    double asked = load->start;
    for (size_t part = 0; !atomic_load(&d->stop); part++) {
        touch(load->memory + part % (TOUCHED_BYTES / PART_BYTES) * (PART_BYTES / sizeof *load->memory));
        const double now = weir_seconds();
        if (now - asked < 1e-3)
            continue;
        asked = now;
        if (d->done(d->context) >= d->options.to)
            break;
    }
    load->end = weir_seconds();
    return NULL;
}

/* Whether a spinning thread that is not part of this worker's team has this processing unit. */
static bool is_others(const struct weir_runtime *runtime, const struct weir_worker *leader, int unit) {
    bool others = unit == weir_runtime_main_core(runtime);
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        others = others || (worker != leader && worker->core == unit);
    }
    return others;
}

/* Adds the cores on which a CPU worker computes; -1 for each where it is not bound. Those of a team are the
 * ones of its leader's domain that nobody else has. */
static int add_cores(const struct weir_cores *all, const struct weir_runtime *runtime,
                     const struct weir_worker *worker, int *cores, int count) {
    const int total = weir_cores_count(all);
    int own = -1, added = 0;
    for (int core = 0; core < total && worker->core >= 0; core++)
        if (weir_cores_unit(all, core) == worker->core)
            own = core;
    if (own >= 0)
        cores[count + added++] = own;
    for (int core = 0; core < total && own >= 0 && added < worker->cores; core++)
        if (core != own && weir_cores_domain(all, core) == weir_cores_domain(all, own) &&
            !is_others(runtime, worker, weir_cores_unit(all, core)))
            cores[count + added++] = core;
    while (added < worker->cores)
        cores[count + added++] = -1;
    return count + added;
}

/* Cores of CPU workers, first those that take steps; -1 for what is not bound. The list is the caller's. */
static int cores_of(const struct weir_cores *all, const struct weir_runtime *runtime, int **list,
                    int *stepping) {
    int room = 1, count = 0;
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++)
        room += weir_runtime_worker(runtime, k)->cores;
    *list = malloc(sizeof **list * (size_t)room);
    for (int steps = 1; *list && steps >= 0; steps--) {
        for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
            const struct weir_worker *worker = weir_runtime_worker(runtime, k);
            if (!worker->cuda && worker->steps == (steps == 1))
                count = add_cores(all, runtime, worker, *list, count);
        }
        if (steps == 1)
            *stepping = count;
    }
    return count;
}

static int start_threads(struct weir_disturbance *d, const int *cores) {
    for (int k = 0; k < d->options.threads; k++) {
        struct load *load = &d->loads[k];
        *load = (struct load){.disturbance = d, .core = cores[k], .start = NAN, .end = NAN};
        load->memory = calloc(1, TOUCHED_BYTES);
        if (!load->memory)
            return weir_fail(WEIR_FAILED, "--disturb: out of memory for %d threads; give fewer",
                             d->options.threads);
        memset(load->memory, 1, TOUCHED_BYTES); /* now, not while the load is to run */
        const int error = pthread_create(&load->thread, NULL, work, load);
        if (error != 0) {
            free(load->memory);
            return weir_fail(WEIR_FAILED, "--disturb: a thread cannot be started: %s", strerror(error));
        }
        d->started++;
    }
    return 0;
}

int weir_disturbance_create(const struct weir_disturbance_options *options,
                            const struct weir_runtime *runtime, int64_t (*done)(void *context), void *context,
                            struct weir_disturbance **result) {
    struct weir_cores *all = NULL;
    int *cores = NULL, stepping = 0;
    WEIR_TRY(weir_cores_create(&all));
    const int count = cores_of(all, runtime, &cores, &stepping);
    const int threads = options->threads > 0 ? options->threads : stepping / 2 > 0 ? stepping / 2 : 1;
    struct weir_disturbance *d = calloc(1, sizeof *d + sizeof *d->loads * (size_t)threads);
    int error = 0;
    if (!d || !cores)
        error = weir_fail(WEIR_FAILED, "--disturb: out of memory");
    else if (threads > count)
        error = weir_fail(WEIR_UNAVAILABLE,
                          "--disturb: %d threads are more than the %d cores of CPU workers; give fewer",
                          threads, count);
    if (d)
        d->cores = all;
    else
        weir_cores_destroy(all);
    if (error == 0) {
        d->options = *options;
        d->options.threads = threads;
        d->done = done;
        d->context = context;
        error = start_threads(d, cores);
    }
    free(cores);
    if (error != 0) {
        weir_disturbance_destroy(d);
        return error;
    }
    *result = d;
    return 0;
}

struct weir_disturbance_report weir_disturbance_stop(struct weir_disturbance *d) {
    struct weir_disturbance_report report = {.threads = d->started, .start = NAN, .end = NAN};
    atomic_store(&d->stop, true);
    for (int k = 0; k < d->started; k++) {
        const struct load *load = &d->loads[k];
        if (!d->stopped)
            pthread_join(load->thread, NULL);
        report.start = fmin(report.start, load->start); /* fmin and fmax pass over NaN */
        report.end = fmax(report.end, load->end);
    }
    d->stopped = true;
    return report;
}

void weir_disturbance_destroy(struct weir_disturbance *d) {
    if (!d)
        return;
    weir_disturbance_stop(d);
    for (int k = 0; k < d->started; k++)
        free(d->loads[k].memory);
    weir_cores_destroy(d->cores);
    free(d);
}
