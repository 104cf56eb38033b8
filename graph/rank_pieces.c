/* Each rank finds the pieces in its slices. Its first slice goes to the rank before it, which finds what its
 * own last slice touches there; the pairs that are found so are what all ranks join alike. */
#include "graph/rank_pieces.h"

#include "graph/base/error.h"
#include "graph/problem/region.h"
#include "graph/ranks/world.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

struct search {
    struct weir_world *world;
    const struct weir_problem *problem;
    int rank, ranks;
    MPI_Comm comm;  /* of several ranks */
    int *cut;       /* [ranks + 1]: first slice of each */
    int *counts;    /* [2 * ranks]: of what is gathered, and where it begins */
    int64_t *found; /* [ranks]: of each */
    struct weir_fluid_openings openings;
    struct weir_fluid_part part;
    struct weir_fluid_links links; /* of all ranks, once they are gathered */
    struct weir_fluid_seams seams;
    struct weir_largest_piece largest;
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to join pieces of fluid");
}

/* Cores that this rank may use; of those that ranks of its host share, as many for each. */
static int cores_here(const struct search *s) {
    enum { WORDS = sizeof(cpu_set_t) / sizeof(unsigned long) };
    union {
        cpu_set_t cores;
        unsigned long words[WORDS];
    } mine = {.words = {0}}, all = {.words = {0}};
    int sum, count = sched_getaffinity(0, sizeof mine.cores, &mine.cores) == 0 ? CPU_COUNT(&mine.cores) : 1;
    if (s->ranks == 1)
        return count;
    MPI_Allreduce(mine.words, all.words, WORDS, MPI_UNSIGNED_LONG, MPI_BOR, weir_world_local_comm(s->world));
    MPI_Allreduce(&count, &sum, 1, MPI_INT, MPI_SUM, weir_world_local_comm(s->world));
    const int share = (int)((int64_t)count * CPU_COUNT(&all.cores) / sum);
    return share > 1 ? share : 1;
}

/* ---- between ranks ----------------------------------------------------------------------------------- */

/* Puts a list of each rank, of `count` items, behind each other: *all, the caller's on all ranks, *total
 * items.
 */
static int gather(struct search *s, const void *list, int64_t count, size_t item, void **all,
                  int64_t *total) {
    MPI_Datatype type;
    bool many = false;
    *total = 0;
    MPI_Allgather(&count, 1, MPI_INT64_T, s->found, 1, MPI_INT64_T, s->comm);
    for (int r = 0; r < s->ranks; r++) {
        s->counts[r] = (int)s->found[r];
        s->counts[s->ranks + r] = (int)*total;
        *total += s->found[r];
        many = many || *total > INT_MAX / 4;
    }
    *all = many ? NULL : malloc((size_t)*total * item + 1);
    WEIR_TRY(weir_world_agree(s->world, *all ? 0 : fail_memory()));
    MPI_Type_contiguous((int)item, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Allgatherv(list, (int)count, type, *all, s->counts, s->counts + s->ranks, type, s->comm);
    MPI_Type_free(&type);
    return 0;
}

/* The next rank that has slices, in a direction, of those at periodic ends too; MPI_PROC_NULL: there is none.
 */
static int neighbour(const struct search *s, int direction) {
    const bool periodic = s->problem->periodic[s->part.axis];
    if (s->part.begin == s->part.end)
        return MPI_PROC_NULL;
    for (int k = 1; k < s->ranks; k++) {
        const int at = s->rank + direction * k, rank = (at + s->ranks) % s->ranks;
        if (at != rank && !periodic)
            return MPI_PROC_NULL;
        if (s->cut[rank] < s->cut[rank + 1])
            return rank;
    }
    return MPI_PROC_NULL;
}

/* A slice as it travels: the first of this rank, or of the next one. */
struct slice {
    int64_t count;
    int64_t *first;
    struct weir_stretch *stretches;
    int64_t *pieces;
};

static void release_slice(struct slice *slice) {
    free(slice->first);
    free(slice->stretches);
    free(slice->pieces);
}

/* Sends what the rank before needs, and takes the same from the next one. */
static void pass(const struct search *s, int to, const void *mine, int64_t my_count, int from, void *theirs,
                 int64_t their_count, MPI_Datatype type) {
    MPI_Sendrecv(mine, (int)my_count, type, to, 0, theirs, (int)their_count, type, from, 0, s->comm,
                 MPI_STATUS_IGNORE);
}

/* next: its parts are the caller's, also on failure. */
static int pass_slices(struct search *s, int before, int after, struct slice *next) {
    const struct weir_fluid_part *part = &s->part;
    const bool sends = before != MPI_PROC_NULL;
    const int64_t mine = sends ? part->first[part->rows] : 0;
    int64_t *numbers = malloc(((size_t)mine + 1) * sizeof *numbers);
    pass(s, before, &mine, 1, after, &next->count, 1, MPI_INT64_T);
    const size_t room = (size_t)next->count + 1;
    next->first = malloc(((size_t)part->rows + 1) * sizeof *next->first);
    next->stretches = malloc(room * sizeof *next->stretches);
    next->pieces = malloc(room * sizeof *next->pieces);
    const bool ready = numbers && next->first && next->stretches && next->pieces && mine <= INT_MAX / 2 &&
                       next->count <= INT_MAX / 2;
    const int error = weir_world_agree(s->world, ready ? 0 : fail_memory());
    if (error == 0) {
        if (sends)
            weir_fluid_slice_number(part, numbers);
        pass(s, before, part->first, sends ? part->rows + 1 : 0, after, next->first, part->rows + 1,
             MPI_INT64_T);
        pass(s, before, part->stretches, 2 * mine, after, next->stretches, 2 * next->count, MPI_INT);
        pass(s, before, numbers, mine, after, next->pieces, next->count, MPI_INT64_T);
    }
    free(numbers);
    return error;
}

/* Finds what touches between this rank and the next. */
static int find_links(struct search *s) {
    const int before = neighbour(s, -1), after = neighbour(s, 1);
    struct slice next = {.count = 0};
    int error = pass_slices(s, before, after, &next);
    if (error == 0) {
        if (after != MPI_PROC_NULL)
            error = weir_fluid_links_find(
                &s->part, &(struct weir_fluid_slice){next.first, next.stretches, next.pieces}, &s->links);
        error = weir_world_agree(s->world, error);
    }
    release_slice(&next);
    return error;
}

static int gather_links(struct search *s) {
    void *all;
    int64_t total;
    const int error = gather(s, s->links.list, (int64_t)s->links.count, sizeof *s->links.list, &all, &total);
    free(s->links.list);
    s->links = (struct weir_fluid_links){.list = all, .count = (size_t)total};
    return error;
}

static void number_parts(struct search *s) {
    MPI_Allgather(&s->part.count, 1, MPI_INT64_T, s->found, 1, MPI_INT64_T, s->comm);
    for (int r = 0; r < s->rank; r++)
        s->part.offset += s->found[r];
}

/* Joins the pieces of all ranks. */
static int join(struct search *s) {
    if (s->ranks == 1)
        return 0;
    number_parts(s);
    WEIR_TRY(find_links(s));
    WEIR_TRY(gather_links(s));
    WEIR_TRY(weir_world_agree(s->world, weir_fluid_seams_create(s->links.list, s->links.count, &s->seams)));
    weir_fluid_seams_add(&s->seams, &s->part);
    weir_world_sum_counts(s->world, s->seams.values, (int)(2 * s->seams.count));
    weir_fluid_seams_join(&s->seams, s->links.list, s->links.count);
    return 0;
}

static int find_largest(struct search *s) {
    const struct weir_largest_piece mine = weir_fluid_largest(&s->part, &s->seams);
    void *all;
    int64_t total;
    s->largest = mine;
    if (s->ranks == 1)
        return 0;
    const int error = gather(s, &mine, 1, sizeof mine, &all, &total);
    for (int64_t r = 0; error == 0 && r < total; r++)
        s->largest = weir_fluid_larger(s->largest, ((const struct weir_largest_piece *)all)[r]);
    free(all);
    return error;
}

static void add_up(struct search *s, struct weir_fluid_pieces *pieces) {
    uint64_t connected;
    weir_fluid_count(&s->part, &s->seams, s->largest.number, pieces, &connected);
    int64_t counts[] = {pieces->fluid, pieces->pieces, pieces->pockets, pieces->pocket_cells};
    if (s->ranks > 1) {
        weir_world_sum_counts(s->world, counts, sizeof counts / sizeof *counts);
        MPI_Allreduce(MPI_IN_PLACE, &connected, 1, MPI_UINT64_T, MPI_BOR, s->comm);
    }
    *pieces = (struct weir_fluid_pieces){counts[0], counts[1], counts[2], counts[3], 0, false, 0, 0};
    weir_fluid_judge(s->problem, &s->openings, connected, pieces);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

/* Cuts the domain into slices for ranks, and looks at this rank's. */
static int look(struct search *s) {
    const int cores = cores_here(s);
    int64_t before = 0, all = cores;
    s->cut = malloc(((size_t)s->ranks + 1) * sizeof *s->cut);
    s->counts = malloc(2 * (size_t)s->ranks * sizeof *s->counts);
    s->found = malloc((size_t)s->ranks * sizeof *s->found);
    WEIR_TRY(weir_world_agree(s->world, s->cut && s->counts && s->found ? 0 : fail_memory()));
    s->counts[0] = cores;
    if (s->ranks > 1) {
        MPI_Allgather(&cores, 1, MPI_INT, s->counts, 1, MPI_INT, s->comm);
        weir_world_sum_counts(s->world, &all, 1);
    }
    s->cut[0] = 0;
    for (int r = 0; r < s->ranks; r++) {
        before += s->counts[r];
        s->cut[r + 1] = weir_fluid_part_cut(s->problem, before, all);
    }
    return weir_world_agree(s->world, weir_fluid_part_find(s->problem, &s->openings, s->cut[s->rank],
                                                           s->cut[s->rank + 1], cores, &s->part));
}

static int make_region(struct search *s, struct weir_region **region) {
    struct weir_hole *mine;
    void *all = NULL;
    int64_t count, total;
    int error =
        weir_world_agree(s->world, weir_fluid_holes(&s->part, &s->seams, s->largest.number, &mine, &count));
    weir_fluid_part_release(&s->part);
    if (error == 0 && s->ranks > 1)
        error = gather(s, mine, count, sizeof *mine, &all, &total);
    if (error == 0)
        error = weir_world_agree(
            s->world, weir_pocket_region_create(s->problem, all ? all : mine, all ? total : count, region));
    if (error < 0 && *region) { /* another rank has none */
        (*region)->destroy(*region);
        *region = NULL;
    }
    free(all);
    free(mine);
    return error;
}

static int search(struct search *s, struct weir_region **region, struct weir_fluid_pieces *pieces) {
    WEIR_TRY(look(s));
    WEIR_TRY(join(s));
    WEIR_TRY(find_largest(s));
    add_up(s, pieces);
    return region && pieces->pockets > 0 ? make_region(s, region) : 0;
}

int weir_rank_pieces_find(struct weir_world *world, const struct weir_problem *problem,
                          struct weir_region **region, struct weir_fluid_pieces *pieces) {
    const bool together = weir_world_size(world) > 1 && !weir_world_pretends(world);
    struct search s = {.world = together ? world : NULL,
                       .problem = problem,
                       .rank = together ? weir_world_rank(world) : 0,
                       .ranks = together ? weir_world_size(world) : 1,
                       .comm = together ? weir_world_comm(world) : MPI_COMM_NULL};
    if (region)
        *region = NULL;
    weir_fluid_openings_find(problem, &s.openings);
    const int error = search(&s, region, pieces);
    weir_fluid_part_release(&s.part);
    weir_fluid_seams_release(&s.seams);
    free(s.links.list);
    free(s.found);
    free(s.counts);
    free(s.cut);
    return error;
}
