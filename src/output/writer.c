#include "src/output/writer.h"

#include "graph/base/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Jobs that may wait, and those that may where there is room. More would hide longer pauses of a disk, but
 * would all be lost with a run that is killed; parts of one file are lost with it anyway. */
enum { WAITING_FEW = 4, WAITING_MOST = 64 };
static const size_t waiting_bytes_most = 256u << 20;

struct weir_writer {
    void (*fail)(void *context, const char *text);
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct weir_job waiting[WAITING_MOST]; /* a ring */
    int first, count;
    size_t bytes;
    bool busy;   /* with a job that is not in the ring any more */
    bool ending; /* when nothing is left to do */
    bool failed; /* with `text`; nothing is done any more */
    char text[2048];
};

static int error_of(const struct weir_writer *writer) {
    return writer->failed ? weir_fail(WEIR_FAILED, "%s", writer->text) : 0;
}

/* Under the lock. */
static void keep_error(struct weir_writer *writer, const char *text) {
    if (!writer->failed)
        snprintf(writer->text, sizeof writer->text, "%s", text);
    writer->failed = true;
}

static void tell(struct weir_writer *writer, const char *text) {
    pthread_mutex_lock(&writer->lock);
    keep_error(writer, text);
    pthread_mutex_unlock(&writer->lock);
    writer->fail(writer->context, text);
}

static struct weir_job take(struct weir_writer *writer) {
    const struct weir_job job = writer->waiting[writer->first];
    writer->first = (writer->first + 1) % WAITING_MOST;
    writer->count--;
    writer->busy = true;
    pthread_cond_broadcast(&writer->changed); /* there is a place */
    return job;
}

static void *work(void *argument) {
    struct weir_writer *writer = argument;
    pthread_mutex_lock(&writer->lock);
    for (;;) {
        while (writer->count == 0 && !writer->ending)
            pthread_cond_wait(&writer->changed, &writer->lock);
        if (writer->count == 0)
            break;
        const struct weir_job job = take(writer);
        const bool in_vain = writer->failed;
        pthread_mutex_unlock(&writer->lock);
        if (!in_vain && job.run(job.context) < 0)
            tell(writer, weir_error_text());
        job.release(job.context);
        pthread_mutex_lock(&writer->lock);
        writer->bytes -= job.bytes;
        writer->busy = false;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

int weir_writer_create(void (*fail)(void *context, const char *text), void *context,
                       struct weir_writer **result) {
    struct weir_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return weir_fail(WEIR_FAILED, "out of memory while preparing output");
    writer->fail = fail;
    writer->context = context;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    if (pthread_create(&writer->thread, NULL, work, writer) != 0) {
        free(writer);
        return weir_fail(WEIR_FAILED, "cannot start a thread that writes output: raise the limit of "
                                      "processes (ulimit -u)");
    }
    *result = writer;
    return 0;
}

void weir_writer_destroy(struct weir_writer *writer) {
    if (!writer)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->ending = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

/* One job may be as large as it is, if it is alone. */
static bool is_full(const struct weir_writer *writer, const struct weir_job *job) {
    return writer->count == WAITING_MOST ||
           (writer->count >= WAITING_FEW && writer->bytes + job->bytes >= job->room) ||
           (writer->bytes > 0 && writer->bytes + job->bytes > waiting_bytes_most);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t weir_writer_bytes_most(size_t job_bytes, size_t room) {
    const size_t fit = waiting_bytes_most / job_bytes, few = least(fit, WAITING_FEW + 1),
                 many = least(least(fit, room / job_bytes), WAITING_MOST + 1), jobs = many > few ? many : few;
    return ((jobs > 1 ? jobs : 1) + 1) * job_bytes;
}

int weir_writer_add(struct weir_writer *writer, const struct weir_job *job) {
    pthread_mutex_lock(&writer->lock);
    while (!writer->failed && is_full(writer, job))
        pthread_cond_wait(&writer->changed, &writer->lock);
    const int error = error_of(writer);
    if (error == 0) {
        writer->waiting[(writer->first + writer->count++) % WAITING_MOST] = *job;
        writer->bytes += job->bytes;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    if (error < 0)
        job->release(job->context);
    return error;
}

/* A job of its own, because a file that is finished, even in vain, is released. */
struct finishing {
    struct weir_output_file *file;
};

static int finish_file(void *context) {
    struct finishing *finishing = context;
    struct weir_output_file *file = finishing->file;
    finishing->file = NULL;
    return weir_output_file_finish(file);
}

static void release_file(void *context) {
    struct finishing *finishing = context;
    weir_output_file_discard(finishing->file);
    free(finishing);
}

int weir_writer_finish(struct weir_writer *writer, struct weir_output_file *file) {
    struct finishing *finishing = malloc(sizeof *finishing);
    if (!finishing) {
        weir_output_file_discard(file);
        return weir_fail(WEIR_FAILED, "out of memory while writing output");
    }
    finishing->file = file;
    return weir_writer_add(
        writer, &(struct weir_job){.run = finish_file, .release = release_file, .context = finishing});
}

static bool has_work(const struct weir_writer *writer) {
    return writer->count > 0 || writer->busy;
}

int weir_writer_wait(struct weir_writer *writer) {
    pthread_mutex_lock(&writer->lock);
    while (has_work(writer))
        pthread_cond_wait(&writer->changed, &writer->lock);
    const int error = error_of(writer);
    pthread_mutex_unlock(&writer->lock);
    return error;
}

void weir_writer_abandon(struct weir_writer *writer, const struct timespec *until) {
    pthread_mutex_lock(&writer->lock);
    while (has_work(writer) && pthread_cond_timedwait(&writer->changed, &writer->lock, until) != ETIMEDOUT)
        ;
    keep_error(writer, "the run has been abandoned");
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}
