#include "src/output/surface_gathering.h"

#include "graph/base/error.h"

#include <stdlib.h>
#include <string.h>

/* A triangle on its way to rank 0. */
struct sent {
    double corners[3][3];
    int64_t order, wall;
};

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

static struct sent *pack(const struct weir_wall_surface *surface) {
    struct sent *own = malloc(((size_t)surface->triangles + 1) * sizeof *own);
    int64_t next = 0;
    for (int p = 0; own && p < surface->count; p++) {
        const struct weir_surface_patch *patch = surface->patches[p];
        for (int64_t k = 0; k < patch->triangles.count; k++, next++) {
            memcpy(own[next].corners, patch->triangles.corners[k], sizeof own[next].corners);
            own[next].order = patch->order[k];
            own[next].wall = patch->walls[k];
        }
    }
    return own;
}

/* Puts what ranks have, `size` bytes of each triangle, behind each other on rank 0. */
static void collect(const struct weir_surface_gathering *g, const void *own, void *all, size_t size) {
    if (g->ranks == 1) {
        memcpy(all, own, (size_t)g->own * size);
        return;
    }
    MPI_Datatype type;
    MPI_Type_contiguous((int)size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    weir_agreeing_enter(g->who);
    MPI_Gatherv(own, g->own, type, all, g->counts, g->begins, type, 0, g->who->ranks);
    weir_agreeing_leave(g->who);
    MPI_Type_free(&type);
}

struct ordered {
    int64_t order, number;
};

static int compare(const void *a, const void *b) {
    const struct ordered *one = a, *other = b;
    if (one->order != other->order)
        return one->order < other->order ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static int sort(struct weir_surface_gathering *g, const struct sent *all) {
    struct ordered *list = malloc(((size_t)g->count + 1) * sizeof *list);
    g->triangles.corners = malloc(((size_t)g->count + 1) * sizeof *g->triangles.corners);
    g->walls = malloc((size_t)g->count + 1);
    g->place = malloc(((size_t)g->count + 1) * sizeof *g->place);
    if (!list || !g->triangles.corners || !g->walls || !g->place) {
        free(list);
        return out_of_memory();
    }
    for (int64_t k = 0; k < g->count; k++)
        list[k] = (struct ordered){all[k].order, k};
    qsort(list, (size_t)g->count, sizeof *list, compare);
    for (int64_t k = 0; k < g->count; k++) {
        const struct sent *sent = &all[list[k].number];
        g->place[list[k].number] = k;
        memcpy(g->triangles.corners[k], sent->corners, sizeof sent->corners);
        g->walls[k] = (uint8_t)sent->wall;
    }
    g->triangles.count = g->count;
    free(list);
    return 0;
}

/* How many there are of each rank. */
static int count_all(struct weir_surface_gathering *g) {
    g->counts = malloc((size_t)g->ranks * sizeof *g->counts);
    g->begins = malloc((size_t)g->ranks * sizeof *g->begins);
    WEIR_TRY(weir_agreement(g->who, g->counts && g->begins ? 0 : out_of_memory(), false));
    g->counts[0] = g->own;
    if (g->ranks > 1) {
        weir_agreeing_enter(g->who);
        MPI_Allgather(&g->own, 1, MPI_INT, g->counts, 1, MPI_INT, g->who->ranks);
        weir_agreeing_leave(g->who);
    }
    for (int rank = 0; rank < g->ranks; rank++) {
        g->begins[rank] = (int)g->count;
        g->count += g->counts[rank];
    }
    return 0;
}

static int gather_triangles(struct weir_surface_gathering *g, const struct weir_wall_surface *surface) {
    struct sent *own = pack(surface), *all = NULL;
    if (g->rank == 0)
        all = malloc(((size_t)g->count + 1) * sizeof *all);
    int error = weir_agreement(g->who, own && (all || g->rank > 0) ? 0 : out_of_memory(), false);
    if (error == 0) {
        collect(g, own, all, sizeof *own);
        error = weir_agreement(g->who, g->rank == 0 ? sort(g, all) : 0, false);
    }
    free(own);
    free(all);
    return error;
}

int weir_surface_gathering_create(const struct weir_wall_surface *surface, const struct weir_agreeing *who,
                                  struct weir_surface_gathering **result) {
    struct weir_surface_gathering *g = calloc(1, sizeof *g);
    int error = weir_agreement(who, g ? 0 : out_of_memory(), false);
    if (error < 0) {
        free(g);
        return error;
    }
    *g = (struct weir_surface_gathering){.who = who, .ranks = 1, .own = (int)surface->triangles};
    if (who->ranks != MPI_COMM_NULL) {
        MPI_Comm_rank(who->ranks, &g->rank);
        MPI_Comm_size(who->ranks, &g->ranks);
    }
    error = count_all(g);
    if (error == 0)
        error = gather_triangles(g, surface);
    if (error < 0) {
        weir_surface_gathering_destroy(g);
        return error;
    }
    *result = g;
    return 0;
}

void weir_surface_gathering_destroy(struct weir_surface_gathering *g) {
    if (!g)
        return;
    weir_triangles_free(&g->triangles);
    free(g->walls);
    free(g->counts);
    free(g->begins);
    free(g->place);
    free(g);
}

int weir_surface_gather(const struct weir_surface_gathering *g, const double (*values)[WEIR_SURFACE_VALUES],
                        double (**all)[WEIR_SURFACE_VALUES]) {
    const size_t count = g->rank == 0 ? (size_t)g->count + 1 : 0;
    double(*heard)[WEIR_SURFACE_VALUES] = count ? malloc(count * sizeof *heard) : NULL;
    *all = count ? malloc(count * sizeof **all) : NULL;
    const int error = weir_agreement(g->who, count == 0 || (heard && *all) ? 0 : out_of_memory(), false);
    if (error == 0) {
        collect(g, values, heard, sizeof *values);
        for (int64_t k = 0; g->rank == 0 && k < g->count; k++)
            memcpy((*all)[g->place[k]], heard[k], sizeof *heard);
    } else {
        free(*all);
        *all = NULL;
    }
    free(heard);
    return error;
}
