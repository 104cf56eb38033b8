#include "src/trace_table.h"

#include "src/compare_words.h"
#include "src/trace_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const char *name, const double seconds[], double all, long long tasks) {
    printf("  %-28.28s %7.1f %% %8.1f %% %9.1f %% %8.1f %% %8lld\n", name,
           100 * seconds[WEIR_IN_KERNEL] / all, 100 * seconds[WEIR_WAITING_DATA] / all,
           100 * seconds[WEIR_WAITING_TASKS] / all, 100 * seconds[WEIR_OVERHEAD] / all, tasks);
}

/* Steps of blocks against StarPU's models. */
static void print_expectation(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    for (int k = 0; k < a->time_count; k++) {
        const struct weir_kind_times *times = &a->times[k];
        if (strcmp(trace->kinds[times->kind], "collide_stream") == 0 && isfinite(times->deviation))
            printf("a block's step on %s: median %.1f µs, StarPU's models expected %.1f µs; all together "
                   "%+.1f %% against that, single ones off by %.1f %% in the mean\n",
                   weir_worker_class_names[times->workers], 1e6 * times->spread.median, 1e6 * times->expected,
                   100 * times->deviation, 100 * times->mean_deviation);
    }
}

static void print_cost(const struct weir_traced_run *traced) {
    double difference;
    const double cost = weir_trace_cost(traced->seconds, traced->before, traced->after, &difference);
    if (!isfinite(cost))
        return;
    printf("recording cost %+.1f %% of a step", 100 * cost);
    if (isfinite(difference))
        printf(" (without it, steps before and after differ by %.1f %%)", 100 * difference);
    printf("\n");
}

void weir_trace_table(const struct weir_traced_run *traced, const struct weir_trace *trace,
                      const struct weir_trace_analysis *a) {
    char moved[WEIR_BYTES_TEXT], least[WEIR_BYTES_TEXT];
    long long tasks = 0;
    char *sentence = weir_trace_words(trace, a, traced->policy);
    if (sentence)
        printf("%s\n\n", sentence);
    free(sentence);
    printf("steps %lld to %lld, policy %s: %.3f ms each, %.1f MLUPS\n", (long long)trace->from,
           (long long)(trace->from + trace->steps - 1), traced->policy, 1e3 * a->step_seconds, a->run.mlups);
    printf("  %-28s %9s %10s %11s %10s %8s\n", "", "kernels", "wait data", "wait tasks", "overhead", "tasks");
    for (int worker = 0; worker < a->worker_count; worker++) {
        print_row(trace->machine->workers[worker].name, a->workers[worker].seconds, a->seconds,
                  a->workers[worker].tasks);
        if (trace->machine->workers[worker].steps)
            tasks += a->workers[worker].tasks;
    }
    print_row("all that take steps", a->total, a->seconds * a->step_workers, tasks);
    printf("a step would take %.3f ms if work were even, %.3f ms if nobody waited for data, %.3f ms without "
           "overhead\n",
           1e3 * a->balanced_step_seconds, 1e3 * a->transfers_free_seconds, 1e3 * a->overhead_free_seconds);
    printf("critical path: %lld tasks, %.1f %% of the time in kernels; tasks that wait for each other alone: "
           "%.1f %%\n",
           (long long)a->path_count, 100 * a->path_kernel_seconds / a->seconds,
           100 * a->chain_seconds / a->seconds);
    print_expectation(trace, a);
    printf("copied between memories: %s, least %s", weir_bytes_text((double)a->transfer_bytes, moved),
           weir_bytes_text((double)a->least_bytes, least));
    if (isfinite(a->hidden))
        printf("; %.1f %% of that time hidden behind kernels", 100 * a->hidden);
    if (a->message_count > 0)
        printf("\nof that, between ranks: %s in %lld messages",
               weir_bytes_text((double)a->message_bytes, moved), (long long)a->message_count);
    printf("\nblocks that change their worker from a step to the next: %.1f %%\n", 100 * a->moved);
    print_cost(traced);
}
