#include "codelets/kernels/demand/work_folder.h"

#include "codelets/kernels/demand/texts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "weir-kernels-";

const char *weir_temporary_folder(void) {
    const char *const named = getenv("TMPDIR");
    return named && *named == '/' && strlen(named) < PATH_MAX / 4 ? named : "/tmp";
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *place) {
    (void)s, (void)type, (void)place;
    return remove(path);
}

static void remove_tree(const char *path) {
    enum { DESCRIPTORS = 8 };
    nftw(path, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

/* The lock of a folder, -1: another process has it, or it cannot be had. */
static int lock_of(const char *folder, int flags) {
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/lock", folder);
    const int lock = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

/* Folders without a lock are those of processes that ended while they worked there. */
static void remove_left(void) {
    DIR *const list = opendir(weir_temporary_folder());
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        char path[PATH_MAX];
        struct stat s;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", weir_temporary_folder(), entry->d_name);
        if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != geteuid())
            continue;
        const int lock = lock_of(path, 0);
        if (lock < 0)
            continue;
        remove_tree(path);
        close(lock);
    }
    closedir(list);
}

/* Makes a folder and takes its lock. Who looks for what others have left may have the lock before its owner,
 * and removes the folder: false then. True with errno and no lock: it cannot be made. */
static bool make_folder(struct weir_work_folder *work) {
    struct stat s;
    snprintf(work->path, sizeof work->path, "%s/%sXXXXXX", weir_temporary_folder(), prefix);
    work->lock = -1;
    if (!mkdtemp(work->path))
        return true;
    work->lock = lock_of(work->path, O_CREAT);
    const int error = work->lock < 0 ? errno : EWOULDBLOCK;
    if (work->lock >= 0 && fstat(work->lock, &s) == 0 && s.st_nlink > 0)
        return true;
    weir_work_folder_remove(work);
    work->lock = -1;
    errno = error;
    return error != EWOULDBLOCK && error != ENOENT;
}

int weir_work_folder_create(struct weir_work_folder *work) {
    enum { ATTEMPTS = 100 };
    remove_left();
    for (int k = 0; k < ATTEMPTS && !make_folder(work); k++)
        ;
    if (work->lock < 0)
        return -1;
    if (weir_texts_write(work->path) == 0)
        return 0;
    const int error = errno;
    weir_work_folder_remove(work);
    errno = error;
    return -1;
}

void weir_work_folder_remove(struct weir_work_folder *work) {
    remove_tree(work->path);
    if (work->lock >= 0)
        close(work->lock);
}
