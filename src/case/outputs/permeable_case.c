#include "src/case/outputs/permeable_case.h"

#include "src/case/speed.h"

#include <stdio.h>

const char *weir_permeable_case_refusal(const struct weir_case *c, char text[WEIR_PERMEABLE_TEXT]) {
    const struct weir_problem *p = &c->problem;
    if (weir_speed(c->flow_rate.velocity) > 0)
        return "needs a constant force, and \"flow_rate\" changes it; give \"force\" instead";
    if (weir_speed(p->force) == 0)
        return "is that along \"force\", and there is none; give a force along a periodic axis, such as "
               "[1e-6, 0, 0]";
    if (weir_problem_is_buoyant(p))
        return "needs a flow that \"force\" alone drives, and the scalar drives it too; remove "
               "scalar.buoyancy";
    if (p->surface.present)
        return "is of a fluid that fills all pores; remove \"free_surface\"";
    if (p->phases.present)
        return "is of one fluid, and this case has phases; remove \"phases\"";
    if (p->turbulence.present)
        return "needs a flow of the fluid's own viscosity; remove \"turbulence\"";
    for (int axis = 0; axis < weir_lattice_dimensions(p->lattice); axis++)
        if (p->force[axis] != 0 && !p->periodic[axis]) {
            snprintf(text, WEIR_PERMEABLE_TEXT,
                     "needs the axes along which \"force\" points to be periodic, and %c is not: there a "
                     "force makes pressure and no flow",
                     "xyz"[axis]);
            return text;
        }
    for (int wall = 1; wall < p->wall_count; wall++)
        if (weir_wall_is_open(&p->walls[wall]) || weir_wall_moves(&p->walls[wall])) {
            snprintf(
                text, WEIR_PERMEABLE_TEXT,
                "needs a flow that \"force\" alone drives, and the boundary \"%s\" %s; make it a wall at "
                "rest, or the axis periodic",
                p->walls[wall].name, weir_wall_is_open(&p->walls[wall]) ? "lets fluid pass" : "moves");
            return text;
        }
    return NULL;
}
