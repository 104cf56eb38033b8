#include "graph/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct team {
    int count;
    void (*work)(void *context, int k);
    void *context;
    atomic_int next;
};

/* Those of the process; none: they are not known. */
static cpu_set_t noted;

void weir_parallel_note_cores(void) {
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        noted = mine;
}

int weir_parallel_cores(void) {
    cpu_set_t mine = noted;
    return CPU_COUNT(&mine) > 0 || sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
}

int weir_parallel_slab(int slices, int threads) {
    enum { LEAST = 4, MOST = 16 };
    const int share = threads < 2 ? slices : (slices + threads - 1) / threads;
    return share < LEAST ? LEAST : share > MOST ? MOST : share;
}

static void *take_turns(void *argument) {
    struct team *team = argument;
    for (int k = atomic_fetch_add(&team->next, 1); k < team->count; k = atomic_fetch_add(&team->next, 1))
        team->work(team->context, k);
    return 0;
}

/* Starts a thread on the cores of the process, wherever the calling one is bound. */
static bool start(pthread_t *thread, struct team *team) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    if (CPU_COUNT(&noted) > 0)
        pthread_attr_setaffinity_np(&attributes, sizeof noted, &noted);
    const bool started = pthread_create(thread, &attributes, take_turns, team) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void weir_parallel(int threads, int count, void (*work)(void *context, int k), void *context) {
    struct team team = {.count = count, .work = work, .context = context};
    const int wanted = threads < count ? threads : count,
              most = wanted < WEIR_PARALLEL_MOST ? wanted : WEIR_PARALLEL_MOST;
    pthread_t others[WEIR_PARALLEL_MOST];
    int started = 0;
    atomic_init(&team.next, 0);
    while (started + 1 < most && start(&others[started], &team))
        started++;
    take_turns(&team);
    for (int k = 0; k < started; k++)
        pthread_join(others[k], 0);
}
