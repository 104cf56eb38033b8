/* A folder of this process alone, in $TMPDIR, in which a compiler works. */
#ifndef WEIR_KERNELS_WORK_FOLDER_H
#define WEIR_KERNELS_WORK_FOLDER_H

#include <limits.h>

struct weir_work_folder {
    char path[PATH_MAX / 2];
    int lock; /* held as long as the folder is in use */
};

/* Where temporary files go: $TMPDIR, or /tmp where it names no folder by its whole path. */
const char *weir_temporary_folder(void);

/* Makes one that holds the kernel texts, and removes those that ended processes have left. 0, or -1 with
 * errno. */
int weir_work_folder_create(struct weir_work_folder *work);
void weir_work_folder_remove(struct weir_work_folder *work);

#endif
