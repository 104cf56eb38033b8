/* What weir scale is to run: on which cores and GPUs, cut how, started how. */
#ifndef WEIR_SRC_SCALE_SCALE_PLAN_H
#define WEIR_SRC_SCALE_SCALE_PLAN_H

#include "src/case/case.h"
#include "src/scale/scale_options.h"

#include <stddef.h>

struct weir_cores;

struct weir_scale_plan {
    const struct weir_scale_options *options;
    const struct weir_case *c;
    int ranks[WEIR_SCALING_POINTS_MAX], rank_count; /* rising */
    int host_cores, host_gpus;
    int cores, gpus; /* of each rank; 0: the launcher's affair, or shared by all ranks */
    bool shared;     /* all numbers of ranks have this host's cores between them */
    bool confined;   /* ranks get no more cores of this host than `cores` each */
    int block_cells[3];
    char launcher[1024]; /* the command, with {ranks} in it */
};

/* Chooses what the options leave open. -WEIR_USAGE where it cannot be had: more ranks than cores, a
 * decomposition into ranks in the case. `plan` points to options and case. */
int weir_scale_plan_make(const struct weir_scale_options *options, const struct weir_case *c,
                         const struct weir_cores *cores, struct weir_scale_plan *plan);

/* Cells of the domain on this many ranks. */
void weir_scale_plan_cells(const struct weir_scale_plan *plan, int ranks, int cells[3]);

/* The value of CUDA_VISIBLE_DEVICES that confines `ranks` to their GPUs, of those that are visible now; empty
 * where nothing is to be confined. */
void weir_scale_plan_gpus(const struct weir_scale_plan *plan, int ranks, char *list, size_t size);

#endif
