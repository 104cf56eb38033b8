/* Text on a raster, drawn by FreeType in the font that is built into the program. */
#ifndef WEIR_SRC_PICTURE_TEXT_H
#define WEIR_SRC_PICTURE_TEXT_H

#include "src/picture/raster.h"

#include <stdbool.h>

struct weir_font;

/* Opens the built-in font. A font serves one thread at a time. *font is the caller's (weir_font_destroy).
 * Error: -WEIR_FAILED. */
int weir_font_create(struct weir_font **font);
void weir_font_destroy(struct weir_font *font);

/* Width in pixels of a UTF-8 text in letters of `size` pixels. */
double weir_font_width(struct weir_font *font, double size, const char *text);

/* Draws a UTF-8 text whose baseline starts at (x, y); upward: turned to read from bottom to top. Signs that
 * the font lacks appear as its box. */
void weir_font_draw(struct weir_font *font, struct weir_raster *raster, double x, double y, double size,
                    bool upward, const uint8_t colour[3], const char *text);

#endif
