#include "graph/runtime/scheduler.h"

#include "codelets/task_kind.h"
#include "graph/base/clock.h"

#include <limits.h>
#include <pthread.h>
#include <starpu_scheduler.h>
#include <string.h>
#include <time.h>

/* A queue takes the lock only for some instructions; a worker group's lock is not held while another's is
 * taken. */
struct queue {
    pthread_mutex_t lock;
    struct starpu_task_list tasks[2]; /* those that go first, the others; each from old to new */
    atomic_int length;                /* read without the lock by those who look for work */
    atomic_bool away;                 /* the core of the group does output meanwhile */
    int open;  /* tasks that wait here or are under way on the worker group's workers: while there are any, it
                * is busy
                */
    int width; /* with so many of these it is full */
    double busy_since, full_since;
    struct weir_scheduler_load load; /* up to these */
};

/* StarPU calls policies without a pointer of ours before its contexts exist, so this is one static object. */
static struct {
    const struct weir_worker_groups *_Atomic groups;
    bool visits;
    bool several_memories; /* else there is nothing to fetch */
    bool gives_way;        /* idle workers leave their cores to others */
    bool by_priority;      /* of tasks that wait at home */
    bool output_workers;   /* there are CPU workers that take no steps */
    int group_of_worker[STARPU_NMAXWORKERS];
    double idle_since[STARPU_NMAXWORKERS];           /* of each worker; 0: it is not */
    struct queue queues[WEIR_WORKER_GROUPS_MAX + 1]; /* of each worker group; the last: tasks without home */
    atomic_uint next_waker;
} scheduler;

static struct queue *const homeless = &scheduler.queues[WEIR_WORKER_GROUPS_MAX];

static void start(unsigned context) {
    /* StarPU holds priorities within the policy's limits, which without this are 0 and 0. */
    starpu_sched_ctx_set_min_priority(context, INT_MIN);
    starpu_sched_ctx_set_max_priority(context, INT_MAX);
    scheduler.groups = NULL;
    scheduler.gives_way = false;
    scheduler.by_priority = false;
    memset(scheduler.idle_since, 0, sizeof scheduler.idle_since);
    for (int k = 0; k <= WEIR_WORKER_GROUPS_MAX; k++) {
        struct queue *queue = &scheduler.queues[k];
        memset(queue, 0, sizeof *queue);
        pthread_mutex_init(&queue->lock, NULL);
        starpu_task_list_init(&queue->tasks[0]);
        starpu_task_list_init(&queue->tasks[1]);
    }
}

static void stop(unsigned context) {
    (void)context;
    for (int k = 0; k <= WEIR_WORKER_GROUPS_MAX; k++)
        pthread_mutex_destroy(&scheduler.queues[k].lock);
}

void weir_scheduler_serve(const struct weir_worker_groups *groups, bool visits) {
    scheduler.visits = visits;
    scheduler.several_memories = starpu_memory_nodes_get_count() > 1;
    scheduler.output_workers = false;
    for (int id = 0; id < STARPU_NMAXWORKERS; id++)
        scheduler.group_of_worker[id] = weir_worker_groups_of_worker(groups, id);
    for (int group = 0; group < groups->count; group++)
        scheduler.queues[group].width = groups->group[group].worker_count;
    for (unsigned id = 0; id < starpu_worker_get_count(); id++)
        scheduler.output_workers =
            scheduler.output_workers ||
            (starpu_worker_get_type((int)id) == STARPU_CPU_WORKER && scheduler.group_of_worker[id] < 0);
    scheduler.groups = groups;
}

void weir_scheduler_give_way(void) {
    scheduler.gives_way = true;
}

void weir_scheduler_heed_priorities(void) {
    scheduler.by_priority = true;
}

/* A worker that waits for a lock must not keep others from waking it. */
static void lock(struct queue *queue) {
    starpu_worker_relax_on();
    pthread_mutex_lock(&queue->lock);
    starpu_worker_relax_off();
}

static void unlock(struct queue *queue) {
    pthread_mutex_unlock(&queue->lock);
}

static void open_one(struct queue *queue) {
    queue->open++;
    if (queue->open > 1 && queue->open != queue->width)
        return;
    const double now = weir_seconds();
    if (queue->open == 1)
        queue->busy_since = now;
    if (queue->open == queue->width)
        queue->full_since = now;
}

static void close_one(struct queue *queue) {
    queue->open--;
    if (queue->open > 0 && queue->open + 1 != queue->width)
        return;
    const double now = weir_seconds();
    if (queue->open == 0)
        queue->load.busy += now - queue->busy_since;
    if (queue->open + 1 == queue->width)
        queue->load.full += now - queue->full_since;
}

/* The worker group where a task is at home, -1: none, or none of whose workers can run it. */
static int home_of(struct starpu_task *task) {
    const struct weir_home *home = task->sched_data;
    const int group = home && scheduler.groups ? home->group : -1;
    if (group < 0)
        return -1;
    return starpu_worker_can_execute_task((unsigned)scheduler.groups->group[group].workers[0], task, 0)
               ? group
               : -1;
}

/* Wakes one of these workers, beginning with another each time. */
static void wake_one(const int *workers, int count) {
    const unsigned first = atomic_fetch_add(&scheduler.next_waker, 1);
    for (int k = 0; k < count; k++)
        if (starpu_wake_worker_relax_light(workers[(first + (unsigned)k) % (unsigned)count]))
            return;
}

static void wake_cpus(void) {
    int workers[STARPU_NMAXWORKERS];
    const int count = (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, workers, STARPU_NMAXWORKERS);
    wake_one(workers, count < 0 ? STARPU_NMAXWORKERS : count);
}

static int push(struct starpu_task *task) {
    const int group = home_of(task);
    struct queue *queue = group >= 0 ? &scheduler.queues[group] : homeless;
    /* What lies elsewhere (messages of blocks on other devices) comes while the task waits for its turn. */
    if (group >= 0 && scheduler.several_memories)
        starpu_prefetch_task_input_on_node(
            task, starpu_worker_get_memory_node((unsigned)scheduler.groups->group[group].workers[0]));
    lock(queue);
    const bool first = group >= 0 && ((const struct weir_home *)task->sched_data)->border;
    starpu_task_list_push_back(&queue->tasks[first ? 0 : 1], task);
    queue->length++;
    open_one(queue);
    starpu_push_task_end(task);
    unlock(queue);
    if (group < 0) {
        wake_cpus();
        return 0;
    }
    const struct weir_worker_group *home = &scheduler.groups->group[group];
    wake_one(home->workers, home->worker_count);
    if (scheduler.visits && home->kind == WEIR_WORKER_GROUP_CORE && queue->length + queue->away > 1)
        wake_cpus();
    return 0;
}

/* Whose busy time counts what this worker does. */
static struct queue *queue_of_worker(int worker) {
    const int group = scheduler.group_of_worker[worker];
    return group >= 0 ? &scheduler.queues[group] : homeless;
}

/* Of this task and those behind it the oldest one with the highest priority. */
static struct starpu_task *first_by_priority(struct starpu_task *task) {
    struct starpu_task *best = task;
    for (; task; task = starpu_task_list_next(task))
        if (task->priority > best->priority)
            best = task;
    return best;
}

/* A task of a queue that this worker may take: the oldest of those that go first, else of the others; or, for
 * who takes it from elsewhere, the newest of the others, else of the first. NULL: none. */
static struct starpu_task *take(struct queue *queue, int worker, bool newest) {
    if (atomic_load_explicit(&queue->length, memory_order_relaxed) == 0)
        return NULL;
    lock(queue);
    struct starpu_task *task = NULL;
    struct starpu_task_list *list = NULL;
    for (int k = 0; k < 2 && !task; k++) {
        list = &queue->tasks[newest ? 1 - k : k];
        task = newest ? starpu_task_list_back(list) : starpu_task_list_begin(list);
        while (task && !starpu_worker_can_execute_task((unsigned)worker, task, 0))
            task = newest ? NULL : starpu_task_list_next(task);
    }
    if (task && scheduler.by_priority && !newest && queue != homeless)
        task = first_by_priority(task); /* whoever may run one that is at home here may run all */
    struct queue *own = queue_of_worker(worker);
    if (task) {
        starpu_task_list_erase(list, task);
        queue->length--;
        if (own != queue)
            close_one(queue);
    }
    unlock(queue);
    if (task && own != queue) {
        lock(own);
        open_one(own);
        unlock(own);
    }
    return task;
}

/* A task that waits at another core, behind one that is that core's next; or the next of a core that does
 * output, as neighbours would soon wait for its block. */
static struct starpu_task *visit(int group, int worker) {
    const struct weir_worker_groups *groups = scheduler.groups;
    int fullest = -1, length = 1;
    for (int k = 0; k < groups->count; k++) {
        const int waiting = atomic_load_explicit(&scheduler.queues[k].length, memory_order_relaxed) +
                            atomic_load_explicit(&scheduler.queues[k].away, memory_order_relaxed);
        if (k != group && groups->group[k].kind == WEIR_WORKER_GROUP_CORE && waiting > length) {
            fullest = k;
            length = waiting;
        }
    }
    return fullest < 0 ? NULL : take(&scheduler.queues[fullest], worker, true);
}

static struct starpu_task *look_for_task(const struct weir_worker_groups *groups, int worker) {
    const int group = scheduler.group_of_worker[worker];
    /* Output is looked for first: there is little of it, and behind steps, which never end, it would starve.
     * A team has better things to do, where somebody else is there for it. */
    struct starpu_task *task = NULL;
    if (group < 0 || groups->group[group].kind != WEIR_WORKER_GROUP_TEAM || !scheduler.output_workers)
        task = take(homeless, worker, false);
    if (group >= 0)
        atomic_store_explicit(&scheduler.queues[group].away, task != NULL, memory_order_relaxed);
    if (!task && group >= 0)
        task = take(&scheduler.queues[group], worker, false);
    if (!task && group >= 0 && scheduler.visits && groups->group[group].kind == WEIR_WORKER_GROUP_CORE)
        task = visit(group, worker);
    return task;
}

static void sleep_for(double seconds) {
    const struct timespec a_while = {.tv_nsec = (long)(1e9 * seconds)};
    starpu_worker_relax_on();
    nanosleep(&a_while, NULL);
    starpu_worker_relax_off();
}

/* What a worker does that asked for a task and got this. Where others wait for its core it sleeps at once,
 * long enough for them to get something done, short against a step. Else, on a core that has been idle for a
 * while (compilers, set-up and output may need it, or another program), for a small share of that time: so no
 * task waits much longer than it would have. A GPU's worker has kernels to look after. */
static struct starpu_task *or_rest(struct starpu_task *task) {
    static const double at_once = 20e-6, patience = 1e-3, share = 0.05, longest = 200e-6;
    const int worker = starpu_worker_get_id();
    double *idle_since = &scheduler.idle_since[worker];
    if (task) {
        if (*idle_since != 0)
            *idle_since = 0;
    } else if (scheduler.gives_way) {
        sleep_for(at_once);
    } else if (starpu_worker_get_type(worker) == STARPU_CPU_WORKER) {
        const double now = weir_seconds();
        if (*idle_since == 0)
            *idle_since = now;
        const double idle = now - *idle_since;
        if (idle > patience)
            sleep_for(share * idle < longest ? share * idle : longest);
    }
    return task;
}

/* A scheduler of StarPU's at work, and what it takes tasks with. */
static struct starpu_sched_policy of_starpu;
static struct starpu_task *(*pop_of_starpu)(unsigned context);

static struct starpu_task *pop_or_rest(unsigned context) {
    return or_rest(pop_of_starpu(context));
}

struct starpu_sched_policy *weir_scheduler_of_starpu(const char *name) {
    struct starpu_sched_policy **policy = starpu_sched_get_predefined_policies();
    while (*policy && strcmp((*policy)->policy_name, name) != 0)
        policy++;
    if (!*policy)
        return NULL;
    of_starpu = **policy;
    pop_of_starpu = of_starpu.pop_task;
    if (pop_of_starpu)
        of_starpu.pop_task = pop_or_rest;
    scheduler.gives_way = false;
    return &of_starpu;
}

static struct starpu_task *pop(unsigned context) {
    (void)context;
    const struct weir_worker_groups *groups = scheduler.groups;
    return or_rest(groups ? look_for_task(groups, starpu_worker_get_id()) : NULL);
}

static void ended(struct starpu_task *task, unsigned context) {
    (void)context;
    if (task->execute_on_a_specific_worker) /* did not come through here */
        return;
    struct queue *queue = queue_of_worker(starpu_worker_get_id());
    lock(queue);
    queue->load.ended++;
    queue->load.ended_full += queue->open >= queue->width;
    close_one(queue);
    unlock(queue);
}

struct weir_scheduler_load weir_scheduler_load(int group) {
    struct queue *queue = &scheduler.queues[group];
    pthread_mutex_lock(&queue->lock);
    struct weir_scheduler_load load = queue->load;
    const double now = weir_seconds();
    if (queue->open > 0)
        load.busy += now - queue->busy_since;
    if (queue->open >= queue->width)
        load.full += now - queue->full_since;
    pthread_mutex_unlock(&queue->lock);
    return load;
}

struct starpu_sched_policy weir_scheduler_policy = {
    .init_sched = start,
    .deinit_sched = stop,
    .push_task = push,
    .pop_task = pop,
    .post_exec_hook = ended,
    .policy_name = "weir",
    .policy_description = "blocks run at home",
    .prefetches = 1,
    .worker_type = STARPU_WORKER_LIST,
};
