#include "src/trace_read.h"

#include "graph/error.h"
#include "graph/tracing.h"
#include "src/output_files.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of a line of paje.trace that are looked at; lines may have more. */
enum { FIELDS_MAX = 8, LINK_NAME = 32 };

/* A transfer that has begun and not ended. */
struct begun {
    char link[LINK_NAME];
    struct weir_traced_transfer transfer;
};

/* Where several tasks read what another is to write, StarPU puts a task of its own between them: who waits
 * for it waits for what it waits for. */
struct relay {
    int64_t job, first_dependency, dependency_count;
};

struct reading {
    struct weir_trace *trace;
    double begin, end; /* of the window, milliseconds of the trace; NAN: not seen */
    int64_t task_room, dependency_room, change_room, transfer_room, begun_count, begun_room;
    struct begun *begun;
    struct relay *relays;
    int64_t relay_count, relay_room;
    bool *fetching; /* [workers]: the last state was that of fetching data */
};

/* Makes room for one more entry of an array. */
static int grow(void **array, int64_t count, int64_t *room, size_t size) {
    if (count < *room)
        return 0;
    const int64_t more = *room > 0 ? 2 * *room : 1024;
    void *larger = realloc(*array, size * (size_t)more);
    if (!larger)
        return weir_fail(WEIR_FAILED, "out of memory for the trace; record fewer steps with --steps");
    *array = larger;
    *room = more;
    return 0;
}
#define GROW(array, count, room) grow((void **)&(array), count, &(room), sizeof *(array))

static int worker_index(const struct weir_trace *trace, int id) {
    for (int k = 0; k < trace->machine->worker_count; k++)
        if (trace->machine->workers[k].id == id)
            return k;
    return -1;
}

/* ---- paje.trace --------------------------------------------------------------------------------------- */

/* Splits a line at tabs and spaces; takes quotation marks off. */
static int split(char *line, char *fields[FIELDS_MAX]) {
    int count = 0;
    for (char *word = strtok(line, " \t\n"); word && count < FIELDS_MAX; word = strtok(NULL, " \t\n")) {
        const size_t length = strlen(word);
        if (length >= 2 && word[0] == '"' && word[length - 1] == '"') {
            word[length - 1] = '\0';
            word++;
        }
        fields[count++] = word;
    }
    return count;
}

static int take_state(struct reading *reading, char *fields[]) {
    struct weir_trace *trace = reading->trace;
    const int worker = worker_index(trace, atoi(fields[2] + 1));
    if (fields[2][0] != 'w' || worker < 0 || strcmp(fields[3], "WS") != 0)
        return 0;
    WEIR_TRY(GROW(trace->changes, trace->change_count, reading->change_room));
    enum weir_activity activity = weir_activity_of(fields[4]);
    /* Where a worker copies data itself, StarPU calls that overhead, right after its fetching. */
    if (reading->fetching[worker] && strcmp(fields[4], "B") == 0)
        activity = WEIR_WAITING_DATA;
    reading->fetching[worker] = strcmp(fields[4], "Fi") == 0;
    trace->changes[trace->change_count++] =
        (struct weir_trace_change){.time = strtod(fields[1], NULL), .worker = worker, .activity = activity};
    return 0;
}

/* "mm1" is the memory node 1. */
static int memory_of(const char *container) {
    const char *digits = container + strcspn(container, "0123456789");
    return *digits ? atoi(digits) : -1;
}

static int begin_transfer(struct reading *reading, char *fields[]) {
    WEIR_TRY(GROW(reading->begun, reading->begun_count, reading->begun_room));
    struct begun *begun = &reading->begun[reading->begun_count++];
    *begun = (struct begun){.transfer = {.bytes = strtoll(fields[4], NULL, 10),
                                         .from = memory_of(fields[5]),
                                         .start = strtod(fields[1], NULL)}};
    snprintf(begun->link, sizeof begun->link, "%s", fields[6]);
    return 0;
}

static int end_transfer(struct reading *reading, char *fields[]) {
    struct weir_trace *trace = reading->trace;
    int64_t k = 0;
    while (k < reading->begun_count && strcmp(reading->begun[k].link, fields[6]) != 0)
        k++;
    if (k == reading->begun_count)
        return 0; /* begun before the window */
    WEIR_TRY(GROW(trace->transfers, trace->transfer_count, reading->transfer_room));
    struct weir_traced_transfer *transfer = &trace->transfers[trace->transfer_count++];
    *transfer = reading->begun[k].transfer;
    transfer->to = memory_of(fields[5]);
    transfer->end = strtod(fields[1], NULL);
    reading->begun[k] = reading->begun[--reading->begun_count];
    return 0;
}

static int take_paje_line(struct reading *reading, char *line) {
    char *fields[FIELDS_MAX];
    if (line[0] == '%')
        return 0;
    const int count = split(line, fields);
    const int event = count > 0 ? atoi(fields[0]) : 0;
    if ((event == 10 || event == 20) && count >= 5)
        return take_state(reading, fields);
    if ((event == 18 || event == 24) && count >= 7 && strncmp(fields[6], "com_", 4) == 0)
        return begin_transfer(reading, fields);
    if (event == 19 && count >= 7 && strncmp(fields[6], "com_", 4) == 0)
        return end_transfer(reading, fields);
    if (event == 9 && count >= 5 && strstr(fields[2], "user_event")) {
        if (atol(fields[4]) == WEIR_TRACE_BEGINS)
            reading->begin = strtod(fields[1], NULL);
        if (atol(fields[4]) == WEIR_TRACE_ENDS)
            reading->end = strtod(fields[1], NULL);
    }
    return 0;
}

/* ---- tasks.rec ---------------------------------------------------------------------------------------- */

/* One record of tasks.rec as it is read. */
struct entry {
    char name[128];
    long long job;
    int worker;
    uint32_t footprint;
    double submitted, start, end;
    int64_t first_dependency, dependency_count;
};

static int take_relay(struct reading *reading, const struct entry *entry) {
    if (entry->dependency_count == 0)
        return 0;
    WEIR_TRY(GROW(reading->relays, reading->relay_count, reading->relay_room));
    reading->relays[reading->relay_count++] =
        (struct relay){entry->job, entry->first_dependency, entry->dependency_count};
    return 0;
}

/* Tasks of ours that ran within the window; of StarPU's own, what they wait for is kept. */
static int take_entry(struct reading *reading, const struct entry *entry) {
    struct weir_trace *trace = reading->trace;
    struct weir_traced_task task = {.job = entry->job,
                                    .block = -1,
                                    .submitted = entry->submitted,
                                    .start = entry->start,
                                    .end = entry->end,
                                    .footprint = entry->footprint,
                                    .first_dependency = entry->first_dependency,
                                    .dependency_count = (int32_t)entry->dependency_count};
    char kind[WEIR_TRACE_KIND_NAME];
    if (!isfinite(entry->start) || !isfinite(entry->end) || !weir_task_name_read(entry->name, kind, &task))
        return take_relay(reading, entry);
    task.kind = weir_trace_kind(trace, kind);
    task.worker = worker_index(trace, entry->worker);
    if (task.kind < 0 || task.worker < 0)
        return 0;
    WEIR_TRY(GROW(trace->tasks, trace->task_count, reading->task_room));
    trace->tasks[trace->task_count++] = task;
    return 0;
}

static struct entry empty_entry(const struct weir_trace *trace) {
    return (struct entry){.start = NAN,
                          .end = NAN,
                          .submitted = NAN,
                          .worker = -1,
                          .first_dependency = trace->dependency_count};
}

static int take_dependencies(struct reading *reading, struct entry *entry, const char *text) {
    struct weir_trace *trace = reading->trace;
    char *rest;
    for (;;) {
        const long long job = strtoll(text, &rest, 10);
        if (rest == text)
            return 0;
        text = rest;
        WEIR_TRY(GROW(trace->dependencies, trace->dependency_count, reading->dependency_room));
        trace->dependencies[trace->dependency_count++] = job;
        entry->dependency_count++;
    }
}

static int take_task_line(struct reading *reading, struct entry *entry, char *line) {
    char *value = strchr(line, ':');
    if (!value) { /* a line between records */
        WEIR_TRY(take_entry(reading, entry));
        *entry = empty_entry(reading->trace);
        return 0;
    }
    *value++ = '\0';
    value += *value == ' ';
    if (strcmp(line, "Name") == 0)
        snprintf(entry->name, sizeof entry->name, "%.*s", (int)strcspn(value, "\n"), value);
    else if (strcmp(line, "JobId") == 0)
        entry->job = strtoll(value, NULL, 10);
    else if (strcmp(line, "WorkerId") == 0)
        entry->worker = atoi(value);
    else if (strcmp(line, "SubmitTime") == 0)
        entry->submitted = strtod(value, NULL);
    else if (strcmp(line, "StartTime") == 0)
        entry->start = strtod(value, NULL);
    else if (strcmp(line, "EndTime") == 0)
        entry->end = strtod(value, NULL);
    else if (strcmp(line, "Footprint") == 0)
        entry->footprint = (uint32_t)strtoul(value, NULL, 16);
    else if (strcmp(line, "DependsOn") == 0)
        return take_dependencies(reading, entry, value);
    return 0;
}

/* ---- both --------------------------------------------------------------------------------------------- */

struct job {
    int64_t job, index;
};

static int by_job(const void *a, const void *b) {
    const struct job *one = a, *other = b;
    return (one->job > other->job) - (one->job < other->job);
}

/* Dependencies with indices of tasks for StarPU's numbers, as they are put together. */
struct resolving {
    const struct reading *reading;
    struct job *jobs, *relays; /* sorted; indices into tasks and into relays */
    int64_t *list;             /* [count] */
    int64_t count, room;
};

/* Relays that wait for relays; StarPU makes one of each. */
enum { RELAYS_IN_A_ROW_MAX = 8 };

/* Adds what a list of numbers stands for, each task once; what is not in the window is left out. */
static int add_dependencies(struct resolving *r, int64_t own_first, int64_t first, int64_t count, int depth) {
    const struct weir_trace *trace = r->reading->trace;
    for (int64_t k = first; k < first + count; k++) {
        const struct job key = {trace->dependencies[k], 0};
        const struct job *task = bsearch(&key, r->jobs, (size_t)trace->task_count, sizeof key, by_job);
        const struct job *relay =
            bsearch(&key, r->relays, (size_t)r->reading->relay_count, sizeof key, by_job);
        if (task) {
            bool there = false;
            for (int64_t d = own_first; d < r->count; d++)
                there = there || r->list[d] == task->index;
            if (there)
                continue;
            WEIR_TRY(GROW(r->list, r->count, r->room));
            r->list[r->count++] = task->index;
        } else if (relay && depth < RELAYS_IN_A_ROW_MAX) {
            const struct relay *through = &r->reading->relays[relay->index];
            WEIR_TRY(add_dependencies(r, own_first, through->first_dependency, through->dependency_count,
                                      depth + 1));
        }
    }
    return 0;
}

static int resolve(struct reading *reading) {
    struct weir_trace *trace = reading->trace;
    struct resolving r = {.reading = reading,
                          .jobs = malloc(sizeof *r.jobs * (size_t)(trace->task_count + 1)),
                          .relays = malloc(sizeof *r.relays * (size_t)(reading->relay_count + 1))};
    int error = r.jobs && r.relays
                    ? 0
                    : weir_fail(WEIR_FAILED, "out of memory for the trace; record fewer steps with --steps");
    for (int64_t k = 0; error == 0 && k < trace->task_count; k++)
        r.jobs[k] = (struct job){trace->tasks[k].job, k};
    for (int64_t k = 0; error == 0 && k < reading->relay_count; k++)
        r.relays[k] = (struct job){reading->relays[k].job, k};
    if (error == 0) {
        qsort(r.jobs, (size_t)trace->task_count, sizeof *r.jobs, by_job);
        qsort(r.relays, (size_t)reading->relay_count, sizeof *r.relays, by_job);
    }
    for (int64_t k = 0; error == 0 && k < trace->task_count; k++) {
        struct weir_traced_task *task = &trace->tasks[k];
        const int64_t first = r.count;
        error = add_dependencies(&r, first, task->first_dependency, task->dependency_count, 0);
        task->first_dependency = first;
        task->dependency_count = (int32_t)(r.count - first);
    }
    if (error == 0) {
        free(trace->dependencies);
        trace->dependencies = r.list;
        trace->dependency_count = r.count;
    } else {
        free(r.list);
    }
    free(r.jobs);
    free(r.relays);
    return error;
}

/* Every block took every step of the window: else something was lost. */
static int check_complete(const struct weir_trace *trace) {
    int64_t found = 0;
    for (int64_t k = 0; k < trace->task_count; k++)
        found += strcmp(trace->kinds[trace->tasks[k].kind], "collide_stream") == 0;
    const int64_t expected = trace->steps * trace->machine->block_count;
    if (found == expected)
        return 0;
    return weir_fail(WEIR_FAILED,
                     "the trace has %lld of %lld steps of blocks: the rest was lost while recording; raise "
                     "STARPU_TRACE_BUFFER_SIZE (MiB), or record fewer steps with --steps",
                     (long long)found, (long long)expected);
}

/* To seconds since the window began. */
static void shift(struct weir_trace *trace, double begin) {
    for (int64_t k = 0; k < trace->task_count; k++) {
        trace->tasks[k].submitted = 1e-3 * (trace->tasks[k].submitted - begin);
        trace->tasks[k].start = 1e-3 * (trace->tasks[k].start - begin);
        trace->tasks[k].end = 1e-3 * (trace->tasks[k].end - begin);
    }
    for (int64_t k = 0; k < trace->change_count; k++)
        trace->changes[k].time = 1e-3 * (trace->changes[k].time - begin);
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        trace->transfers[k].start = 1e-3 * (trace->transfers[k].start - begin);
        trace->transfers[k].end = 1e-3 * (trace->transfers[k].end - begin);
    }
}

typedef int take_line(void *context, char *line);

static int read_lines(const char *folder, const char *name, take_line *take, void *context) {
    char *path, *line = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    FILE *file = fopen(path, "r");
    int error = file ? 0 : weir_output_error("read", path, errno);
    while (error == 0 && getline(&line, &size, file) > 0)
        error = take(context, line);
    if (file)
        fclose(file);
    free(line);
    free(path);
    return error;
}

static int paje_line(void *context, char *line) {
    return take_paje_line(context, line);
}

struct task_reading {
    struct reading *reading;
    struct entry entry;
};

static int task_line(void *context, char *line) {
    struct task_reading *tasks = context;
    return take_task_line(tasks->reading, &tasks->entry, line);
}

static int read_both(const char *folder, struct reading *reading) {
    struct weir_trace *trace = reading->trace;
    struct task_reading tasks = {reading, empty_entry(trace)};
    WEIR_TRY(read_lines(folder, "paje.trace", paje_line, reading));
    WEIR_TRY(read_lines(folder, "tasks.rec", task_line, &tasks));
    WEIR_TRY(take_entry(reading, &tasks.entry));
    if (!isfinite(reading->begin) || !isfinite(reading->end) || reading->end <= reading->begin)
        return weir_fail(WEIR_FAILED,
                         "'%s/paje.trace' does not show where the window begins and ends: recording was cut "
                         "short, or this starpu_fxt_tool belongs to another StarPU",
                         folder);
    WEIR_TRY(resolve(reading));
    shift(trace, reading->begin);
    trace->seconds = 1e-3 * (reading->end - reading->begin);
    WEIR_TRY(check_complete(trace));
    return weir_trace_order(trace);
}

int weir_trace_read(const char *folder, struct weir_trace *trace) {
    struct reading reading = {.trace = trace,
                              .begin = NAN,
                              .end = NAN,
                              .fetching =
                                  calloc((size_t)trace->machine->worker_count + 1, sizeof *reading.fetching)};
    const int error =
        reading.fetching ? read_both(folder, &reading) : weir_fail(WEIR_FAILED, "out of memory");
    free(reading.fetching);
    free(reading.begun);
    free(reading.relays);
    return error;
}
