#include "src/picture/raster.h"

#include "graph/base/error.h"

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
    uint8_t *pixel = weir_raster_pixel(raster, x, y);
    for (int channel = 0; channel < 3; channel++)
        pixel[channel] = (uint8_t)lround(pixel[channel] + coverage * (colour[channel] - pixel[channel]));
}

static int within(int place, int end) {
    return place < 0 ? 0 : place > end ? end : place;
}

void weir_raster_fill(struct weir_raster *raster, int x, int y, int width, int height,
                      const uint8_t colour[3]) {
    const int left = within(x, raster->width), right = within(x + width, raster->width);
    for (int row = within(y, raster->height); row < within(y + height, raster->height); row++)
        for (int column = left; column < right; column++)
            memcpy(weir_raster_pixel(raster, column, row), colour, 3);
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

/* Pictures have few colours, mostly those of a map, and neighbours that are equal. Compression finds them
 * where rows are as they are; filters, which code differences of neighbours, hide them. At level 6, the
 * library's, zlib takes 5 times as long and saves a third of the bytes; at level 1 it saves no time. */
enum { COMPRESSION_LEVEL = 2 };

static void write_rows(png_structp png, png_infop info, const struct weir_raster *raster) {
    png_set_IHDR(png, info, (png_uint_32)raster->width, (png_uint_32)raster->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    for (int row = 0; row < raster->height; row++)
        png_write_row(png, weir_raster_pixel(raster, 0, row));
    png_write_end(png, NULL);
}

/* What the library says before it jumps back. */
struct complaint {
    char text[128];
};

static void keep_complaint(png_structp png, png_const_charp text) {
    struct complaint *complaint = png_get_error_ptr(png);
    snprintf(complaint->text, sizeof complaint->text, "%s", text);
    png_longjmp(png, 1);
}

int weir_raster_write_png(const struct weir_raster *raster, FILE *stream) {
    struct complaint complaint = {"no memory left"};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &complaint, keep_complaint, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool good = false;
    if (info && setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, stream);
        write_rows(png, info, raster);
        good = true;
    }
    png_destroy_write_struct(&png, &info);
    if (!good && !ferror(stream))
        return weir_fail(WEIR_FAILED, "cannot make a picture of %d x %d pixels: %s", raster->width,
                         raster->height, complaint.text);
    return 0;
}
