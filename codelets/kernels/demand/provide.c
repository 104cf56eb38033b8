#include "codelets/kernels/demand/provide.h"

#include "codelets/kernels/demand/compiler.h"
#include "codelets/kernels/demand/work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Every size of block has objects of its own: of these the cache keeps so many. */
enum { THREADS_MAX = 16, OBJECTS_FOR_SOME_BLOCKS_MAX = 64 };

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- finding ---------------------------------------------------------------------------------------------
 */

static bool find_installed(struct weir_kernel_object *object) {
    char name[NAME_MAX];
    const struct weir_kernel_folder *folder;
    weir_kernel_object_file(object, name);
    for (int k = 0; (folder = weir_kernel_installed(k)); k++)
        if (weir_kept_file_read(folder, name, object->id, &object->file))
            return true;
    return false;
}

/* As this machine's compiler made it. */
static bool find_own(struct weir_kernel_object *object) {
    char name[NAME_MAX];
    weir_kernel_object_own_file(object, name);
    const bool found = weir_kept_file_read(weir_kernel_cache(), name, object->id, &object->file);
    if (found && object->for_some_blocks) /* it is in use: the least used ones go */
        utimensat(weir_kernel_cache()->descriptor, name, NULL, AT_SYMLINK_NOFOLLOW);
    return found;
}

/* As any compiler made it: where there is none now. */
static bool find_of_any_compiler(struct weir_kernel_object *object) {
    const int descriptor = dup(weir_kernel_cache()->descriptor);
    DIR *const list = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    bool found = false;
    if (!list)
        return false;
    rewinddir(list);
    for (struct dirent *entry; !found && (entry = readdir(list));)
        found = strncmp(entry->d_name, object->id, strlen(object->id)) == 0 &&
                weir_kept_file_read(weir_kernel_cache(), entry->d_name, object->id, &object->file);
    closedir(list);
    return found;
}

/* ---- compiling -------------------------------------------------------------------------------------------
 */

struct request {
    struct weir_kernel_object *objects;
    int count;
    const struct weir_kernel_folder *out; /* NULL: the cache */
    struct weir_work_folder work;
    bool patient;                /* it is waited for now */
    const atomic_bool *given_up; /* NULL: it never is */
    int next;
    pthread_mutex_t lock;
    struct weir_kernel_news *news;
};

static void about(const struct weir_kernel_object *object, char *text, size_t size) {
    size_t length =
        (size_t)snprintf(text, size, "%s by %s\n", object->name, weir_kernel_object_compiler(object));
    for (int k = 0; k < object->definitions.count && length < size; k++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s=%s\n", object->definitions.definition[k].name,
                             object->definitions.definition[k].value);
}

/* Keeps what was compiled; where that fails, this process has it all the same. */
static void keep(struct request *r, const struct weir_kernel_object *object) {
    const struct weir_kernel_folder *const folder = r->out ? r->out : weir_kernel_cache();
    char name[NAME_MAX], text[2048], reason[WEIR_REASON_SIZE] = "";
    if (r->out)
        weir_kernel_object_file(object, name);
    else
        weir_kernel_object_own_file(object, name);
    about(object, text, sizeof text);
    if (folder->descriptor < 0)
        snprintf(reason, sizeof reason, "%s", folder->reason);
    else if (weir_kept_file_write(folder, name, object->id, object->file.data, object->file.size, text) != 0)
        snprintf(reason, sizeof reason, "writing to %s: %s", folder->path, strerror(errno));
    pthread_mutex_lock(&r->lock);
    if (reason[0])
        snprintf(r->news->not_kept, sizeof r->news->not_kept, "%s", reason);
    else if (object->for_some_blocks)
        weir_kernel_folder_bound(folder, weir_kernel_some_blocks_ending, OBJECTS_FOR_SOME_BLOCKS_MAX);
    pthread_mutex_unlock(&r->lock);
}

/* Where the log of a failure stays: beside the kernels, or beside the folder that goes. */
static void keep_log(const struct request *r, const struct weir_kernel_object *object, const char *log,
                     char kept[PATH_MAX]) {
    const struct weir_kernel_folder *const folder = r->out ? r->out : weir_kernel_cache();
    char line[4096];
    if (folder->descriptor >= 0)
        snprintf(kept, PATH_MAX, "%s/%s.log", folder->path, object->name);
    else
        snprintf(kept, PATH_MAX, "%s.%s.log", r->work.path, object->name);
    FILE *const from = fopen(log, "re"), *const to = from ? fopen(kept, "we") : NULL;
    while (to && fgets(line, sizeof line, from))
        fputs(line, to);
    if (to)
        fclose(to);
    if (from)
        fclose(from);
}

/* The first line that speaks of an error, or the first of all. */
static void first_error(const char *log, char line[512]) {
    char other[512];
    FILE *const file = fopen(log, "re");
    line[0] = '\0';
    while (file && fgets(other, sizeof other, file)) {
        const bool error = strstr(other, "error") != NULL;
        if (line[0] == '\0' || error)
            snprintf(line, 512, "%.*s", (int)strcspn(other, "\n"), other);
        if (error)
            break;
    }
    if (file)
        fclose(file);
}

static void tell_failure(struct request *r, const struct weir_kernel_object *object, int status,
                         const char *log) {
    char line[512], kept[PATH_MAX];
    enum { SIGNALLED = 128 };
    first_error(log, line);
    keep_log(r, object, log, kept);
    pthread_mutex_lock(&r->lock);
    if (r->news->code == 0) {
        r->news->code = 1;
        if (status > SIGNALLED)
            snprintf(r->news->error, sizeof r->news->error,
                     "compiling kernel %s was ended by signal %d; run it again to compile it", object->name,
                     status - SIGNALLED);
        else
            snprintf(r->news->error, sizeof r->news->error,
                     "compiling kernel %s with %s failed: %s; the whole log: %s", object->name,
                     weir_kernel_object_compiler(object), line[0] ? line : "it says nothing", kept);
    }
    pthread_mutex_unlock(&r->lock);
}

/* Nobody wants to know why. */
static void set_failed(struct request *r) {
    pthread_mutex_lock(&r->lock);
    r->news->code = 1;
    pthread_mutex_unlock(&r->lock);
}

static void compile(struct request *r, struct weir_kernel_object *object) {
    char log[PATH_MAX];
    const double start = seconds_now();
    snprintf(log, sizeof log, "%s/%.128s.log", r->work.path, object->name);
    const int status = weir_kernel_object_compile(object, r->work.path, log, r->given_up);
    object->seconds = seconds_now() - start;
    if (status != 0) {
        if (r->given_up && atomic_load(r->given_up))
            set_failed(r);
        else
            tell_failure(r, object, status, log);
        return;
    }
    keep(r, object);
    pthread_mutex_lock(&r->lock);
    r->news->compiled++;
    pthread_mutex_unlock(&r->lock);
}

/* Waits for the lock of an object, if it is patient, as weir_kernel_lock says. */
static int lock_object(const struct request *r, const struct weir_kernel_object *object) {
    const struct timespec pause = {.tv_nsec = 50000000};
    if (!r->given_up)
        return weir_kernel_lock(weir_kernel_cache(), object->id, r->patient);
    int lock;
    while ((lock = weir_kernel_lock(weir_kernel_cache(), object->id, false)) == -2 && r->patient &&
           !atomic_load(r->given_up))
        nanosleep(&pause, NULL);
    return lock;
}

/* One object: compiled by this process, or found once another has compiled it. */
static void provide(struct request *r, int k) {
    struct weir_kernel_object *const object = &r->objects[k];
    if (r->out) {
        compile(r, object);
        return;
    }
    const int lock = lock_object(r, object);
    object->waiting = lock == -2;
    if (object->waiting)
        return;
    if (find_own(object)) {
        pthread_mutex_lock(&r->lock);
        r->news->waited++;
        pthread_mutex_unlock(&r->lock);
    } else {
        compile(r, object);
    }
    weir_kernel_unlock(weir_kernel_cache(), object->id, lock);
}

/* A thread takes one object after the other. */
static void *work(void *argument) {
    struct request *const r = argument;
    for (;;) {
        const int k = __atomic_fetch_add(&r->next, 1, __ATOMIC_RELAXED);
        if (k >= r->count)
            return NULL;
        if (!r->objects[k].file.data && !(r->given_up && atomic_load(r->given_up)))
            provide(r, k);
    }
}

/* Threads on any core, whatever the one that waits for them is bound to; signals go to that one. */
static void work_together(struct request *r) {
    pthread_t threads[THREADS_MAX];
    pthread_attr_t attributes;
    cpu_set_t cores;
    sigset_t all, before;
    int started = 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    memset(&cores, 0xff, sizeof cores);
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof cores, &cores);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->next = 0;
    while (started < r->count && started < processors && started < THREADS_MAX &&
           (pthread_create(&threads[started], &attributes, work, r) == 0 ||
            pthread_create(&threads[started], NULL, work, r) == 0))
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (started == 0)
        work(r);
    for (int k = 0; k < started; k++)
        pthread_join(threads[k], NULL);
}

/* ---- the whole -------------------------------------------------------------------------------------------
 */

static int no_compiler(const struct weir_kernel_object *object, struct weir_kernel_news *news) {
    const char *const named = getenv("CC");
    news->code = 77;
    if (object->set)
        snprintf(
            news->error, sizeof news->error,
            "kernel %s has not been compiled yet, and there is no C compiler (%s%s): install one "
            "(apt-get install gcc), or compile where there is one (weir kernels build CASE --out FOLDER) "
            "and name the folder here in WEIR_KERNELS",
            object->name, named && *named ? "CC is " : "no cc, gcc or clang on PATH",
            named && *named ? named : "");
    else
        snprintf(
            news->error, sizeof news->error,
            "kernel %s has not been compiled yet, and NVIDIA's run-time compiler "
            "(libnvrtc.so." WEIR_CUDA_MAJOR
            ") is not found: install it (it is part of the CUDA toolkit; CUDA_HOME names where that is), "
            "compile where it is (weir kernels build CASE --arch %s --out FOLDER) and name the folder "
            "here in WEIR_KERNELS, or run on the CPU (--set placement.workers=cpu)",
            object->name, object->architecture);
    return -1;
}

static int compile_missing(struct request *r) {
    if (weir_work_folder_create(&r->work) != 0) {
        r->news->code = 1;
        snprintf(r->news->error, sizeof r->news->error,
                 "kernels cannot be compiled: no folder to work in can be made in $TMPDIR: %s",
                 strerror(errno));
        return -1;
    }
    work_together(r);
    bool waiting = false;
    for (int k = 0; k < r->count; k++)
        waiting = waiting || r->objects[k].waiting;
    if (waiting && r->news->code == 0) {
        r->patient = true;
        work_together(r);
    }
    weir_work_folder_remove(&r->work);
    return r->news->code == 0 ? 0 : -1;
}

/* Takes what is there. 1: some are missing; -1: and cannot be compiled. */
static int find_objects(struct weir_kernel_object *objects, int count, const struct weir_kernel_folder *out,
                        struct weir_kernel_news *news) {
    bool missing = false;
    for (int k = 0; k < count; k++) {
        struct weir_kernel_object *const object = &objects[k];
        char name[NAME_MAX];
        weir_kernel_object_file(object, name);
        if (object->file.data ||
            (out ? weir_kept_file_read(out, name, object->id, &object->file) : find_installed(object)))
            continue;
        const bool compilable = weir_kernel_object_compiler(object)[0] != '\0';
        if (!out && (compilable ? find_own(object) : find_of_any_compiler(object)))
            continue;
        if (!compilable)
            return no_compiler(object, news);
        missing = true;
    }
    return missing;
}

static int provide_objects(struct request *r) {
    const double start = seconds_now();
    int result = find_objects(r->objects, r->count, r->out, r->news);
    if (result > 0)
        result = compile_missing(r);
    r->news->seconds = seconds_now() - start;
    return result;
}

int weir_kernel_objects_provide(struct weir_kernel_object *objects, int count,
                                const struct weir_kernel_folder *out, struct weir_kernel_news *news) {
    struct request r = {
        .objects = objects, .count = count, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER, .news = news};
    memset(news, 0, sizeof *news);
    return provide_objects(&r);
}

int weir_kernel_objects_provide_in_time(struct weir_kernel_object *objects, int count,
                                        const struct weir_kernel_patience *patience,
                                        struct weir_kernel_news *news) {
    struct request r = {.objects = objects,
                        .count = count,
                        .given_up = patience->given_up,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .news = news};
    memset(news, 0, sizeof *news);
    return patience->compile ? provide_objects(&r) : find_objects(objects, count, NULL, news);
}
