#include "codelets/kernels/demand/kept_file.h"

#include "codelets/kernels/demand/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Between the object and the lines about it, and at the end of the file. */
static const char begin_about[] = "\nWeir kernel, format 1\n";
static const char end_format[] = "length %016zx sha256 %s\n";
enum { END_SIZE = 7 + 16 + 8 + 64 + 1 };

static const char new_prefix[] = ".new-";

/* ---- folders ---------------------------------------------------------------------------------------------
 */

/* The owner of this program, whom who runs it trusts already. */
static uid_t owner_of_program(void) {
    struct stat program;
    return stat("/proc/self/exe", &program) == 0 ? program.st_uid : geteuid();
}

static bool to_be_trusted(const struct stat *s, bool installed, const char *path, char *reason) {
    const bool owned =
        s->st_uid == geteuid() || (installed && (s->st_uid == 0 || s->st_uid == owner_of_program()));
    if (!owned)
        snprintf(reason, WEIR_REASON_SIZE, "%s belongs to another user (number %u)", path,
                 (unsigned)s->st_uid);
    else if (s->st_mode & (S_IWGRP | S_IWOTH))
        snprintf(reason, WEIR_REASON_SIZE, "others may write to %s (chmod go-w mends it)", path);
    else
        return true;
    return false;
}

static int make_folders(const char *path) {
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s/", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    return 0;
}

void weir_kernel_folder_open(struct weir_kernel_folder *folder, const char *path, bool installed,
                             bool create) {
    struct stat s;
    memset(folder, 0, sizeof *folder);
    snprintf(folder->path, sizeof folder->path, "%s", path);
    folder->installed = installed;
    folder->descriptor = -1;
    if (create && make_folders(path) != 0) {
        snprintf(folder->reason, sizeof folder->reason, "%s cannot be made: %s", path, strerror(errno));
        return;
    }
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno != ENOENT)
            snprintf(folder->reason, sizeof folder->reason, "%s cannot be opened: %s", path, strerror(errno));
        return;
    }
    if (fstat(descriptor, &s) == 0 && to_be_trusted(&s, installed, path, folder->reason))
        folder->descriptor = descriptor;
    else
        close(descriptor);
}

void weir_kernel_folder_close(struct weir_kernel_folder *folder) {
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    folder->descriptor = -1;
}

/* ---- files -----------------------------------------------------------------------------------------------
 */

static void checksum(const char *id, const void *data, size_t size, char hex[WEIR_SHA256_HEX_SIZE]) {
    struct weir_sha256 s;
    weir_sha256_begin(&s);
    weir_sha256_add_string(&s, id);
    weir_sha256_add(&s, data, size);
    weir_sha256_end(&s, hex);
}

static bool read_whole(int descriptor, unsigned char *data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t part = read(descriptor, data + done, size - done);
        if (part <= 0)
            return false;
        done += (size_t)part;
    }
    return true;
}

static bool write_whole(int descriptor, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t part = write(descriptor, (const char *)data + done, size - done);
        if (part < 0)
            return false;
        done += (size_t)part;
    }
    return true;
}

/* Whether data, with a zero behind its `size` bytes, are a whole file; finds its parts. */
static bool is_whole(struct weir_kept_file *file, size_t size, const char *id) {
    char expected[END_SIZE + 1], hex[WEIR_SHA256_HEX_SIZE];
    if (size <= END_SIZE + sizeof begin_about)
        return false;
    const size_t length = size - END_SIZE;
    checksum(id, file->data, length, hex);
    snprintf(expected, sizeof expected, end_format, length, hex);
    if (memcmp(file->data + length, expected, END_SIZE) != 0)
        return false;
    /* The lines about it are the last such place: an object may hold the same words. */
    file->data[length] = '\0';
    for (size_t at = length - strlen(begin_about); at > 0; at--)
        if (memcmp(file->data + at, begin_about, strlen(begin_about)) == 0) {
            file->size = at;
            file->about = (const char *)file->data + at + strlen(begin_about);
            return true;
        }
    return false;
}

int weir_kept_file_read(const struct weir_kernel_folder *folder, const char *name, const char *id,
                        struct weir_kept_file *file) {
    char reason[WEIR_REASON_SIZE];
    struct stat s;
    memset(file, 0, sizeof *file);
    if (folder->descriptor < 0)
        return 0;
    const int descriptor = openat(folder->descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    bool good = fstat(descriptor, &s) == 0 && S_ISREG(s.st_mode) &&
                to_be_trusted(&s, folder->installed, name, reason);
    const size_t size = good ? (size_t)s.st_size : 0;
    file->data = good ? malloc(size + 1) : NULL;
    good = file->data && read_whole(descriptor, file->data, size) && is_whole(file, size, id);
    close(descriptor);
    if (!good) {
        weir_kept_file_release(file);
        return 0;
    }
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d/%s", folder->descriptor, name);
    return 1;
}

void weir_kept_file_release(struct weir_kept_file *file) {
    free(file->data);
    file->data = NULL;
}

int weir_kept_file_write(const struct weir_kernel_folder *folder, const char *name, const char *id,
                         const void *object, size_t size, const char *about) {
    static unsigned number;
    char beside[64], end[END_SIZE + 1], hex[WEIR_SHA256_HEX_SIZE];
    const size_t length = size + strlen(begin_about) + strlen(about);
    char *const data = malloc(length + 1);
    if (!data) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(data, object, size);
    memcpy(data + size, begin_about, strlen(begin_about));
    memcpy(data + size + strlen(begin_about), about, strlen(about) + 1);
    checksum(id, data, length, hex);
    snprintf(end, sizeof end, end_format, length, hex);
    snprintf(beside, sizeof beside, "%s%lx-%lx-%x", new_prefix, (unsigned long)time(NULL), (long)getpid(),
             __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
    const int descriptor =
        openat(folder->descriptor, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool written = descriptor >= 0 && write_whole(descriptor, data, length) &&
                   write_whole(descriptor, end, END_SIZE) && fchmod(descriptor, 0644) == 0;
    int error = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && renameat(folder->descriptor, beside, folder->descriptor, name) != 0) {
        written = false;
        error = errno;
    }
    if (!written && descriptor >= 0)
        unlinkat(folder->descriptor, beside, 0);
    free(data);
    errno = error;
    return written ? 0 : -1;
}

void weir_kernel_folder_sweep(const struct weir_kernel_folder *folder) {
    const time_t hour = 3600;
    const int descriptor = openat(folder->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const list = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    struct stat s;
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));)
        if (strncmp(entry->d_name, new_prefix, strlen(new_prefix)) == 0 &&
            fstatat(descriptor, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 &&
            time(NULL) - s.st_mtime > hour)
            unlinkat(descriptor, entry->d_name, 0);
    closedir(list);
}

struct aged_file {
    struct timespec time;
    char name[NAME_MAX + 1];
};

static int compare_ages(const void *a, const void *b) {
    const struct timespec *const x = &((const struct aged_file *)a)->time, *const y =
                                                                               &((const struct aged_file *)b)
                                                                                    ->time;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec > y->tv_sec ? -1 : 1;
    return x->tv_nsec > y->tv_nsec ? -1 : x->tv_nsec < y->tv_nsec;
}

static bool ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

void weir_kernel_folder_bound(const struct weir_kernel_folder *folder, const char *ending, int most) {
    const int descriptor = openat(folder->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const list = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    struct aged_file *files = NULL;
    size_t count = 0;
    struct stat s;
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (!ends_in(entry->d_name, ending) ||
            fstatat(descriptor, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        struct aged_file *const more = realloc(files, (count + 1) * sizeof *files);
        if (!more)
            break;
        files = more;
        files[count].time = s.st_mtim;
        snprintf(files[count++].name, sizeof files->name, "%s", entry->d_name);
    }
    if (files)
        qsort(files, count, sizeof *files, compare_ages);
    for (size_t k = (size_t)most; k < count; k++)
        unlinkat(descriptor, files[k].name, 0);
    free(files);
    closedir(list);
}

/* ---- locks -----------------------------------------------------------------------------------------------
 */

static void lock_name(const char *id, char name[NAME_MAX]) {
    snprintf(name, NAME_MAX, "%.200s.lock", id);
}

int weir_kernel_lock(const struct weir_kernel_folder *folder, const char *id, bool wait) {
    char name[NAME_MAX];
    lock_name(id, name);
    if (folder->descriptor < 0)
        return -1;
    const int lock = openat(folder->descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (lock < 0)
        return -1;
    int result;
    do
        result = flock(lock, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return lock;
    const bool held = errno == EWOULDBLOCK;
    close(lock);
    return held ? -2 : -1;
}

void weir_kernel_unlock(const struct weir_kernel_folder *folder, const char *id, int lock) {
    char name[NAME_MAX];
    if (lock < 0)
        return;
    lock_name(id, name);
    /* Who waits for it meanwhile gets it all the same, and finds what was compiled. */
    unlinkat(folder->descriptor, name, 0);
    close(lock);
}
