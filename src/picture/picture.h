/* A plane of values as a finished picture: colours, axes, colour bar and words. What is shown is decided by
 * the caller; how it looks, here. */
#ifndef WEIR_SRC_PICTURE_PICTURE_H
#define WEIR_SRC_PICTURE_PICTURE_H

#include "src/picture/raster.h"
#include "src/picture/streamlines.h"
#include "src/picture/text.h"

#include <stdbool.h>

struct weir_picture {
    int width, height;     /* cells */
    const double *values;  /* [height][width] from the lower left corner; NaN: solid, drawn grey */
    double low, high;      /* what the ends of the colour bar stand for; low < high */
    bool diverging;        /* zero is the middle of the colours */
    double cell_size;      /* in units of the axes */
    const char *axes[2];   /* their names, across and up */
    const char *axis_unit; /* UTF-8, as all texts */
    const char *title, *subtitle;
    const char *quantity, *unit;          /* of the values; unit may be "" */
    const struct weir_streamlines *lines; /* over the colours; NULL: none */
    int pixels;                           /* longer side of the picture; 0: chosen by the number of cells */
};

/* Draws the picture. Its size depends on the plane and `pixels` alone, and is even in both directions, so the
 * pictures of a run make a film. *raster is the caller's (weir_raster_destroy). Error: -WEIR_FAILED (no
 * memory). */
int weir_picture_draw(const struct weir_picture *picture, struct weir_font *font,
                      struct weir_raster **raster);

#endif
