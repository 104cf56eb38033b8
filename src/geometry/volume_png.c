#include "src/geometry/volume_png.h"

#include "codelets/kernels/demand/work_folder.h"
#include "graph/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int open_temporary(int *descriptor) {
    char path[4096];
    snprintf(path, sizeof path, "%s/weir-slices-XXXXXX", weir_temporary_folder());
    *descriptor = mkostemp(path, O_CLOEXEC);
    if (*descriptor < 0)
        return weir_fail(WEIR_FAILED,
                         "cannot create '%s', to unpack slices: %s; name another folder with TMPDIR", path,
                         strerror(errno));
    unlink(path); /* it goes when it is closed, however the program ends */
    return 0;
}

static int append(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        const ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return weir_fail(
                WEIR_FAILED,
                "cannot unpack slices: %s; make room in the folder for temporary files, or name another with "
                "TMPDIR",
                strerror(errno));
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* Appends a file's values; all files must be like the first. */
static int unpack(const char *path, const char *first, struct weir_voxel_layout *layout, int descriptor) {
    struct slice slice = {.rows = NULL};
    int error = read_slice(path, &slice);
    const struct weir_voxel_layout own = {
        .cells = {(int)slice.width, (int)slice.height, layout->cells[2]},
        .type = slice.bytes == 2 ? WEIR_VOXEL_UINT16 : WEIR_VOXEL_UINT8,
        .big_endian = true,
    };
    if (error == 0 && path == first)
        *layout = own;
    else if (error == 0 && (own.cells[0] != layout->cells[0] || own.cells[1] != layout->cells[1] ||
                            own.type != layout->type))
        error = weir_fail(WEIR_USAGE,
                          "'%s' has %d x %d pixels of %s and '%s' %d x %d of %s; give slices that are alike",
                          path, own.cells[0], own.cells[1], weir_voxel_type_names[own.type], first,
                          layout->cells[0], layout->cells[1], weir_voxel_type_names[layout->type]);
    if (error == 0)
        error = append(descriptor, slice.rows, (size_t)slice.width * slice.height * slice.bytes);
    layout->cells[2] += error == 0;
    free(slice.rows);
    return error;
}

static int unpack_all(const char *pattern, struct weir_voxel_layout *layout, int descriptor) {
    glob_t files;
    const int found = glob(pattern, 0, NULL, &files);
    int error = 0;
    if (found != 0)
        return weir_fail(found == GLOB_NOSPACE ? WEIR_FAILED : WEIR_USAGE, "cannot read '%s': no such file",
                         pattern);
    for (size_t k = 0; k < files.gl_pathc && error == 0; k++)
        error = unpack(files.gl_pathv[k], files.gl_pathv[0], layout, descriptor);
    globfree(&files);
    return error;
}

int weir_volume_unpack_png(const char *pattern, struct weir_voxel_layout *layout, int *descriptor) {
    *layout = (struct weir_voxel_layout){.cells = {0}};
    WEIR_TRY(open_temporary(descriptor));
    return strchr(pattern, '*') ? unpack_all(pattern, layout, *descriptor)
                                : unpack(pattern, pattern, layout, *descriptor);
}
