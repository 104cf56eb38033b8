/* VTK's file format for images (VTK User's Guide, "XML File Formats"). A tag is looked for from where the one
 * before ended, and never beyond where appended values, which may hold any bytes, begin. */
#include "src/geometry/volume_vti.h"

#include "graph/base/error.h"
#include "src/geometry/unpacked_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORD = 128 };

struct vti {
    const char *path;
    const char *begin, *header_end, *end; /* header_end: of the XML before appended values */
    const char *appended;                 /* the first byte of appended values, NULL: there are none */
    bool appended_raw, wide, swapped, zlib;
    int unpacked; /* descriptor, -1: not yet */
};

/* A tag: from '<' to behind '>'. */
struct tag {
    const char *begin, *end;
};

static int fail(const struct vti *vti, const char *problem, const char *mend) {
    return weir_fail(WEIR_USAGE, "'%s' %s; %s", vti->path, problem, mend);
}

static const char *find_text(const char *from, const char *end, const char *text) {
    return from < end ? memmem(from, (size_t)(end - from), text, strlen(text)) : NULL;
}

/* The next tag of this name ("<DataArray"). */
static bool find_tag(const char *from, const char *end, const char *name, struct tag *tag) {
    const size_t length = strlen(name);
    for (const char *at = from; (at = find_text(at, end, name)) != NULL; at += length) {
        const char after = at + length < end ? at[length] : '\0';
        const char *close = find_text(at, end, ">");
        if (!close || !strchr(" \t\r\n/>", after))
            continue;
        *tag = (struct tag){at, close + 1};
        return true;
    }
    return false;
}

/* The value of an attribute, "" where there is none. */
static void attribute(const struct tag *tag, const char *name, char value[WORD]) {
    char quote[] = "\"";
    value[0] = '\0';
    for (const char *at = tag->begin; (at = find_text(at, tag->end, name)) != NULL; at++) {
        const char *equals = at + strlen(name);
        if (!strchr(" \t\r\n", at[-1]) || equals + 1 >= tag->end || *equals != '=' ||
            !strchr("\"'", equals[1]))
            continue;
        quote[0] = equals[1];
        const char *close = find_text(equals + 2, tag->end, quote);
        const size_t length = close ? (size_t)(close - equals - 2) : 0;
        if (length < WORD) {
            memcpy(value, equals + 2, length);
            value[length] = '\0';
        }
        return;
    }
}

static bool is_attribute(const struct tag *tag, const char *name, const char *wanted) {
    char value[WORD];
    attribute(tag, name, value);
    return strcmp(value, wanted) == 0;
}

/* Versions, byte order, compression, and where appended values are. */
static int read_file_tag(struct vti *vti) {
    char text[WORD];
    struct tag file, appended;
    if (!find_tag(vti->begin, vti->end, "<VTKFile", &file) || !is_attribute(&file, "type", "ImageData"))
        return fail(vti, "is no image of VTK", "write it as ImageData (.vti)");
    attribute(&file, "compressor", text);
    vti->zlib = strcmp(text, "vtkZLibDataCompressor") == 0;
    if (text[0] != '\0' && !vti->zlib)
        return weir_fail(WEIR_USAGE, "'%s' is compressed by %s; write it with zlib, or not compressed",
                         vti->path, text);
    vti->swapped = is_attribute(&file, "byte_order", "BigEndian");
    vti->wide = is_attribute(&file, "header_type", "UInt64");
    vti->header_end = vti->end;
    if (!find_tag(file.end, vti->end, "<AppendedData", &appended))
        return 0;
    vti->header_end = appended.begin;
    vti->appended_raw = is_attribute(&appended, "encoding", "raw");
    const char *start = memchr(appended.end, '_', (size_t)(vti->end - appended.end));
    if (!start)
        return fail(vti, "is cut off", "write it again");
    vti->appended = start + 1;
    return 0;
}

/* Which array, and voxels along each axis of it. */
static int find_array(const struct vti *vti, const char *wanted, struct weir_voxel_layout *layout,
                      struct tag *found) {
    static const struct {
        const char *name;
        enum weir_voxel_type type;
    } types[] = {{"UInt8", WEIR_VOXEL_UINT8},
                 {"Int8", WEIR_VOXEL_INT8},
                 {"UInt16", WEIR_VOXEL_UINT16},
                 {"Int16", WEIR_VOXEL_INT16}};
    char text[WORD], names[300] = "";
    struct tag image, piece, points = {NULL, NULL}, array;
    int extent[6];
    if (!find_tag(vti->begin, vti->header_end, "<ImageData", &image) ||
        !find_tag(image.end, vti->header_end, "<Piece", &piece))
        return fail(vti, "is no image of VTK", "write it as ImageData (.vti)");
    attribute(&piece, "Extent", text);
    if (sscanf(text, "%d %d %d %d %d %d", extent, extent + 1, extent + 2, extent + 3, extent + 4,
               extent + 5) != 6)
        return fail(vti, "has a piece without an extent", "write it again");
    attribute(&image, "Spacing", text);
    if (sscanf(text, "%lf %lf %lf", &layout->spacing[0], &layout->spacing[1], &layout->spacing[2]) != 3)
        memset(layout->spacing, 0, sizeof layout->spacing);
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(layout->spacing[axis]) || layout->spacing[axis] < 0)
            layout->spacing[axis] = 0;
    struct tag another;
    if (find_tag(piece.end, vti->header_end, "<Piece", &another))
        return fail(vti, "is in several pieces", "write it as one");
    (void)find_tag(piece.end, vti->header_end, "<PointData", &points);
    const char *points_end = points.end ? find_text(points.end, vti->header_end, "</PointData") : NULL;
    for (const char *from = piece.end; find_tag(from, vti->header_end, "<DataArray", &array);
         from = array.end) {
        char name[WORD], components[WORD];
        const int of_points =
            points.end && array.begin > points.end && (!points_end || array.begin < points_end);
        attribute(&array, "Name", name);
        attribute(&array, "NumberOfComponents", components);
        if (wanted && strcmp(name, wanted) != 0) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s\"%s\"", used > 0 ? ", " : "", name);
            continue;
        }
        attribute(&array, "type", text);
        size_t type = 0;
        while (type < sizeof types / sizeof *types && strcmp(types[type].name, text) != 0)
            type++;
        if (type == sizeof types / sizeof *types || (components[0] && strcmp(components, "1") != 0)) {
            if (!wanted)
                continue;
            return weir_fail(
                WEIR_USAGE,
                "'%s': its array \"%s\" has values %s of type %s; give labels or grey values of 8 or "
                "16 bits: Int8, UInt8, Int16 or UInt16",
                vti->path, name, components[0] ? components : "1", text);
        }
        layout->type = types[type].type;
        for (int axis = 0; axis < 3; axis++) {
            const long long cells = (long long)extent[2 * axis + 1] - extent[2 * axis] + of_points;
            layout->cells[axis] = (int)(axis == 2 && cells == 0 ? 1 : cells); /* flat: one layer */
            if (layout->cells[axis] < 1 || cells > INT_MAX)
                return fail(vti, "has an image without voxels", "give one of two or three axes");
        }
        *found = array;
        return 0;
    }
    if (wanted)
        return weir_fail(WEIR_USAGE, "'%s' has no array \"%s\"; its arrays are %s", vti->path, wanted,
                         names[0] ? names : "none");
    return fail(vti, "has no array of whole numbers of 8 or 16 bits",
                "write labels or grey values as Int8, UInt8, Int16 or UInt16");
}

/* A number before values. */
static uint64_t header_number(const struct vti *vti, const uint8_t *bytes) {
    const int size = vti->wide ? 8 : 4;
    uint64_t number = 0;
    for (int k = 0; k < size; k++)
        number = number << 8 | bytes[vti->swapped ? k : size - 1 - k];
    return number;
}

static int fail_size(const struct vti *vti, size_t wanted) {
    return weir_fail(WEIR_USAGE, "'%s' is damaged or cut off: its array is not of %zu bytes; write it again",
                     vti->path, wanted);
}

/* Values behind their header, which is as in struct vti: from bytes[count] into the temporary file, up to
 * `wanted` bytes. */
static int unpack_compressed(const struct vti *vti, const uint8_t *head, const uint8_t *bytes, size_t count,
                             size_t wanted) {
    const size_t size = vti->wide ? 8 : 4;
    const uint64_t blocks = header_number(vti, head);
    for (uint64_t k = 0; k < blocks; k++) {
        const uint64_t packed = header_number(vti, head + (3 + k) * size);
        if (packed > count)
            return fail(vti, "is damaged or cut off", "write it again");
        WEIR_TRY(weir_unpacked_file_inflate(vti->unpacked, vti->path, bytes, (size_t)packed, &wanted));
        bytes += packed;
        count -= (size_t)packed;
    }
    return 0;
}

/* Bytes of the header of compressed values, which begins with how many blocks there are; 0: too many. */
static size_t compressed_header(const struct vti *vti, const uint8_t *head) {
    const uint64_t blocks = header_number(vti, head);
    return blocks > UINT32_MAX ? 0 : (3 + (size_t)blocks) * (vti->wide ? 8u : 4u);
}

/* ---- base64 ------------------------------------------------------------------------------------------ */

/* The six bits of a letter; -1: it is none. */
static int sextet(char letter) {
    return letter >= 'A' && letter <= 'Z'   ? letter - 'A'
           : letter >= 'a' && letter <= 'z' ? letter - 'a' + 26
           : letter >= '0' && letter <= '9' ? letter - '0' + 52
           : letter == '+'                  ? 62
           : letter == '/'                  ? 63
                                            : -1;
}

/* Decodes from *text on, up to `most` bytes, and to the end of the group of letters that has the last of
 * them; returns how many there were. *text: behind that. */
static size_t decode(const char **text, const char *end, uint8_t *bytes, size_t most) {
    size_t count = 0;
    while (count < most) {
        uint32_t group = 0;
        int letters = 0, padding = 0;
        for (; *text < end && letters + padding < 4; ++*text) {
            const int value = sextet(**text);
            if (value >= 0)
                group = group << 6 | (uint32_t)value;
            letters += value >= 0;
            padding += **text == '=';
            if (value < 0 && !strchr("= \t\r\n", **text)) /* the tag behind, or what is no base64 */
                return count;
        }
        if (letters < 2)
            return count;
        group <<= 6 * (4 - letters);
        for (int k = 0; k < letters - 1 && count < most; k++)
            bytes[count++] = (uint8_t)(group >> (16 - 8 * k));
    }
    return count;
}

/* Base64 has the header of compressed values by itself, and that of others before them in one piece. */
static int unpack_base64(const struct vti *vti, const char *text, const char *end, size_t wanted) {
    const size_t size = vti->wide ? 8 : 4, room = wanted + size;
    uint8_t first[8];
    const char *at = text;
    if (!vti->zlib && wanted > (size_t)(end - text))
        return fail_size(vti, wanted);
    if (!vti->zlib) {
        uint8_t *bytes = malloc(room);
        int error = bytes ? 0 : weir_fail(WEIR_FAILED, "no memory left for '%s'", vti->path);
        if (error == 0 && (decode(&at, end, bytes, room) != room || header_number(vti, bytes) != wanted))
            error = fail_size(vti, wanted);
        if (error == 0)
            error = weir_unpacked_file_append(vti->unpacked, bytes + size, wanted);
        free(bytes);
        return error;
    }
    const size_t head_bytes = decode(&at, end, first, size) == size ? compressed_header(vti, first) : 0;
    if (head_bytes == 0 || head_bytes > (size_t)(end - text))
        return fail_size(vti, wanted);
    uint8_t *head = malloc(head_bytes), *bytes = NULL;
    size_t most = 0;
    int error = head ? 0 : weir_fail(WEIR_FAILED, "no memory left for '%s'", vti->path);
    at = text;
    if (error == 0 && decode(&at, end, head, head_bytes) != head_bytes)
        error = fail_size(vti, wanted);
    for (size_t place = 3 * size; error == 0 && place < head_bytes; place += size)
        most += (size_t)header_number(vti, head + place);
    if (error == 0 && most > (size_t)(end - at))
        error = fail_size(vti, wanted);
    if (error == 0 && !(bytes = malloc(most + 1)))
        error = weir_fail(WEIR_FAILED, "no memory left for '%s'", vti->path);
    if (error == 0)
        error = unpack_compressed(vti, head, bytes, decode(&at, end, bytes, most), wanted);
    free(head);
    free(bytes);
    return error;
}

/* ---- the others -------------------------------------------------------------------------------------- */

static int unpack_words(const struct vti *vti, const char *text, const char *end,
                        const struct weir_voxel_layout *layout) {
    const size_t count = weir_volume_bytes(layout) / weir_voxel_size(layout->type);
    end = find_text(text, end, "<"); /* at which strtol stops in any case */
    if (!end || count > (size_t)(end - text))
        return fail_size(vti, weir_volume_bytes(layout));
    uint8_t *bytes = malloc(2 * count);
    int error = bytes ? 0 : weir_fail(WEIR_FAILED, "no memory left for '%s'", vti->path);
    for (size_t k = 0; k < count && error == 0; k++) {
        char *behind;
        const long value = text < end ? strtol(text, &behind, 10) : 0;
        if (text >= end || behind == text || behind > end)
            error = fail_size(vti, weir_volume_bytes(layout));
        else if (weir_voxel_size(layout->type) == 1)
            bytes[k] = (uint8_t)value;
        else {
            bytes[2 * k + layout->big_endian] = (uint8_t)value;
            bytes[2 * k + !layout->big_endian] = (uint8_t)(value >> 8);
        }
        text = error == 0 ? behind : text;
    }
    if (error == 0)
        error = weir_unpacked_file_append(vti->unpacked, bytes, weir_volume_bytes(layout));
    free(bytes);
    return error;
}

/* Appended raw values; those that are not compressed stay where they are. */
static int take_raw(struct vti *vti, const uint8_t *at, struct weir_voxel_layout *layout) {
    const size_t size = vti->wide ? 8 : 4, there = (size_t)((const uint8_t *)vti->end - at),
                 wanted = weir_volume_bytes(layout);
    if (there < size)
        return fail_size(vti, wanted);
    if (!vti->zlib) {
        layout->offset = (size_t)(at - (const uint8_t *)vti->begin) + size;
        return header_number(vti, at) == wanted ? 0 : fail_size(vti, wanted);
    }
    const size_t head = compressed_header(vti, at);
    if (head == 0 || head > there)
        return fail_size(vti, wanted);
    WEIR_TRY(weir_unpacked_file_create(&vti->unpacked));
    return unpack_compressed(vti, at, at + head, there - head, wanted);
}

static int take_values(struct vti *vti, const struct tag *array, struct weir_voxel_layout *layout) {
    char format[WORD], offset[WORD];
    attribute(array, "format", format);
    attribute(array, "offset", offset);
    const char *from = array->end, *end = vti->header_end;
    if (strcmp(format, "appended") == 0) {
        const unsigned long long skip = strtoull(offset, NULL, 10);
        if (!vti->appended || skip >= (unsigned long long)(vti->end - vti->appended))
            return fail_size(vti, weir_volume_bytes(layout));
        from = vti->appended + skip;
        end = vti->end;
        if (vti->appended_raw)
            return take_raw(vti, (const uint8_t *)from, layout);
    }
    WEIR_TRY(weir_unpacked_file_create(&vti->unpacked));
    return strcmp(format, "ascii") == 0 ? unpack_words(vti, from, end, layout)
                                        : unpack_base64(vti, from, end, weir_volume_bytes(layout));
}

static int read_mapped(struct vti *vti, const char *array, struct weir_voxel_layout *layout) {
    struct tag found;
    *layout = (struct weir_voxel_layout){.cells = {0}};
    WEIR_TRY(read_file_tag(vti));
    WEIR_TRY(find_array(vti, array, layout, &found));
    layout->big_endian = vti->swapped;
    return take_values(vti, &found, layout);
}

int weir_volume_read_vti(const char *path, const char *array, int *descriptor,
                         struct weir_voxel_layout *layout) {
    struct stat status;
    if (fstat(*descriptor, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return weir_fail(WEIR_USAGE, "'%s' is empty, a folder or a device; give a file", path);
    const size_t size = (size_t)status.st_size;
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, *descriptor, 0);
    if (text == MAP_FAILED)
        return weir_fail(WEIR_FAILED, "cannot map '%s' into memory: %s", path, strerror(errno));
    struct vti vti = {.path = path, .begin = text, .end = text + size, .unpacked = -1};
    const int error = read_mapped(&vti, array, layout);
    munmap(text, size);
    if (vti.unpacked >= 0) {
        close(*descriptor);
        *descriptor = vti.unpacked;
    }
    return error;
}
