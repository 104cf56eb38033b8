#include "codelets/kernels/boundary/boundary_rules.h"

#include <stddef.h>

const struct weir_rule_row weir_rules[WEIR_RULE_COUNT] = {
    [WEIR_RULE_WALL] = {.name = "wall",
                        .about = "the fluid sticks to it (half-way bounce-back)",
                        .key = "velocity",
                        .value = WEIR_RULE_MOMENTUM,
                        .values = 3},
    [WEIR_RULE_VELOCITY] = {.name = "velocity",
                            .about = "the fluid comes in, or leaves, with a given velocity (bounce-back)",
                            .key = "velocity",
                            .value = WEIR_RULE_MOMENTUM,
                            .values = 3,
                            .required = true,
                            .open = true,
                            .profiles = true},
    [WEIR_RULE_PRESSURE] = {.name = "pressure",
                            .about = "the fluid comes and goes, and the density is kept (anti-bounce-back)",
                            .key = "density",
                            .value = WEIR_RULE_DENSITY,
                            .values = 1,
                            .required = true,
                            .open = true,
                            .profiles = true},
    [WEIR_RULE_EQUILIBRIUM_VELOCITY] =
        {.name = "equilibrium_velocity",
         .about = "what comes back is in equilibrium at a given velocity and the fluid's density: less exact "
                  "than velocity, and the mass that passes is not prescribed",
         .key = "velocity",
         .value = WEIR_RULE_VELOCITY_AS_IT_IS,
         .values = 3,
         .required = true,
         .open = true,
         .profiles = true},
    [WEIR_RULE_EQUILIBRIUM_PRESSURE] =
        {.name = "equilibrium_pressure",
         .about = "what comes back is in equilibrium at a given density and the fluid's velocity: less exact "
                  "than pressure",
         .key = "density",
         .value = WEIR_RULE_DENSITY,
         .values = 1,
         .required = true,
         .open = true,
         .profiles = true},
    [WEIR_RULE_ABSORBING] =
        {.name = "absorbing",
         .about = "sound leaves and hardly comes back; far away the fluid has a given velocity "
                  "and the mean density of the start, which are kept loosely",
         .key = "velocity",
         .value = WEIR_RULE_MOMENTUM,
         .values = 3,
         .required = true,
         .open = true,
         .profiles = true},
    [WEIR_RULE_INTERPOLATED_WALL] =
        {.name = "interpolated_wall",
         .about = "the fluid sticks to it where the surface of the solid is, not half-way between cells "
                  "(interpolated bounce-back); on faces the same as wall",
         .key = "velocity",
         .value = WEIR_RULE_MOMENTUM,
         .values = 3},
    [WEIR_RULE_SLIP] = {.name = "slip",
                        .about = "the fluid slides along it without friction, as along a plane of symmetry",
                        .value = WEIR_RULE_NO_VALUE,
                        .mirrors = true},
};

const char *const weir_rule_names[] = {[WEIR_RULE_WALL] = "wall",
                                       [WEIR_RULE_VELOCITY] = "velocity",
                                       [WEIR_RULE_PRESSURE] = "pressure",
                                       [WEIR_RULE_EQUILIBRIUM_VELOCITY] = "equilibrium_velocity",
                                       [WEIR_RULE_EQUILIBRIUM_PRESSURE] = "equilibrium_pressure",
                                       [WEIR_RULE_ABSORBING] = "absorbing",
                                       [WEIR_RULE_INTERPOLATED_WALL] = "interpolated_wall",
                                       [WEIR_RULE_SLIP] = "slip",
                                       NULL};
