#include "src/trace/trace_read.h"

#include "graph/base/error.h"
#include "graph/ranks/gathered_record.h"
#include "graph/ranks/rank_tags.h"
#include "graph/runtime/tracing.h"
#include "src/common/output_files.h"
#include "src/trace/trace_clocks.h"
#include "src/trace/trace_resolve.h"

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

struct reading {
    struct weir_trace *trace;
    double *begin, *end; /* [ranks] of the window, milliseconds of the trace; NAN: not seen */
    int ranks;
    int64_t task_room, dependency_room, change_room, transfer_room, begun_count, begun_room;
    struct begun *begun;
    struct weir_trace_relay *relays;
    int64_t relay_count, relay_room;
    struct weir_message_ends *ends;
    int64_t end_count, end_room;
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

static int worker_index(const struct weir_trace *trace, int rank, int id) {
    for (int k = 0; k < trace->machine->worker_count; k++)
        if (trace->machine->workers[k].id == id && trace->machine->workers[k].rank == rank)
            return k;
    return -1;
}

/* The run's rank of a number in a file; -1: it had none of that number, the file is damaged or another run's.
 * Lines about such ranks are passed over as those about unknown workers are. */
static int rank_of(const struct reading *reading, long long number) {
    return number >= 0 && number < reading->ranks ? (int)number : -1;
}

/* Takes "2_" off a name, which stands before what is rank 2's where there are ranks; 0 where it does not. -1
 * as above. */
static int take_rank(const struct reading *reading, const char **name) {
    char *rest;
    const long rank = strtol(*name, &rest, 10);
    if (rest == *name || *rest != '_')
        return 0;
    *name = rest + 1;
    return rank_of(reading, rank);
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
    const char *name = fields[2];
    const int rank = take_rank(reading, &name);
    const int worker = worker_index(trace, rank, atoi(name + 1));
    if (name[0] != 'w' || worker < 0 || strcmp(fields[3], "WS") != 0)
        return 0;
    WEIR_TRY(GROW(trace->changes, trace->change_count, reading->change_room));
    enum weir_activity activity = weir_activity_of(fields[4]);
    /* Where a worker copies data itself, StarPU calls that overhead, right after its fetching. */
    if (reading->fetching[worker] && strcmp(fields[4], "B") == 0)
        activity = WEIR_WAITING_DATA;
    reading->fetching[worker] = strcmp(fields[4], "Fi") == 0;
    trace->changes[trace->change_count++] = (struct weir_trace_change){
        .time = strtod(fields[1], NULL), .worker = worker, .activity = (int32_t)activity};
    return 0;
}

/* "mm1" is the memory node 1, "2_mm1" that of rank 2. *rank: -1 where there is no such rank. */
static int memory_of(const struct reading *reading, const char *container, int32_t *rank) {
    *rank = take_rank(reading, &container);
    const char *digits = container + strcspn(container, "0123456789");
    const long memory = *digits ? strtol(digits, NULL, 10) : -1;
    return *rank >= 0 && memory >= 0 && memory < WEIR_MEMORIES_OF_A_RANK
               ? *rank * WEIR_MEMORIES_OF_A_RANK + (int)memory
               : -1;
}

static int begin_transfer(struct reading *reading, char *fields[]) {
    int32_t rank;
    const int from = memory_of(reading, fields[5], &rank);
    if (rank < 0)
        return 0;
    WEIR_TRY(GROW(reading->begun, reading->begun_count, reading->begun_room));
    struct begun *begun = &reading->begun[reading->begun_count++];
    *begun = (struct begun){.transfer = {.bytes = strtoll(fields[4], NULL, 10),
                                         .start = strtod(fields[1], NULL),
                                         .from = from,
                                         .from_rank = rank,
                                         .carries = -1,
                                         .step = -1,
                                         .sent_task = -1,
                                         .passed_message = -1}};
    snprintf(begun->link, sizeof begun->link, "%s", fields[6]);
    return 0;
}

static int end_transfer(struct reading *reading, char *fields[]) {
    struct weir_trace *trace = reading->trace;
    int64_t k = 0;
    while (k < reading->begun_count && strcmp(reading->begun[k].link, fields[6]) != 0)
        k++;
    int32_t rank;
    const int to = memory_of(reading, fields[5], &rank);
    if (k == reading->begun_count || rank < 0)
        return 0; /* begun before the window, or nobody's */
    WEIR_TRY(GROW(trace->transfers, trace->transfer_count, reading->transfer_room));
    struct weir_traced_transfer *transfer = &trace->transfers[trace->transfer_count++];
    *transfer = reading->begun[k].transfer;
    transfer->to = to;
    transfer->to_rank = rank;
    transfer->end = strtod(fields[1], NULL);
    reading->begun[k] = reading->begun[--reading->begun_count];
    return 0;
}

/* "com_12", or "2_com_12" on rank 2: a copy between memories. */
static bool is_copy(const struct reading *reading, const char *link) {
    (void)take_rank(reading, &link);
    return strncmp(link, "com_", 4) == 0;
}

static int take_paje_line(struct reading *reading, char *line) {
    char *fields[FIELDS_MAX];
    if (line[0] == '%')
        return 0;
    const int count = split(line, fields);
    const int event = count > 0 ? atoi(fields[0]) : 0;
    if ((event == 10 || event == 20) && count >= 5)
        return take_state(reading, fields);
    if ((event == 18 || event == 24) && count >= 7 && is_copy(reading, fields[6]))
        return begin_transfer(reading, fields);
    if (event == 19 && count >= 7 && is_copy(reading, fields[6]))
        return end_transfer(reading, fields);
    if (event == 9 && count >= 5 && strstr(fields[2], "user_event")) {
        const char *name = fields[3];
        const int rank = take_rank(reading, &name);
        if (rank >= 0 && atol(fields[4]) == WEIR_TRACE_BEGINS)
            reading->begin[rank] = strtod(fields[1], NULL);
        if (rank >= 0 && atol(fields[4]) == WEIR_TRACE_ENDS)
            reading->end[rank] = strtod(fields[1], NULL);
    }
    return 0;
}

/* ---- tasks.rec ---------------------------------------------------------------------------------------- */

/* One record of tasks.rec as it is read. */
struct entry {
    char name[128];
    int64_t job;
    int worker, rank;
    uint32_t footprint;
    double submitted, start, end;
    int64_t first_dependency, dependency_count;
};

static int take_relay(struct reading *reading, const struct entry *entry) {
    if (entry->dependency_count == 0)
        return 0;
    WEIR_TRY(GROW(reading->relays, reading->relay_count, reading->relay_room));
    reading->relays[reading->relay_count++] =
        (struct weir_trace_relay){entry->job, entry->first_dependency, entry->dependency_count};
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
    task.worker = worker_index(trace, entry->rank, entry->worker);
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

/* "12", or "2_12" on rank 2; false where there is no number, or none that a job of this run has. */
static bool take_job(const struct reading *reading, const char **text, int64_t *job) {
    char *rest;
    *text += strspn(*text, " ");
    const int rank = take_rank(reading, text);
    const long long number = strtoll(*text, &rest, 10);
    const bool found = rest != *text && rank >= 0 && number >= 0 && number < WEIR_JOB_RANK;
    *job = found ? rank * WEIR_JOB_RANK + number : -1;
    *text = rest;
    return found;
}

static int take_dependencies(struct reading *reading, struct entry *entry, const char *text) {
    struct weir_trace *trace = reading->trace;
    for (;;) {
        int64_t job;
        if (!take_job(reading, &text, &job))
            return 0;
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
    const char *text = value;
    if (strcmp(line, "Name") == 0)
        snprintf(entry->name, sizeof entry->name, "%.*s", (int)strcspn(value, "\n"), value);
    else if (strcmp(line, "JobId") == 0)
        entry->rank = take_job(reading, &text, &entry->job) ? (int)(entry->job / WEIR_JOB_RANK) : -1;
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

/* ---- comms.rec ---------------------------------------------------------------------------------------- */

/* One message between ranks as it is read; -1: not seen. */
struct message {
    int from, to, carries;
    int64_t bytes, sending_job, receiving_job;
    double start, end;
};

static const struct message no_message = {
    .from = -1, .to = -1, .carries = -1, .sending_job = -1, .receiving_job = -1};

static int take_message(struct reading *reading, const struct message *message) {
    struct weir_trace *trace = reading->trace;
    if (message->from < 0 || message->to < 0)
        return 0;
    WEIR_TRY(GROW(trace->transfers, trace->transfer_count, reading->transfer_room));
    WEIR_TRY(GROW(reading->ends, reading->end_count, reading->end_room));
    reading->ends[reading->end_count++] =
        (struct weir_message_ends){trace->transfer_count, message->sending_job, message->receiving_job};
    trace->transfers[trace->transfer_count++] =
        (struct weir_traced_transfer){.bytes = message->bytes,
                                      .from = message->from * WEIR_MEMORIES_OF_A_RANK,
                                      .to = message->to * WEIR_MEMORIES_OF_A_RANK,
                                      .from_rank = message->from,
                                      .to_rank = message->to,
                                      .carries = message->carries,
                                      .step = -1,
                                      .sent_task = -1,
                                      .passed_message = -1,
                                      .start = message->start,
                                      .end = message->end};
    return 0;
}

static int take_message_line(struct reading *reading, struct message *message, char *line) {
    static const char sending[] = "SendJobId:", receiving[] = "RecvJobId:";
    long long number;
    double time;
    const char *job = line + sizeof sending - 1; /* both words are as long */
    if (strncmp(line, sending, sizeof sending - 1) == 0)
        (void)take_job(reading, &job, &message->sending_job);
    else if (strncmp(line, receiving, sizeof receiving - 1) == 0)
        (void)take_job(reading, &job, &message->receiving_job);
    else if (sscanf(line, "Tag: %lld", &number) == 1)
        message->carries = weir_tag_kind(number);
    else if (sscanf(line, "Src: %lld", &number) == 1)
        message->from = rank_of(reading, number);
    else if (sscanf(line, "Dst: %lld", &number) == 1)
        message->to = rank_of(reading, number);
    else if (sscanf(line, "Size: %lld", &number) == 1)
        message->bytes = number;
    else if (sscanf(line, "SendTime: %lf", &time) == 1)
        message->start = time;
    else if (sscanf(line, "RecvTime: %lf", &time) == 1)
        message->end = time;
    else if (line[0] == '\n') {
        WEIR_TRY(take_message(reading, message));
        *message = no_message;
    }
    return 0;
}

/* ---- both --------------------------------------------------------------------------------------------- */

/* Every block took every step of the window: else something was lost. */
static int check_complete(const struct weir_trace *trace) {
    int64_t found = 0;
    for (int64_t k = 0; k < trace->task_count; k++)
        found += weir_trace_stage(trace, trace->tasks[k].kind) >= 0;
    int64_t expected = 0;
    for (int64_t step = trace->from; step < trace->from + trace->steps; step++)
        for (int stage = 0; stage < trace->machine->stage_count; stage++)
            expected += trace->machine->taken[step % 2][stage] ? trace->machine->block_count : 0;
    if (found == expected)
        return 0;
    return weir_fail(WEIR_FAILED,
                     "the trace has %lld of %lld steps of blocks: the rest was lost while recording; raise "
                     "STARPU_TRACE_BUFFER_SIZE (MiB), or record fewer steps with --steps",
                     (long long)found, (long long)expected);
}

/* Bytes of transfers are added up. */
static int check_bytes(const struct weir_trace *trace) {
    int64_t all = 0;
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        const int64_t bytes = trace->transfers[k].bytes;
        if (bytes < 0 || bytes > INT64_MAX - all)
            return weir_fail(WEIR_FAILED,
                             "the trace has a transfer of %lld bytes, which cannot be; record it again",
                             (long long)bytes);
        all += bytes;
    }
    return 0;
}

/* To seconds since the window began on the first rank that it began on, by rank 0's clock. ahead[ranks]. */
static void shift(const struct reading *reading, const double *ahead, double begin) {
    struct weir_trace *trace = reading->trace;
    for (int64_t k = 0; k < trace->task_count; k++) {
        struct weir_traced_task *task = &trace->tasks[k];
        const double origin = begin + ahead[trace->machine->workers[task->worker].rank];
        task->submitted = 1e-3 * (task->submitted - origin);
        task->start = 1e-3 * (task->start - origin);
        task->end = 1e-3 * (task->end - origin);
    }
    for (int64_t k = 0; k < trace->change_count; k++) {
        struct weir_trace_change *change = &trace->changes[k];
        change->time = 1e-3 * (change->time - begin - ahead[trace->machine->workers[change->worker].rank]);
    }
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        struct weir_traced_transfer *transfer = &trace->transfers[k];
        transfer->start = 1e-3 * (transfer->start - begin - ahead[transfer->from_rank]);
        transfer->end = 1e-3 * (transfer->end - begin - ahead[transfer->to_rank]);
        /* A send is noted once MPI has taken the message, which may be there by then. */
        transfer->start = fmin(transfer->start, transfer->end);
    }
}

/* Finds the window, from the first rank's begin to the last one's end, and counts time from there. */
static int set_clock(const struct reading *reading) {
    struct weir_trace *trace = reading->trace;
    double *ahead = malloc(sizeof *ahead * (size_t)reading->ranks), begin = INFINITY, end = -INFINITY;
    int error = ahead ? weir_trace_clocks(trace->transfers, trace->transfer_count, reading->ranks, ahead)
                      : weir_fail(WEIR_FAILED, "out of memory");
    for (int rank = 0; error == 0 && rank < reading->ranks; rank++) {
        begin = fmin(begin, reading->begin[rank] - ahead[rank]);
        end = fmax(end, reading->end[rank] - ahead[rank]);
    }
    if (error == 0) {
        shift(reading, ahead, begin);
        trace->seconds = 1e-3 * (end - begin);
    }
    free(ahead);
    return error;
}

/* Whether the begin and the end are there, on every rank. */
static int check_window(const struct reading *reading, const char *folder) {
    for (int rank = 0; rank < reading->ranks; rank++)
        if (!isfinite(reading->begin[rank]) || !isfinite(reading->end[rank]) ||
            reading->end[rank] <= reading->begin[rank])
            return weir_fail(WEIR_FAILED,
                             "'%s/paje.trace' does not show where the window begins and ends: recording was "
                             "cut short, or this starpu_fxt_tool belongs to another StarPU",
                             folder);
    return 0;
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

struct message_reading {
    struct reading *reading;
    struct message message;
};

static int message_line(void *context, char *line) {
    struct message_reading *messages = context;
    return take_message_line(messages->reading, &messages->message, line);
}

static int read_all(const char *folder, struct reading *reading) {
    struct weir_trace *trace = reading->trace;
    struct task_reading tasks = {reading, empty_entry(trace)};
    struct message_reading messages = {reading, no_message};
    WEIR_TRY(read_lines(folder, "paje.trace", paje_line, reading));
    WEIR_TRY(read_lines(folder, "tasks.rec", task_line, &tasks));
    WEIR_TRY(take_entry(reading, &tasks.entry));
    if (reading->ranks > 1)
        WEIR_TRY(read_lines(folder, "comms.rec", message_line, &messages));
    WEIR_TRY(check_window(reading, folder));
    WEIR_TRY(
        weir_trace_resolve(trace, reading->relays, reading->relay_count, reading->ends, reading->end_count));
    WEIR_TRY(set_clock(reading));
    WEIR_TRY(check_complete(trace));
    WEIR_TRY(check_bytes(trace));
    return weir_trace_order(trace);
}

int weir_trace_read(const char *folder, struct weir_trace *trace) {
    const struct weir_run_record *machine = trace->machine;
    const int ranks = machine->workers[machine->worker_count - 1].rank + 1; /* workers come by rank */
    struct reading reading = {.trace = trace,
                              .ranks = ranks,
                              .begin = malloc(sizeof *reading.begin * (size_t)ranks),
                              .end = malloc(sizeof *reading.end * (size_t)ranks),
                              .fetching =
                                  calloc((size_t)machine->worker_count + 1, sizeof *reading.fetching)};
    const bool room = reading.begin && reading.end && reading.fetching;
    for (int rank = 0; room && rank < ranks; rank++)
        reading.begin[rank] = reading.end[rank] = NAN;
    const int error = room ? read_all(folder, &reading) : weir_fail(WEIR_FAILED, "out of memory");
    free(reading.begun);
    free(reading.relays);
    free(reading.ends);
    free(reading.begin);
    free(reading.end);
    free(reading.fetching);
    return error;
}
