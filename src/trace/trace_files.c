#include "src/trace/trace_files.h"

#include "codelets/task_colours.h"
#include "graph/base/error.h"
#include "graph/ranks/gathered_record.h"
#include "graph/runtime/tracing.h"
#include "src/common/output_files.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_SIZE = 112, GRAPH_STEPS = 2, GRAPH_TASKS_MAX = 400 };

static const char *label_of(const struct weir_trace *trace, const struct weir_traced_task *task,
                            char text[LABEL_SIZE]) {
    if (task->block >= 0)
        snprintf(text, LABEL_SIZE, "%s block %d step %lld", trace->kinds[task->kind], task->block,
                 (long long)task->step);
    else
        snprintf(text, LABEL_SIZE, "%s step %lld", trace->kinds[task->kind], (long long)task->step);
    return text;
}

static const char *worker_name(const struct weir_trace *trace, int worker) {
    return trace->machine->workers[worker].name;
}

int weir_trace_write_tasks(const char *path, const struct weir_trace *trace) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    FILE *stream = weir_output_file_stream(file);
    fputs("task,kind,block,step,rank,worker,submitted_seconds,ready_seconds,start_seconds,end_seconds,"
          "expected_seconds\n",
          stream);
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        fprintf(stream, "%lld,%s,", (long long)(task->job % WEIR_JOB_RANK), trace->kinds[task->kind]);
        if (task->block >= 0)
            fprintf(stream, "%d", task->block);
        fprintf(stream, ",%lld,%d,\"%s\",%.9f,%.9f,%.9f,%.9f,", (long long)task->step,
                trace->machine->workers[task->worker].rank, worker_name(trace, task->worker), task->submitted,
                task->ready, task->start, task->end);
        if (isfinite(task->expected))
            fprintf(stream, "%.9f", task->expected);
        fputc('\n', stream);
    }
    return weir_output_file_finish(file);
}

int weir_trace_write_transfers(const char *path, const struct weir_trace *trace) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    FILE *stream = weir_output_file_stream(file);
    fputs(
        "bytes,from_rank,from_memory,to_rank,to_memory,start_seconds,end_seconds,hidden_seconds,carries,step,"
        "sent_task\n",
        stream);
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        const struct weir_traced_transfer *transfer = &trace->transfers[k];
        fprintf(stream, "%lld,%d,%d,%d,%d,%.9f,%.9f,%.9f,%s,", (long long)transfer->bytes,
                transfer->from_rank, transfer->from % WEIR_MEMORIES_OF_A_RANK, transfer->to_rank,
                transfer->to % WEIR_MEMORIES_OF_A_RANK, transfer->start, transfer->end, transfer->hidden,
                weir_carried_name(transfer->carries));
        if (transfer->step >= 0)
            fprintf(stream, "%lld", (long long)transfer->step);
        fputc(',', stream);
        if (transfer->sent_task >= 0)
            fprintf(stream, "%lld", (long long)(trace->tasks[transfer->sent_task].job % WEIR_JOB_RANK));
        fputc('\n', stream);
    }
    return weir_output_file_finish(file);
}

int weir_trace_write_graph(const char *path, const struct weir_trace *trace) {
    struct weir_output_file *file = NULL;
    char text[LABEL_SIZE];
    WEIR_TRY(weir_output_file_create(path, &file));
    FILE *stream = weir_output_file_stream(file);
    fputs("digraph tasks {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n",
          stream);
    int64_t drawn = 0;
    for (int64_t k = 0; k < trace->task_count && drawn < GRAPH_TASKS_MAX; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        if (task->step >= trace->from + GRAPH_STEPS)
            continue;
        drawn++;
        fprintf(stream, "  t%lld [label=\"%s\", fillcolor=\"#%06x80\"];\n", (long long)k,
                label_of(trace, task, text), weir_task_colour(trace->kinds[task->kind]));
        for (int d = 0; d < task->dependency_count; d++)
            fprintf(stream, "  t%lld -> t%lld;\n", (long long)trace->dependencies[task->first_dependency + d],
                    (long long)k);
        for (int m = 0; m < task->message_count; m++) {
            const int64_t sent = trace->transfers[trace->awaited[task->first_message + m]].sent_task;
            if (sent >= 0)
                fprintf(stream, "  t%lld -> t%lld [style=dashed, label=\"message\"];\n", (long long)sent,
                        (long long)k);
        }
    }
    fputs("}\n", stream);
    return weir_output_file_finish(file);
}

/* ---- paje.trace --------------------------------------------------------------------------------------- */

/* Three numbers from 0 to 1, as ViTE reads colours. */
static void put_colour(FILE *stream, uint32_t colour) {
    fprintf(stream, "\"%.3f %.3f %.3f\"\n", (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0,
            (colour & 255) / 255.0);
}

/* Gives states of workers the colours of the pages; and those of the thread that submits; all others stay. */
static void rewrite_state(FILE *stream, const char *line, const char *alias, const char *type) {
    const enum weir_activity activity = weir_activity_of(alias);
    const char *colour = strrchr(line, '"');
    while (colour && colour > line && colour[-1] != '"')
        colour--;
    const bool worker = strcmp(type, "S") == 0 || strcmp(type, "WS") == 0 || strcmp(type, "US") == 0;
    if (!worker || !colour || (activity == WEIR_IN_KERNEL && strcmp(alias, "E") != 0)) {
        fputs(line, stream);
        return;
    }
    fwrite(line, 1, (size_t)(colour - 1 - line), stream);
    put_colour(stream, weir_activity_colours[activity]);
}

/* StarPU makes a state of each task's name, in colours that ViTE cannot read, and one more for each of its
 * scheduling contexts, which are not used. Writes the line with a name and a colour that can be read, or not
 * at all. */
static void rewrite(FILE *stream, const char *line) {
    struct weir_traced_task task;
    char kind[WEIR_TRACE_KIND_NAME], type[16], alias[112];
    if (sscanf(line, "6 %111s %15s", alias, type) != 2) {
        fputs(line, stream);
        return;
    }
    if (!weir_task_name_read(alias, kind, &task)) {
        rewrite_state(stream, line, alias, type);
        return;
    }
    if (strcmp(type, "WS") != 0)
        return;
    fprintf(stream, "6\t%s\tWS\t\"%s", alias, kind);
    if (task.block >= 0)
        fprintf(stream, " block %d", task.block);
    fprintf(stream, " step %lld\"\t", (long long)task.step);
    put_colour(stream, weir_task_colour(kind));
}

/* Moments of the window's marks, in the file's own time; false where they are not there. */
static bool find_window(FILE *source, double *begin, double *end) {
    char *line = NULL;
    size_t size = 0;
    int found = 0;
    *begin = *end = NAN;
    while (getline(&line, &size, source) > 0) {
        double time;
        char type[32];
        long mark;
        if (sscanf(line, "9 %lf %31s %*s %ld", &time, type, &mark) != 3 || !strstr(type, "user_event"))
            continue;
        found += mark == WEIR_TRACE_BEGINS || mark == WEIR_TRACE_ENDS;
        if (mark == WEIR_TRACE_BEGINS)
            *begin = fmin(*begin, time);
        if (mark == WEIR_TRACE_ENDS)
            *end = fmax(*end, time);
    }
    free(line);
    rewind(source);
    return found >= 2 && *end > *begin; /* of several ranks, the first begin and the last end */
}

/* Containers of workers are called "w5"; where there are ranks, "1_w5". */
enum { WORKERS_MAX = 4096, WORKERS_OF_A_RANK = 512 };
static int worker_number(const char *container) {
    int rank = 0, worker;
    if (sscanf(container, "w%d", &worker) != 1 && sscanf(container, "%d_w%d", &rank, &worker) != 2)
        return -1;
    const int number = rank * WORKERS_OF_A_RANK + worker;
    return number >= 0 && number < WORKERS_MAX ? number : -1;
}

/* What a worker copies itself is overhead to StarPU; it is waiting for data to us, and for the analysis
 * (trace_read.c). */
static bool copies_itself(const char *rest, bool fetching[WORKERS_MAX]) {
    char container[32], state[112];
    if (sscanf(rest, " %31s WS \"%111[^\"]\"", container, state) != 2)
        return false;
    const int worker = worker_number(container);
    if (worker < 0)
        return false;
    const bool copies = fetching[worker] && strcmp(state, "B") == 0;
    fetching[worker] = strcmp(state, "Fi") == 0;
    return copies;
}

/* Copies the file with times from the window's begin on. What was before it stands at 0, so that all start
 * from what they did then; what was after it is left out, but for the containers' ends. */
static void copy_window(FILE *source, FILE *stream, double begin, double end) {
    enum { FIRST_TIMED = 7, CREATE_CONTAINER = 7, DESTROY_CONTAINER = 8, SET_STATE = 10 };
    bool fetching[WORKERS_MAX] = {false};
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, source) > 0) {
        int event, rest;
        double time;
        if (sscanf(line, "%d %lf%n", &event, &time, &rest) != 2 || event < FIRST_TIMED) {
            rewrite(stream, line);
            continue;
        }
        if (time > end && event != CREATE_CONTAINER && event != DESTROY_CONTAINER)
            continue;
        if (event == SET_STATE && copies_itself(line + rest, fetching))
            continue; /* the state before it goes on */
        fprintf(stream, "%d\t%.9f%s", event, fmax(fmin(time, end) - begin, 0), line + rest);
    }
    free(line);
}

int weir_trace_write_paje(const char *path, const char *original) {
    struct weir_output_file *file = NULL;
    double begin, end;
    FILE *source = fopen(original, "r");
    if (!source)
        return weir_output_error("read", original, errno);
    int error = find_window(source, &begin, &end)
                    ? weir_output_file_create(path, &file)
                    : weir_fail(WEIR_FAILED, "'%s' does not show where the window begins and ends", original);
    if (error == 0) {
        copy_window(source, weir_output_file_stream(file), begin, end);
        error = weir_output_file_finish(file);
    }
    fclose(source);
    return error;
}

/* ---- Chrome and Perfetto ------------------------------------------------------------------------------ */

int weir_trace_write_perfetto(const char *path, const struct weir_trace *trace) {
    struct weir_output_file *file = NULL;
    char text[LABEL_SIZE];
    WEIR_TRY(weir_output_file_create(path, &file));
    FILE *stream = weir_output_file_stream(file);
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", stream);
    fputs("{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"weir, rank 0\"}}", stream);
    for (int k = 0; k < trace->machine->worker_count; k++)
        fprintf(stream,
                ",\n{\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
                k, worker_name(trace, k));
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        fprintf(
            stream,
            ",\n{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,"
            "\"args\":{\"block\":%d,\"step\":%lld}}",
            task->worker, trace->kinds[task->kind], label_of(trace, task, text), 1e6 * task->start,
            1e6 * (task->end - task->start), task->block, (long long)task->step);
    }
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        const struct weir_traced_transfer *transfer = &trace->transfers[k];
        const bool message = weir_is_message(transfer);
        fprintf(stream,
                ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"cat\":\"%s\",\"name\":\"%s%d to %d\",\"ts\":%.3f,"
                "\"dur\":%.3f,\"args\":{\"bytes\":%lld}}",
                transfer->to, weir_carried_name(transfer->carries), message ? "rank " : "memory ",
                message ? transfer->from_rank : transfer->from % WEIR_MEMORIES_OF_A_RANK,
                message ? transfer->to_rank : transfer->to % WEIR_MEMORIES_OF_A_RANK, 1e6 * transfer->start,
                1e6 * (transfer->end - transfer->start), (long long)transfer->bytes);
    }
    fputs("\n]}\n", stream);
    return weir_output_file_finish(file);
}
