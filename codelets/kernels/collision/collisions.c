/* Gathers the rows of all collisions. */
#include "codelets/kernels/collision/collisions.h"

#include "codelets/kernels/cells/precisions.h"

#include <stddef.h>

#define WEIR_COLLISION_ROWS
#include "codelets/kernels/collision/collision_bgk.h"
#include "codelets/kernels/collision/collision_cumulant.h"
#include "codelets/kernels/collision/collision_hybrid_recursive.h"
#include "codelets/kernels/collision/collision_mrt.h"
#include "codelets/kernels/collision/collision_none.h"
#include "codelets/kernels/collision/collision_parametrised_cumulant.h"
#include "codelets/kernels/collision/collision_recursive.h"
#include "codelets/kernels/collision/collision_regularised.h"
#include "codelets/kernels/collision/collision_thermal_bgk.h"
#include "codelets/kernels/collision/collision_thermal_hermite.h"
#include "codelets/kernels/collision/collision_trt.h"

#define ROW(NAME, name) [WEIR_##NAME] = &name##_row,
static const struct weir_collision_row *const rows[] = {WEIR_COLLISIONS(ROW) ROW(NONE, none)};

const struct weir_collision_row *weir_collision_row(enum weir_collision collision) {
    return rows[collision];
}

const char *weir_steadier_collision(enum weir_collision collision, enum weir_lattice lattice) {
    if (rows[collision]->steady)
        return NULL;
    for (int other = WEIR_COLLISION_COUNT - 1; other > WEIR_BGK; other--)
        if (rows[other]->steady && weir_collision_on((enum weir_collision)other, lattice))
            return rows[other]->name;
    return collision != WEIR_BGK && weir_collision_on(WEIR_BGK, lattice) ? rows[WEIR_BGK]->name : NULL;
}

bool weir_parameter_on(const struct weir_parameter *parameter, enum weir_lattice lattice) {
    return parameter->lattices == 0 || (parameter->lattices >> lattice & 1) != 0;
}

bool weir_collision_on(enum weir_collision collision, enum weir_lattice lattice) {
    return rows[collision]->lattices >> lattice & 1;
}

bool weir_collision_keeps(enum weir_collision collision, enum weir_precision precision) {
    return rows[collision]->by_moments || !weir_precision_row(precision)->moments;
}
