/* Sizes of a block's arrays: how many bytes to allocate, and where in them things are. */
#ifndef WEIR_KERNELS_LAYOUT_H
#define WEIR_KERNELS_LAYOUT_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/lattice/lattice.h"

#include <stddef.h>

/* Reals from one direction's array to the next for a block of `cells` cells: a multiple of 128 bytes, so that
 * GPU lines stay aligned, but an odd one, so that the streams of a row fall into different cache sets
 * whatever the block's size. */
size_t weir_layout_stride(size_t cells, size_t real_size);

/* Bytes of the populations alone of a block that keeps these cells. */
size_t weir_layout_populations_bytes(const struct weir_lattice_table *lattice,
                                     const struct weir_kept_cells *kept, size_t real_size);

/* Cells of a block with the ring around it (weir_lattice_ring). */
size_t weir_layout_ringed_cells(const struct weir_lattice_table *lattice, const int extent[3]);

/* Where in a block's two pieces of memory things are, in bytes, and how large these pieces are. */
struct weir_block_layout {
    size_t populations_bytes, geometry_bytes;
    struct weir_kept_cells kept;
    size_t stride; /* values that the block has for each direction: from one's array to the next in bricks;
                      where moments are kept, values of each from one copy to the other */
    int planes_at_once; /* as in the view */
    size_t progress;    /* of the view, behind moments; 0: there is none */
    size_t flow; /* of open boundaries, behind the populations; where there are none it lies at their end */
    int flows;
    int boundaries;
    bool bodies, open_within; /* as in the view */
    size_t values, wetting, scalar_values, rows,
        profile[WEIR_FACES];        /* behind the flags; profile 0: there is none */
    size_t table[WEIR_CELL_TABLES]; /* of the kind of cells; 0: there is none */
    unsigned varying;               /* bits of the faces whose profile is in a third piece instead, and
                                       WEIR_VARYING_BODIES: values of boundaries without profile are, too */
    size_t varying_values, varying_scalar_values; /* there: as `values` and `scalar_values` */
    size_t varying_bytes; /* of that piece, for profiles that change in time: it is there twice, by parity */
    size_t link_groups, link_first, link_values; /* the table of links; 0: there is none */
    size_t bodies_of;                            /* which bodies conduct a scalar, by cell; 0: none does */
};

/* Among the bits of faces: bodies beside the block have values that change in time. */
#define WEIR_VARYING_BODIES (1u << WEIR_FACES)

/* What of a block's faces differs from place to place. */
struct weir_profile_sizes {
    int values[WEIR_FACES]; /* numbers per cell of this face of the block; 0: it has no profile */
    unsigned varying;       /* bits of those that change in time, and WEIR_VARYING_BODIES */
};

/* Links of a block that have values of their own (struct weir_links). */
struct weir_link_counts {
    int64_t cells, entries;
};

/* What blocks keep of each cell instead of populations, in two copies that share memory (kept_moments.h). */
struct weir_moment_sizes {
    int numbers;        /* words of a cell (kept_moments.h); 0: populations are kept */
    int planes_at_once; /* of the view, at most; 0: as memory and speed of large blocks want it */
};

/* The layout of a block with extent[3] cells, of which it keeps some. flows: boundaries that let fluid
 * pass, of `boundaries`. scalar: there is one, for which boundaries have values, too; wetted: it matters what
 * wets them. */
struct weir_block_layout weir_layout_block(const struct weir_lattice_table *lattice,
                                           struct weir_moment_sizes moments, const int extent[3],
                                           struct weir_kept_cells kept, size_t stored_size, size_t real_size,
                                           int boundaries, int flows,
                                           const struct weir_profile_sizes *profiles, bool scalar,
                                           bool wetted);

/* Adds room for a table of links to the geometry of a block with extent[3] cells. */
void weir_layout_add_links(struct weir_block_layout *layout, const int extent[3],
                           struct weir_link_counts counts, size_t real_size);

/* Adds room for the numbers of bodies that conduct a scalar, one for each flag. */
void weir_layout_add_bodies(struct weir_block_layout *layout, const struct weir_lattice_table *lattice,
                            const int extent[3]);

/* Numbers that one value of a profile takes: cells of the face and a ring around it. */
size_t weir_layout_profile_cells(const int extent[3], int face);

/* Lets a view find what is in these pieces. varying: of the step's parity; NULL: no profile changes. */
void weir_layout_open(const struct weir_block_layout *layout, void *populations, const void *geometry,
                      const void *varying, struct weir_block_view *view);

#endif
