/* The end of all ranks because of one: who is to blame, who tells it, who waits for whom. */
#include "graph/ranks/supervisor_state.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/ranks/world.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { NAMED_SIZE = 256 };

/* Seconds. A rank that has failed in a call has so long to end by itself. Once the end is decided, the others
 * get so long to follow, each rank so long to throw away its files, and the rest of the ranks so long to take
 * over from rank 0 and rank 1. */
enum { PARDONS_MOST = 9 };
static const double time_to_end_alone = 5, time_to_follow = 3, time_to_finish = 10, time_to_take_over = 5;

/* What the alarm says; empty: nothing, or the user knows of an error already. */
static char last_words[1024];

/* The others of this host, while all ranks come to MPI's end, if these are all; else there are none. */
static struct weir_rank_processes last_others;
static int last_pardons;
static struct itimerval last_patience;

/* Whether somebody of the host is late because it waits for a core, and nobody is stopped. */
static bool others_wait_for_cores(void) {
    bool runnable = false;
    for (int k = 0; k < last_others.count; k++) {
        const enum weir_process_state state = weir_rank_process_state_in_handler(&last_others, k);
        if (state == WEIR_PROCESS_STOPPED)
            return false;
        runnable = runnable || state == WEIR_PROCESS_RUNNABLE;
    }
    return runnable;
}

/* The end of a rank that does not get through its end. */
static void give_up(int signal_number) {
    (void)signal_number;
    if (last_pardons > 0 && others_wait_for_cores()) {
        last_pardons--;
        setitimer(ITIMER_REAL, &last_patience, NULL);
        return;
    }
    const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)written;
    _exit(WEIR_FAILED);
}

void weir_end_within(double seconds) {
    last_patience = (struct itimerval){.it_value = {.tv_sec = (time_t)seconds}};
    last_patience.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)last_patience.it_value.tv_sec));
    signal(SIGALRM, give_up);
    setitimer(ITIMER_REAL, &last_patience, NULL);
}

/* "rank 2 on node7, rank 3 on node7" of those that are marked, or are not; not too long. */
static void name_ranks(const struct weir_supervisor *w, const bool *marked, char text[NAMED_SIZE]) {
    size_t length = 0;
    text[0] = '\0';
    for (int rank = 0; rank < w->size; rank++) {
        if (!marked[rank])
            continue;
        if (length + 120 > NAMED_SIZE) {
            snprintf(text + length, NAMED_SIZE - length, ", and more");
            return;
        }
        length += (size_t)snprintf(text + length, NAMED_SIZE - length, "%srank %d on %s",
                                   length > 0 ? ", " : "", rank, weir_world_host(w->world, rank));
    }
}

void weir_supervisor_set_alarm(struct weir_supervisor *w) {
    const double timeout = w->timeout;
    char names[NAMED_SIZE];
    if (timeout <= 0)
        return;
    for (int rank = 0; rank < w->size; rank++)
        w->culprit[rank] = rank != w->rank;
    name_ranks(w, w->culprit, names);
    if (w->rank < 2 && !w->failed) /* the second where the first is the one */
        snprintf(last_words, sizeof last_words,
                 "weir: the ranks have done their work, and do not come to MPI's end together within %g s: "
                 "look at the network and at %s\n",
                 timeout, names);
    if (w->processes.count == w->size - 1) {
        last_others = w->processes;
        w->processes = (struct weir_rank_processes){.count = 0};
        last_pardons = PARDONS_MOST;
    }
    weir_end_within(timeout + (w->rank < 2 ? w->rank : 2) * time_to_take_over);
}

/* From here on all ranks end: they follow `chief`, which tells the user. out[END] has the reason. */
static void begin_end(struct weir_supervisor *w, int chief) {
    w->chief = chief;
    w->go = false;
    memset(w->ready, 0, sizeof *w->ready * (size_t)w->size);
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_mutex_unlock(&w->lock);
}

void weir_supervisor_take_end(struct weir_supervisor *w, int chief, const struct weir_control_message *end) {
    if (w->chief >= 0)
        return;
    w->messages.out[WEIR_CONTROL_END] = *end;
    begin_end(w, chief);
}

/* Whether a text begins with the name of a rank: ranks had agreed on it (agreement.h). */
static bool names_a_rank(const struct weir_supervisor *w, const char *text) {
    char name[NAMED_SIZE];
    for (int rank = 0; rank < w->size; rank++) {
        const int length =
            snprintf(name, sizeof name, "rank %d on %s: ", rank, weir_world_host(w->world, rank));
        if (strncmp(text, name, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* Rank 0. The first failure counts. */
void weir_supervisor_take_failure(struct weir_supervisor *w, int rank,
                                  const struct weir_control_message *failure) {
    struct weir_control_message end = *failure;
    if (!failure->everywhere && !names_a_rank(w, failure->text))
        snprintf(end.text, sizeof end.text, "rank %d on %s: %.*s", rank, weir_world_host(w->world, rank),
                 WEIR_CONTROL_TEXT - NAMED_SIZE, failure->text);
    weir_supervisor_take_end(w, w->rank, &end);
}

/* The failure of this rank, if it is time for it: that of a task, or what the main thread told. */
static bool find_failure(struct weir_supervisor *w, struct weir_control_message *failure) {
    pthread_mutex_lock(&w->lock);
    bool found = w->failed && weir_seconds() >= w->patience_ends;
    *failure = w->failure;
    const int error = w->attends ? w->supervised.status(w->supervised.context) : 0;
    if (error != 0) {
        found = true;
        failure->code = -error;
        failure->everywhere = w->supervised.failed_everywhere(w->supervised.context);
        snprintf(failure->text, sizeof failure->text, "%s", weir_error_text());
    }
    pthread_mutex_unlock(&w->lock);
    return found;
}

void weir_supervisor_check_failure(struct weir_supervisor *w) {
    struct weir_control_message failure;
    if (w->reported || !find_failure(w, &failure))
        return;
    w->reported = true;
    w->messages.out[WEIR_CONTROL_FAILED] = failure;
    if (w->rank == 0)
        weir_supervisor_take_failure(w, 0, &failure);
    else
        weir_control_messages_post(&w->messages, WEIR_CONTROL_FAILED, 0);
}

static void accuse(struct weir_supervisor *w, enum weir_rank_trouble trouble) {
    const double timeout = w->timeout;
    struct weir_control_message end = {.code = WEIR_FAILED};
    char names[NAMED_SIZE], seen[64] = "";
    int first = 0;
    while (!w->culprit[first])
        first++;
    name_ranks(w, w->culprit, names);
    if (w->heartbeats[first].done >= 0)
        snprintf(seen, sizeof seen, ", last heard of at step %lld", (long long)w->heartbeats[first].done);
    if (trouble == WEIR_RANKS_DEAD)
        snprintf(
            end.text, sizeof end.text,
            "the process of %s has died%s: killed, or crashed; where it says nothing of itself, look for "
            "\"out of memory\" in what the system reports (dmesg)",
            names, seen);
    else if (trouble == WEIR_RANKS_SILENT)
        snprintf(
            end.text, sizeof end.text,
            "no sign of life from %s for %g s%s: dead, stopped or cut off from the network; look at that "
            "machine, or give ranks.timeout more seconds",
            names, timeout, seen);
    else
        snprintf(
            end.text, sizeof end.text,
            "all ranks wait for each other for %g s; fewest steps (%lld) have been done by %s: look at the "
            "network, at these machines and their disks, or give ranks.timeout more seconds",
            timeout, (long long)w->heartbeats[first].done, names);
    weir_supervisor_take_end(w, w->rank, &end);
    w->lost = trouble != WEIR_RANKS_STUCK;
    if (w->lost)
        memcpy(w->ready, w->culprit, sizeof *w->ready * (size_t)w->size);
}

/* Whose process runs, or would if it had a core or a page of a file, is late and not lost: a host with more
 * to do than it has cores for can keep one from it for minutes. Not for ever: it might run in a circle. */
static void pardon_the_runnable(struct weir_supervisor *w, double now) {
    for (int k = 0; k < w->processes.count; k++) {
        struct weir_heartbeat *heartbeat = &w->heartbeats[w->processes.rank[k]];
        if (heartbeat->dead || heartbeat->heard >= now - w->timeout || heartbeat->pardons == PARDONS_MOST ||
            weir_rank_process_state(&w->processes, k) != WEIR_PROCESS_RUNNABLE)
            continue;
        heartbeat->heard = now;
        heartbeat->pardons++;
    }
}

/* Rank 0 judges all; the others rank 0: first rank 1, then, if that fails too, everybody for himself. */
void weir_supervisor_judge(struct weir_supervisor *w, double now) {
    const double patience = w->rank > 1 ? time_to_take_over : 0;
    if (w->chief >= 0)
        return;
    if (w->timeout > 0)
        pardon_the_runnable(w, now);
    struct weir_heartbeat first = w->heartbeats[0];
    first.idle = 0; /* whether all wait is for rank 0 to know */
    const enum weir_rank_trouble trouble =
        w->rank == 0 ? weir_heartbeats_judge(w->heartbeats, w->size, now, w->timeout, w->culprit)
                     : weir_heartbeats_judge(&first, 1, now - patience, w->timeout, w->culprit);
    if (trouble == WEIR_RANKS_WELL || (trouble == WEIR_RANKS_DEAD && now - first.heard < patience))
        return;
    if (w->rank > 0)
        memset(w->culprit + 1, 0, sizeof *w->culprit * (size_t)(w->size - 1));
    accuse(w, trouble);
}

static void tell(struct weir_supervisor *w, const char *text) {
    char advice[WEIR_SUPERVISOR_ADVICE] = "";
    if (!w->told) {
        if (w->guard.advise)
            w->guard.advise(w->guard.context, advice);
        fprintf(stderr, "weir: %s%s\n", text, advice);
        fflush(stderr);
    }
    w->told = true;
}

void weir_supervisor_tell(struct weir_supervisor *w, const char *text) {
    if (!w) {
        fprintf(stderr, "weir: %s\n", text);
        return;
    }
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    tell(w, text);
    pthread_mutex_unlock(&w->lock);
}

/* Tells the user, if this is the rank to do so, and cleans up. */
static void close_down(struct weir_supervisor *w, bool chief) {
    const char *text = w->messages.out[WEIR_CONTROL_END].text;
    pthread_mutex_lock(&w->lock);
    if (w->attends)
        w->supervised.fail(w->supervised.context, text);
    if (w->guard.hush)
        w->guard.hush(w->guard.context);
    if (chief)
        tell(w, text);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) /* what MPI says of ranks that are already gone helps nobody */
        dup2(nowhere, STDERR_FILENO);
    if (w->guard.abandon)
        w->guard.abandon(w->guard.context, text);
    pthread_mutex_unlock(&w->lock);
}

/* Tasks are left alone: they may never end. */
void weir_supervisor_finish(struct weir_supervisor *w) {
    const int code = w->messages.out[WEIR_CONTROL_END].code;
    const bool chief = w->chief == w->rank;
    weir_end_within(time_to_finish);
    if (chief)
        weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_END);
    close_down(w, chief);
    if (!chief) {
        weir_control_messages_post(&w->messages, WEIR_CONTROL_READY, w->chief);
        /* Whoever ends first has the launcher kill the others: not before the chief is through. */
        for (; !w->go; weir_supervisor_pause())
            weir_supervisor_receive(w);
        _exit(code);
    }
    w->ready[w->rank] = true;
    const double start = weir_seconds();
    do {
        weir_supervisor_receive(w);
        weir_supervisor_pause();
    } while (!weir_supervisor_all_ready(w) && weir_seconds() - start < time_to_follow);
    if (w->lost || !weir_supervisor_all_ready(w))
        MPI_Abort(MPI_COMM_WORLD, code);
    weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_GO);
    (void)weir_control_messages_wait_sent(&w->messages, WEIR_CONTROL_GO, time_to_follow);
    _exit(code);
}

void weir_supervisor_rest_if_ending(struct weir_supervisor *w) {
    if (!w->ending)
        return;
    pthread_mutex_unlock(&w->lock);
    for (;;)
        pause();
}

/* With the lock held. What all ranks agree on stands above what this one brought. */
static void note_failure(struct weir_supervisor *w, int error, bool for_all, double patience) {
    if (!w->failed || for_all) {
        w->failure = (struct weir_control_message){.code = -error, .everywhere = for_all};
        snprintf(w->failure.text, sizeof w->failure.text, "%s", weir_error_text());
    }
    const double ends = weir_seconds() + patience;
    w->patience_ends = !w->failed || ends < w->patience_ends ? ends : w->patience_ends;
    w->failed = true;
}

void weir_supervisor_expect_end(struct weir_supervisor *w, int error, bool for_all) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    note_failure(w, error, for_all, time_to_end_alone);
    pthread_mutex_unlock(&w->lock);
}

void weir_supervisor_end(struct weir_supervisor *w, int error) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    note_failure(w, error, false, 0);
    pthread_mutex_unlock(&w->lock);
    for (;;)
        pause();
}
