/* Which cells a profile shows: those whose centres lie between the ends of its line. */
#ifndef WEIR_SRC_CASE_OUTPUTS_PROFILE_LINE_H
#define WEIR_SRC_CASE_OUTPUTS_PROFILE_LINE_H

#include "src/case/case.h"

struct weir_profile_line {
    int axis;        /* that the line runs along */
    int first, last; /* cells along it, in the domain; first > last: no centre lies on the line */
};

/* The line of an output of type WEIR_OUTPUT_PROFILE; its ends count as between. */
struct weir_profile_line weir_profile_line(const struct weir_problem *problem,
                                           const struct weir_output *output);

#endif
