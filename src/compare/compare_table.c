#include "src/compare/compare_table.h"

#include "src/common/bytes_text.h"
#include "src/compare/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Speed and what explains it. */
static void print_row(const struct weir_comparison *comparison, const struct weir_compared *compared,
                      int policy) {
    const struct weir_spread *spread = compared->spread;
    char nodes[WEIR_BYTES_TEXT], homes[WEIR_BYTES_TEXT];
    printf("  %-16s %9.2f %4.0f %%  %9.3f  %4.0f %% %4.0f %%  %10s  %10s  %9.1f  %5.1f %%\n",
           comparison->options->policies[policy], spread[WEIR_MLUPS].median,
           weir_spread_percent(&spread[WEIR_MLUPS]), 1e3 * spread[WEIR_STEP_SECONDS].median,
           100 * spread[WEIR_BUSY_MEAN].median, 100 * spread[WEIR_BUSY_LEAST].median,
           weir_bytes_text(spread[WEIR_NODE_BYTES].median, nodes),
           weir_bytes_text(spread[WEIR_HOME_BYTES].median, homes), spread[WEIR_MOVES].median,
           100 * spread[WEIR_LOSS].median);
}

/* Milliseconds or a count; "-" where there is none. */
static void print_number(double value, int decimals) {
    if (isfinite(value))
        printf(" %9.*f", decimals, value);
    else
        printf(" %9s", "-");
}

static void print_recovery(const struct weir_comparison *comparison, const struct weir_compared *compared,
                           int policy) {
    printf("  %-16s", comparison->options->policies[policy]);
    for (int after_end = 0; after_end < 2; after_end++) {
        char answer[32];
        double steps;
        const int runs = weir_comparison_recovered(compared, after_end == 1, &steps);
        const struct weir_settled settled = weir_comparison_settled(compared, after_end == 1);
        if (runs > 0)
            snprintf(answer, sizeof answer, "%.0f (%d/%d)", steps, runs, compared->count);
        else
            snprintf(answer, sizeof answer, "%s", isfinite(settled.step_seconds) ? "never" : "-");
        printf("  %14s ", answer);
        print_number(1e3 * settled.step_seconds, 3);
        print_number(1e3 * settled.ideal_step_seconds, 3);
        printf(" ");
        print_number(settled.moves, 1);
    }
    printf("\n");
}

/* Where time went in a recorded run of each policy. */
static void print_traces(const struct weir_comparison *comparison) {
    printf("\n%s, one traced run of each\n  %-16s %9s %10s %11s %10s  %9s\n",
           weir_workload_names[comparison->traced], "policy", "kernels", "wait data", "wait tasks",
           "overhead", "ms/step");
    for (int p = 0; p < comparison->options->policy_count; p++) {
        const struct weir_compared_trace *trace = &comparison->traces[p];
        printf("  %-16s", comparison->options->policies[p]);
        if (trace->failure)
            printf(" no trace: %s\n", trace->failure);
        else
            printf(" %7.1f %% %8.1f %% %9.1f %% %8.1f %%  %9.3f\n", 100 * trace->part[WEIR_IN_KERNEL],
                   100 * trace->part[WEIR_WAITING_DATA], 100 * trace->part[WEIR_WAITING_TASKS],
                   100 * trace->part[WEIR_OVERHEAD], 1e3 * trace->step_seconds);
    }
    for (int p = 0; p < comparison->options->policy_count; p++)
        if (!comparison->traces[p].failure)
            printf("  %s: %s\n", comparison->options->policies[p], comparison->traces[p].sentence);
}

void weir_compare_table(const struct weir_comparison *comparison) {
    const int policies = comparison->options->policy_count, repeat = comparison->options->repeat;
    const int *cells = comparison->c->problem.cells, *block = comparison->block_cells;
    printf("%s: %d x %d x %d cells in %d blocks of %d x %d x %d, median of %d run%s\n", comparison->c->name,
           cells[0], cells[1], cells[2], comparison->blocks, block[0], block[1], block[2], repeat,
           repeat == 1 ? "" : "s");
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++) {
        const struct weir_compared_workload *workload = &comparison->workloads[w];
        if (!workload->wanted)
            continue;
        printf("\n%s, %lld steps, digest %s\n", weir_workload_names[w], (long long)workload->steps,
               workload->digest);
        if (workload->fluid_least < workload->fluid_most)
            printf("  %d blocks with %lld to %lld fluid cells\n", workload->blocks,
                   (long long)workload->fluid_least, (long long)workload->fluid_most);
        printf("  %-16s %9s %6s  %9s  %6s %6s  %10s  %10s  %9s  %7s\n", "policy", "MLUPS", "spread",
               "ms/step", "busy", "least", "between", "changed", "moves per", "lost");
        printf("  %-16s %9s %6s  %9s  %6s %6s  %10s  %10s  %9s  %7s\n", "", "", "", "", "", "", "memories",
               "hands", "100 steps", "");
        for (int p = 0; p < policies; p++)
            print_row(comparison, &workload->policies[p], p);
        if (w != WEIR_DISTURBED)
            continue;
        printf("  %-16s  %14s  %9s %9s  %9s  %14s  %9s %9s  %9s\n", "", "load: back", "settled", "ideal",
               "moves per", "end: back", "settled", "ideal", "moves per");
        printf("  %-16s  %14s  %9s %9s  %9s  %14s  %9s %9s  %9s\n", "policy", "after steps", "ms/step",
               "ms/step", "100 steps", "after steps", "ms/step", "ms/step", "100 steps");
        for (int p = 0; p < policies; p++)
            print_recovery(comparison, &workload->policies[p], p);
    }
    if (comparison->traces)
        print_traces(comparison);
}
