/* Volumes from files of every format have the same solids, and files that are no such thing are refused with
 * words. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "src/case/case.h"
#include "src/geometry/volume.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>
#if WEIR_WITH_TIFF
#include <tiffio.h>
#endif

#include <cmocka.h>

enum { NX = 7, NY = 5, NZ = 3, CELLS = NX * NY * NZ };

static char folder[TEMPORARY_PATH];

/* The label of a voxel: 0 to 250, no two rows alike. */
static int label(int x, int y, int z) {
    return (37 * x + 11 * y * y + 101 * z) % 251;
}

static void path_of(const char *name, char path[TEMPORARY_PATH + 32]) {
    snprintf(path, TEMPORARY_PATH + 32, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *head, size_t head_bytes, const void *values,
                       size_t bytes) {
    char path[TEMPORARY_PATH + 32];
    path_of(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, head_bytes, file), head_bytes);
    assert_int_equal(fwrite(values, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void write_words(const char *name, const char *words) {
    write_file(name, words, strlen(words), "", 0);
}

static void write_npy(const char *name, const char *type, const char *order, const char *shape,
                      const void *values, size_t bytes) {
    char head[128], words[118];
    snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", type, order, shape);
    memcpy(head, "\x93NUMPY\x01", 7);
    head[7] = 0;
    head[8] = 118;
    head[9] = 0;
    snprintf(head + 10, 118, "%-117s", words);
    head[127] = '\n';
    write_file(name, head, sizeof head, values, bytes);
}

/* A PNG of these rows, the first uppermost. */
static void write_png(const char *name, int width, int height, int format, const void *rows) {
    char path[TEMPORARY_PATH + 32];
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)width, .height = (png_uint_32)height};
    image.format = (png_uint_32)format;
    path_of(name, path);
    assert_true(png_image_write_to_file(&image, path, 0, rows, 0, NULL));
}

/* A file that begins with text, and behind it what gzip makes of values. */
static void write_gzip(const char *name, const char *text, const uint8_t *values, size_t bytes) {
    enum { GZIP = 16 };
    uint8_t packed[4 * CELLS + 100];
    z_stream stream = {
        .next_in = (Bytef *)values, .avail_in = (uInt)bytes, .next_out = packed, .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    write_file(name, text, strlen(text), packed, stream.total_out);
    deflateEnd(&stream);
}

/* Base64, closed by '\0'; returns its length. */
static size_t encode(const uint8_t *bytes, size_t count, char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = text;
    for (size_t k = 0; k < count; k += 3) {
        const size_t left = count - k;
        const uint32_t group = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0u) |
                               (left > 2 ? bytes[k + 2] : 0u);
        for (int n = 0; n < 4; n++)
            *to++ = (size_t)n > left ? '=' : letters[group >> (18 - 6 * n) & 63];
    }
    *to = '\0';
    return (size_t)(to - text);
}

/* How values come into a VTI file. */
enum way { WORDS, BASE64, PACKED, APPENDED, APPENDED_PACKED, RAW, RAW_PACKED, WAYS };

/* The bytes of an array with their header, in two blocks where they are packed; *head: bytes of the header
 * where it is encoded by itself. */
static size_t vti_bytes(enum way way, bool wide, bool big, const uint8_t *values, size_t bytes, uint8_t *out,
                        size_t *head) {
    const bool packed = way == PACKED || way == APPENDED_PACKED || way == RAW_PACKED;
    const size_t half = bytes / 2 + 1, size = wide ? 8 : 4;
    uint64_t numbers[5] = {bytes};
    uLongf first = 2 * CELLS, second = 2 * CELLS;
    uint8_t *to = out + (packed ? 5 : 1) * size;
    if (packed) {
        compress(to, &first, values, half);
        compress(to + first, &second, values + half, bytes - half);
        memcpy(numbers, (uint64_t[]){2, half, bytes - half, first, second}, sizeof numbers);
    } else
        memcpy(to, values, bytes);
    for (size_t k = 0; k < (packed ? 5u : 1u); k++)
        for (size_t n = 0; n < size; n++)
            out[k * size + (big ? size - 1 - n : n)] = (uint8_t)(numbers[k] >> 8 * n);
    *head = packed ? 5 * size : 0;
    return packed ? 5 * size + first + second : size + bytes;
}

static void write_vti(const char *name, enum way way, bool wide, bool big, bool of_points, const char *type,
                      const uint8_t *values, size_t bytes) {
    static uint8_t out[8 * CELLS + 100];
    static char text[32 * CELLS + 3000];
    size_t head, length;
    const size_t count = vti_bytes(way, wide, big, values, bytes, out, &head);
    const bool appended = way >= APPENDED;
    char file[TEMPORARY_PATH + 32];
    path_of(name, file);
    FILE *stream = fopen(file, "wb");
    assert_non_null(stream);
    const int more = of_points ? 0 : 1;
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%s\"%s%s>\n",
            big ? "BigEndian" : "LittleEndian", wide ? " header_type=\"UInt64\"" : "",
            head > 0 ? " compressor='vtkZLibDataCompressor'" : "");
    fprintf(stream,
            "<ImageData WholeExtent=\"2 %d 0 %d 0 %d\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n<Piece "
            "Extent=\"2 %d 0 %d 0 %d\">\n",
            1 + NX + more, NY - 1 + more, NZ - 1 + more, 1 + NX + more, NY - 1 + more, NZ - 1 + more);
    fprintf(stream, "<%sData Scalars=\"labels\">\n", of_points ? "Point" : "Cell");
    fprintf(stream, "<DataArray type=\"Float32\" Name=\"distance\" format=\"ascii\">1 2 3</DataArray>\n");
    fprintf(stream, "<DataArray type=\"%s\" Name=\"labels\" format=\"%s\"%s>\n", type,
            appended       ? "appended"
            : way == WORDS ? "ascii"
                           : "binary",
            appended ? " offset=\"4\"" : "");
    if (way == WORDS)
        for (size_t k = 0; k < bytes; k++)
            fprintf(stream, "%d%c", values[k], k % 16 == 15 ? '\n' : ' ');
    length = encode(out, head > 0 ? head : count, text);
    if (head > 0)
        encode(out + head, count - head, text + length);
    if (way == BASE64 || way == PACKED)
        fprintf(stream, "   %s\n", text);
    fprintf(stream, "</DataArray>\n</%sData>\n</Piece>\n</ImageData>\n", of_points ? "Point" : "Cell");
    if (appended)
        fprintf(stream, "<AppendedData encoding=\"%s\">\n_ABCD", way >= RAW ? "raw" : "base64");
    if (way >= RAW)
        fwrite(out, 1, count, stream);
    else if (appended)
        fputs(text, stream);
    fprintf(stream, "%s</VTKFile>\n", appended ? "\n</AppendedData>\n" : "");
    assert_int_equal(fclose(stream), 0);
}

#if WEIR_WITH_TIFF
/* Adds a page: rows of values of so many bits, the uppermost first; tile > 0: in squares of so many pixels.
 */
static void add_page(TIFF *tiff, int width, int height, int bits, int format, int compression, int tile,
                     const uint8_t *rows) {
    const size_t bytes = (size_t)(width * bits + 7) / 8;
    uint8_t row[8 * NX], square[16 * 16] = {0};
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    if (tile > 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
        for (int y = 0; y < height; y++)
            memcpy(square + y * tile, rows + (size_t)y * bytes, bytes);
        assert_true(TIFFWriteTile(tiff, square, 0, 0, 0, 0) > 0);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
        for (int y = 0; y < height; y++) {
            memcpy(row, rows + (size_t)y * bytes, bytes);
            assert_int_equal(TIFFWriteScanline(tiff, row, (uint32_t)y, 0), 1);
        }
    }
    TIFFWriteDirectory(tiff);
}

static TIFF *open_tiff(const char *name, const char *mode) {
    char path[TEMPORARY_PATH + 32];
    path_of(name, path);
    TIFF *tiff = TIFFOpen(path, mode);
    assert_non_null(tiff);
    return tiff;
}

/* Stacks of a file, of files, big and small endian, in tiles, and what is refused; `bytes` as in write_all.
 */
static void write_tiff(const uint8_t *bytes) {
    TIFF *packed = open_tiff("u1.tif", "w"), *wide = open_tiff("u2.TIFF", "wb"),
         *tiled = open_tiff("tiles.tif", "w"), *unlike = open_tiff("unlike.tif", "w"),
         *floats = open_tiff("float.tif", "w");
    for (int z = 0; z < NZ; z++) {
        uint8_t upside[NX * NY];
        uint16_t words[NX * NY];
        char name[32];
        for (int y = 0; y < NY; y++)
            memcpy(upside + (NY - 1 - y) * NX, bytes + (z * NY + y) * NX, NX);
        for (int k = 0; k < NX * NY; k++)
            words[k] = (uint16_t)(200 * upside[k]);
        add_page(packed, NX, NY, 8, SAMPLEFORMAT_UINT, COMPRESSION_LZW, 0, upside);
        add_page(wide, NX, NY, 16, SAMPLEFORMAT_UINT, COMPRESSION_ADOBE_DEFLATE, 0, (const uint8_t *)words);
        add_page(tiled, NX, NY, 8, SAMPLEFORMAT_UINT, COMPRESSION_NONE, 16, upside);
        add_page(unlike, NX - z, NY, 8, SAMPLEFORMAT_UINT, COMPRESSION_NONE, 0, upside);
        snprintf(name, sizeof name, "page_%d.tif", z);
        TIFF *one = open_tiff(name, "w");
        add_page(one, NX, NY, 8, SAMPLEFORMAT_UINT, COMPRESSION_NONE, 0, upside);
        TIFFClose(one);
    }
    static const uint8_t two[2 * NX * NY];
    add_page(floats, NX, NY, 16, SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, 0, two);
    TIFFClose(packed);
    TIFFClose(wide);
    TIFFClose(tiled);
    TIFFClose(unlike);
    TIFFClose(floats);
    static const uint8_t bits[2] = {0xA0, 0x40}; /* 101, 010 */
    TIFF *bilevel = open_tiff("bits.tif", "w");
    add_page(bilevel, 3, 2, 1, SAMPLEFORMAT_UINT, COMPRESSION_NONE, 0, bits);
    TIFFClose(bilevel);
    write_file("cut.tif", "II*", 4, "\x40\x40\0\0", 4);
    write_file("none.tif", "no picture", 10, "", 0);
}
#endif

static int write_all(void **state) {
    (void)state;
    static uint8_t bytes[CELLS], little[2 * CELLS], big[2 * CELLS];
    if (!make_temporary_folder(folder))
        return -1;
    for (int k = 0; k < CELLS; k++) {
        const int value = label(k % NX, k / NX % NY, k / NX / NY);
        bytes[k] = (uint8_t)value;
        little[2 * k] = big[2 * k + 1] = (uint8_t)(200 * value);
        little[2 * k + 1] = big[2 * k] = (uint8_t)((200 * value) >> 8);
    }
    write_file("u1.raw", "", 0, bytes, sizeof bytes);
    write_file("u2.raw", "", 0, little, sizeof little);
    write_npy("u1.npy", "|u1", "False", "(3, 5, 7)", bytes, sizeof bytes);
    write_npy("f1.npy", "|u1", "True", "(7, 5, 3)", bytes, sizeof bytes);
    write_npy("b2.npy", ">u2", "False", "(3, 5, 7)", big, sizeof big);
    write_npy("l8.npy", "<i8", "False", "(3, 5, 7)", bytes, sizeof bytes);
    write_npy("short.npy", "|u1", "False", "(3, 5, 8)", bytes, sizeof bytes);
    write_npy("many.npy", "|u1", "False", "(1, 3, 5, 7)", bytes, sizeof bytes);
    static const char
        one[] = "NRRD0004\n# by hand\ntype: unsigned char\ndimension: 3\nsizes: 7 5 3\nencoding: raw\n\n",
        two[] = "NRRD0005\r\ntype: ushort\r\ndimension: 3\r\nsizes: 7 5 3\r\nendian: big\r\nencoding: "
                "raw\r\n\r\n",
        packed[] = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 7 5 3\nencoding: gzip\n\n",
        words[] = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 7 5 3\nencoding: ascii\n\n",
        floats[] = "NRRD0004\ntype: float\ndimension: 3\nsizes: 7 5 3\nencoding: raw\n\n";
    static const char
        spaced[] =
            "NRRD0005\ntype: uint8\ndimension: 3\nspace: left-posterior-superior\nsizes: 7 5 3\n"
            "space directions: (0.02,0,0) (0,0,0.02) (0,0.016,0.012)\nspace units: \"mm\" \"mm\" \"mm\"\n"
            "encoding: raw\n\n",
        flat[] = "NRRD0005\ntype: uint8\ndimension: 3\nsizes: 7 5 3\nspacings: 0.02 0.02 0.05\nencoding: "
                 "raw\n\n",
        bare[] = "NRRD0005\ntype: uint8\ndimension: 3\nsizes: 7 5 3\nspacings: 0.02 0.02 0.02\nencoding: "
                 "raw\n\n",
        broken[] = "NRRD0005\ntype: uint8\ndimension: 3\nsizes: 7 5 3\nspacings: nan -1 x\nunits: \"mm\" "
                   "\"cm\" \"mm\"\nspace directions: none (inf,0,0\nencoding: raw\n\n";
    write_file("spaced.nrrd", spaced, strlen(spaced), bytes, sizeof bytes);
    write_file("flat.nrrd", flat, strlen(flat), bytes, sizeof bytes);
    write_file("bare.nrrd", bare, strlen(bare), bytes, sizeof bytes);
    write_file("broken.nrrd", broken, strlen(broken), bytes, sizeof bytes);
    write_file("u1.nrrd", one, strlen(one), bytes, sizeof bytes);
    write_file("b2.nrrd", two, strlen(two), big, sizeof big);
    write_gzip("packed.nrrd", packed, bytes, sizeof bytes);
    write_gzip("short.nrrd", packed, bytes, sizeof bytes - 1);
    write_file("damaged.nrrd", packed, strlen(packed), bytes, sizeof bytes);
    write_file("words.nrrd", words, strlen(words), bytes, sizeof bytes);
    write_file("float.nrrd", floats, strlen(floats), bytes, sizeof bytes);
    for (int z = 0; z < NZ; z++) {
        uint8_t upside[NX * NY], coloured[3 * NX * NY] = {0};
        for (int y = 0; y < NY; y++)
            memcpy(upside + (NY - 1 - y) * NX, bytes + (z * NY + y) * NX, NX);
        static const char *const names[NZ] = {"slice_a.png", "slice_b.png", "slice_c.png"};
        write_png(names[z], NX, NY, PNG_FORMAT_GRAY, upside);
        write_png("colour.png", NX, NY, PNG_FORMAT_RGB, coloured);
    }
    write_png("unlike_a.png", NX, NY, PNG_FORMAT_GRAY, bytes);
    write_png("unlike_b.png", NY, NX, PNG_FORMAT_GRAY, bytes);
    for (int way = 0; way < WAYS; way++) {
        char name[16];
        snprintf(name, sizeof name, "way%d.vti", way);
        write_vti(name, (enum way)way, way % 2 == 0, way % 3 == 0, way % 2 == 1, "UInt8", bytes,
                  sizeof bytes);
    }
    write_vti("big.vti", RAW_PACKED, false, true, true, "UInt16", big, sizeof big);
    write_vti("little.vti", RAW, true, false, false, "UInt16", little, sizeof little);
    write_vti("float.vti", RAW, true, false, false, "Float64", little, sizeof little);
    write_vti("short.vti", RAW, true, false, false, "UInt8", bytes, sizeof bytes - 1);
    write_vti("few.vti", WORDS, true, false, false, "UInt8", bytes, sizeof bytes - 1);
    write_words("none.vti", "<VTKFile type=\"PolyData\">");
    write_words("lz4.vti", "<VTKFile type=\"ImageData\" compressor=\"vtkLZ4DataCompressor\">");
#if WEIR_WITH_TIFF
    write_tiff(bytes);
#endif
    return 0;
}

static int remove_all(void **state) {
    (void)state;
    char command[TEMPORARY_PATH + 32];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static const struct {
    const char *name;
    enum weir_voxel_type raw;
    int factor;
} files[] = {{"u1.raw", WEIR_VOXEL_UINT8, 1},
             {"u2.raw", WEIR_VOXEL_UINT16, 200},
             {"u1.npy", 0, 1},
             {"f1.npy", 0, 1},
             {"b2.npy", 0, 200},
             {"u1.nrrd", 0, 1},
             {"b2.nrrd", 0, 200},
#if WEIR_WITH_TIFF
             {"u1.tif", 0, 1},
             {"u2.TIFF", 0, 200},
             {"tiles.tif", 0, 1},
             {"page_*.tif", 0, 1},
#endif
             {"packed.nrrd", 0, 1},
             {"way0.vti", 0, 1},
             {"way1.vti", 0, 1},
             {"way2.vti", 0, 1},
             {"way3.vti", 0, 1},
             {"way4.vti", 0, 1},
             {"way5.vti", 0, 1},
             {"way6.vti", 0, 1},
             {"big.vti", 0, 200},
             {"little.vti", 0, 200},
             {"slice_*.png", WEIR_VOXEL_UINT8, 1}};

static void test_formats(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const struct weir_voxel_layout raw = {.cells = {NX, NY, NZ}, .type = files[k].raw};
        struct weir_volume *volume;
        char path[TEMPORARY_PATH + 32];
        path_of(files[k].name, path);
        if (weir_volume_open(path, NULL, &raw, &volume) < 0)
            fail_msg("%s", weir_error_text());
        assert_int_equal(volume->layout.cells[0], NX);
        assert_int_equal(volume->layout.cells[1], NY);
        assert_int_equal(volume->layout.cells[2], NZ);
        for (int z = 0; z < NZ; z++)
            for (int y = 0; y < NY; y++)
                for (int x = 0; x < NX; x++)
                    assert_int_equal(weir_volume_bits(volume, (const int[3]){x, y, z}),
                                     files[k].factor * label(x, y, z));
        weir_volume_close(volume);
    }
}

#if WEIR_WITH_TIFF
/* Black and white, one bit each, upside down as pictures are. */
static void test_bilevel(void **state) {
    (void)state;
    static const int wanted[2][3] = {{0, 255, 0}, {255, 0, 255}};
    struct weir_volume *volume;
    char path[TEMPORARY_PATH + 32];
    path_of("bits.tif", path);
    assert_int_equal(weir_volume_open(path, NULL, NULL, &volume), 0);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            assert_int_equal(weir_volume_bits(volume, (const int[3]){x, y, 0}), wanted[y][x]);
    weir_volume_close(volume);
}
#endif

static void test_arrays(void **state) {
    (void)state;
    struct weir_volume *volume;
    char path[TEMPORARY_PATH + 32];
    path_of("way5.vti", path);
    assert_int_equal(weir_volume_open(path, "labels", NULL, &volume), 0);
    weir_volume_close(volume);
    assert_int_equal(weir_volume_open(path, "lables", NULL, &volume), -WEIR_USAGE);
    assert_non_null(
        strstr(weir_error_text(), "no array \"lables\"; its arrays are \"distance\", \"labels\""));
    assert_int_equal(weir_volume_open(path, "distance", NULL, &volume), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "Float32"));
}

static void test_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"l8.npy", "astype(numpy.uint8)"},
        {"short.npy", "105 bytes"},
        {"many.npy", "two or three axes"},
        {"u2.raw", "210 bytes"},
        {"words.nrrd", "raw or gzip"},
        {"float.nrrd", "uint8"},
        {"damaged.nrrd", "damaged"},
        {"short.nrrd", "104 bytes"},
        {"float.vti", "whole numbers"},
        {"short.vti", "not of 105 bytes"},
        {"few.vti", "not of 105 bytes"},
        {"none.vti", "no image of VTK"},
        {"lz4.vti", "LZ4"},
#if WEIR_WITH_TIFF
        {"unlike.tif", "alike"},
        {"float.tif", "no whole numbers"},
        {"none.tif", "no TIFF file"},
        {"cut.tif", "no TIFF file"},
#endif
        {"colour.png", "in colours"},
        {"unlike_*.png", "alike"}
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const struct weir_voxel_layout raw = {.cells = {NX, NY, NZ}};
        struct weir_volume *volume;
        char path[TEMPORARY_PATH + 32];
        path_of(wrong[k][0], path);
        assert_int_equal(weir_volume_open(path, NULL, &raw, &volume), -WEIR_USAGE);
        if (!strstr(weir_error_text(), wrong[k][1]))
            fail_msg("\"%s\" does not say \"%s\"", weir_error_text(), wrong[k][1]);
    }
}

static struct weir_case *read_solids(const char *solids) {
    char path[TEMPORARY_PATH + 32], text[1200];
    struct weir_case *c;
    const int length = snprintf(text, sizeof text,
                                "{\"domain\": {\"cells\": [16, 16, 16]}, \"fluid\": {\"tau\": 1}, \"run\": "
                                "{\"steps\": 1}, \"solids\": [%s]}",
                                solids);
    write_file("case.json", text, (size_t)length, "", 0);
    path_of("case.json", path);
    if (weir_case_read(path, NULL, 0, &c) < 0)
        fail_msg("%s", weir_error_text());
    return c;
}

/* Bodies by labels, moved, of voxels of two cells; files are named as seen from the case file. */
static void test_bodies(void **state) {
    (void)state;
    struct weir_case *c = read_solids("{\"volume\": {\"file\": \"u1.npy\", \"fluid\": [0, 37, 74], "
                                      "\"origin\": [2, 1, 3], \"voxel_size\": 2}, \"name\": "
                                      "\"rest\"},"
                                      "{\"volume\": {\"file\": \"u1.raw\", \"cells\": [7, 5, 3], \"solid\": "
                                      "[111, 48], \"origin\": [2, 1, 3], "
                                      "\"voxel_size\": 2}, \"name\": \"two\", \"velocity\": [0, 0, 0.01]},"
                                      "{\"volume\": {\"file\": \"b2.nrrd\", \"threshold\": 44000, "
                                      "\"origin\": [2, 1, 3], \"voxel_size\": 2}, \"name\": "
                                      "\"high\"}");
    int64_t count[4] = {0};
    for (int z = 0; z < 16; z++)
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 16; x++) {
                const int vx = (x - 2) / 2, vy = (y - 1) / 2, vz = (z - 3) / 2;
                const bool within = x >= 2 && y >= 1 && z >= 3 && vx < NX && vy < NY && vz < NZ;
                const int value = within ? label(vx, vy, vz) : 0;
                const int body = !within || value == 0 || value == 37 || value == 74 ? 0
                                 : value >= 220                                      ? 3
                                 : value == 111 || value == 48                       ? 2
                                                                                     : 1;
                const int cell[3] = {x, y, z}, wall = weir_geometry_wall(&c->problem, cell);
                if (wall != WEIR_EDGE_WALL) /* a moving body's cell that others cover */
                    assert_int_equal(wall, body == 0 ? 0 : WEIR_FIRST_BODY - 1 + body);
                count[body]++;
            }
    for (int body = 0; body < 4; body++)
        assert_true(count[body] > 0);
    weir_case_destroy(c);
}

/* Which side a voxel has: 0 where the case is refused, with a word of why. */
static double edge_of(const char *file, const char *units, const char *more, const char *word) {
    char path[TEMPORARY_PATH + 32], text[1200];
    struct weir_case *c;
    const int length =
        snprintf(text, sizeof text,
                 "{%s \"domain\": {\"cells\": [32, 32, 32]}, \"run\": {\"steps\": 1}, \"solids\": "
                 "[{\"volume\": {\"file\": \"%s\", \"fluid\": [0]%s}}]}",
                 units, file, more);
    write_file("case.json", text, (size_t)length, "", 0);
    path_of("case.json", path);
    if (weir_case_read(path, NULL, 0, &c) < 0) {
        if (!word || !strstr(weir_error_text(), word))
            fail_msg("%s", weir_error_text());
        return 0;
    }
    assert_null(word);
    const double edge = c->problem.shapes[0].region->high[0] / NX;
    weir_case_destroy(c);
    return edge;
}

static void test_spacings(void **state) {
    (void)state;
    const char
        *lattice = "\"fluid\": {\"tau\": 1},",
        *si = "\"units\": \"si\", \"si\": {\"cell_size\": 1e-5, \"time_step\": 1e-5, \"density\": 1000}, "
              "\"fluid\": {\"viscosity\": 1e-6},";
    assert_true(fabs(edge_of("spaced.nrrd", si, "", NULL) - 2) < 1e-6); /* 0.02 mm */
    assert_true(edge_of("spaced.nrrd", lattice, "", NULL) == 1);
    assert_true(fabs(edge_of("spaced.nrrd", si, ", \"voxel_size\": 3e-5", NULL) - 3) < 1e-6);
    assert_true(edge_of("bare.nrrd", lattice, "", NULL) == 1);
    edge_of("bare.nrrd", si, "", "voxel_size");
    edge_of("flat.nrrd", lattice, "", "cubes");
    edge_of("flat.nrrd", si, "", "cubes");
    assert_true(edge_of("flat.nrrd", lattice, ", \"voxel_size\": 2", NULL) == 2);
    assert_true(edge_of("broken.nrrd", si, "", NULL) == 1);
    assert_true(edge_of("u1.nrrd", si, "", NULL) == 1);
    assert_true(edge_of("way0.vti", si, "", NULL) == 1); /* 1 is what files say that do not know */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
#if WEIR_WITH_TIFF
        cmocka_unit_test(test_bilevel),
#endif
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_spacings),
    };
    return cmocka_run_group_tests(tests, write_all, remove_all);
}
