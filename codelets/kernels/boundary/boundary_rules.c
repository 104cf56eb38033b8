#include "codelets/kernels/boundary/boundary_rules.h"

#include <stddef.h>

const struct weir_rule_row weir_rules[WEIR_RULE_COUNT] = {
    [WEIR_RULE_WALL] = {.name = "wall",
                        .about = "the fluid sticks to it (half-way bounce-back)",
                        .key = "velocity",
                        .values = 3},
    [WEIR_RULE_VELOCITY] = {.name = "velocity",
                            .about = "the fluid comes in, or leaves, with a given velocity (bounce-back)",
                            .key = "velocity",
                            .values = 3,
                            .required = true,
                            .open = true,
                            .profiles = true},
    [WEIR_RULE_PRESSURE] = {.name = "pressure",
                            .about = "the fluid comes and goes, and the density is kept (anti-bounce-back)",
                            .key = "density",
                            .values = 1,
                            .required = true,
                            .open = true,
                            .profiles = true},
};

const char *const weir_rule_names[] = {
    [WEIR_RULE_WALL] = "wall", [WEIR_RULE_VELOCITY] = "velocity", [WEIR_RULE_PRESSURE] = "pressure", NULL};
