/* Volumes from files of every format have the same solids, and files that are no such thing are refused with
 * words. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/case.h"
#include "src/geometry/volume.h"
#include "tests/unit/temporary.h"

#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        floats[] = "NRRD0004\ntype: float\ndimension: 3\nsizes: 7 5 3\nencoding: raw\n\n";
    write_file("u1.nrrd", one, strlen(one), bytes, sizeof bytes);
    write_file("b2.nrrd", two, strlen(two), big, sizeof big);
    write_file("packed.nrrd", packed, strlen(packed), bytes, sizeof bytes);
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
             {"slice_*.png", WEIR_VOXEL_UINT8, 1}};

static void test_formats(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const struct weir_voxel_layout raw = {.cells = {NX, NY, NZ}, .type = files[k].raw};
        struct weir_volume *volume;
        char path[TEMPORARY_PATH + 32];
        path_of(files[k].name, path);
        if (weir_volume_open(path, &raw, &volume) < 0)
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

static void test_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {{"l8.npy", "astype(numpy.uint8)"}, {"short.npy", "105 bytes"},
                                           {"many.npy", "two or three axes"}, {"u2.raw", "210 bytes"},
                                           {"packed.nrrd", "compressed"},     {"float.nrrd", "uint8"},
                                           {"colour.png", "in colours"},      {"unlike_*.png", "alike"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const struct weir_voxel_layout raw = {.cells = {NX, NY, NZ}};
        struct weir_volume *volume;
        char path[TEMPORARY_PATH + 32];
        path_of(wrong[k][0], path);
        assert_int_equal(weir_volume_open(path, &raw, &volume), -WEIR_USAGE);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, write_all, remove_all);
}
