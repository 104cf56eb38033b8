/* A thread that finishes outputs: it draws and compresses pictures and brings files to the disk, so that the
 * workers, which hand it what they have gathered, go on taking steps. Jobs are done one after the other, in
 * the order in which they came. */
#ifndef WEIR_SRC_OUTPUT_WRITER_H
#define WEIR_SRC_OUTPUT_WRITER_H

#include "src/common/output_files.h"

#include <stddef.h>
#include <time.h>

struct weir_writer;

/* What is to be done with `context`, which belongs to the job. */
struct weir_job {
    int (*run)(void *context);      /* 0 or a negative error (weir_fail) */
    void (*release)(void *context); /* always called, once, after run or in its place */
    void *context;
    size_t bytes; /* of memory that the job holds until it is released */
    size_t room;  /* more than a few may wait while all together hold less than that */
};

/* Starts the thread, which may run where the calling one may. fail is called by it, at most once, with the
 * text of the first error of a job. *writer is the caller's (weir_writer_destroy). Error: -WEIR_FAILED. */
int weir_writer_create(void (*fail)(void *context, const char *text), void *context,
                       struct weir_writer **writer);

/* Does what is still waiting, and ends the thread. NULL is allowed. */
void weir_writer_destroy(struct weir_writer *writer);

/* Hands over a job; waits while too much is waiting already. From any thread. Error: -WEIR_FAILED, that of an
 * earlier job; jobs that came after it are not done any more. */
int weir_writer_add(struct weir_writer *writer, const struct weir_job *job);

/* Memory that jobs of this size, with this room, hold at most: those that wait, the one that is being done,
 * and one that is made meanwhile. */
size_t weir_writer_bytes_most(size_t job_bytes, size_t room);

/* Hands over a file that is written, to be finished (output_files.h). Errors as weir_writer_add's. */
int weir_writer_finish(struct weir_writer *writer, struct weir_output_file *file);

/* Waits until all jobs are done. The first error of them, or 0. */
int weir_writer_wait(struct weir_writer *writer);

/* Waits until all jobs are done, but not beyond `until` (of CLOCK_REALTIME): then none is begun any more. */
void weir_writer_abandon(struct weir_writer *writer, const struct timespec *until);

#endif
