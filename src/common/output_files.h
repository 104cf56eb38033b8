/* Files that are either complete or not there: a file is written under a temporary name beside its own
 * (".weir.part") and renamed when it is on the disk. So a symbolic link is replaced, and what it leads to
 * stays as it is. Also where output files are called and how their errors are told. What is in a file is not
 * known here. */
#ifndef WEIR_SRC_COMMON_OUTPUT_FILES_H
#define WEIR_SRC_COMMON_OUTPUT_FILES_H

#include <stdint.h>
#include <stdio.h>

#define WEIR_PART_SUFFIX ".weir.part"

struct weir_output_file;

/* Builds DIRECTORY/NAME_000005000SUFFIX, or DIRECTORY/NAMESUFFIX when step is negative. *path is the
 * caller's, to be freed. Error: -WEIR_FAILED (no memory). */
int weir_output_path(const char *directory, const char *name, int64_t step, const char *suffix, char **path);

/* Makes a folder and those above it where they are missing. Error: -WEIR_FAILED with the folder, the reason
 * and a way out. */
int weir_output_folder_create(const char *path);

/* Opens PATH.weir.part, empty, for writing, in place of one that a killed process has left; what may stand at
 * PATH stays until weir_output_file_finish. *file is the caller's, to be finished or discarded. Errors:
 * -WEIR_FAILED with path, reason and a way out, also where PATH is a device, pipe or folder, or where another
 * thing than a file has the temporary name. */
int weir_output_file_create(const char *path, struct weir_output_file **file);

/* The same for what is written to the stream only, from front to end, into a file that the user has named:
 * where PATH is a pipe, a device or one of this process's descriptors (/dev/stdout, /dev/fd/N), it goes there
 * directly. */
int weir_output_file_create_anywhere(const char *path, struct weir_output_file **file);

/* Opens the PATH.weir.part that another process has created with weir_output_file_create, to write to it
 * together with that one, which finishes or discards it. *file is the caller's, to be left or discarded.
 * Errors: -WEIR_FAILED with path, reason and a way out. */
int weir_output_file_join(const char *path, struct weir_output_file **file);

/* Brings the file, joined, to the disk and releases `file`. Error: -WEIR_FAILED with path, reason and a way
 * out. */
int weir_output_file_leave(struct weir_output_file *file);

/* The final path, for messages; belongs to the file. */
const char *weir_output_file_path(const struct weir_output_file *file);

/* The temporary path, for libraries that open files themselves; belongs to the file. Not of one that was
 * created anywhere. */
const char *weir_output_file_part(const struct weir_output_file *file);

/* The stream to write to; errors of writing to it are found and told by weir_output_file_finish. Belongs to
 * the file. */
FILE *weir_output_file_stream(struct weir_output_file *file);

/* Takes `bytes` of disk for the file now, so that a full disk or a limit on file sizes is told before work
 * goes into the file. Does nothing where the file system cannot. Error: -WEIR_FAILED with path, size, reason
 * and a way out. */
int weir_output_file_reserve(struct weir_output_file *file, uint64_t bytes);

/* Gives back what was reserved beyond `bytes`, the file's length. Error: -WEIR_FAILED with path, reason and a
 * way out. */
int weir_output_file_trim(struct weir_output_file *file, uint64_t bytes);

/* Writes `size` bytes to a place in the file: past the system's cache, whose copies would take a processor's
 * time from steps, where the file system can do that; and what is left of them behind the last multiple of
 * WEIR_DIRECT_ALIGNMENT through it. Where it cannot, all goes through it, and the disk begins with it.
 * offset and values: multiples of that. Error: -WEIR_FAILED with path,
 * reason and a way out. */
#define WEIR_DIRECT_ALIGNMENT 4096
int weir_output_file_write_at(struct weir_output_file *file, uint64_t offset, const void *values,
                              size_t size);

/* Has the disk begin with what has been written so far, so that weir_output_file_finish waits for less of it.
 * What fails is told by that one. */
void weir_output_file_hasten(struct weir_output_file *file);

/* Brings the file to the disk, gives it its name and releases `file`; after a failure neither name nor
 * temporary file is left of this one, and what stood at the name before still does. Error: -WEIR_FAILED with
 * path, reason and a way out. */
int weir_output_file_finish(struct weir_output_file *file);

/* Deletes the temporary file and releases `file`; NULL is allowed. */
void weir_output_file_discard(struct weir_output_file *file);

/* Whether a file can be written there, before long work ends in it; leaves what is there. Errors as
 * weir_output_file_create's. */
int weir_output_file_try(const char *path);

/* The same for weir_output_file_create_anywhere. */
int weir_output_file_try_anywhere(const char *path);

/* Fails with -WEIR_FAILED and "cannot ACTION 'PATH': REASON: WAY OUT". reason: an errno. */
int weir_output_error(const char *action, const char *path, int reason);

#endif
