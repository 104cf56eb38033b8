/* What a kernel sees of a block: where its populations, flags and messages are, and how large its neighbours
 * are. A view is put together anew for every task, because StarPU may have moved the data; it owns nothing.
 *
 * Populations are stored as deviations from the lattice weights, f_i - w_i (Skordos, Phys. Rev. E 48 (1993)
 * 4823: keeps single precision accurate near rest), one array per direction, x fastest, without padding
 * between rows (but lists: cell_list.h), in one copy that the AA pattern updates in place. With the step
 * about to be done, parity = step % 2:
 *
 *   parity 0 (even)  f_i arriving at cell p lies in slot i of p; after collision f*_i goes to slot o of p
 *   parity 1 (odd)   f_i arriving at cell p lies in slot o of p - c_i; after collision f*_i goes to slot i of
 * p + c_i
 *
 * where o is the opposite of i. What crosses a block face travels in messages instead, and what meets a wall
 * stays in p: see addressing.h and docs/streaming.md. */
#ifndef WEIR_KERNELS_BLOCK_VIEW_H
#define WEIR_KERNELS_BLOCK_VIEW_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/cells/cell_list.h"
#include "codelets/kernels/halo/layers.h"
#include "codelets/kernels/lattice/offsets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A flag byte per cell, in an array with a ring around the block, as wide as populations reach
 * (weir_lattice_ring): 0 is fluid whose neighbours are all fluid, 1..127 the number of the wall the cell is
 * part of, and the others fluid with at least one wall among the cells that populations reach from it, along
 * each axis: WEIR_AT_END where all of these walls lie beyond faces at which the domain ends, else
 * WEIR_NEAR_WALL where all are at rest, WEIR_NEAR_MOVING_WALL where one moves, or keeps or adds something of
 * a scalar. But WEIR_NEAR_OPEN where the links of one are counted, as of all that let fluid pass
 * (weir_wall_is_counted), wherever it lies; or, where no other than the boundary beyond an x face of the
 * domain is such or acts on the fluid, and its rule is of links alone (struct weir_rule_row),
 * WEIR_AT_OPEN_END, where all of these walls lie beyond faces at which the domain ends, else
 * WEIR_NEAR_OPEN_END; or WEIR_AT_MIRROR, where all of these walls lie beyond one face, normal to y or z,
 * which mirrors, and nothing is carried along with the flow. Those three are used where populations reach the
 * next cell only. */
enum {
    WEIR_FLUID = 0,
    WEIR_NEAR_WALL = 128,
    WEIR_AT_END = 129,
    WEIR_NEAR_MOVING_WALL = 130,
    WEIR_NEAR_OPEN = 131,
    WEIR_NEAR_OPEN_END = 132,
    WEIR_AT_OPEN_END = 133,
    WEIR_AT_MIRROR = 134
};

/* Cells along x that a domain has at least where there are such ends: none has both in a strip (strips.cuh).
 */
enum { WEIR_CELLS_BETWEEN_ENDS = 3 };

/* Whether links to a boundary are counted of a cell with this flag. */
WEIR_EVERYWHERE bool weir_near_open(uint8_t flag) {
    return flag >= WEIR_NEAR_OPEN;
}

/* Of cells of solids that conduct a scalar and are told of under no name (weir_block_view.bodies_of). */
enum { WEIR_NO_BODY = 255 };

/* Number of the wall that is beyond a face (offsets.h) of a block at which the domain ends, but for its cells
 * beyond two such faces: these are at rest. */
#define WEIR_WALL_OF_FACE(face) (1 + (face))

/* What a boundary does: kept in a block's geometry, by number. */
struct weir_boundary_row {
    uint8_t rule; /* enum weir_rule; WEIR_RULE_INTERPOLATED_WALL: its links have values of their own */
    uint8_t open; /* fluid may pass */
    uint8_t flow; /* its place among the boundaries whose links are counted; WEIR_NO_FLOW: they are not */
    uint8_t scalar_place; /* of what is given of a scalar among the values of its profile, counted from 1; 0:
                             that is alike all over */
    uint8_t mirrors;      /* populations that meet it go on along it */
    uint8_t quiet;        /* populations that meet it stay what they are: it mirrors, or is a wall at rest */
    uint8_t wet;          /* cells beside it lie on it, and are completed before collision */
    double arm[3];        /* from the point that torque is about to the centre of the block's first cell */
    double period[3];     /* cells of the domain along periodic axes, else 0 */
};
enum { WEIR_NO_FLOW = 255 };

/* What links to walls have of their own: WEIR_LINK_SHARE, how much is interpolated, and in which way
 * (numerics.md, N38), and WEIR_LINK_MOMENTUM, the term of a moving wall. */
enum { WEIR_LINK_SHARE, WEIR_LINK_MOMENTUM, WEIR_LINK_VALUES };

struct weir_link_group;

/* The table of them. Of a cell that has any, all directions that meet a boundary have an entry, in their
 * order; cells with entries follow each other as they do in bricks. */
struct weir_links {
    const struct weir_link_group *groups; /* [nz][ny][groups of a row]: which cells; NULL: none */
    const uint32_t *first;                /* [cells with entries]: the first of each */
    const void *values;                   /* real [entries][WEIR_LINK_VALUES] */
};

struct weir_boundary_flow;

/* Up to 32 neighbouring cells of a row, some of which have links in the table of them. */
enum { WEIR_LINK_GROUP_CELLS = 32 };
struct weir_link_group {
    uint32_t first;  /* cells with links before these */
    uint32_t linked; /* bit k: cell k of these has links */
};

/* Groups of a row of cells. */
WEIR_EVERYWHERE int weir_link_groups(int cells) {
    return (cells + WEIR_LINK_GROUP_CELLS - 1) / WEIR_LINK_GROUP_CELLS;
}

/* Bytes of those of a block. */
static inline size_t weir_link_groups_bytes(const int extent[3]) {
    return (size_t)weir_link_groups(extent[0]) * (size_t)extent[1] * (size_t)extent[2] *
           sizeof(struct weir_link_group);
}

struct weir_block_view {
    int extent[3][3];     /* [axis][offset + 1]: cells along the axis of the blocks at -1, 0 (this one), 1 */
    size_t stride;        /* reals from one direction's array to the next; kept_moments.h: of each moment from
                             one copy to the other */
    int planes_at_once;   /* planes whose step may be under way at once: all, but where moments are kept */
    uint32_t *progress;   /* of steps on GPUs where that is not all of them: by parity, in each
                             weir_progress_counts (cuda/turns.cuh); else NULL */
    void *populations;    /* real [q][stride] */
    const uint8_t *flags; /* [nz + 2 ring][ny + 2 ring][nx + 2 ring] */
    /* The same array of the numbers of bodies that conduct a scalar (surfaces.h); NULL: none of a name may
     * touch the block. */
    const uint8_t *bodies_of;
    /* real [boundaries][4], by number: 6 * reference density * velocity for walls, velocities and absorbing
     * ones, density - 1 for pressures, the velocity itself for equilibria; and the reference density - 1 */
    const void *boundary_values;
    const struct weir_boundary_row *boundary_rows; /* [boundaries] */
    /* Values that differ over a face of the domain, instead: real [values][v + 2][u + 2], by cell of the
     * block's face and of a ring around it, u and v its axes in their order; else NULL. */
    const void *profile[WEIR_FACES];
    bool bodies; /* there may be solids in the block or beside it; else it has no walls but beyond faces */
    bool open_within; /* cells of it may be flagged WEIR_NEAR_OPEN, and not as those at ends or mirrors */
    struct weir_boundary_flow *flow; /* [flows]: what counted boundaries exchange; NULL: there are none */
    int boundaries, flows;           /* numbers of them, counting fluid as the first boundary */
    const void *incoming[WEIR_NEIGHBOURS]; /* by offset (offsets.h): message that the neighbour there wrote in
                                              the last step through the face its populations left by */
    void *outgoing[WEIR_FACES];            /* messages that this step writes; their layout: message.h */
    /* What the flow's kernels advance beside it, or find with it: real [values of a cell][stride], a scalar's
     * populations, say. NULL: nothing. */
    void *further;
    /* What cells of a fluid with phases attract by (collision/cohesion.h): real [values][kept cells], and
     * messages with that of the cells of other blocks, by offset. NULL: who has the view does not want it. */
    void *potentials;
    const void *potentials_beside[WEIR_NEIGHBOURS];
    const void *scalar_values; /* real [boundaries][3], by number: what comes back of a scalar's population g*
                                  is value 0 times g* plus value 1, plus value 2 times the cell's scalar */
    /* real [boundaries], by number: the acceleration of phases beside them towards them, or the cosine of the
     * angle at which a free surface meets them; in models with such alone. */
    const void *wetting;
    int kept; /* cells of which it keeps populations */
    struct weir_cell_list list;
    struct weir_links links;
};

/* Planes begin .. end - 1 of a block. */
struct weir_planes {
    int begin, end;
};

/* Numbers by which thread blocks know of each other in a step of so many planes. */
static inline int weir_progress_counts(int planes) {
    return planes + 1;
}

/* Bytes of those of both parities. */
static inline size_t weir_progress_bytes(int planes) {
    return 2 * sizeof(uint32_t) * (size_t)weir_progress_counts(planes);
}

/* Turns in which cores step a block, one after the other (kept_moments.h). */
static inline int weir_turns(const struct weir_block_view *b) {
    return (b->extent[2][1] - 1) / b->planes_at_once + 1;
}

/* The planes of one of them. */
static inline struct weir_planes weir_turn(const struct weir_block_view *b, int parity, int turn) {
    const int number = parity ? turn : weir_turns(b) - 1 - turn, end = (number + 1) * b->planes_at_once;
    struct weir_planes planes;
    planes.begin = number * b->planes_at_once;
    planes.end = end < b->extent[2][1] ? end : b->extent[2][1];
    return planes;
}

/* Cells of a row that keep their moments together, where blocks keep these (kept_moments.h). */
enum { WEIR_KEPT_TOGETHER = 32 };

/* Values of one moment of a plane of such a block. */
static inline size_t weir_kept_plane(const int extent[3]) {
    const size_t groups = ((size_t)extent[0] + WEIR_KEPT_TOGETHER - 1) / WEIR_KEPT_TOGETHER;
    return groups * WEIR_KEPT_TOGETHER * (size_t)extent[1];
}

/* Values of so many moments in both copies. */
static inline size_t weir_kept_values(int moments, const int extent[3], size_t stride) {
    return (size_t)moments * (stride + (size_t)extent[2] * weir_kept_plane(extent));
}

/* Numbers that a collision may take beside the viscosity. */
enum { WEIR_PARAMETERS_MAX = 9 };

/* How cells of a fluid with phases attract each other: see collision/pseudopotential.h. */
struct weir_interaction {
    int equation;                             /* enum weir_equation */
    double temperature, attraction, covolume; /* R T, a (of Peng and Robinson with its factor), b */
    double pairs, squares;                    /* shares of the force, with its strength; of two components
                                                 pairs is all of it, below 0 */
};

/* The relaxation time of a cell with two components: see collision/mixture.h. */
struct weir_mixture {
    double tau_of_second;             /* less that of the first */
    double share_scale, share_offset; /* make 0 and 1 of the shares of the second in either liquid */
};

/* The boundary beyond an end of the domain along x. */
struct weir_end {
    bool counted; /* its links are */
    int rule;     /* enum weir_rule */
    double values[WEIR_KERNEL_VALUES];
};

/* Constants of the collision and the walls, per run. */
struct weir_fluid {
    double omega_plus;  /* 1 / tau, with the viscosity c_s^2 (tau - 1/2): rate of the even moments, of all in
                           BGK */
    double omega_minus; /* rate of the odd moments, from the magic parameter; equal to omega_plus in BGK */
    double parameters[WEIR_PARAMETERS_MAX]; /* of the collision, in the order of its row (collisions.h) */
    double eddies;      /* factor of the model of turbulence (eddies.h): 4 a; 0: there is none */
    double force[3];    /* body force per volume */
    double buoyancy[3]; /* force per volume for each unit that a scalar, or the density of a fluid with
                           phases without one, is above buoyancy_reference */
    double buoyancy_reference;
    bool forced;             /* any component of these forces is not zero, or may be */
    bool walls_move;         /* any of them does, or keeps or adds something of a scalar */
    unsigned moving_faces;   /* bit f: the wall beyond face f (offsets.h) of the domain does */
    struct weir_end ends[2]; /* low, high */
    double scalar_omega_plus, scalar_omega_minus; /* the same rates of a scalar; 0: there is none */
    double scalar_excess, scalar_magic; /* of the same: 1 / scalar_omega_minus - 1/2, and that times the same
                                           of the other rate */
    double scalar_mixing; /* what a unit of eddy viscosity adds to scalar_excess; 0: there are no eddies */
    struct weir_interaction interaction; /* of phases */
    struct weir_mixture mixture;         /* of two components */
    double tension;                      /* of a free surface */
    unsigned atmosphere; /* bit f: gas at face f (offsets.h) of the domain keeps the pressure of the case */
};

#endif
