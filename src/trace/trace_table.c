#include "src/trace/trace_table.h"

#include "src/common/bytes_text.h"
#include "src/report/described.h"
#include "src/trace/trace_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const char *name, const double seconds[], double all, long long tasks) {
    printf("  %-28.28s %7.1f %% %8.1f %% %9.1f %% %8.1f %% %8lld\n", name,
           100 * seconds[WEIR_IN_KERNEL] / all, 100 * seconds[WEIR_WAITING_DATA] / all,
           100 * seconds[WEIR_WAITING_TASKS] / all, 100 * seconds[WEIR_OVERHEAD] / all, tasks);
}

/* GPUs, whose workers share them; and all homes together. */
static void print_homes(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    long long tasks = 0;
    for (int home = 0; home < a->run.home_count; home++) {
        char name[WEIR_HOME_NAME];
        const struct weir_recorded_worker *first = &trace->machine->workers[a->run.homes[home].worker];
        if (first->cuda)
            print_row(weir_home_name(first, name), a->homes[home].seconds, a->seconds, a->homes[home].tasks);
        tasks += a->homes[home].tasks;
    }
    print_row("all that take steps", a->total, a->seconds * a->run.home_count, tasks);
}

/* Steps of blocks against StarPU's models. */
static void print_expectation(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    for (int k = 0; k < a->time_count; k++) {
        const struct weir_kind_times *times = &a->times[k];
        if (weir_trace_stage(trace, times->kind) >= 0 && isfinite(times->deviation))
            printf("a block's %s on %s: median %.1f µs, StarPU's models expected %.1f µs; all together "
                   "%+.1f %% against that, single ones off by %.1f %% in the mean\n",
                   trace->machine->stage_count > 1 ? trace->kinds[times->kind] : "step",
                   weir_worker_class_names[times->workers], 1e6 * times->spread.median, 1e6 * times->expected,
                   100 * times->deviation, 100 * times->mean_deviation);
    }
}

static int ranks_of(const struct weir_trace *trace) {
    return trace->machine->workers[trace->machine->worker_count - 1].rank + 1; /* workers come by rank */
}

static void print_hidden(double hidden, double seconds) {
    if (seconds > 0)
        printf("; %.1f %% of that time hidden behind kernels", 100 * hidden / seconds);
    printf("\n");
}

/* Copies, and messages. What the placement makes necessary is told of one rank only: messages carry less. */
static void print_transfers(const struct weir_trace_analysis *a, bool ranks) {
    char moved[WEIR_BYTES_TEXT], least[WEIR_BYTES_TEXT];
    const double copied = (double)(a->transfer_bytes - a->message_bytes);
    if (ranks) {
        printf("messages between ranks: %lld, %s", (long long)a->message_count,
               weir_bytes_text((double)a->message_bytes, moved));
        print_hidden(a->message_hidden_seconds, a->message_seconds);
    }
    if (ranks && a->transfer_count == a->message_count)
        return;
    printf("copied between memories%s: %s", ranks ? " of a rank" : "", weir_bytes_text(copied, moved));
    if (!ranks)
        printf(", least %s", weir_bytes_text((double)a->least_bytes, least));
    print_hidden(a->hidden_seconds - a->message_hidden_seconds, a->transfer_seconds - a->message_seconds);
}

/* Pairs of ranks whose messages are named, the longest first. */
enum { LINKS_SHOWN = 4 };

static void print_path(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    const struct weir_critical_path *path = &a->path;
    const bool ranks = ranks_of(trace) > 1;
    printf("critical path: %lld tasks, %.1f %% of the time; ", (long long)path->tasks,
           100 * path->kernel_seconds / a->seconds);
    if (ranks)
        printf("%lld messages, %.1f %%, of which %.1f %% until MPI had taken them; ",
               (long long)path->messages, 100 * path->message_seconds / a->seconds,
               100 * path->unsent_seconds / a->seconds);
    printf("%.1f %% between them\n", 100 * (path->gap_seconds + path->tail) / a->seconds);
    for (int k = 0; k < path->link_count && k < LINKS_SHOWN; k++)
        printf("  messages from rank %d to rank %d on it: %lld, %.1f %%\n", path->links[k].from_rank,
               path->links[k].to_rank, (long long)path->links[k].messages,
               100 * path->links[k].seconds / a->seconds);
    printf(
        "tasks that wait for each other take %.1f %% of the time by themselves, with any number of workers\n",
        100 * path->chain_seconds / a->seconds);
}

static void print_sections(const struct weir_trace_analysis *a) {
    const enum weir_main_loss loss = weir_trace_main_loss(a);
    const struct weir_section_votes votes = weir_section_votes_for(&a->sections, loss);
    printf("main loss %s: in %d of %d sections of the window, %.1f to %.1f %%\n", weir_loss_names[loss],
           votes.agree, a->sections.count, 100 * votes.least, 100 * votes.most);
}

static void print_disturbance(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    const struct weir_trace_disturbance *d = &a->disturbance;
    if (isfinite(trace->cores.lost))
        printf(
            "of the cores' time others took %.1f %%, and threads of this run waited %.1f %% for a core; %.0f "
            "times a second they lost one\n",
            100 * trace->cores.others, 100 * trace->cores.waited, trace->cores.switches);
    if (d->worker >= 0)
        printf("steps of blocks far slower than usual: %lld of %lld; %s lost most to them, %.1f %% of its "
               "time\n",
               (long long)d->slow, (long long)d->compared, trace->machine->workers[d->worker].name,
               100 * d->slow_share);
}

static void print_kernels(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    const struct weir_trace_near_wall *walls = &a->near_wall;
    if (isfinite(a->gbs) && isfinite(a->limit_gbs))
        printf("memory: %.3g GB/s, %.0f %% of the %.3g GB/s measured in this run\n", a->gbs,
               100 * a->gbs / a->limit_gbs, a->limit_gbs);
    if (a->stages_seconds > 0)
        printf("stages beside collision and streaming: %.1f %% of the time%s\n", 100 * a->shares.stages,
               trace->surface ? ", for the free surface" : "");
    if (!(walls->share > 0) || trace->surface)
        return;
    printf("fluid cells beside walls: %.1f %%", 100 * walls->share);
    if (isfinite(walls->factor))
        printf(", each as long as %.3g others; that is %.1f %% of the time\n", walls->factor,
               100 * a->shares.near_wall);
    else
        printf("; what they cost cannot be told from these blocks (weir calibrate with the same case and "
               "options "
               "first measures what others take)\n");
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
    char *sentence = weir_trace_words(trace, a, traced->policy);
    if (sentence)
        printf("%s\n\n", sentence);
    free(sentence);
    printf("steps %lld to %lld, policy %s: %.3f ms each, %.1f MLUPS\n", (long long)trace->from,
           (long long)(trace->from + trace->steps - 1), traced->policy, 1e3 * a->step_seconds, a->run.mlups);
    printf("  %-28s %9s %10s %11s %10s %8s\n", "", "kernels", "wait data", "wait tasks", "overhead", "tasks");
    for (int worker = 0; worker < a->worker_count; worker++)
        print_row(trace->machine->workers[worker].name, a->workers[worker].seconds, a->seconds,
                  a->workers[worker].tasks);
    print_homes(trace, a);
    printf("a step would take %.3f ms if work were even, %.3f ms if nobody waited for data, %.3f ms without "
           "overhead\n",
           1e3 * a->balanced_step_seconds, 1e3 * a->transfers_free_seconds, 1e3 * a->overhead_free_seconds);
    print_path(trace, a);
    print_expectation(trace, a);
    print_transfers(a, ranks_of(trace) > 1);
    printf("blocks that change their worker from a step to the next: %.1f %%\n", 100 * a->moved);
    if (a->rank_moves > 0)
        printf("moves of blocks to another rank: %lld\n", (long long)a->rank_moves);
    print_sections(a);
    print_disturbance(trace, a);
    print_kernels(trace, a);
    print_cost(traced);
}
