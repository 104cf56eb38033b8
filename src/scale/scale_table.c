#include "src/scale/scale_table.h"

#include "src/common/bytes_text.h"

#include <math.h>
#include <stdio.h>

static void print_percent(double value) {
    if (isfinite(value))
        printf(" %7.1f %%", 100 * value);
    else
        printf(" %9s", "-");
}

static void print_point(const struct weir_scaling_point *point) {
    const struct weir_scaling_run *run = &point->runs[0];
    char cells[48], bytes[WEIR_BYTES_TEXT];
    snprintf(cells, sizeof cells, "%d x %d x %d", point->cells[0], point->cells[1], point->cells[2]);
    printf("  %5d %5d %7d  %-20s %10.2f %4.0f %% %10.3f %8.2f %8.1f %%", point->ranks, run->hosts,
           run->workers, cells, point->mlups.median, weir_spread_percent(&point->mlups),
           1e3 * point->step_seconds.median, point->speedup.median, 100 * point->efficiency.median);
    print_percent(point->waiting.median);
    print_percent(point->longest_waiting.median);
    printf("  %10s %8lld %7.3f\n", weir_bytes_text((double)run->bytes, bytes), (long long)run->messages,
           point->balance.median);
}

/* What one would type on a cluster to measure the same there. */
static void print_cluster(const struct weir_scale_plan *plan) {
    const int most = plan->ranks[plan->rank_count - 1];
    printf("\nthe same on a cluster with Slurm, a rank per node (docs/cluster.md):\n"
           "  sbatch --nodes=%d --ntasks-per-node=1 --exclusive --wrap=\"weir scale %s %s --ranks ",
           most, plan->c->file, plan->options->weak ? "--weak" : "--strong");
    for (int k = 0; k < plan->rank_count; k++)
        printf("%s%d", k > 0 ? "," : "", plan->ranks[k]);
    printf(" --launcher 'srun --nodes={ranks} --ntasks={ranks} --cpus-per-task=\\$SLURM_CPUS_ON_NODE'\"\n");
}

void weir_scale_table(const struct weir_scale_plan *plan, const struct weir_scaling *scaling) {
    const int *cells = plan->c->problem.cells, *block = scaling->block_cells;
    printf("%s, %s scaling: %d x %d x %d cells%s in blocks of %d x %d x %d, %lld steps, median of %d run%s\n",
           plan->c->name, scaling->weak ? "weak" : "strong", cells[0], cells[1], cells[2],
           scaling->weak ? " for each rank" : "", block[0], block[1], block[2], (long long)scaling->steps,
           scaling->repeat, scaling->repeat == 1 ? "" : "s");
    printf("ranks started by: %s", plan->launcher);
    if (plan->options->oversubscribe)
        printf("; more ranks than cores: times mean nothing\n");
    else if (plan->shared)
        printf("; all %d cores shared by the ranks: efficiency is speed against %d rank%s\n",
               plan->host_cores, plan->ranks[0], plan->ranks[0] == 1 ? "" : "s");
    else if (plan->gpus > 0)
        printf("; %d GPU%s and %d cores for each\n", plan->gpus, plan->gpus == 1 ? "" : "s", plan->cores);
    else if (plan->cores > 0)
        printf("; %d core%s for each\n", plan->cores, plan->cores == 1 ? "" : "s");
    else
        printf("\n");
    if (!scaling->weak)
        printf("digest %s, the same in all runs\n", scaling->points[0].runs[0].digest);
    printf("\n  %5s %5s %7s  %-20s %10s %6s %10s %8s %10s %9s %9s  %10s %8s %7s\n", "ranks", "hosts",
           "workers", "cells", "MLUPS", "spread", "ms/step", "speed-up", "efficiency", "waiting", "longest",
           "sent/step", "messages", "balance");
    for (int k = 0; k < scaling->count; k++)
        print_point(&scaling->points[k]);
    if (!plan->options->launcher)
        print_cluster(plan);
}
