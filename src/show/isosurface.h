/* A picture of an isosurface of what a run has written, drawn by VTK, whose Python another process has. */
#ifndef WEIR_SRC_SHOW_ISOSURFACE_H
#define WEIR_SRC_SHOW_ISOSURFACE_H

#include "src/common/results_folder.h"

/* What --isosurface asks for. */
struct weir_isosurface {
    char quantity[64]; /* "": nothing */
    char level[32];    /* a number, in the unit that the files have */
    char colour[64];   /* the quantity by which the surface is coloured; "": it has one colour */
};

/* Reads "QUANTITY=LEVEL[,colour=QUANTITY]". -WEIR_USAGE. */
int weir_isosurface_read(struct weir_isosurface *isosurface, const char *text);

/* Draws it of the last step in the folder, into isosurface_QUANTITY.png there. Errors: -WEIR_USAGE where no
 * python3, VTK or h5py is, no file has the quantity, or it is nowhere at the level; -WEIR_FAILED. */
int weir_isosurface_draw(const struct weir_isosurface *isosurface, struct weir_results_folder *folder);

/* Whether a file of a folder is such a picture, by its name. */
bool weir_isosurface_is_picture(const char *name);

#endif
