#include "src/check_decomposition.h"

#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/domain.h"
#include "graph/plan/map_homes.h"
#include "graph/plan/placement.h"
#include "graph/plan/rank_map.h"
#include "graph/plan/ranks.h"
#include "graph/rank_decomposition.h"
#include "graph/runtime/runtime.h"
#include "src/common/bytes_text.h"
#include "src/machine/machine_store.h"
#include "src/report/idle_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weir_check_decomposition {
    const struct weir_case *c;
    const struct weir_block_grid *grid;
    int ranks;                    /* at least 1 */
    bool alone;                   /* this process */
    bool foreign;                 /* the map is for others: region_of and seats say nothing */
    bool measured;                /* weights are by what was measured here */
    int *first, *blocks;          /* [ranks + 1], those with fluid as of weir_ranks_sort */
    double *weight;               /* [grid->total] of these blocks, in their order */
    int *region_of;               /* the same; NULL: there is no map */
    struct weir_rank_seat *seats; /* [ranks]; NULL: there is no map */
    struct weir_rank_part *part;  /* [ranks] */
};

/* By the map: whose blocks are whose, with the ranks as they are here or as the map names them. */
static int divide_by_map(struct weir_check_decomposition *d, const double *weight, int *rank_of) {
    const struct weir_rank_map *map = d->c->map;
    if (!d->alone)
        WEIR_TRY(weir_rank_map_expect(map, d->ranks, d->seats));
    else
        weir_rank_decomposition_seats(NULL, NULL, d->seats);
    if (d->alone && weir_rank_map_check_seats(map, d->seats, d->ranks) != 0) {
        d->foreign = true;
        return 0;
    }
    return weir_rank_map_divide(map, d->grid, weight, d->seats, d->ranks, NULL, rank_of);
}

/* Brings what is known of each block into the order by ranks. */
static void sort(struct weir_check_decomposition *d, const double *weight, const int *rank_of) {
    weir_ranks_sort(d->grid, rank_of, d->ranks, d->first, d->blocks);
    for (int k = 0; k < d->first[d->ranks]; k++)
        d->weight[k] = weight[d->blocks[k]];
}

static int sort_regions(struct weir_check_decomposition *d, int *regions) {
    WEIR_TRY(weir_rank_map_blocks(d->c->map, d->grid, regions));
    for (int k = 0; k < d->first[d->ranks]; k++)
        d->region_of[k] = regions[d->blocks[k]];
    return 0;
}

/* What cells cost, as a run finds it: as measured, where these blocks have been, else fixed costs. */
static int find_costs(struct weir_check_decomposition *d, const struct weir_step_workers *workers,
                      struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]) {
    const struct weir_machine_key key = {&d->c->problem, d->grid->block_cells, *workers};
    struct weir_machine machine;
    struct weir_machine_trust trust;
    char note[WEIR_MACHINE_NOTE];
    bool found = false;
    if (d->grid->total > 1 && strncmp(d->c->policy, "starpu:", 7) != 0)
        WEIR_TRY(weir_machine_store_read(&key, &machine, &trust, &found, note));
    d->measured = weir_rank_decomposition_costs(NULL, found ? &machine : NULL, costs);
    return 0;
}

static int divide(struct weir_check_decomposition *d, const struct weir_step_workers *workers, double *weight,
                  int *rank_of) {
    const int *along = d->c->ranks_along[0] > 0 ? d->c->ranks_along : NULL;
    const int blocks = d->grid->total;
    for (int block = 0; block < blocks; block++) {
        const struct weir_box box = weir_block_grid_box(d->grid, block);
        weight[block] = (double)weir_box_cells(&box);
        rank_of[block] = 0;
    }
    if (!d->alone) {
        struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT];
        WEIR_TRY(find_costs(d, workers, costs));
        WEIR_TRY(weir_rank_decomposition_weights(NULL, &d->c->problem, d->grid, costs, weight));
    }
    if (d->c->map)
        WEIR_TRY(divide_by_map(d, weight, rank_of));
    else if (!d->alone)
        WEIR_TRY(weir_ranks_divide(d->grid, weight, d->ranks, NULL, along, rank_of));
    sort(d, weight, rank_of);
    WEIR_TRY(weir_ranks_count(&d->c->problem, d->grid, rank_of, d->ranks, d->part));
    return d->c->map && !d->foreign ? sort_regions(d, rank_of) : 0;
}

int weir_check_divide(const struct weir_case *c, const struct weir_block_grid *grid, int ranks,
                      const struct weir_step_workers *workers, struct weir_check_decomposition **result) {
    const size_t blocks = (size_t)grid->total, count = ranks > 0 ? (size_t)ranks : 1;
    struct weir_check_decomposition *d = calloc(1, sizeof *d);
    double *weight = malloc(sizeof *weight * blocks);
    int *rank_of = malloc(sizeof *rank_of * blocks);
    if (d) {
        *d =
            (struct weir_check_decomposition){.c = c, .grid = grid, .ranks = (int)count, .alone = ranks == 0};
        d->first = malloc(sizeof *d->first * (count + 1));
        d->blocks = malloc(sizeof *d->blocks * blocks);
        d->weight = malloc(sizeof *d->weight * blocks);
        d->region_of = c->map ? malloc(sizeof *d->region_of * blocks) : NULL;
        d->seats = c->map ? malloc(sizeof *d->seats * count) : NULL;
        d->part = malloc(sizeof *d->part * count);
    }
    const bool there = d && weight && rank_of && d->first && d->blocks && d->weight && d->part &&
                       (!c->map || (d->region_of && d->seats));
    const int error =
        there ? divide(d, workers, weight, rank_of)
              : weir_fail(WEIR_FAILED, "out of memory while dividing the domain among %zu ranks", count);
    free(weight);
    free(rank_of);
    if (error != 0)
        weir_check_decomposition_destroy(d);
    else
        *result = d;
    return error;
}

void weir_check_decomposition_destroy(struct weir_check_decomposition *d) {
    if (!d)
        return;
    free(d->first);
    free(d->blocks);
    free(d->weight);
    free(d->region_of);
    free(d->seats);
    free(d->part);
    free(d);
}

bool weir_check_map_is_foreign(const struct weir_check_decomposition *decomposition) {
    return decomposition->foreign;
}

/* Places one rank's blocks: group_of[blocks of the rank]. */
static int place_rank(const struct weir_check_decomposition *d, int rank,
                      const struct weir_worker_groups *groups, const double *share, int *group_of,
                      bool *mapped) {
    const int first = d->first[rank];
    const struct weir_block_set set = {d->blocks + first, d->first[rank + 1] - first};
    *mapped = false;
    if (d->c->map && !d->foreign) {
        const struct weir_map_homes homes = {.map = d->c->map,
                                             .seat = &d->seats[rank],
                                             .grid = d->grid,
                                             .set = &set,
                                             .region_of = d->region_of + first,
                                             .weight = d->weight + first,
                                             .groups = groups,
                                             .share = share};
        WEIR_TRY(weir_map_homes_choose(&homes, group_of, mapped));
    }
    return *mapped ? 0
                   : weir_placement_bisect(d->grid, &set, d->weight + first, groups->count, share, group_of);
}

int weir_check_homes(const struct weir_check_decomposition *d, const struct weir_worker_groups *groups,
                     const double *share, int *least, int *most, bool *mapped, bool *missing) {
    int *group_of = malloc(sizeof *group_of * (size_t)d->grid->total), error = 0;
    if (!group_of)
        return weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                         d->grid->total);
    *least = d->grid->total;
    *most = 0;
    *mapped = *missing = false;
    for (int rank = 0; rank < d->ranks && error == 0; rank++) {
        int blocks[WEIR_WORKER_GROUPS_MAX] = {0};
        bool found = false;
        error = place_rank(d, rank, groups, share, group_of, &found);
        *mapped = *mapped || found || error == -WEIR_USAGE;
        for (int k = 0; error == 0 && k < d->first[rank + 1] - d->first[rank]; k++)
            blocks[group_of[k]]++;
        for (int group = 0; group < groups->count; group++) {
            *least = blocks[group] < *least ? blocks[group] : *least;
            *most = blocks[group] > *most ? blocks[group] : *most;
        }
    }
    free(group_of);
    *missing = error == -WEIR_USAGE; /* nothing else can be wrong with a decomposition that is made */
    return *missing ? 0 : error;
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

static void print_row(const char *name, const struct weir_rank_part *part) {
    printf("    %5s  %7d  %12lld  %10d  %16.1f\n", name, part->blocks, (long long)part->cells,
           part->neighbours, 1e-3 * (double)part->sent_bytes);
}

static void print_rows(const struct weir_check_decomposition *d) {
    enum { LINES = 16 };
    struct weir_rank_part least = d->part[0], most = d->part[0];
    printf("     rank   blocks         cells  neighbours  kB sent per step\n");
    for (int rank = 0; rank < d->ranks; rank++) {
        const struct weir_rank_part *p = &d->part[rank];
        char name[16];
        snprintf(name, sizeof name, "%d", rank);
        if (rank < LINES)
            print_row(name, p);
        least.blocks = p->blocks < least.blocks ? p->blocks : least.blocks;
        least.cells = p->cells < least.cells ? p->cells : least.cells;
        least.neighbours = p->neighbours < least.neighbours ? p->neighbours : least.neighbours;
        least.sent_bytes = p->sent_bytes < least.sent_bytes ? p->sent_bytes : least.sent_bytes;
        most.blocks = p->blocks > most.blocks ? p->blocks : most.blocks;
        most.cells = p->cells > most.cells ? p->cells : most.cells;
        most.neighbours = p->neighbours > most.neighbours ? p->neighbours : most.neighbours;
        most.sent_bytes = p->sent_bytes > most.sent_bytes ? p->sent_bytes : most.sent_bytes;
    }
    if (d->ranks <= LINES)
        return;
    printf("    ... and %d more; of all ranks, each column by itself:\n", d->ranks - LINES);
    print_row("least", &least);
    print_row("most", &most);
}

static void warn_of_idle_ranks(const struct weir_check_decomposition *d) {
    int *blocks = malloc(sizeof *blocks * (size_t)d->ranks);
    char text[WEIR_IDLE_RANKS_TEXT];
    for (int rank = 0; blocks && rank < d->ranks; rank++)
        blocks[rank] = d->part[rank].blocks;
    if (blocks && weir_idle_ranks(blocks, d->ranks, text) > 0)
        printf("  warning: %s\n", text);
    free(blocks);
}

struct weir_block_set weir_check_largest_rank(const struct weir_check_decomposition *d) {
    int largest = 0;
    for (int rank = 1; rank < d->ranks; rank++)
        if (d->part[rank].cells > d->part[largest].cells)
            largest = rank;
    return (struct weir_block_set){d->blocks + d->first[largest], d->first[largest + 1] - d->first[largest]};
}

void weir_check_decomposition_print(const struct weir_check_decomposition *d) {
    const struct weir_problem *problem = &d->c->problem;
    double work = 0, most_work = 0, bytes = 0, most_per_update = 0, memory = 0;
    if (d->c->map) {
        printf("  ranks         %d, divided by the map in %s\n", d->ranks,
               d->c->map_file ? d->c->map_file : d->c->file);
        print_seats(d->seats, d->ranks);
    } else
        printf("  ranks         %d, all equally fast\n", d->ranks);
    if (problem->shape_count > 0)
        printf("    cells beside solids and inside them count %s\n",
               d->measured ? "as weir calibrate measured them here"
                           : "by fixed costs: these blocks have not been measured here");
    print_rows(d);
    for (int rank = 0; rank < d->ranks; rank++) {
        const struct weir_rank_part *p = &d->part[rank];
        const struct weir_block_set set = {d->blocks + d->first[rank], p->blocks};
        const double per_update = p->cells > 0 ? (double)p->sent_bytes / (double)p->cells : 0,
                     here = (double)weir_domain_bytes(problem, d->c->steady > 0, d->grid, &set);
        double work_here = 0;
        for (int k = d->first[rank]; k < d->first[rank + 1]; k++)
            work_here += d->weight[k];
        work += work_here;
        most_work = work_here > most_work ? work_here : most_work;
        bytes += (double)p->sent_bytes;
        most_per_update = per_update > most_per_update ? per_update : most_per_update;
        memory = here > memory ? here : memory;
    }
    char together[WEIR_BYTES_TEXT];
    weir_bytes_text(bytes, together);
    printf("    together %.0f bytes (%s) per step; at most %.2f bytes per update of a cell\n", bytes,
           together, most_per_update);
    printf("    memory at most %.4g MiB on a rank, for its own blocks\n", memory / (1 << 20));
    const struct weir_memory_room room = weir_memory_room(1);
    if (memory > room.bytes && weir_runtime_gpus() == 0)
        printf("  warning: that is more than the %.4g MiB that are free here\n", room.bytes / (1 << 20));
    printf("    efficiency at most %.1f %%: the work of all ranks on average, of the rank with most\n",
           100.0 * work / d->ranks / most_work);
    warn_of_idle_ranks(d);
}
