/* A temporary file without a name, into which values are unpacked that are compressed in their own file. It
 * goes when it is closed, however the program ends. */
#ifndef WEIR_SRC_GEOMETRY_UNPACKED_FILE_H
#define WEIR_SRC_GEOMETRY_UNPACKED_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Makes one, in $TMPDIR or /tmp. *descriptor is the caller's. Error: -WEIR_FAILED. */
int weir_unpacked_file_create(int *descriptor);

/* Appends bytes as they are. Error: -WEIR_FAILED where there is no room. */
int weir_unpacked_file_append(int descriptor, const uint8_t *bytes, size_t count);

/* Appends what zlib or gzip packed into these bytes, up to *left bytes, which it takes off *left: a small
 * file may unpack to more than a disk has. Error: -WEIR_USAGE where they are damaged, with the name of the
 * file that they are from; -WEIR_FAILED. */
int weir_unpacked_file_inflate(int descriptor, const char *path, const uint8_t *bytes, size_t count,
                               size_t *left);

#endif
