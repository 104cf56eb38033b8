#include "graph/homes.h"

#include "graph/error.h"
#include "graph/placement.h"

#include <stdlib.h>

/* What gets a region of its own: a CPU worker, or a GPU with all the workers that feed it. */
struct part {
    bool cuda;
    int device;
    int workers[STARPU_NMAXWORKERS]; /* StarPU's numbers */
    int worker_count;
    int next; /* whose turn it is: place in workers */
};

/* Adds the workers of one kind that take steps to the parts, in StarPU's order; returns the new number of
 * parts. */
static int add_parts(const struct weir_runtime *runtime, bool cuda, struct part *parts, int count) {
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        if (!worker->steps || worker->cuda != cuda)
            continue;
        int part = 0;
        while (part < count && !(cuda && parts[part].cuda && parts[part].device == worker->device))
            part++;
        if (part == count)
            parts[count++] = (struct part){.cuda = cuda, .device = worker->device};
        parts[part].workers[parts[part].worker_count++] = worker->id;
    }
    return count;
}

static int choose(struct weir_domain *domain, struct part *parts, int part_count, double *weight,
                  double *share, int *part_of) {
    for (int number = 0; number < domain->grid.total; number++)
        weight[number] = (double)domain->blocks[number].fluid_cells;
    for (int k = 0; k < part_count; k++)
        share[k] = 1;
    WEIR_TRY(weir_placement_bisect(&domain->grid, weight, part_count, share, part_of));
    for (int number = 0; number < domain->grid.total; number++) {
        struct part *part = &parts[part_of[number]];
        domain->blocks[number].home = part->workers[part->next];
        part->next = (part->next + 1) % part->worker_count;
    }
    return 0;
}

int weir_homes_choose(const struct weir_runtime *runtime, struct weir_domain *domain) {
    const size_t blocks = (size_t)domain->grid.total, workers = (size_t)weir_runtime_worker_count(runtime);
    struct part *parts = malloc(sizeof *parts * workers);
    double *weight = malloc(sizeof *weight * blocks), *share = malloc(sizeof *share * workers);
    int *part_of = malloc(sizeof *part_of * blocks);
    int error;
    if (parts && weight && share && part_of) {
        /* GPUs first: the bisection splits parts in this order, so GPUs stay neighbours. */
        const int gpus = add_parts(runtime, true, parts, 0);
        error = choose(domain, parts, add_parts(runtime, false, parts, gpus), weight, share, part_of);
    } else
        error = weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                          domain->grid.total);
    free(parts);
    free(weight);
    free(share);
    free(part_of);
    return error;
}
