/* Boundaries through which what is in the fluid is carried out. A row of boundary.h as any other, in a file
 * of its own because it looks at all that arrived at the cell. In texts of runs with such boundaries only
 * (WEIR_CONVECTIVE). numerics.md (N50). */
#ifndef WEIR_KERNELS_CONVECTIVE_H
#define WEIR_KERNELS_CONVECTIVE_H

#include "codelets/kernels/boundary/links.h"
#include "codelets/kernels/collision/stress.h"

#ifdef WEIR_CONVECTIVE
#define WITH_CONVECTIVE 1
#else
#define WITH_CONVECTIVE 0
#endif

#if WITH_CONVECTIVE

/* Share of the density beyond that of the start that is taken away in a step. */
#define CONVECTIVE_RATE 0.01

/* sum_k c_a c_b (f*_k - f_k) = 2 c_s^2 rho S_ab with the rate of strain S, whatever the collision: what it
 * changes of the second moments. leaving: f*, as it is stored. What arrived is still where it was, as for
 * links. */
WEIR_CALLED struct tensor change_of_flux(const struct weir_block_view *b, int parity, direction_set walls,
                                         const struct surroundings *around, int x, int y, int z,
                                         const real leaving[FLOW_POPULATIONS]) {
    struct tensor t = {0, 0, 0, 0, 0, 0};
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                         \
    {                                                                                                  \
        const real change = leaving[i] - arrived_along(b, parity, walls >> (o)&1, around, d, x, y, z); \
        add_flux(&t, cx, cy, cz, change);                                                              \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return t;
}

/* The axis through the face beyond which a link ends: along it the cell has that boundary beside it; at the
 * rim of a part of a face, any. */
FUNCTION int axis_through(const struct weir_block_view *b, const struct boundary_link *link) {
    int through = -1;
    for (int axis = DIMENSIONS - 1; axis >= 0; axis--) {
        const int c = link->d.c[axis];
        const uint8_t flag = *flag_of(b, link->x + (axis == 0 ? c : 0), link->y + (axis == 1 ? c : 0),
                                      link->z + (axis == 2 ? c : 0));
        const bool first = c != 0 && is_wall(flag) && (through < 0 || flag == link->boundary);
        through = first ? axis : through;
    }
    return through < 0 ? 0 : through;
}

/* How much the populations f_o differ from a cell's to that from which they come on their way in,
 * t . grad f_o with c_o = t - n and n outwards, where the flow does not change through the face:
 *     w_i / c_s^2 rho (t.S.t - 2 t.S.n) = w_i a^2 / 2 (c_i.P.c_i - P_nn),    P: of change_of_flux, a = 1 /
 * c_s^2 (N51).
 */
FUNCTION real change_along_face(const struct boundary_link *link, int through, const struct tensor *flux) {
    const struct tensor none = {0, 0, 0, 0, 0, 0};
    const struct tensor twice = tensor_sum((real)2, flux, &none);
    const real normal = through == 0 ? flux->xx : through == 1 ? flux->yy : flux->zz;
    const real all = stress_along(link->d.c[0], link->d.c[1], link->d.c[2], flux, &twice);
    return (real)(0.5 * INVERSE_CS2 * INVERSE_CS2) * link->weight * (all - normal);
}

/* The population that comes back, of which d f_o / dt + U n . grad f_o = 0: implicit, with what came back a
 * step before, which is what has arrived, and with what is one cell further in (Lou, Guo, Shi, Phys. Rev. E
 * 87 (2013) 063301, eq. 19), (N50); and less of it where the density is above that of the start. speed: U,
 * not below 0. */
FUNCTION real carried_out(const struct boundary_link *link, real speed, real arrived, real further_in,
                          real density_beyond) {
    const real carried = fma_real(speed / ((real)1 + speed), further_in - arrived, arrived);
    return fma_real((real)-CONVECTIVE_RATE * link->weight, density_beyond, carried);
}

#endif

#endif
