#include "src/geometry/volume_png.h"

#include "graph/base/error.h"
#include "src/geometry/volume_slices.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture as unpacked. */
struct slice {
    png_uint_32 width, height;
    size_t bytes; /* of a value */
    uint8_t *rows;
};

/* Why libpng failed. */
struct failure {
    char text[200];
};

static void fail_here(png_structp png, png_const_charp message) {
    struct failure *failure = png_get_error_ptr(png);
    snprintf(failure->text, sizeof failure->text, "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Between jumps: what is allocated is in *slice, so that it is found after one. */
static void read_rows(png_structp png, png_infop info, FILE *file, struct slice *slice) {
    png_init_io(png, file);
    png_read_info(png, info);
    const png_byte colour = png_get_color_type(png, info);
    if (colour & PNG_COLOR_MASK_COLOR && !(colour & PNG_COLOR_MASK_PALETTE))
        png_error(png, "it is in colours");
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_packing(png);
    else if (png_get_bit_depth(png, info) < 8)
        png_set_expand_gray_1_2_4_to_8(png);
    if (colour & PNG_COLOR_MASK_ALPHA)
        png_set_strip_alpha(png);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    slice->width = png_get_image_width(png, info);
    slice->height = png_get_image_height(png, info);
    slice->bytes = png_get_bit_depth(png, info) == 16 ? 2 : 1;
    const size_t row = png_get_rowbytes(png, info);
    slice->rows = malloc(row * slice->height);
    if (!slice->rows)
        png_error(png, "there is no memory left for it");
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < slice->height; y++)
            png_read_row(png, slice->rows + (size_t)(slice->height - 1 - y) * row, NULL);
}

/* slice->rows is the caller's, on errors as well. */
static int read_slice(const char *path, struct slice *slice) {
    struct failure failure = {.text = ""};
    volatile int error = 0; /* lives through a jump */
    FILE *file = fopen(path, "rb");
    if (!file)
        return weir_fail(WEIR_USAGE, "cannot read '%s': %s", path, strerror(errno));
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, fail_here, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        error = weir_fail(WEIR_FAILED, "no memory left for '%s'", path);
    else if (setjmp(png_jmpbuf(png)))
        error = weir_fail(WEIR_USAGE, "cannot use '%s': %s; give PNG files in grey, or with a palette", path,
                          failure.text);
    else
        read_rows(png, info, file, slice);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return error;
}

static int add_slice(const char *path, struct weir_slices *slices) {
    struct slice picture = {.rows = NULL};
    int error = read_slice(path, &picture);
    const struct weir_slice slice = {
        .layout = {.cells = {(int)picture.width, (int)picture.height},
                   .type = picture.bytes == 2 ? WEIR_VOXEL_UINT16 : WEIR_VOXEL_UINT8,
                   .big_endian = true},
        .values = picture.rows,
    };
    if (error == 0)
        error = weir_slices_add(slices, path, &slice);
    free(picture.rows);
    return error;
}

int weir_volume_unpack_png(const char *pattern, struct weir_voxel_layout *layout, int *descriptor) {
    return weir_slices_unpack(pattern, add_slice, layout, descriptor);
}
