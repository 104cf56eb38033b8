/* Compiled kernels as files. A file is the object itself (a shared object or a cubin, whose readers do not
 * mind what follows), some lines that say what it is, and a checksum over both and its name, so that a
 * truncated, changed or renamed one is not taken for what it is not. Only files are read that nobody but this
 * user, or whom the folder is trusted to, can have written. */
#ifndef WEIR_KERNELS_KEPT_FILE_H
#define WEIR_KERNELS_KEPT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEIR_REASON_SIZE = PATH_MAX + 256, WEIR_FOLDER_SIZE = PATH_MAX - 512 };

/* A folder, held open: what is checked is what is read. */
struct weir_kernel_folder {
    char path[WEIR_FOLDER_SIZE];
    int descriptor;                /* -1: not usable */
    bool installed;                /* with the program: may belong to root, or to the program's owner, too */
    char reason[WEIR_REASON_SIZE]; /* why it is not usable; "" where it is merely not there */
};

/* Opens a folder; create: makes it, and those above it, where it is not there. */
void weir_kernel_folder_open(struct weir_kernel_folder *folder, const char *path, bool installed,
                             bool create);
void weir_kernel_folder_close(struct weir_kernel_folder *folder);

struct weir_kept_file {
    char path[PATH_MAX]; /* by which it can be opened as long as the folder is */
    unsigned char *data; /* the whole file; free it */
    size_t size;         /* of the object at its beginning */
    const char *about;   /* the lines about it, within data */
};

/* Reads file `name` (without folder), whose checksum is over `id`. 1: there it is; 0: no such file, or none
 * to be trusted or whole. */
int weir_kept_file_read(const struct weir_kernel_folder *folder, const char *name, const char *id,
                        struct weir_kept_file *file);
void weir_kept_file_release(struct weir_kept_file *file);

/* Writes a file beside its place and renames it. 0, or -1 with errno. */
int weir_kept_file_write(const struct weir_kernel_folder *folder, const char *name, const char *id,
                         const void *object, size_t size, const char *about);

/* Removes what writers that were ended have left for an hour or more. */
void weir_kernel_folder_sweep(const struct weir_kernel_folder *folder);

/* Removes those files with this ending that are older than the `most` newest. Other processes may do the same
 * meanwhile, and may be reading: what they have opened stays theirs. */
void weir_kernel_folder_bound(const struct weir_kernel_folder *folder, const char *ending, int most);

/* Waits until no other process holds the lock of this name; -1: it cannot be had, and does not matter then.
 * wait false: -2 at once where another holds it. */
int weir_kernel_lock(const struct weir_kernel_folder *folder, const char *id, bool wait);
void weir_kernel_unlock(const struct weir_kernel_folder *folder, const char *id, int lock);

#endif
