/* Chunks of HDF5 datasets, compressed without loss as the library's filters shuffle and deflate do it, but
 * outside its lock: whoever reads the file needs nothing but HDF5. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_PACKED_CHUNK_H
#define WEIR_SRC_OUTPUT_FORMATS_PACKED_CHUNK_H

#include "src/case/case.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* Tells a dataset that its chunks are compressed. Their space can then not be taken beforehand. */
bool weir_packed_chunks(hid_t creation);

/* Writes a chunk of `size` bytes, numbers of value_size each, of a dataset made so (`compressed`) or not.
 * Takes HDF5's lock. False: the library could not, or there is no memory. */
bool weir_chunk_write(hid_t dataset, const hsize_t place[], const void *values, size_t size,
                      size_t value_size, bool compressed);

/* Where in the file the numbers of a chunk are that is not compressed and whose space has been taken. Takes
 * HDF5's lock. False: the library could not tell. */
bool weir_chunk_address(hid_t dataset, const hsize_t place[], uint64_t *address);

/* Reads a chunk that was written so. Takes HDF5's lock. False: it is damaged, or of another size. */
bool weir_chunk_read(hid_t dataset, const hsize_t place[], void *values, size_t size, size_t value_size,
                     bool compressed);

/* For a run on several ranks that write together, in which `key` of the case asks for compression:
 * -WEIR_USAGE. */
int weir_chunk_refuse_together(const struct weir_case *c, const char *key);

#endif
