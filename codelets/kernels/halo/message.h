/* What crosses the faces of a block in a step, as lists of layers: the one description from which sizes of
 * messages, places in them, and what goes to which neighbour follow. It knows no lattice; sets (populations
 * of one lattice) and fields (values per cell that neighbours read) are put into it when a run begins.
 *
 * Blocks send one message through each face. A layer of it has one value for each cell of the face, that of
 * the cell `depth` cells below the face; the cells' two other coordinates run in axis order, the lower axis
 * fastest (layers.h). A population that crosses several faces is in the message of the first crossed axis
 * only, and the neighbour that it reaches reads that message, even a diagonal one; of the other axes'
 * messages the values of such cells mean nothing. docs/streaming.md derives it. */
#ifndef WEIR_KERNELS_MESSAGE_H
#define WEIR_KERNELS_MESSAGE_H

#include "codelets/kernels/lattice/lattice.h"
#include "codelets/kernels/lattice/offsets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_layer {
    int8_t source;      /* number of the set or field, as its owner counts them */
    int8_t component;   /* direction of the set, component of the field */
    int8_t velocity[3]; /* of the direction; 0 for fields */
    int8_t depth;       /* of its cells below the face; 0: those at the face */
    int8_t reach;       /* of a field: how many cells beyond its block it is read; 0 for populations */
    bool mirrored; /* of a population: it may go on along faces of the domain, so that all of a row travels */
};

enum { WEIR_LAYERS_MAX = 96 /* of a face */ };

struct weir_message_layout {
    int count[3]; /* layers of the messages through the two faces normal to each axis */
    struct weir_layer layer[WEIR_FACES][WEIR_LAYERS_MAX];
};

/* Appends the layers of all directions of a lattice, or of a field that neighbours read up to `reach` cells
 * away. -1 where they are more than WEIR_LAYERS_MAX in all. */
int weir_message_add_set(struct weir_message_layout *layout, int source,
                         const struct weir_lattice_table *lattice);
int weir_message_add_field(struct weir_message_layout *layout, int source, int components, int reach,
                           int dimensions);

/* What is there so far may meet mirrors. */
void weir_message_mirror(struct weir_message_layout *layout);

/* Number of the first layer of a source in the messages through faces normal to the axis; where it has none,
 * the number of all. */
int weir_message_first_layer(const struct weir_message_layout *layout, int source, int axis);

/* Values of the message through a face normal to the axis of a block with these cells. */
int64_t weir_message_values(const struct weir_message_layout *layout, const int extent[3], int axis);

/* Bytes of it; 0 where nothing crosses. */
size_t weir_message_bytes(const struct weir_message_layout *layout, const int extent[3], int axis,
                          size_t value_size);

/* The cells of a block whose values of a layer, in the message through `face`, are read by the block at an
 * offset: cells[axis] of them from begin[axis] on, in the block's coordinates. false: there are none. */
bool weir_layer_crossing(const struct weir_layer *layer, int face, const int extent[3],
                         struct weir_offset offset, int begin[3], int cells[3]);

/* Number of values that the block at an offset reads, of all layers, from a block with these cells. */
int64_t weir_message_crossing(const struct weir_message_layout *layout, const int extent[3],
                              struct weir_offset offset);

/* Face, of the block at this offset, through which values leave it that are read here. -1 where none are,
 * however large blocks may be. */
int weir_message_face(const struct weir_message_layout *layout, struct weir_offset offset);

#endif
