/* What tests of outputs share: a folder to write into, a case, and a flow that is fed to a sink box by box.
 */
#ifndef WEIR_TESTS_OUTPUT_FIXTURE_H
#define WEIR_TESTS_OUTPUT_FIXTURE_H

#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/writer.h"

#include <stdbool.h>
#include <stddef.h>

/* Setup and teardown of a cmocka test: its state is the name of a new folder, which goes with everything in
 * it. */
int make_folder(void **state);
int remove_folder(void **state);

/* Joins folder and name; valid until the next call but three. */
const char *in_folder(const char *folder, const char *name);

/* Number of files in the folder. */
int count_files(const char *folder);

/* The contents of a text file, to be freed. */
char *read_text(const char *path);

/* Makes `folder` a file system of its own that holds `bytes`, for this process; false where that is not
 * allowed here. */
bool mount_small(const char *folder, size_t bytes);

/* No file of this process may grow beyond `bytes`; SIZE_MAX lifts that again. Going beyond fails with EFBIG.
 */
void limit_file_size(size_t bytes);

/* A case called "fixture" of nx * ny * nz cells in lattice units, D2Q9 where nz is 1. With `solids` it has a
 * sphere, of the cells whose place solid_at says. */
void fill_case(struct weir_case *c, int nx, int ny, int nz, bool solids);
bool solid_at(const struct weir_case *c, int x, int y, int z);

/* An output "fields" of all its cells. */
struct weir_output fields_output(const struct weir_case *c, unsigned quantities);

/* The linear flow that is fed, at the centre of a cell. */
double density_at(int x, int y, int z);
double velocity_at(int axis, int x, int y, int z);

/* Feeds the flow of all cells of the sink's region, in boxes of up to `edge` cells per axis from the domain's
 * corner, in an order that is none. Returns the first error of put, or 0. */
int feed(const struct weir_sink *sink, const struct weir_case *c, int edge);

/* A writer for the outputs of a test, which may not go on after an error. */
struct weir_writer *start_writer(void);

/* begin, feed, finish, and what the sink's writer does then; the first error or 0. */
int observe(struct weir_writer *writer, const struct weir_sink *sink, const struct weir_case *c, int64_t step,
            int edge, bool sound);

#endif
