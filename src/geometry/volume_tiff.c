#include "src/geometry/volume_tiff.h"

#include "graph/base/error.h"

#if WEIR_WITH_TIFF

#include "src/geometry/volume_slices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

/* Why libtiff failed, on this thread; it gives no place of ours to the functions that it tells. */
static _Thread_local char reason[200];

static void note_reason(const char *module, const char *format, va_list arguments) {
    (void)module;
    if (reason[0] == '\0') /* the first is the cause */
        vsnprintf(reason, sizeof reason, format, arguments);
}

/* A page as its tags say it is. */
struct page {
    uint32_t width, height;
    uint16_t bits, samples, format, orientation, photometric;
};

static struct page page_of(TIFF *tiff) {
    struct page page = {.photometric = PHOTOMETRIC_MINISBLACK};
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page.bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page.samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page.format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &page.orientation);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page.photometric);
    return page;
}

static bool is_bilevel(const struct page *page) {
    return page->bits == 1;
}

/* ImageJ writes stacks beyond 4 GiB as one page, behind which the others lie without any tags. */
static bool has_hidden_pages(TIFF *tiff) {
    const char *text = NULL;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || !text || strncmp(text, "ImageJ=", 7) != 0)
        return false;
    const char *images = strstr(text, "images=");
    return images && atoi(images + 7) > 1 && TIFFNumberOfDirectories(tiff) == 1;
}

static int check(const char *path, TIFF *tiff, const struct page *page) {
    const char *problem = NULL;
    if (page->samples != 1 || page->photometric == PHOTOMETRIC_RGB)
        problem = "it is in colours";
    else if (page->bits != 1 && page->bits != 8 && page->bits != 16)
        problem = "its values have other than 1, 8 or 16 bits";
    else if (page->format != SAMPLEFORMAT_UINT && page->format != SAMPLEFORMAT_INT &&
             page->format != SAMPLEFORMAT_VOID)
        problem = "its values are no whole numbers";
    else if (page->orientation != ORIENTATION_TOPLEFT && page->orientation != ORIENTATION_BOTLEFT)
        problem = "its pictures are turned or mirrored";
    else if (page->width < 1 || page->height < 1 || page->width > 1000000 || page->height > 1000000)
        problem = "it has a picture without pixels, or too large a one";
    else if (has_hidden_pages(tiff))
        problem =
            "its slices lie behind each other without tags, as ImageJ writes stacks beyond 4 GiB: save them "
            "as raw values, or as one file each";
    return problem
               ? weir_fail(WEIR_USAGE,
                           "cannot use '%s': %s; give TIFF files of grey values or labels of 8 or 16 bits",
                           path, problem)
               : 0;
}

/* A row, counted from the picture's first, in the memory of a slice. */
static uint8_t *row_of(const struct page *page, uint8_t *values, size_t bytes, uint32_t row) {
    return values + (size_t)(page->orientation == ORIENTATION_BOTLEFT ? row : page->height - 1 - row) * bytes;
}

/* Rows one after the other; row: memory for one as it is in the file. */
static bool read_strips(TIFF *tiff, const struct page *page, uint8_t *row, uint8_t *values, size_t bytes) {
    for (uint32_t y = 0; y < page->height; y++) {
        uint8_t *to = row_of(page, values, bytes, y);
        if (TIFFReadScanline(tiff, row, y, 0) < 0)
            return false;
        if (is_bilevel(page))
            for (uint32_t x = 0; x < page->width; x++)
                to[x] = row[x / 8] >> (7 - x % 8) & 1 ? 255 : 0;
        else
            memcpy(to, row, bytes);
    }
    return true;
}

/* Tiles of as many rows, of which the last ones stick out; bilevel ones are refused before. */
static bool read_tiles(TIFF *tiff, const struct page *page, uint8_t *tile, uint8_t *values, size_t bytes) {
    const size_t value = page->bits / 8;
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
    for (uint32_t y = 0; y < page->height; y += height)
        for (uint32_t x = 0; x < page->width; x += width) {
            const uint32_t across = page->width - x < width ? page->width - x : width;
            if (TIFFReadTile(tiff, tile, x, y, 0, 0) < 0)
                return false;
            for (uint32_t k = 0; k < height && y + k < page->height; k++)
                memcpy(row_of(page, values, bytes, y + k) + x * value, tile + (size_t)k * width * value,
                       across * value);
        }
    return true;
}

static int add_page(const char *path, TIFF *tiff, struct weir_slices *slices) {
    const struct page page = page_of(tiff);
    WEIR_TRY(check(path, tiff, &page));
    const bool wide = page.bits == 16, tiled = TIFFIsTiled(tiff) != 0,
               with_sign = page.format == SAMPLEFORMAT_INT;
    const size_t bytes = page.width * (wide ? 2u : 1u);
    if (tiled && is_bilevel(&page))
        return weir_fail(WEIR_USAGE, "cannot use '%s': it is bilevel and in tiles; write it in strips", path);
    struct weir_slice slice = {
        .layout = {.cells = {(int)page.width, (int)page.height},
                   .type = wide ? (with_sign ? WEIR_VOXEL_INT16 : WEIR_VOXEL_UINT16)
                                : (with_sign ? WEIR_VOXEL_INT8 : WEIR_VOXEL_UINT8),
                   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__}, /* libtiff turns values */
        .values = malloc(bytes * page.height),
    };
    uint8_t *piece = malloc((size_t)(tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff)) + 1);
    int error = slice.values && piece ? 0 : weir_fail(WEIR_FAILED, "no memory left for '%s'", path);
    if (error == 0 && !(tiled ? read_tiles : read_strips)(tiff, &page, piece, slice.values, bytes))
        error = weir_fail(WEIR_USAGE, "cannot read '%s': %s; write it again", path,
                          reason[0] ? reason : "it is damaged");
    if (error == 0)
        error = weir_slices_add(slices, path, &slice);
    free(slice.values);
    free(piece);
    return error;
}

static int add_pages(const char *path, struct weir_slices *slices) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return weir_fail(WEIR_USAGE, "cannot read '%s': %s", path, strerror(errno));
    reason[0] = '\0';
    TIFF *tiff = TIFFFdOpen(descriptor, path, "r");
    int error = 0;
    if (!tiff) {
        close(descriptor);
        return weir_fail(WEIR_USAGE, "'%s' is no TIFF file: %s; give one, or raw values under another name",
                         path, reason[0] ? reason : "it begins otherwise");
    }
    do
        error = add_page(path, tiff, slices);
    while (error == 0 && TIFFReadDirectory(tiff));
    if (error == 0 && reason[0])
        error = weir_fail(WEIR_USAGE, "cannot read '%s': %s; write it again", path, reason);
    TIFFClose(tiff);
    return error;
}

int weir_volume_unpack_tiff(const char *pattern, struct weir_voxel_layout *layout, int *descriptor) {
    const TIFFErrorHandler errors = TIFFSetErrorHandler(note_reason), warnings = TIFFSetWarningHandler(NULL);
    const int error = weir_slices_unpack(pattern, add_pages, layout, descriptor);
    TIFFSetErrorHandler(errors);
    TIFFSetWarningHandler(warnings);
    return error;
}

#else

int weir_volume_unpack_tiff(const char *pattern, struct weir_voxel_layout *layout, int *descriptor) {
    (void)descriptor;
    *layout = (struct weir_voxel_layout){.cells = {0}};
    return weir_fail(
        WEIR_UNAVAILABLE,
        "cannot read '%s': this Weir was built without libtiff; install libtiff-dev and build it "
        "again, or give PNG files",
        pattern);
}

#endif
