#include "codelets/kernels/boundary_rules.h"

const struct weir_rule_row weir_rules[WEIR_RULE_COUNT] = {
    [WEIR_RULE_WALL] = {.name = "wall", .key = "velocity", .values = 3},
    [WEIR_RULE_VELOCITY] = {.name = "velocity",
                            .key = "velocity",
                            .values = 3,
                            .required = true,
                            .open = true,
                            .profiles = true},
    [WEIR_RULE_PRESSURE] =
        {.name = "pressure", .key = "density", .values = 1, .required = true, .open = true, .profiles = true},
};
