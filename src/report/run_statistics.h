/* Statistics of series and probes for a run's summary. They are made of the files as they are when the run
 * ends, so that those of a run that went on from a checkpoint have all of its rows. */
#ifndef WEIR_SRC_REPORT_RUN_STATISTICS_H
#define WEIR_SRC_REPORT_RUN_STATISTICS_H

#include "src/case/case.h"

#include <jansson.h>

/* Of the outputs that ask for some, by name: from_step, to_step, rows, and columns by name with mean, rms (of
 * what differs from the mean), least, greatest, frequency (null: nothing swings) and, of coefficients with a
 * reference length, strouhal = frequency * length / velocity. An object without members where no output asks.
 * *statistics is a new reference. Errors: -WEIR_FAILED with path and reason. */
int weir_run_statistics(const struct weir_case *c, const char *directory, json_t **statistics);

#endif
