/* Liquid with a free surface: a volume-of-fluid method on the lattice (Koerner, Thies, Hofmann, Thuerey,
 * Ruede, J. Stat. Phys. 121 (2005) 179; Bogner, Ammer, Ruede, J. Comput. Phys. 297 (2015) 1). numerics.md
 * (N80).
 *
 * Cells are liquid, gas, or at the surface between: a cell at the surface is stepped like one of liquid, and
 * has a mass of its own. Gas is not computed: its cells have the flag of the last boundary, which gives back
 * along a link what the pressure of gas asks for (anti_bounced_back), so that steps, and all that observe
 * cells, take gas for a wall. No gas has liquid beside it.
 *
 * Flags, and levels by which mass crosses links, stay for a pair of steps, even and odd. After each step mass
 * is counted that has crossed the links of cells at the surface; after odd ones, when all that arrives at a
 * cell lies in its own slots, cells change between the three. Each cell decides alone, by the states that it
 * and those around it had: nothing depends on the order of cells. streaming.md (S14). */
#ifndef WEIR_KERNELS_FREE_SURFACE_H
#define WEIR_KERNELS_FREE_SURFACE_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/boundary/curvature.h"
#include "codelets/kernels/cells/fields.h"
#include "codelets/kernels/cells/filling.h"
#include "codelets/kernels/kernels.h"

/* What neighbours need to know of a cell to decide. */
enum {
    STATE_WALL,
    STATE_GAS,
    STATE_LIQUID,
    STATE_SURFACE, /* and it stays there */
    STATE_FILLED,  /* at the surface, and to become liquid */
    STATE_EMPTIED  /* at the surface, and to become gas */
};

/* Components of the field with it: the state, density - 1 and velocity of what arrives. */
enum { SURFACE_STATE, SURFACE_EXCESS, SURFACE_VELOCITY, SURFACE_STATES = SURFACE_VELOCITY + 3 };

/* Layers in messages of what a cell has become: its level, and the mass that it hands to each taker. */
enum { TOLD_LEVEL, TOLD_SHARE };

/* By how much of its density a cell's mass must exceed it, or fall below 0, before the cell changes: so none
 * goes to and fro. A cell that has no gas beside it any more is liquid: what it lacks others have to give.
 * One that has no liquid beside it is gas, where it is nearly that, or nothing else is there: alone, nothing
 * could hold it. */
#define BEYOND_FULL ((real)1.001)
#define BELOW_EMPTY ((real)-0.001)
#define NEARLY_EMPTY ((real)0.1)

/* Where there is tension: to a cell beside a wall others at the surface are liquid, or gas, that lack less
 * than this of being full, or empty. As soon as gas beside a cell that is filled comes to the surface, and is
 * empty there, it would else be filled as well: lines where surfaces meet walls would never draw back. */
#define AS_GOOD_AS ((real)0.01)

/* ---- where the surface is -------------------------------------------------------------------------------
 *
 * Of each row of cells of the block and of the ring around it: the span of x, from -1 to nx, beyond which
 * none of its cells is at the surface in this pair of steps. Of each row of the block: the span beyond which
 * none is beside such a cell, and the same of the pair before. So most rows are done with a look. */

/* y and z from -1 on. */
FUNCTION struct weir_span *span_at_surface(const struct weir_block_view *b, const struct weir_surface_view *s,
                                           int y, int z) {
    return (struct weir_span *)s->rows + (z + 1) * (own_extent(b, 1) + 2) + (y + 1);
}

FUNCTION struct weir_near_spans *spans_near(const struct weir_block_view *b,
                                            const struct weir_surface_view *s, int y, int z) {
    return (struct weir_near_spans *)span_at_surface(b, s, -1, own_extent(b, 2) + 1) + z * own_extent(b, 1) +
           y;
}

FUNCTION bool is_within(struct weir_span span, int x) {
    return x >= span.begin && x < span.end;
}

/* Of no cells, to be widened by those there are. */
FUNCTION struct weir_span no_span(const struct weir_block_view *b) {
    const struct weir_span none = {own_extent(b, 0) + 1, -1};
    return none;
}

/* Of the cells of a row of this block that are at the surface. */
FUNCTION struct weir_span own_span(const struct weir_block_view *b, const struct weir_surface_view *s, int y,
                                   int z) {
    struct weir_span span = *span_at_surface(b, s, y, z);
    span.begin = span.begin < 0 ? 0 : span.begin;
    span.end = span.end > own_extent(b, 0) ? own_extent(b, 0) : span.end;
    return span;
}

/* What is near the surface in a row in this pair of steps. */
FUNCTION struct weir_span span_near(const struct weir_block_view *b, const struct weir_surface_view *s, int y,
                                    int z) {
    enum { DEEP = DIMENSIONS == 3 };
    const int nx = own_extent(b, 0);
    struct weir_span near = {nx, 0};
    for (int dz = -DEEP; dz <= DEEP; dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const struct weir_span around = *span_at_surface(b, s, y + dy, z + dz);
            if (around.begin >= around.end)
                continue;
            near.begin = around.begin - 1 < near.begin ? around.begin - 1 : near.begin;
            near.end = around.end + 1 > near.end ? around.end + 1 : near.end;
        }
    near.begin = near.begin < 0 ? 0 : near.begin;
    near.end = near.end > nx ? nx : near.end;
    return near;
}

/* After odd steps, before states are told: which change where the surface was near in the pair before, that
 * made cells what they are. */
FUNCTION void follow_surface(const struct weir_block_view *b, const struct weir_surface_view *s, int y,
                             int z) {
    struct weir_near_spans *const near = spans_near(b, s, y, z);
    near->before = near->now;
    near->now = span_near(b, s, y, z);
}

/* Levels of the block and of a ring around it, as flags lie. */
FUNCTION real *level_at(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                        int z) {
    return (real *)s->levels + (flag_of(b, x, y, z) - b->flags);
}

FUNCTION real *surface_field(const struct weir_block_view *b, const struct weir_surface_view *s,
                             int component) {
    return (real *)s->states + (size_t)component * kept_cells(b);
}

/* ---- after each step ----------------------------------------------------------------------------------
 */

/* Where what the cell at -c sent along d lies, in its block or its message; parity: of the step that sent it.
 * Of a cell in this block that is a slot of its own after even steps, of the receiver's after odd ones. */
WEIR_CALLED const stored *sent_along(const struct weir_block_view *b, int parity, struct direction d, int x,
                                     int y, int z) {
    const int ox = block_offset(b, 0, x, -d.c[0]), oy = block_offset(b, 1, y, -d.c[1]),
              oz = block_offset(b, 2, z, -d.c[2]);
    if (ox == 0 && oy == 0 && oz == 0)
        return parity ? slot_of(b, d.i, cell_entry(b, x, y, z))
                      : slot_of(b, d.o, cell_entry(b, x - d.c[0], y - d.c[1], z - d.c[2]));
    const int lx = local_coordinate(b, 0, ox, x, -d.c[0]), ly = local_coordinate(b, 1, oy, y, -d.c[1]),
              lz = local_coordinate(b, 2, oz, z, -d.c[2]);
    const int nx = extent_at(b, 0, ox), ny = extent_at(b, 1, oy), nz = extent_at(b, 2, oz);
    const ptrdiff_t place = ox != 0   ? weir_layer_place(d.layer[0], lz, nz, ly, ny)
                            : oy != 0 ? weir_layer_place(d.layer[1], lz, nz, lx, nx)
                                      : weir_layer_place(d.layer[2], ly, ny, lx, nx);
    return (const stored *)b->incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)] + place;
}

/* The same of what this cell sent back against d. What left the block lies in the cell's own slot, too
 * (`send`). */
WEIR_CALLED const stored *sent_against(const struct weir_block_view *b, int parity, struct direction d, int x,
                                       int y, int z) {
    return parity && !leaves_block(b, x, y, z, -d.c[0], -d.c[1], -d.c[2])
               ? slot_of(b, d.o, cell_entry(b, x - d.c[0], y - d.c[1], z - d.c[2]))
               : slot_of(b, d.i, cell_entry(b, x, y, z));
}

/* The mass that has crossed the links of a cell at the surface: of two such cells the mean of their fill
 * levels of what their populations carry, of one and liquid all (N81). What one loses is what the other gets.
 * inside: a constant, whether the cell stays_inside.
 */
FUNCTION real mass_taken_in(const struct weir_block_view *b, const struct weir_surface_view *s, int parity,
                            bool inside, int x, int y, int z) {
    const real own = fill_of_level(*level_at(b, s, x, y, z));
    const int here = cell_entry(b, x, y, z);
    real sum = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                           \
    if (!is_wall(*flag_of(b, x - (cx), y - (cy), z - (cz)))) {                                           \
        const real level = *level_at(b, s, x - (cx), y - (cy), z - (cz));                                \
        const real share = level_is_liquid(level) ? (real)1 : (real)0.5 * (own + fill_of_level(level));  \
        const stored *const own_slot = inside ? slot_of(b, i, here) : NULL;                              \
        const stored *const beside = inside ? slot_of(b, o, here - cell_distance(b, cx, cy, cz)) : NULL; \
        const stored *const along = !inside  ? sent_along(b, parity, d, x, y, z)                         \
                                    : parity ? own_slot                                                  \
                                             : beside;                                                   \
        const stored *const against = !inside  ? sent_against(b, parity, d, x, y, z)                     \
                                      : parity ? beside                                                  \
                                               : own_slot;                                               \
        sum = fma_real(share, real_of(*along) - real_of(*against), sum);                                 \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return sum;
}

/* Takes what arrives at a cell from other blocks out of messages into the cell's own slots. */
FUNCTION void take_in(const struct weir_block_view *b, int x, int y, int z) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)               \
    if (leaves_block(b, x, y, z, -(cx), -(cy), -(cz)) &&     \
        !is_wall(*flag_of(b, x - (cx), y - (cy), z - (cz)))) \
        *slot_of(b, i, cell_entry(b, x, y, z)) = *sent_along(b, 1, d, x, y, z);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What a cell at the surface is to become, by its mass. */
FUNCTION int state_at_surface(const struct weir_block_view *b, const struct weir_surface_view *s, real mass,
                              real density, int x, int y, int z) {
    bool gas = false, liquid = false, any = false, wall = false, as_gas = false, as_liquid = false;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                     \
    {                                                                             \
        const uint8_t flag = *flag_of(b, x + (cx), y + (cy), z + (cz));           \
        if (!is_wall(flag)) {                                                     \
            const real level = *level_at(b, s, x + (cx), y + (cy), z + (cz));     \
            any = true;                                                           \
            liquid = liquid || level_is_liquid(level);                            \
            as_liquid = as_liquid || fill_of_level(level) > (real)1 - AS_GOOD_AS; \
            as_gas = as_gas || fill_of_level(level) < AS_GOOD_AS;                 \
        } else if (is_gas(b, flag))                                               \
            gas = true;                                                           \
        else                                                                      \
            wall = true;                                                          \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    gas = gas || (WITH_TENSION && wall && as_gas);
    liquid = liquid || (WITH_TENSION && wall && as_liquid);
    if (mass > BEYOND_FULL * density || (!gas && any))
        return STATE_FILLED;
    if (mass < BELOW_EMPTY * density || (!liquid && mass < NEARLY_EMPTY * density) || !any)
        return STATE_EMPTIED;
    return STATE_SURFACE;
}

/* Tells neighbours, and the stages to come, one component of what they need to know of a cell. */
FUNCTION void tell(const struct weir_block_view *b, const struct weir_surface_view *s, int component,
                   real value, int x, int y, int z) {
    surface_field(b, s, component)[cell_entry(b, x, y, z)] = value;
    give_field(b, s->give_states, component, x, y, z, value);
}

/* The state of a cell that is not at the surface: nobody asks what arrives there. */
FUNCTION void tell_state(const struct weir_block_view *b, const struct weir_surface_view *s, int state, int x,
                         int y, int z) {
    tell(b, s, SURFACE_STATE, (real)state, x, y, z);
}

/* That of one at the surface, and what arrives there. */
FUNCTION void tell_state_and_moments(const struct weir_block_view *b, const struct weir_surface_view *s,
                                     int state, const struct moments *m, int x, int y, int z) {
    tell_state(b, s, state, x, y, z);
    tell(b, s, SURFACE_EXCESS, m->excess, x, y, z);
    for (int axis = 0; axis < 3; axis++)
        tell(b, s, SURFACE_VELOCITY + axis, m->velocity[axis], x, y, z);
}

/* Adds to the mass of a cell at the surface what it has taken in in a step of this parity. */
FUNCTION void count_mass(const struct weir_block_view *b, const struct weir_surface_view *s, int parity,
                         int x, int y, int z) {
    stored *const mass = slot_of(b, SURFACE_MASS, cell_entry(b, x, y, z));
    const real taken = stays_inside(b, x, y, z) ? mass_taken_in(b, s, parity, true, x, y, z)
                                                : mass_taken_in(b, s, parity, false, x, y, z);
    *mass = stored_of(real_of(*mass) + taken);
}

/* Tells what a cell at the surface is to become, once it has its mass and what arrives at it. */
FUNCTION void tell_change(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                          int z) {
    const int cell = cell_entry(b, x, y, z);
    const real mass = real_of(*slot_of(b, SURFACE_MASS, cell));
    real f[POPULATIONS];
    for (int i = 0; i < FLOW_POPULATIONS; i++)
        f[i] = real_of(*slot_of(b, i, cell));
    const struct moments m = moments_of(f, false, f);
    tell_state_and_moments(b, s, state_at_surface(b, s, mass, m.density, x, y, z), &m, x, y, z);
}

/* The state of any cell but those at the surface. */
FUNCTION int state_away(const struct weir_block_view *b, uint8_t flag) {
    return !is_wall(flag) ? STATE_LIQUID : is_gas(b, flag) ? STATE_GAS : STATE_WALL;
}

/* ---- after odd steps: what cells become ----------------------------------------------------------------
 */

/* What the field of states has of the cell at c; walls, beyond the domain too, are that. */
WEIR_CALLED real state_beside(const struct weir_block_view *b, const struct weir_surface_view *s,
                              int component, int x, int y, int z, int cx, int cy, int cz) {
    const uint8_t flag = *flag_of(b, x + cx, y + cy, z + cz);
    return is_wall(flag) && !is_gas(b, flag) ? (real)STATE_WALL
                                             : field_beside(b, surface_field(b, s, component),
                                                            s->states_beside, component, x, y, z, cx, cy, cz);
}

/* Whether a cell stays what it is, as does its flag: none is at the surface, of it and those around it, none
 * of which is in another block. */
FUNCTION bool is_far_from_surface(const struct weir_block_view *b, const struct weir_surface_view *s, int x,
                                  int y, int z) {
    if (!stays_inside(b, x, y, z))
        return false;
    const real *const states = surface_field(b, s, SURFACE_STATE);
    real most = states[cell_entry(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                   \
    {                                                                           \
        const real state = states[cell_entry(b, x + (cx), y + (cy), z + (cz))]; \
        most = state > most ? state : most;                                     \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return most < (real)STATE_SURFACE;
}

/* How many cells around one are in each state. */
struct states_around {
    int surface, filled, emptied;
};

FUNCTION struct states_around states_around(const struct weir_block_view *b,
                                            const struct weir_surface_view *s, int x, int y, int z) {
    struct states_around around = {0, 0, 0};
    const bool inside = stays_inside(b, x, y, z);
    const real *const own = surface_field(b, s, SURFACE_STATE) + cell_entry(b, x, y, z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                     \
    {                                                                                             \
        const int state = (int)(inside ? own[cell_distance(b, cx, cy, cz)]                        \
                                       : state_beside(b, s, SURFACE_STATE, x, y, z, cx, cy, cz)); \
        around.surface += state == STATE_SURFACE;                                                 \
        around.filled += state == STATE_FILLED;                                                   \
        around.emptied += state == STATE_EMPTIED;                                                 \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return around;
}

/* Gas that liquid would touch becomes a cell at the surface: empty, in equilibrium at the mean density and
 * velocity of those around it that were at the surface. */
FUNCTION void begin_surface(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                            int z) {
    const int cell = cell_entry(b, x, y, z);
    real sum[SURFACE_STATES] = {0, 0, 0, 0, 0};
    int count = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                            \
    if (state_beside(b, s, SURFACE_STATE, x, y, z, cx, cy, cz) >= (real)STATE_SURFACE) { \
        for (int k = SURFACE_EXCESS; k < SURFACE_STATES; k++)                            \
            sum[k] += state_beside(b, s, k, x, y, z, cx, cy, cz);                        \
        count++;                                                                         \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    struct moments m;
    m.excess = sum[SURFACE_EXCESS] / (real)count;
    m.density = (real)1 + m.excess;
    for (int axis = 0; axis < 3; axis++) {
        m.velocity[axis] = sum[SURFACE_VELOCITY + axis] / (real)count;
        m.momentum[axis] = inertia_of(m.density) * m.velocity[axis];
    }
    const struct equilibrium e = equilibrium_of(&m);
    *slot_of(b, 0, cell) = stored_of(REST_WEIGHT * e.base);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                        \
    {                                                                                                 \
        const struct pair_equilibrium pair = equilibrium_along(&e, cx, cy, cz);                       \
        *slot_of(b, i, cell) = stored_of((real)(w)*fma_real((real)ODD_SHARE, pair.along, pair.even)); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Tells what a cell has become. share: of mass, that each cell around it takes which stays at the surface. */
FUNCTION void tell_level(const struct weir_block_view *b, const struct weir_surface_view *s, real level,
                         real share, int x, int y, int z) {
    ((real *)s->shares)[cell_entry(b, x, y, z)] = share;
    give_field(b, s->give_levels, TOLD_LEVEL, x, y, z, level);
    give_field(b, s->give_levels, TOLD_SHARE, x, y, z, share);
}

/* What a cell becomes, by its state and those around it. Cells at the surface become liquid; gas gives way to
 * them, and so do those that were to become gas. Others do become gas; liquid beside such is at the surface
 * from then on. What a cell has beyond what it needs others take, which stay at the surface; where there are
 * none it waits until some are: nothing is lost. */
FUNCTION void convert_cell(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                           int z) {
    const int cell = cell_entry(b, x, y, z);
    const int state = (int)surface_field(b, s, SURFACE_STATE)[cell];
    stored *const mass_of = slot_of(b, SURFACE_MASS, cell), *const level_of = slot_of(b, SURFACE_LEVEL, cell);
    if (state == STATE_WALL) {
        tell_level(b, s, LEVEL_OF_GAS, 0, x, y, z);
        return;
    }
    const struct states_around around = states_around(b, s, x, y, z);
    real mass = real_of(*mass_of), level = real_of(*level_of), rest = 0; /* what others are to take */
    real density = (real)1 + surface_field(b, s, SURFACE_EXCESS)[cell];
    if (state == STATE_GAS && around.filled > 0) {
        begin_surface(b, s, x, y, z);
        level = level_of_fill(mass);
    } else if (state == STATE_LIQUID && around.emptied > 0) {
        density = real_of(*slot_of(b, 0, cell)) + (real)1;
#define WEIR_DIRECTION(i, ...) density += real_of(*slot_of(b, i, cell));
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        mass += density;
        level = level_of_fill(mass / density);
    } else if (state == STATE_LIQUID) {
        rest = mass;
    } else if (state == STATE_FILLED) {
        rest = mass - density;
        mass = rest;
        level = LEVEL_OF_LIQUID;
    } else if (state == STATE_GAS) {
        rest = mass;
    } else if (state == STATE_EMPTIED && around.filled == 0) {
        rest = mass;
        level = LEVEL_OF_GAS;
        for (int i = 0; i < FLOW_POPULATIONS; i++)
            *slot_of(b, i, cell) = stored_of(0);
    } else if (state >= STATE_SURFACE) {
        level = level_of_fill(mass / density);
    }
    const real share = rest != 0 && around.surface > 0 ? rest / (real)around.surface : (real)0;
    *mass_of = stored_of(share != 0 ? (real)0 : mass);
    *level_of = stored_of(level);
    tell_level(b, s, level, share, x, y, z);
}

/* ---- after odd steps: flags ----------------------------------------------------------------------------
 */

/* What is told of the cell at c in a layer; field: the same in this block. Walls tell nothing. */
WEIR_CALLED real told_beside(const struct weir_block_view *b, const struct weir_surface_view *s, int layer,
                             int x, int y, int z, int cx, int cy, int cz) {
    const real *const field =
        layer == TOLD_LEVEL ? (const real *)slot(b, SURFACE_LEVEL) : (const real *)s->shares;
    return field_beside(b, field, s->levels_beside, layer, x, y, z, cx, cy, cz);
}

/* Whether a flag is that of a wall which is no gas: those never change. */
FUNCTION bool is_solid(const struct weir_block_view *b, uint8_t flag) {
    return is_wall(flag) && !is_gas(b, flag);
}

#if WITH_TENSION

/* By how much tension raises the density at the surface of a cell: by the tension times the curvature, as
 * pressure (N84). */
WEIR_CALLED real raised_by_tension(const struct weir_block_view *b, const struct weir_surface_view *s, int x,
                                   int y, int z) {
    struct cells_around around;
    around.walls = around.crossed = 0;
    for (int number = 0; number < CELLS_AROUND; number++) {
        int c[3];
        place_around(number, c);
        const uint8_t flag = *flag_of(b, x + c[0], y + c[1], z + c[2]);
        if (is_solid(b, flag)) {
            around.fill[number] = ((const real *)b->wetting)[flag];
            around.walls |= (uint32_t)1 << number;
            continue;
        }
        const real level = told_beside(b, s, TOLD_LEVEL, x, y, z, c[0], c[1], c[2]);
        around.fill[number] = fill_of_level(level);
        if (level_is_at_surface(level))
            around.crossed |= (uint32_t)1 << number;
    }
    return (real)INVERSE_CS2 * (real)s->tension * curvature_around(&around);
}

#endif

/* Whether the solid cell at c is a face at which the domain ends, and no part of one: as geometry has it for
 * WEIR_AT_END. */
FUNCTION bool is_end(const struct weir_block_view *b, int x, int y, int z, int cx, int cy, int cz) {
    const int ox = block_offset(b, 0, x, cx), oy = block_offset(b, 1, y, cy), oz = block_offset(b, 2, z, cz);
    const bool ends[3] = {ox != 0 && domain_ends(b, 0, ox), oy != 0 && domain_ends(b, 1, oy),
                          oz != 0 && domain_ends(b, 2, oz)};
    const int count = ends[0] + ends[1] + ends[2];
    return count > 1 ||
           (count == 1 && *flag_of(b, x + cx, y + cy, z + cz) <= WEIR_WALL_OF_FACE(WEIR_FACES - 1));
}

/* Takes what those around a cell that stays at the surface hand on, and finds its flag. Whether tension acts
 * on it, which pull_by_tension finds. */
FUNCTION bool settle_cell(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                          int z) {
    uint8_t *const flag = (uint8_t *)flag_of(b, x, y, z);
    if (is_solid(b, *flag))
        return false;
    const int cell = cell_entry(b, x, y, z);
    const real level = real_of(*slot_of(b, SURFACE_LEVEL, cell));
    const bool inside = stays_inside(b, x, y, z);
    const real *const own_levels = (const real *)slot_of(b, SURFACE_LEVEL, cell);
    const real *const own_shares = (const real *)s->shares + cell;
    bool gas = false, wall = false, solid = false;
    real taken = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                          \
    if (is_solid(b, *flag_of(b, x + (cx), y + (cy), z + (cz)))) {                      \
        wall = true;                                                                   \
        solid = solid || inside || !is_end(b, x, y, z, cx, cy, cz);                    \
    } else if (inside) {                                                               \
        gas = gas || level_is_gas(own_levels[cell_distance(b, cx, cy, cz)]);           \
        taken += own_shares[cell_distance(b, cx, cy, cz)];                             \
    } else {                                                                           \
        gas = gas || level_is_gas(told_beside(b, s, TOLD_LEVEL, x, y, z, cx, cy, cz)); \
        taken += told_beside(b, s, TOLD_SHARE, x, y, z, cx, cy, cz);                   \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    if (!s->prepares && (int)surface_field(b, s, SURFACE_STATE)[cell] == STATE_SURFACE)
        *slot_of(b, SURFACE_MASS, cell) = stored_of(real_of(*slot_of(b, SURFACE_MASS, cell)) + taken);
#if WITH_TENSION
    *slot_of(b, SURFACE_TENSION, cell) = stored_of(0);
#endif
    *level_at(b, s, x, y, z) = level;
    *flag = level_is_gas(level) ? (uint8_t)(b->boundaries - 1)
            : gas               ? (uint8_t)WEIR_NEAR_OPEN
            : solid             ? (uint8_t)WEIR_NEAR_WALL
            : wall              ? (uint8_t)WEIR_AT_END
                                : (uint8_t)WEIR_FLUID;
    return WITH_TENSION && gas && !level_is_gas(level);
}

/* What tension does to a cell at the surface. */
FUNCTION void pull_by_tension(const struct weir_block_view *b, const struct weir_surface_view *s, int x,
                              int y, int z) {
#if WITH_TENSION
    *slot_of(b, SURFACE_TENSION, cell_entry(b, x, y, z)) = stored_of(raised_by_tension(b, s, x, y, z));
#else
    (void)b, (void)s, (void)x, (void)y, (void)z;
#endif
}

/* The level of a cell of the ring around the block, and whether it is gas. Whether it has another one now. */
FUNCTION bool settle_ring(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                          int z) {
    uint8_t *const flag = (uint8_t *)flag_of(b, x, y, z);
    int near[3] = {x, y, z}, c[3];
    for (int axis = 0; axis < 3; axis++) {
        c[axis] = near[axis] < 0 ? -1 : near[axis] >= own_extent(b, axis) ? 1 : 0;
        near[axis] -= c[axis];
    }
    if (is_solid(b, *flag) || !s->levels_beside[WEIR_OFFSET_NUMBER(c[0], c[1], c[2])])
        return false;
    const real level = told_beside(b, s, TOLD_LEVEL, near[0], near[1], near[2], c[0], c[1], c[2]);
    const bool changed = *level_at(b, s, x, y, z) != level;
    *level_at(b, s, x, y, z) = level;
    *flag = level_is_gas(level) ? (uint8_t)(b->boundaries - 1) : (uint8_t)WEIR_FLUID;
    return changed;
}

#endif
