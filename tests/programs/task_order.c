/* What ThreadSanitizer has to be told of StarPU, which is not compiled for it, for a Weir that is and is
 * started with this library in LD_PRELOAD: a task begins after it was submitted and after those that its
 * buffers make it wait for; who waits for tasks or acquires a buffer goes on after them. Of all else that
 * StarPU does it knows locks of pthreads alone.
 *
 * With WEIR_FORGET_ORDER it tells nothing of buffers: then what tasks write must be reported as races. */
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#undef starpu_task_submit /* a macro that notes where it stands */

/* Codelets of a run, by address, with the functions that in_order stands for. Read without a lock, which
 * would be an order of its own. */
enum { CODELETS = 256 };
static _Atomic(struct starpu_codelet *) codelets[CODELETS];
static _Atomic(starpu_cpu_func_t) functions[CODELETS];

/* Addresses that stand for an order. */
static char all_tasks, call_on_workers;

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

static bool forgets(void) {
    return getenv("WEIR_FORGET_ORDER") != NULL;
}

static void after(starpu_data_handle_t handle, bool writes) {
    if (forgets())
        return;
    __tsan_acquire(handle);
    if (writes)
        __tsan_acquire((char *)handle + 8);
}

static void before(starpu_data_handle_t handle, bool writes) {
    if (!forgets())
        __tsan_release(writes ? (char *)handle : (char *)handle + 8);
}

static int place_of(struct starpu_codelet *codelet) {
    for (int k = 0; k < CODELETS; k++) {
        struct starpu_codelet *none = NULL;
        if (atomic_load_explicit(&codelets[k], memory_order_relaxed) == codelet ||
            atomic_compare_exchange_strong(&codelets[k], &none, codelet))
            return k;
    }
    abort();
}

static void in_order(void *buffers[], void *argument) {
    struct starpu_task *task = starpu_task_get_current();
    __tsan_acquire(task);
    for (int k = 0; k < task->nbuffers; k++)
        after(STARPU_TASK_GET_HANDLE(task, k), STARPU_TASK_GET_MODE(task, k) & STARPU_W);
    atomic_load_explicit(&functions[place_of(task->cl)], memory_order_relaxed)(buffers, argument);
    for (int k = 0; k < task->nbuffers; k++)
        before(STARPU_TASK_GET_HANDLE(task, k), STARPU_TASK_GET_MODE(task, k) & STARPU_W);
    __tsan_release(&all_tasks);
}

int starpu_task_submit(struct starpu_task *task) {
    static int (*submit)(struct starpu_task *);
    if (!submit)
        submit = (int (*)(struct starpu_task *))next("starpu_task_submit");
    struct starpu_codelet *codelet = task->cl;
    if (codelet && codelet->cpu_funcs[0] && codelet->cpu_funcs[0] != in_order) {
        atomic_store_explicit(&functions[place_of(codelet)], codelet->cpu_funcs[0], memory_order_relaxed);
        codelet->cpu_funcs[0] = in_order;
    }
    __tsan_release(task);
    return submit(task);
}

int starpu_task_wait_for_all(void) {
    const int result = ((int (*)(void))next("starpu_task_wait_for_all"))();
    __tsan_acquire(&all_tasks);
    return result;
}

int starpu_data_acquire(starpu_data_handle_t handle, enum starpu_data_access_mode mode) {
    const int result =
        ((int (*)(starpu_data_handle_t, enum starpu_data_access_mode))next("starpu_data_acquire"))(handle,
                                                                                                   mode);
    after(handle, mode & STARPU_W);
    return result;
}

int starpu_data_acquire_on_node(starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode) {
    const int result = ((int (*)(starpu_data_handle_t, int, enum starpu_data_access_mode))next(
        "starpu_data_acquire_on_node"))(handle, node, mode);
    after(handle, mode & STARPU_W);
    return result;
}

void starpu_data_release(starpu_data_handle_t handle) {
    before(handle, true);
    ((void (*)(starpu_data_handle_t))next("starpu_data_release"))(handle);
}

void starpu_data_release_on_node(starpu_data_handle_t handle, int node) {
    before(handle, true);
    ((void (*)(starpu_data_handle_t, int))next("starpu_data_release_on_node"))(handle, node);
}

void starpu_data_unregister_no_coherency(starpu_data_handle_t handle) {
    ((void (*)(starpu_data_handle_t))next("starpu_data_unregister_no_coherency"))(handle);
    __tsan_acquire(&all_tasks); /* the handle is gone: those of it are among all that have ended */
}

static void (*called)(void *);

static void call_in_order(void *argument) {
    __tsan_acquire(&call_on_workers);
    called(argument);
    __tsan_release(&call_on_workers);
}

void starpu_execute_on_specific_workers(void (*function)(void *), void *argument, unsigned count,
                                        unsigned *workers, const char *name) {
    called = function;
    __tsan_release(&call_on_workers);
    ((void (*)(void (*)(void *), void *, unsigned, unsigned *, const char *))next(
        "starpu_execute_on_specific_workers"))(call_in_order, argument, count, workers, name);
    __tsan_acquire(&call_on_workers);
}
