#include "src/geometry/volume_headers.h"

#include "graph/base/error.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_MOST = 65536 };

static const char *const values_wanted =
    "give labels or grey values of 8 or 16 bits: uint8, int8, uint16 or int16";

/* A file's first bytes as text. */
static int read_beginning(const char *path, int descriptor, char text[HEADER_MOST + 1], size_t *length) {
    ssize_t count = pread(descriptor, text, HEADER_MOST, 0);
    if (count < 0)
        return weir_fail(WEIR_USAGE, "cannot read '%s'", path);
    text[count] = '\0';
    *length = (size_t)count;
    return 0;
}

/* Lengths of axes, of which the last of two in a file is 1 cell. 0: they are not right. */
static int set_cells(struct weir_voxel_layout *layout, const long long sizes[3], int count) {
    if (count < 2 || count > 3)
        return 0;
    layout->cells[2] = 1;
    for (int axis = 0; axis < count; axis++) {
        if (sizes[axis] < 1 || sizes[axis] > INT_MAX)
            return 0;
        layout->cells[axis] = (int)sizes[axis];
    }
    return 1;
}

static int fail_npy(const char *path, const char *problem, const char *mend) {
    return weir_fail(WEIR_USAGE, "'%s' %s; %s", path, problem, mend);
}

static bool npy_type(const char *text, struct weir_voxel_layout *layout) {
    static const struct {
        const char *name;
        enum weir_voxel_type type;
    } types[] = {{"u1", WEIR_VOXEL_UINT8},
                 {"b1", WEIR_VOXEL_UINT8},
                 {"i1", WEIR_VOXEL_INT8},
                 {"u2", WEIR_VOXEL_UINT16},
                 {"i2", WEIR_VOXEL_INT16}};
    layout->big_endian = text[0] == '>';
    for (size_t k = 0; text[0] && strchr("<>|", text[0]) && k < sizeof types / sizeof *types; k++)
        if (strncmp(text + 1, types[k].name, 2) == 0 && text[3] == '\'') {
            layout->type = types[k].type;
            return true;
        }
    return false;
}

/* The value that follows a key of the header, which is a Python dictionary as NumPy prints it. */
static const char *npy_value(const char *header, const char *key) {
    const char *at = strstr(header, key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " '") : "";
}

static int npy_shape(const char *text, bool fortran, struct weir_voxel_layout *layout) {
    long long shape[3] = {0}, sizes[3] = {0};
    int count = 0;
    if (*text++ != '(')
        return 0;
    for (char *end; *text && *text != ')'; text = end + strspn(end, ", ")) {
        const long long size = strtoll(text, &end, 10);
        if (end == text || count == 3)
            return 0;
        shape[count++] = size;
    }
    for (int axis = 0; axis < count; axis++)
        sizes[axis] = shape[fortran ? axis : count - 1 - axis];
    return set_cells(layout, sizes, count);
}

int weir_volume_read_npy_header(const char *path, int descriptor, struct weir_voxel_layout *layout) {
    char header[HEADER_MOST + 1];
    size_t length = 0;
    WEIR_TRY(read_beginning(path, descriptor, header, &length));
    const unsigned char *bytes = (const unsigned char *)header;
    const size_t before = length > 6 && bytes[6] > 1 ? 12 : 10; /* magic, version, length */
    if (length < before || memcmp(header, "\x93NUMPY", 6) != 0)
        return fail_npy(path, "is no NPY file", "write it with numpy.save");
    layout->offset = before + bytes[8] + ((size_t)bytes[9] << 8);
    if (layout->offset > length)
        return fail_npy(path, "has a header that is not read", "write it with numpy.save, as a plain array");
    header[layout->offset] = '\0';
    const char *words = header + before;
    if (!npy_type(npy_value(words, "'descr'"), layout))
        return fail_npy(path, "has values of another type",
                        "numpy.save(file, labels.astype(numpy.uint8)) writes right ones");
    if (!npy_shape(npy_value(words, "'shape'"), strncmp(npy_value(words, "'fortran_order'"), "True", 4) == 0,
                   layout))
        return fail_npy(path, "is no array of two or three axes",
                        "save one of shape (nz, ny, nx), or (ny, nx)");
    return 0;
}

static bool nrrd_type(const char *text, enum weir_voxel_type *type) {
    static const char *const names[][6] = {
        [WEIR_VOXEL_UINT8] = {"uchar", "unsigned char", "uint8", "uint8_t"},
        [WEIR_VOXEL_INT8] = {"signed char", "int8", "int8_t"},
        [WEIR_VOXEL_UINT16] = {"ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t"},
        [WEIR_VOXEL_INT16] = {"short", "short int", "signed short", "int16", "int16_t"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t n = 0; n < 6 && names[k][n]; n++)
            if (strcmp(text, names[k][n]) == 0) {
                *type = (enum weir_voxel_type)k;
                return true;
            }
    return false;
}

/* A number at the beginning of a text, 0 where it is no length; *end: behind it. */
static double length_in(const char *text, char **end) {
    const double length = strtod(text, end);
    return *end != text && isfinite(length) && length > 0 ? length : 0;
}

/* "0.5 0.5 1" */
static void read_spacings(const char *text, double spacing[3]) {
    char *end;
    for (int axis = 0; axis < 3; axis++, text = end)
        spacing[axis] = length_in(text, &end);
}

/* "(0.5,0,0) (0,0.5,0) (0,0,1)": a vector from voxel to voxel along each axis. */
static void read_directions(const char *text, double spacing[3]) {
    for (int axis = 0; axis < 3 && (text = strchr(text, '(')) != NULL; axis++) {
        double square = 0;
        for (char *end; *text == '(' || *text == ','; text = end) {
            const double part = strtod(text + 1, &end);
            square += part * part;
        }
        spacing[axis] = isfinite(square) ? sqrt(square) : 0;
    }
}

/* "mm" "mm" "mm": metres of a unit that all axes have, 0 where that is not known. */
static double read_unit(const char *text) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1},     {"cm", 1e-2},     {"mm", 1e-3},       {"um", 1e-6},
                 {"nm", 1e-9}, {"micron", 1e-6}, {"\xc2\xb5m", 1e-6}};
    char names[3][8];
    const int count = sscanf(text, "\"%7[^\"]\" \"%7[^\"]\" \"%7[^\"]\"", names[0], names[1], names[2]);
    for (int k = 1; k < count; k++)
        if (strcmp(names[k], names[0]) != 0)
            return 0;
    for (size_t k = 0; count > 0 && k < sizeof units / sizeof *units; k++)
        if (strcmp(names[0], units[k].name) == 0)
            return units[k].metres;
    return 0;
}

/* The fields of a header that matter here. */
struct nrrd_fields {
    bool typed, sized, raw, packed, elsewhere;
};

static void read_nrrd_field(const char *line, struct weir_voxel_layout *layout, struct nrrd_fields *fields) {
    long long sizes[3];
    const char *colon = strstr(line, ": ");
    if (!colon || line[0] == '#')
        return;
    const size_t name = (size_t)(colon - line);
    const char *value = colon + 2;
#define IS(field) (name == strlen(field) && strncmp(line, field, name) == 0)
    if (IS("type"))
        fields->typed = nrrd_type(value, &layout->type);
    else if (IS("sizes")) {
        char more;
        const int count = sscanf(value, "%lld %lld %lld %c", &sizes[0], &sizes[1], &sizes[2], &more);
        fields->sized = set_cells(layout, sizes, count);
    } else if (IS("encoding")) {
        fields->raw = strcmp(value, "raw") == 0;
        fields->packed = strcmp(value, "gzip") == 0 || strcmp(value, "gz") == 0;
    } else if (IS("endian"))
        layout->big_endian = strcmp(value, "big") == 0;
    else if (IS("spacings"))
        read_spacings(value, layout->spacing);
    else if (IS("space directions"))
        read_directions(value, layout->spacing);
    else if (IS("space units") || IS("units"))
        layout->unit = read_unit(value);
    else if (IS("data file") || IS("datafile") || IS("byte skip") || IS("line skip"))
        fields->elsewhere = true;
#undef IS
}

int weir_volume_read_nrrd_header(const char *path, int descriptor, struct weir_voxel_layout *layout,
                                 bool *packed) {
    char header[HEADER_MOST + 1];
    size_t length = 0;
    struct nrrd_fields fields = {.typed = false};
    WEIR_TRY(read_beginning(path, descriptor, header, &length));
    *layout = (struct weir_voxel_layout){.offset = 0};
    if (length < 8 || memcmp(header, "NRRD000", 7) != 0)
        return weir_fail(WEIR_USAGE, "'%s' is no NRRD file; give a file that begins with NRRD", path);
    for (char *line = header, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        if (line[0] == '\0') { /* the header's end */
            layout->offset = (size_t)(end + 1 - header);
            break;
        }
        read_nrrd_field(line, layout, &fields);
    }
    if (layout->offset == 0 || !fields.sized)
        return weir_fail(WEIR_USAGE, "'%s' has no sizes of two or three axes; write it as one scalar volume",
                         path);
    if (!fields.typed)
        return weir_fail(WEIR_USAGE, "'%s' has values of another type; %s", path, values_wanted);
    if (!(fields.raw || fields.packed) || fields.elsewhere)
        return weir_fail(
            WEIR_USAGE,
            "'%s' is encoded otherwise than raw or gzip, or has its values in another file; write it "
            "with one of these encodings, in one file",
            path);
    *packed = fields.packed;
    return 0;
}
