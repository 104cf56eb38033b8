/* What blocks of a run have in common that steps on GPUs can be compiled for as constants
 * (cells/block_shape.h has them in the texts): how large the blocks are, the distance between their
 * directions, what is at their faces, whether there are solids. A kernel compiled for constants is launched
 * for blocks that have them, and for no others; it does the same to them as the general one, with fewer
 * instructions. */
#ifndef WEIR_KERNELS_CONSTANTS_H
#define WEIR_KERNELS_CONSTANTS_H

#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/demand/specification.h"

enum { WEIR_DIFFERS = -1, WEIR_CONSTANTS_TEXT = 48 };

/* Cells of a neighbour: so many, or the domain ends there. */
#define WEIR_OR_END(cells) (-1 - (cells))

struct weir_constants {
    int extent[3][3];      /* as in the view; those of neighbours may differ, or be WEIR_OR_END */
    int64_t stride;        /* may differ, as it does between lists */
    int bodies;            /* 0, 1; may differ */
    bool open;             /* boundaries let fluid pass */
    unsigned moving_faces; /* of the run: as in struct weir_fluid */
};

/* Those of one block. extent: as in its view. */
struct weir_constants weir_constants_of(const int extent[3][3], const struct weir_block_layout *layout,
                                        const struct weir_fluid *fluid);

/* Leaves in `common` what the others have too. false, and nothing is changed, where these are too different:
 * in their own extents, or in being open. */
bool weir_constants_join(struct weir_constants *common, const struct weir_constants *others);

/* Whether a block has them. */
bool weir_constants_fit(const struct weir_constants *constants, const struct weir_block_view *view,
                        const struct weir_fluid *fluid);

/* Adds them to what texts are compiled with. */
void weir_constants_define(const struct weir_constants *constants, struct weir_definitions *definitions);

/* Whether a definition of this name is one of them; and a name for all of them together, "64x64x64", ""
 * where there are none. */
bool weir_constants_have(const char *name);
void weir_constants_name(const struct weir_definitions *definitions, char name[WEIR_CONSTANTS_TEXT]);

/* The blocks in words: "64 x 64 x 64". */
void weir_constants_describe(const struct weir_constants *constants, char text[WEIR_CONSTANTS_TEXT]);

#endif
