#include "src/geometry/unpacked_file.h"

#include "codelets/kernels/demand/work_folder.h"
#include "graph/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

int weir_unpacked_file_create(int *descriptor) {
    char path[4096];
    snprintf(path, sizeof path, "%s/weir-voxels-XXXXXX", weir_temporary_folder());
    *descriptor = mkostemp(path, O_CLOEXEC);
    if (*descriptor < 0)
        return weir_fail(WEIR_FAILED,
                         "cannot create '%s', to unpack a volume: %s; name another folder with TMPDIR", path,
                         strerror(errno));
    unlink(path);
    return 0;
}

int weir_unpacked_file_append(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        const ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return weir_fail(WEIR_FAILED,
                             "cannot unpack a volume: %s; make room in the folder for temporary files, or "
                             "name another with "
                             "TMPDIR",
                             strerror(errno));
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* Unpacks until the stream ends, or what is there does, or no more is wanted. */
static int inflate_all(int descriptor, const char *path, z_stream *stream, const uint8_t *bytes, size_t count,
                       size_t *left) {
    enum { PIECE = 1 << 18 };
    uint8_t *piece = malloc(PIECE);
    int error = piece ? 0 : weir_fail(WEIR_FAILED, "no memory left to unpack '%s'", path), state = Z_OK;
    while (error == 0 && state != Z_STREAM_END && *left > 0) {
        if (stream->avail_in == 0) {
            const size_t now = count < UINT_MAX ? count : UINT_MAX;
            stream->next_in = (Bytef *)bytes;
            stream->avail_in = (uInt)now;
            bytes += now;
            count -= now;
        }
        stream->next_out = piece;
        stream->avail_out = PIECE;
        state = inflate(stream, Z_NO_FLUSH);
        if (state != Z_OK && state != Z_STREAM_END)
            error = weir_fail(WEIR_USAGE,
                              "'%s' has compressed values that are damaged or cut off; write it again", path);
        else {
            const size_t there = PIECE - stream->avail_out, wanted = there < *left ? there : *left;
            error = weir_unpacked_file_append(descriptor, piece, wanted);
            *left -= wanted;
        }
    }
    free(piece);
    return error;
}

int weir_unpacked_file_inflate(int descriptor, const char *path, const uint8_t *bytes, size_t count,
                               size_t *left) {
    enum { ZLIB_OR_GZIP = 32 };
    z_stream stream = {.zalloc = Z_NULL};
    if (inflateInit2(&stream, MAX_WBITS + ZLIB_OR_GZIP) != Z_OK)
        return weir_fail(WEIR_FAILED, "no memory left to unpack '%s'", path);
    const int error = inflate_all(descriptor, path, &stream, bytes, count, left);
    inflateEnd(&stream);
    return error;
}
