#include "src/check.h"

#include "graph/division.h"
#include "graph/error.h"
#include "graph/placement.h"
#include "graph/rank_map.h"
#include "graph/ranks.h"
#include "graph/simulation.h"
#include "src/machine_store.h"
#include "src/predict.h"
#include "src/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_physics(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const double viscosity = (p->relaxation_time - 0.5) / 3, speed = c->characteristic_velocity;
    printf("  lattice       %s, %s%s", weir_lattice_names[p->lattice], weir_collision_names[p->collision],
           p->collision == WEIR_TRT ? "" : ",");
    if (p->collision == WEIR_TRT)
        printf(" (magic %.6g),", p->magic);
    printf(" %s precision%s\n", p->precision == WEIR_DOUBLE ? "double" : "single",
           p->precision == WEIR_HALF ? ", populations stored in 16 bits" : "");
    printf("  relaxation    tau %.6g, viscosity %.6g", p->relaxation_time, viscosity);
    if (c->units.si)
        printf(" (%.6g m2/s)", viscosity * weir_units_viscosity(&c->units));
    printf("\n");
    if (speed > 0) {
        printf("  velocity      %.6g cells per step", speed);
        if (c->units.si)
            printf(" (%.6g m/s)", speed * weir_units_velocity(&c->units));
        printf(", Mach %.3f", speed * sqrt(3.0));
        if (c->characteristic_length > 0)
            printf(", Reynolds %.4g", speed * c->characteristic_length / viscosity);
        printf("\n");
    }
    if (c->units.si)
        printf("  units         cell %.6g m, step %.6g s: %.6g s in all\n", c->units.length, c->units.time,
               c->units.time * (double)c->steps);
}

/* What is allowed and yet likely to disappoint. */
static void print_warnings(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    if (c->characteristic_velocity > 0.17)
        printf("  warning: Mach %.2f: errors of compressibility grow with its square; below 0.3 (velocity "
               "0.17) is usual\n",
               c->characteristic_velocity * sqrt(3.0));
    if (p->relaxation_time < 0.51)
        printf("  warning: tau %.4f is near 1/2: the flow may diverge where it is not resolved\n",
               p->relaxation_time);
    if (p->relaxation_time > 2)
        printf("  warning: tau %.3g is large: boundaries lose accuracy with bgk; use trt\n",
               p->relaxation_time);
    if (c->steady > 0 && p->precision != WEIR_DOUBLE && c->steady < 1e-7)
        printf("  warning: run.stop_when.steady %.1e is below what single precision resolves (about 1e-6); "
               "it may never hold\n",
               c->steady);
}

/* The parts as weir_runtime_expect foretells them. */
static void expected_parts(const struct weir_step_workers *workers, struct weir_parts *parts) {
    parts->count = 0;
    for (int k = 0; k < workers->gpus; k++)
        weir_parts_add(parts, WEIR_PART_GPU, k, k, 0);
    for (int k = 0; k < workers->teams; k++) {
        const int begin = workers->cpus * k / workers->teams, end = workers->cpus * (k + 1) / workers->teams;
        weir_parts_add(parts, WEIR_PART_TEAM, k, workers->gpus + k, end - begin);
    }
    for (int k = 0; k < workers->cpus && workers->teams == 0; k++)
        weir_parts_add(parts, WEIR_PART_CORE, k, workers->gpus + k, 1);
}

/* Fewest and most blocks at home on one of `parts`; solids are not looked at. */
static int share_blocks(const struct weir_block_grid *grid, int parts, const double *share, int *least,
                        int *most) {
    double *weight = malloc(sizeof *weight * (size_t)grid->total);
    int *part_of = malloc(sizeof *part_of * (size_t)grid->total),
        *blocks = calloc((size_t)parts, sizeof *blocks);
    int error = weight && part_of && blocks
                    ? 0
                    : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                                grid->total);
    if (error == 0) {
        for (int number = 0; number < grid->total; number++) {
            const struct weir_box box = weir_block_grid_box(grid, number);
            weight[number] = (double)weir_box_cells(&box);
        }
        error = weir_placement_bisect(grid, NULL, weight, parts, share, part_of);
    }
    if (error == 0) {
        for (int number = 0; number < grid->total; number++)
            blocks[part_of[number]]++;
        *least = *most = blocks[0];
        for (int part = 1; part < parts; part++) {
            *least = blocks[part] < *least ? blocks[part] : *least;
            *most = blocks[part] > *most ? blocks[part] : *most;
        }
    }
    free(weight);
    free(part_of);
    free(blocks);
    return error;
}

static int print_homes(const struct weir_case *c, const struct weir_block_grid *grid,
                       const struct weir_step_workers *workers) {
    struct weir_parts *parts = malloc(sizeof *parts);
    if (!parts)
        return weir_fail(WEIR_FAILED, "out of memory while looking at the workers");
    expected_parts(workers, parts);
    char there[WEIR_PARTS_TEXT];
    weir_parts_describe(parts, there);
    printf("  homes         policy %s; ", c->policy[0] ? c->policy : "balanced");
    int error = 0;
    if (strncmp(c->policy, "starpu:", 7) == 0) {
        printf("the scheduler decides, among %s\n", there);
    } else if (c->share_count == 0 && workers->gpus > 0 && workers->cpus > 0) {
        printf("%s, with shares by measured speed\n", there);
    } else {
        double share[WEIR_PARTS_MAX];
        int least = 0, most = 0;
        for (int k = 0; k < parts->count; k++)
            share[k] = 1;
        if (c->share_count > 0)
            error = weir_parts_shares(parts, c->shares, c->share_count, share);
        if (error == 0)
            error = share_blocks(grid, parts->count, share, &least, &most);
        if (error == 0) {
            printf("%s with %s%d", there, c->problem.shape_count > 0 ? "about " : "", least);
            if (most > least)
                printf(" to %d", most);
            printf(" block%s%s\n", most > 1 ? "s" : "", parts->count > 1 ? " each" : "");
        }
    }
    free(parts);
    return error;
}

/* What the time model says, where the machine has been measured. */
static int print_prediction(const struct weir_case *c, const struct weir_block_grid *grid,
                            const struct weir_step_workers *workers) {
    const struct weir_machine_key key = {&c->problem, grid->block_cells, *workers};
    struct weir_machine machine;
    struct weir_split split;
    char note[WEIR_MACHINE_NOTE];
    bool found;
    const bool divides =
        c->policy[0] == '\0' || strcmp(c->policy, "balanced") == 0 || strcmp(c->policy, "model") == 0;
    if (!divides || c->share_count > 0)
        return 0;
    WEIR_TRY(weir_machine_store_read(&key, &machine, &found, note));
    if (!found) {
        printf("  prediction    %s%snone: these blocks have not been measured here; run weir calibrate %s\n",
               note, note[0] ? "; " : "", c->file);
        return 0;
    }
    WEIR_TRY(weir_predict_case(c, &machine, grid, NULL, &split));
    weir_predict_print(&machine, &split.prediction);
    return 0;
}

/* Whom the map means where its hosts are not there. */
static void print_seats(const struct weir_rank_seat *seats, int ranks) {
    enum { LINES = 16 };
    if (seats[0].host[0] == '\0')
        return;
    printf("    hosts are not known here; they count in the order in which the map names them:\n");
    for (int rank = 0; rank < ranks && rank < LINES; rank++) {
        printf("    %4d  %s", rank, seats[rank].host);
        for (int k = 0; k < seats[rank].gpus; k++)
            printf("%s%d", k == 0 ? ", GPU " : " ", seats[rank].gpu[k]);
        printf("\n");
    }
    if (ranks > LINES)
        printf("    ... and %d more\n", ranks - LINES);
}

/* rank_of[grid->total], as the case divides. */
static int divide(const struct weir_case *c, const struct weir_block_grid *grid, const double *weight,
                  int ranks, int *rank_of) {
    if (!c->map) {
        WEIR_TRY(weir_ranks_divide(grid, weight, ranks, NULL, c->ranks_along[0] > 0 ? c->ranks_along : NULL,
                                   rank_of));
        printf("  ranks         %d, all equally fast\n", ranks);
        return 0;
    }
    struct weir_rank_seat *seats = malloc(sizeof *seats * (size_t)ranks);
    int error = seats ? 0 : weir_fail(WEIR_FAILED, "out of memory for %d ranks", ranks);
    if (error == 0)
        error = weir_rank_map_expect(c->map, ranks, seats);
    if (error == 0)
        error = weir_rank_map_divide(c->map, grid, weight, seats, ranks, NULL, rank_of);
    if (error == 0) {
        printf("  ranks         %d, divided by the map in %s\n", ranks, c->map_file ? c->map_file : c->file);
        print_seats(seats, ranks);
    }
    free(seats);
    return error;
}

/* How the domain is divided among ranks, none of which has to be there. */
static int print_ranks(const struct weir_case *c, const struct weir_block_grid *grid, int ranks) {
    double *weight = malloc(sizeof *weight * (size_t)grid->total);
    int *rank_of = malloc(sizeof *rank_of * (size_t)grid->total);
    struct weir_rank_part *part = malloc(sizeof *part * (size_t)ranks);
    int error = weight && rank_of && part
                    ? 0
                    : weir_fail(WEIR_FAILED, "out of memory while dividing the domain among %d ranks", ranks);
    if (error == 0)
        error = weir_division_weights(NULL, &c->problem, grid, weight);
    if (error == 0)
        error = divide(c, grid, weight, ranks, rank_of);
    if (error == 0)
        error = weir_ranks_count(&c->problem, grid, rank_of, ranks, part);
    if (error == 0) {
        enum { LINES = 16 };
        int64_t most_cells = 0, most_bytes = 0, bytes = 0;
        int neighbours = 0;
        double work = 0, most_work = 0;
        printf("    rank  blocks        cells  neighbours  KiB sent per step\n");
        for (int rank = 0; rank < ranks; rank++) {
            const struct weir_rank_part *p = &part[rank];
            if (rank < LINES)
                printf("    %4d  %6d  %11lld  %10d  %17.1f\n", rank, p->blocks, (long long)p->cells,
                       p->neighbours, (double)p->sent_bytes / 1024);
            double work_here = 0;
            for (int block = 0; block < grid->total; block++)
                work_here += rank_of[block] == rank ? weight[block] : 0;
            work += work_here;
            most_work = work_here > most_work ? work_here : most_work;
            bytes += p->sent_bytes;
            neighbours = p->neighbours > neighbours ? p->neighbours : neighbours;
            most_cells = p->cells > most_cells ? p->cells : most_cells;
            most_bytes = p->sent_bytes > most_bytes ? p->sent_bytes : most_bytes;
        }
        if (ranks > LINES)
            printf("    ... and %d more\n", ranks - LINES);
        printf("    together %lld bytes per step, to at most %d neighbours each\n", (long long)bytes,
               neighbours);
        printf("    efficiency at most %.1f %% (work, mean over most); at most %.2f bytes sent per update\n",
               100.0 * work / ranks / most_work, (double)most_bytes / (double)most_cells);
    }
    free(weight);
    free(rank_of);
    free(part);
    return error;
}

int weir_check(const struct weir_case *c, int ranks) {
    const struct weir_problem *p = &c->problem;
    struct weir_runtime_options runtime_options;
    WEIR_TRY(weir_workers_of_case(c, &runtime_options));
    struct weir_step_workers workers;
    const bool can_run = weir_runtime_expect(&runtime_options, &workers) == 0;
    if (!can_run) /* a case for another machine may be right all the same: as if for one worker there */
        workers = runtime_options.workers == WEIR_WORKERS_CUDA ? (struct weir_step_workers){.gpus = 1}
                                                               : (struct weir_step_workers){.cpus = 1};
    const struct weir_simulation_options options = weir_simulation_options_of_case(c);
    /* Every rank brings a worker at least. */
    struct weir_step_workers all = workers;
    if (all.gpus > 0 && all.gpus < ranks)
        all.gpus = ranks;
    else if (all.cpus < ranks)
        all.cpus = ranks;
    int block_cells[3];
    struct weir_block_grid grid;
    weir_simulation_block_cells(p, &options, &all, block_cells);
    WEIR_TRY(weir_block_grid_create(p, block_cells, &grid));
    const double cells = (double)p->cells[0] * p->cells[1] * p->cells[2];
    const double bytes = (double)weir_simulation_bytes_needed(p, &options, &grid);

    printf("%s: %s\n", c->file, c->name);
    print_physics(c);
    printf("  domain        %d x %d x %d = %.4g cells, %lld steps\n", p->cells[0], p->cells[1], p->cells[2],
           cells, (long long)c->steps);
    printf("  memory        %.4g MiB, %.1f bytes per cell\n", bytes / (1 << 20), bytes / cells);
    printf("  blocks        %d of %d x %d x %d\n", grid.total, grid.block_cells[0], grid.block_cells[1],
           grid.block_cells[2]);
    if (can_run)
        WEIR_TRY(print_homes(c, &grid, &workers));
    if (can_run)
        WEIR_TRY(print_prediction(c, &grid, &workers));
    else
        printf("  warning: it cannot run here: %s\n", weir_error_text());
    if (ranks > 0)
        WEIR_TRY(print_ranks(c, &grid, ranks));
    print_warnings(c);
    return 0;
}
