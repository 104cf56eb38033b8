#include "src/raster.h"

#include "graph/error.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int weir_raster_create(int width, int height, struct weir_raster **raster) {
    struct weir_raster *r = malloc(sizeof *r);
    size_t bytes = (size_t)width * (size_t)height * 3;
    uint8_t *rgb = malloc(bytes);
    if (!r || !rgb) {
        free(r);
        free(rgb);
        return weir_fail(WEIR_FAILED, "no memory left for a picture of %d x %d pixels", width, height);
    }
    memset(rgb, 0xff, bytes);
    *r = (struct weir_raster){.width = width, .height = height, .rgb = rgb};
    *raster = r;
    return 0;
}

void weir_raster_destroy(struct weir_raster *raster) {
    if (!raster)
        return;
    free(raster->rgb);
    free(raster);
}

void weir_raster_blend(struct weir_raster *raster, int x, int y, const uint8_t colour[3], double coverage) {
    if (x < 0 || y < 0 || x >= raster->width || y >= raster->height)
        return;
    uint8_t *pixel = raster->rgb + 3 * ((size_t)y * (size_t)raster->width + (size_t)x);
    for (int channel = 0; channel < 3; channel++)
        pixel[channel] = (uint8_t)lround(pixel[channel] + coverage * (colour[channel] - pixel[channel]));
}

void weir_raster_fill(struct weir_raster *raster, int x, int y, int width, int height,
                      const uint8_t colour[3]) {
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            weir_raster_blend(raster, column, row, colour, 1.0);
}

/* On which side of the line from corner a to corner b a point lies. */
static double side(const double x[3], const double y[3], int a, int b, double px, double py) {
    return (x[b] - x[a]) * (py - y[a]) - (y[b] - y[a]) * (px - x[a]);
}

static bool inside(const double x[3], const double y[3], double px, double py) {
    double ab = side(x, y, 0, 1, px, py), bc = side(x, y, 1, 2, px, py), ca = side(x, y, 2, 0, px, py);
    return (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0);
}

void weir_raster_triangle(struct weir_raster *raster, const double x[3], const double y[3],
                          const uint8_t colour[3]) {
    enum { SAMPLES = 4 }; /* per axis and pixel */
    int left = (int)floor(fmin(x[0], fmin(x[1], x[2]))), right = (int)ceil(fmax(x[0], fmax(x[1], x[2])));
    int top = (int)floor(fmin(y[0], fmin(y[1], y[2]))), bottom = (int)ceil(fmax(y[0], fmax(y[1], y[2])));
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) {
            int covered = 0;
            for (int sample = 0; sample < SAMPLES * SAMPLES; sample++)
                covered += inside(x, y, column + (sample % SAMPLES + 0.5) / SAMPLES,
                                  row + (sample / SAMPLES + 0.5) / SAMPLES);
            weir_raster_blend(raster, column, row, colour, (double)covered / (SAMPLES * SAMPLES));
        }
}

int weir_raster_write_png(const struct weir_raster *raster, FILE *stream) {
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)raster->width,
        .height = (png_uint_32)raster->height,
        .format = PNG_FORMAT_RGB,
    };
    if (!png_image_write_to_stdio(&image, stream, 0, raster->rgb, 0, NULL) && !ferror(stream))
        return weir_fail(WEIR_FAILED, "cannot make a picture of %d x %d pixels: %s", raster->width,
                         raster->height, image.message);
    return 0;
}
