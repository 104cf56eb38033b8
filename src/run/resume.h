/* Where a run goes on: finds a checkpoint, looks whether it is whole, and whether it is of this case. */
#ifndef WEIR_SRC_RUN_RESUME_H
#define WEIR_SRC_RUN_RESUME_H

#include "graph/ranks/world.h"
#include "src/case/case.h"
#include "src/common/warnings.h"
#include "src/output/checkpoint_file.h"

/* Opens the file, or, where it is NULL, the newest whole checkpoint in the folder; others are told of as
 * warnings. Ranks look at the checksums together. Collective; errors are agreed: -WEIR_USAGE when there is no
 * whole one, with what is wrong. *checkpoint is the caller's. */
int weir_resume_open(const char *directory, const char *file, struct weir_world *world,
                     struct weir_warnings *warnings, struct weir_checkpoint_file **checkpoint);

/* Whether a case can go on from it: -WEIR_USAGE, with the key that is not as it was. What is not either, but
 * may change, is told as a warning. */
int weir_resume_check(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                      struct weir_warnings *warnings);

#endif
