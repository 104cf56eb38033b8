/* Damages HDF5 files that are whole: what is in them is another, they stay files that the library can read.
 * The library's own reading of files that are not is not ours to mend; checkpoints of which any
 * bytes are changed are in tests/system/test_restart.py. */
#ifndef WEIR_TESTS_HDF5_EDITS_H
#define WEIR_TESTS_HDF5_EDITS_H

#include "tests/fuzz/fuzz.h"

/* Changes datasets of a file as the bytes say, up to their end: values, types, shapes, or whether they are
 * there; and numbers in attributes of `holder`, a dataset, or "/". Both lists end with NULL. */
void fuzz_edit_hdf5(const char *path, const char *const *datasets, const char *holder,
                    const char *const *attributes, struct fuzz_bytes *bytes);

#endif
