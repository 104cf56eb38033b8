/* weir calibrate: measures how fast each kind of part of this machine advances a case's blocks, and keeps it.
 */
#ifndef WEIR_SRC_CALIBRATE_H
#define WEIR_SRC_CALIBRATE_H

#include "src/case/case.h"

/* Prints a table to standard output. Under a scheduler of StarPU it is StarPU that measures, and keeps it in
 * its own files. Errors: those of the runtime, of weir_tune, of the store. */
int weir_calibrate(const struct weir_case *c);

#endif
