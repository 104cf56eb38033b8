/* What is in a checkpoint: an HDF5 file with
 *
 *   "flow", and "scalar" where there is one: the populations of all cells in natural arrangement (those that
 *       arrive before the step to be taken next), as deviations from the lattice's weights, [q][nz][ny][nx],
 *       in the precision in which they are kept (16-bit ones as unsigned integers, see halves.h of the
 *       kernels); zeros in solid cells. In chunks of all directions of a brick of cells. Where moments are
 * kept they are "moments" instead of "flow", with the words of a cell (kept_moments.h) for q: of mixed ones
 *       the last are pairs of 16 bits and no numbers.
 *   "flow checksums", "scalar checksums": one XXH64 of each chunk's bytes, [chunks z][y][x]
 *   "averages NAME" of each output of averages that has begun: its sums over time, [11][nz][ny][nx], of
 * density, velocity, scalar and products of velocity components (output_averages.c), NaN in solid cells; with
 *       "averages NAME samples", how many samples are in them, and "averages NAME checksums", the XXH64 of
 * each sum's bytes and of the number of samples. "about": a JSON text: what the file is of, and what a run
 * has added up. Its XXH64 is its attribute "checksum".
 *
 * The file's own structures have checksums of the library's. Nothing in it depends on blocks, ranks or
 * devices but the size of the chunks, and reading does not ask for that. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_CHECKPOINT_FORMAT_H
#define WEIR_SRC_OUTPUT_FORMATS_CHECKPOINT_FORMAT_H

#include "src/case/case.h"
#include "src/common/output_files.h"

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_CHECKPOINT_ABOUT "about"
#define WEIR_CHECKPOINT_CHECKSUM "checksum"
#define WEIR_CHECKPOINT_CHECKSUMS "%s checksums"
#define WEIR_CHECKPOINT_AVERAGES "averages %s"
#define WEIR_CHECKPOINT_AVERAGES_SAMPLES "averages %s samples"
#define WEIR_CHECKPOINT_AVERAGES_CHECKSUMS "averages %s checksums"

/* Of the format; goes up when a reader of the one before would misunderstand a file. */
enum { WEIR_CHECKPOINT_VERSION = 1 };

/* One set of populations. */
struct weir_checkpoint_set {
    const char *name;
    int populations;
    size_t value_size;
    size_t cell_bytes_before; /* of a cell, of the sets before this one */
};

enum { WEIR_CHECKPOINT_SETS = 4 };

/* Lists the sets that a checkpoint of the problem has. Returns how many there are. */
int weir_checkpoint_sets(const struct weir_problem *problem,
                         struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS]);

/* Type of a set's values in the file. */
hid_t weir_checkpoint_type(const struct weir_checkpoint_set *set);

/* Number of chunks along an axis. */
static inline int weir_checkpoint_chunks(int cells, int chunk) {
    return (cells + chunk - 1) / chunk;
}

/* Bytes of the largest chunk of the case's sets, with chunks of these cells. */
size_t weir_checkpoint_chunk_bytes(const struct weir_case *c, const int chunk[3]);

/* Chunks of so many bytes begin at multiples of WEIR_DIRECT_ALIGNMENT. */
#define WEIR_CHECKPOINT_LARGE_CHUNK (1 << 20)

/* The next multiple of it. */
static inline size_t weir_checkpoint_aligned(size_t bytes) {
    return (bytes + WEIR_DIRECT_ALIGNMENT - 1) / WEIR_DIRECT_ALIGNMENT * WEIR_DIRECT_ALIGNMENT;
}

/* Bytes of memory that chunks on their way to the disk may take, where more than a few wait. */
size_t weir_checkpoint_room(const struct weir_case *c);

/* Bytes of a file of the case with chunks of these cells, at most. */
double weir_checkpoint_bytes(const struct weir_case *c, const int chunk[3]);

#endif
