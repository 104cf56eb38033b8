#include "src/trace_words.h"

#include "src/compare_words.h"
#include "src/described.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where so many tasks come too late, submitting them is what limits. */
static const double many_late = 0.25;

static double percent(const struct weir_trace_analysis *a, enum weir_activity activity) {
    return 100 * a->total[activity] / (a->seconds * a->step_workers);
}

static double percent_of(const struct weir_trace_analysis *a, int worker, enum weir_activity activity) {
    return 100 * a->workers[worker].seconds[activity] / a->seconds;
}

/* The home that does most, or least, of something; by its first worker. */
static int extreme(const struct weir_trace_analysis *a, enum weir_activity activity, double sign) {
    int found = a->run.homes[0].worker;
    for (int k = 1; k < a->run.home_count; k++) {
        const int worker = a->run.homes[k].worker;
        if (sign * a->workers[worker].seconds[activity] > sign * a->workers[found].seconds[activity])
            found = worker;
    }
    return found;
}

static double median_step_task(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    for (int kind = 0; kind < trace->kind_count; kind++)
        if (strcmp(trace->kinds[kind], "collide_stream") == 0)
            return a->kinds[kind].median;
    return 0;
}

static int bouncing(const struct weir_trace *trace, const struct weir_trace_analysis *a, const char *policy,
                    char **text) {
    char bytes[WEIR_BYTES_TEXT];
    const double transitions = trace->steps > 1 ? (double)(trace->steps - 1) : 1;
    const double moved = (double)(a->least_bytes + a->home_bytes) / transitions;
    const bool starpu = strncmp(policy, "starpu:", 7) == 0;
    const char *advice = starpu ? "place blocks with policy balanced or static, and use larger blocks"
                                : "use fewer, larger blocks";
    if (percent(a, WEIR_WAITING_DATA) >= 10)
        return asprintf(
            text,
            "Blocks bounce: from each step to the next %.0f %% of them change their worker under %s, and %s "
            "per step change hands; workers wait %.0f %% of the time for data: %s.",
            100 * a->moved, policy, weir_bytes_text(moved, bytes), percent(a, WEIR_WAITING_DATA), advice);
    return asprintf(
        text,
        "Blocks bounce: from each step to the next %.0f %% of them change their worker under %s, and %s per "
        "step change hands%s, which slows kernels rather than it shows as waiting (workers compute %.0f %% "
        "of the time): %s.",
        100 * a->moved, policy, weir_bytes_text(moved, bytes),
        a->least_bytes > 0 ? ", some between memories" : "", percent(a, WEIR_IN_KERNEL), advice);
}

static int imbalance(const struct weir_trace *trace, const struct weir_trace_analysis *a, const char *policy,
                     char **text) {
    char most[WEIR_HOME_NAME], least[WEIR_HOME_NAME];
    const int waits = extreme(a, WEIR_WAITING_TASKS, 1), works = extreme(a, WEIR_WAITING_TASKS, -1);
    return asprintf(
        text, "Work is dealt out unevenly: %s waits %.0f %% of the time for tasks, %s %.0f %%: %s.",
        weir_home_name(&trace->machine->workers[waits], most), percent_of(a, waits, WEIR_WAITING_TASKS),
        weir_home_name(&trace->machine->workers[works], least), percent_of(a, works, WEIR_WAITING_TASKS),
        strcmp(policy, "static") == 0 ? "try policy balanced, or other placement.shares"
                                      : "use smaller blocks, so that more of them can be dealt out");
}

static int starved(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    if (a->late > many_late)
        return asprintf(
            text,
            "Workers wait %.0f %% of the time for tasks: they end sooner (%.0f µs) than one thread can "
            "submit them: use larger blocks.",
            percent(a, WEIR_WAITING_TASKS), 1e6 * median_step_task(trace, a));
    return asprintf(
        text,
        "Workers wait %.0f %% of the time for tasks, all alike: blocks wait for their neighbours; use more "
        "blocks for each worker.",
        percent(a, WEIR_WAITING_TASKS));
}

static int data(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    char name[WEIR_HOME_NAME], hidden[64] = "";
    const int worker = extreme(a, WEIR_WAITING_DATA, 1);
    if (isfinite(a->hidden))
        snprintf(hidden, sizeof hidden, " (%.0f %% of transfer time is hidden)", 100 * a->hidden);
    return asprintf(
        text,
        "%s waits %.0f %% of the time for data%s: use larger blocks, or give less of the domain to "
        "the workers that it exchanges with.",
        weir_home_name(&trace->machine->workers[worker], name), percent_of(a, worker, WEIR_WAITING_DATA),
        hidden);
}

static int overhead(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    int64_t tasks = 0;
    for (int worker = 0; worker < a->worker_count; worker++)
        tasks += trace->machine->workers[worker].steps ? a->workers[worker].tasks : 0;
    return asprintf(text,
                    "StarPU takes %.0f %% of the workers' time, %.0f µs for each task of %.0f µs: use larger "
                    "blocks, of which there are fewer.",
                    percent(a, WEIR_OVERHEAD),
                    1e6 * a->total[WEIR_OVERHEAD] / (double)(tasks > 0 ? tasks : 1),
                    1e6 * median_step_task(trace, a));
}

char *weir_trace_words(const struct weir_trace *trace, const struct weir_trace_analysis *a,
                       const char *policy) {
    char *text = NULL;
    int length = -1;
    switch (weir_trace_main_loss(a)) {
    case WEIR_LOSS_BOUNCING:
        length = bouncing(trace, a, policy, &text);
        break;
    case WEIR_LOSS_IMBALANCE:
        length = imbalance(trace, a, policy, &text);
        break;
    case WEIR_LOSS_STARVED:
        length = starved(trace, a, &text);
        break;
    case WEIR_LOSS_DATA:
        length = data(trace, a, &text);
        break;
    case WEIR_LOSS_OVERHEAD:
        length = overhead(trace, a, &text);
        break;
    case WEIR_LOSS_NONE:
        length = asprintf(&text,
                          "Workers compute %.0f %% of the time; no loss stands out: what is left is in the "
                          "kernels, which weir bench kernels holds against the machine's limits.",
                          percent(a, WEIR_IN_KERNEL));
    }
    return length < 0 ? NULL : text;
}

double weir_trace_cost(double recorded, double before, double after, double *difference) {
    const bool both = isfinite(before) && isfinite(after);
    const double plain = both ? 0.5 * (before + after) : isfinite(before) ? before : after;
    *difference = both ? fabs(before - after) / plain : NAN;
    return recorded / plain - 1;
}
