/* The list of an output's files that lets ParaView open all steps at once: NAME.pvd, which names them and
 * their times. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_VTK_COLLECTION_H
#define WEIR_SRC_OUTPUT_FORMATS_VTK_COLLECTION_H

#include <stdint.h>

struct weir_vtk_collection;

/* The list of the files NAME_000005000SUFFIX in a folder, whose steps are `step_time` long. Where the run
 * goes on with step `first` it begins with the files of the steps before, which are there. Nothing is written
 * yet. name and suffix must outlive it. *result is the caller's. -WEIR_FAILED when memory is short. */
int weir_vtk_collection_create(const char *directory, const char *name, const char *suffix, double step_time,
                               int64_t first, struct weir_vtk_collection **result);
void weir_vtk_collection_destroy(struct weir_vtk_collection *collection);

/* Adds a step whose file is complete. The list is on the disk then, and was a whole one at any moment.
 * -WEIR_FAILED with path, reason and a way out. */
int weir_vtk_collection_add(struct weir_vtk_collection *collection, int64_t step);

#endif
