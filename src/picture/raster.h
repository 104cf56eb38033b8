/* A picture in memory: colours of pixels, straight edges on it, and its PNG file. Text is
 * src/picture/text.h's. Pixels are counted from the upper left corner; (x, y) of a pixel is its upper left
 * corner, and drawing outside of the picture is cut off. */
#ifndef WEIR_SRC_PICTURE_RASTER_H
#define WEIR_SRC_PICTURE_RASTER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct weir_raster {
    int width, height;
    uint8_t *rgb; /* [height][width][3], sRGB */
};

/* A white picture. *raster is the caller's (weir_raster_destroy). Error: -WEIR_FAILED (no memory). */
int weir_raster_create(int width, int height, struct weir_raster **raster);
void weir_raster_destroy(struct weir_raster *raster);

/* The three bytes of a pixel inside of the picture. */
static inline uint8_t *weir_raster_pixel(const struct weir_raster *raster, int x, int y) {
    return raster->rgb + 3 * ((size_t)y * (size_t)raster->width + (size_t)x);
}

/* Mixes `colour` into a pixel; coverage 0 leaves the pixel, 1 replaces it. */
void weir_raster_blend(struct weir_raster *raster, int x, int y, const uint8_t colour[3], double coverage);

/* Fills the pixels of a rectangle. */
void weir_raster_fill(struct weir_raster *raster, int x, int y, int width, int height,
                      const uint8_t colour[3]);

/* Fills a triangle, smooth at its edges. x, y: its corners, in pixels. */
void weir_raster_triangle(struct weir_raster *raster, const double x[3], const double y[3],
                          const uint8_t colour[3]);

/* Writes the picture as a PNG file to a stream. Failures of the stream are the stream's to tell; error:
 * -WEIR_FAILED with the library's reason (no memory). */
int weir_raster_write_png(const struct weir_raster *raster, FILE *stream);

#endif
