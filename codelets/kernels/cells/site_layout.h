/* Memory layouts of a periodic domain whose populations are there twice, as weir bench layouts compares them
 * with what runs use (block_view.h): AoS, SoA, and the clustered ones of Calore, Gabbana, Schifano,
 * Tripiccione (doi 10.1177/1094342017703771). A cluster has one population of `cluster` cells of a row, which
 * lie cells[0] / cluster apart, so that all of them move on to one cluster: that of a direction c is c_x
 * clusters further, as it is with single cells. All four are told by two choices:
 *
 *                               clusters of 1 cell   of several
 *     populations of one lie together     AoS          CAoSoA
 *     each population has its array       SoA          CSoA
 *
 * Around the domain lies a margin as wide as populations reach, which is filled before they move (kernels
 * neither fill it nor wrap indices); in x each part of a row has its own: what lies before the first cluster
 * are the last cells of the part before. */
#ifndef WEIR_KERNELS_SITE_LAYOUT_H
#define WEIR_KERNELS_SITE_LAYOUT_H

#include "codelets/kernels/lattice/lattice.h"

#include <stdbool.h>
#include <stddef.h>

struct weir_site_layout {
    bool together;               /* the populations of a cluster lie one behind the other */
    int cluster;                 /* cells */
    int populations;             /* of a cell */
    int cells[3], margin[3];     /* of the domain; of the margin on each side, in x in clusters */
    int clusters;                /* of a row */
    ptrdiff_t row, plane, first; /* clusters to the next row and plane; number of the cell 0, 0, 0's */
    ptrdiff_t step, array;       /* numbers to the next cluster, to the next population */
    size_t numbers;              /* in all */
};

/* Rows of layouts are multiples of so many cells (whole vectors of all processors), and of the cluster. */
enum { WEIR_LAYOUT_GRAIN = 16 };

/* cells: those along x as above. number_bytes: of a population in memory, 4 or 8. Rows of arrays then begin
 * at multiples of 64 bytes. */
void weir_site_layout_make(const struct weir_lattice_table *lattice, const int cells[3], bool together,
                           int cluster, size_t number_bytes, struct weir_site_layout *layout);

/* "AoS", "SoA", "CSoA", "CAoSoA". */
const char *weir_site_layout_name(bool together, int cluster);

/* Whether kernels write whole lines of 64 bytes, so that they may go past the caches. */
bool weir_site_layout_in_lines(bool together, int cluster, size_t number_bytes);

/* Populations of all cells from natural arrangement, [q][nz][ny][nx] as weir_snapshot has them, and back. */
void weir_site_layout_put(const struct weir_site_layout *layout, size_t number_bytes, const void *natural,
                          void *data);
void weir_site_layout_get(const struct weir_site_layout *layout, size_t number_bytes, const void *data,
                          void *natural);

/* Copies into the margin what lies periodically there. */
void weir_site_layout_fill_margin(const struct weir_site_layout *layout, size_t number_bytes, void *data);

/* What is done to the cells of rows row_begin ... row_end - 1 (row = y + ny z): `from` and `to` are the two
 * copies, whose margins are neither filled nor written here.
 *   propagate: to(x, i) = from(x - c_i, i)
 *   collide:   to(x) = collision of from(x)
 *   fused:     both, in this order, in one pass */
enum weir_layout_operation {
    WEIR_LAYOUT_PROPAGATE,
    WEIR_LAYOUT_COLLIDE,
    WEIR_LAYOUT_FUSED,
    WEIR_LAYOUT_OPERATIONS
};

#endif
