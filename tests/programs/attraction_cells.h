/* The stages of attraction.h, cell by cell; the text for CPUs and GPUs. */
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cells/fields.h"
#include "codelets/kernels/collision/collision.h"
#include "tests/programs/attraction.h"

#define ATTRACTION_NAME(what) WEIR_JOIN(WEIR_JOIN(WEIR_JOIN(attraction_, what), _), WEIR_VARIANT)

FUNCTION void density_of_cell(const struct weir_stage_view *view, int parity, int x, int y, int z) {
    const struct weir_block_view *b = &view->block;
    const uint8_t flag = *flag_of(b, x, y, z);
    real excess = (real)NAN;
    if (!is_wall(flag)) {
        real f[POPULATIONS];
        const real none[3] = {0, 0, 0};
        arriving(b, parity, flag, x, y, z, f);
        excess = moments_of(f, false, none).excess;
    }
    ((real *)view->kept[ATTRACTION_DENSITY])[cell_number(b, x, y, z)] = excess;
    give_field(b, view->channel[ATTRACTION_CHANNEL].outgoing, 0, x, y, z, excess);
}

/* Sum over the fluid cells around one of weight times excess of density times c. */
FUNCTION void gradient_at(const struct weir_stage_view *view, int x, int y, int z, real sum[3]) {
    const struct weir_block_view *b = &view->block;
    const int deep = DIMENSIONS == 3;
    sum[0] = sum[1] = sum[2] = 0;
    for (int cz = -deep; cz <= deep; cz++)
        for (int cy = -1; cy <= 1; cy++)
            for (int cx = -1; cx <= 1; cx++) {
                const int axes = (cx != 0) + (cy != 0) + (cz != 0);
                if (axes == 0 || is_wall(*flag_of(b, x + cx, y + cy, z + cz)))
                    continue;
                const real weighted =
                    (real)ATTRACTION_WEIGHT(DIMENSIONS, axes) *
                    field_beside(b, (const real *)view->kept[ATTRACTION_DENSITY],
                                 view->channel[ATTRACTION_CHANNEL].incoming, 0, x, y, z, cx, cy, cz);
                sum[0] = add_signed(sum[0], cx, weighted);
                sum[1] = add_signed(sum[1], cy, weighted);
                sum[2] = add_signed(sum[2], cz, weighted);
            }
}

FUNCTION void collide_stream_cell(const struct weir_stage_view *view, const struct relaxation *of_run,
                                  int parity, int x, int y, int z) {
    const struct weir_block_view *b = &view->block;
    const uint8_t flag = *flag_of(b, x, y, z);
    if (is_wall(flag))
        return;
    const int cell = cell_number(b, x, y, z);
    const size_t cells = (size_t)b->extent[0][1] * (size_t)b->extent[1][1] * (size_t)b->extent[2][1];
    const real density = (real)1 + ((const real *)view->kept[ATTRACTION_DENSITY])[cell];
    const uint32_t walls = walls_of_cell(b, flag, x, y, z);
    struct relaxation relaxation = *of_run;
    real sum[3], f[POPULATIONS];
    gradient_at(view, x, y, z, sum);
    for (size_t axis = 0; axis < 3; axis++) {
        real *const force = (real *)view->kept[ATTRACTION_FORCE] + axis * cells + (size_t)cell;
        const real now = (real)ATTRACTION_STRENGTH * density * sum[axis];
        *force = (real)0.5 * (*force + now);
        relaxation.force[axis] = *force;
    }
    const struct surroundings around = without_mirrors();
    arriving_at_cell(b, parity, walls, &around, x, y, z, f);
    collide(f, true, &relaxation);
    leaving_cell(b, parity, walls, &around, false, x, y, z, f);
}
