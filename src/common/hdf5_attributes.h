/* Attributes of HDF5 objects. To be called under weir_hdf5_lock; where ranks share a file, by all of them
 * with the same values. */
#ifndef WEIR_SRC_COMMON_HDF5_ATTRIBUTES_H
#define WEIR_SRC_COMMON_HDF5_ATTRIBUTES_H

#include <hdf5.h>
#include <stdbool.h>

/* A number (count 1: a scalar), or a list of them. False: the library could not. */
bool weir_hdf5_attribute(hid_t object, const char *name, hid_t type, hsize_t count, const void *value);

/* A text of variable length, which h5py hands out as a str; one of fixed length would be bytes there. */
bool weir_hdf5_text_attribute(hid_t object, const char *name, const char *text);

#endif
