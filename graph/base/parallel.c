#include "graph/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct team {
    int count;
    void (*work)(void *context, int k);
    void *context;
    atomic_int next;
};

int weir_parallel_cores(void) {
    cpu_set_t mine;
    return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
}

static void *take_turns(void *argument) {
    struct team *team = argument;
    for (int k = atomic_fetch_add(&team->next, 1); k < team->count; k = atomic_fetch_add(&team->next, 1))
        team->work(team->context, k);
    return 0;
}

void weir_parallel(int threads, int count, void (*work)(void *context, int k), void *context) {
    struct team team = {.count = count, .work = work, .context = context};
    const int wanted = threads < count ? threads : count,
              most = wanted < WEIR_PARALLEL_MOST ? wanted : WEIR_PARALLEL_MOST;
    pthread_t others[WEIR_PARALLEL_MOST];
    int started = 0;
    atomic_init(&team.next, 0);
    while (started + 1 < most && pthread_create(&others[started], 0, take_turns, &team) == 0)
        started++;
    take_turns(&team);
    for (int k = 0; k < started; k++)
        pthread_join(others[k], 0);
}
