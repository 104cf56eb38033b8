#include "src/common/output_files.h"

#include "graph/base/error.h"
#include "src/common/own_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct weir_output_file {
    char *path;
    char *part; /* NULL: what is written goes to `path` directly */
    int descriptor;
    bool cached; /* cannot be written past the system's cache */
    int reason;  /* errno of the first write of the stream that failed, which stdio itself does not keep */
    FILE *stream;
};

static const char *way_out(int reason) {
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
        return "free some space there or choose another folder with --out";
    case EFBIG:
        return "raise the limit on file sizes (ulimit -f) or choose a folder on another file system with "
               "--out";
    case EACCES:
    case EPERM:
    case EROFS:
        return "make the folder writable or choose another one with --out";
    case EEXIST:
        return "wait for the process that writes it, or remove it";
    case ENOENT:
    case ENOTDIR:
        return "create the folder or choose another one with --out";
    default:
        return "check the disk or choose another folder with --out";
    }
}

int weir_output_error(const char *action, const char *path, int reason) {
    return weir_fail(WEIR_FAILED, "cannot %s '%s': %s: %s", action, path, strerror(reason), way_out(reason));
}

static int out_of_memory(const char *path) {
    return weir_fail(WEIR_FAILED, "no memory left to open '%s'", path);
}

int weir_output_path(const char *directory, const char *name, int64_t step, const char *suffix, char **path) {
    int length = step < 0 ? asprintf(path, "%s/%s%s", directory, name, suffix)
                          : asprintf(path, "%s/%s_%09" PRId64 "%s", directory, name, step, suffix);
    return length < 0 ? out_of_memory(name) : 0;
}

int weir_output_folder_create(const char *path) {
    char *partial = strdup(path);
    if (!partial)
        return out_of_memory(path);
    int result = 0;
    for (char *end = partial; result == 0 && *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        char separator = *end;
        *end = '\0';
        if (mkdir(partial, 0777) < 0 && errno != EEXIST)
            result = weir_output_error("create folder", path, errno);
        *end = separator;
    }
    struct stat status;
    if (result == 0 && (stat(path, &status) < 0 || !S_ISDIR(status.st_mode)))
        result = weir_output_error("create folder", path, ENOTDIR);
    free(partial);
    return result;
}

static ssize_t write_part(void *cookie, const char *data, size_t bytes) {
    struct weir_output_file *file = cookie;
    size_t written = 0;
    while (written < bytes) {
        ssize_t count = write(file->descriptor, data + written, bytes - written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            if (file->reason == 0)
                file->reason = errno;
            return 0;
        }
        written += (size_t)count;
    }
    return (ssize_t)written;
}

static void release(struct weir_output_file *file) {
    if (file->stream)
        fclose(file->stream);
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    free(file->part);
    free(file);
}

static int open_stream(struct weir_output_file *f) {
    f->stream = fopencookie(f, "w", (cookie_io_functions_t){.write = write_part});
    return f->stream ? 0 : out_of_memory(f->path);
}

static int new_file(const char *path, struct weir_output_file **file) {
    struct weir_output_file *f = calloc(1, sizeof *f);
    if (!f || !(f->path = strdup(path))) {
        free(f);
        return out_of_memory(path);
    }
    f->descriptor = -1;
    *file = f;
    return 0;
}

/* Only a file can be what a killed process has left. */
static bool remove_left_over(const char *part) {
    struct stat status;
    return lstat(part, &status) == 0 && S_ISREG(status.st_mode) && unlink(part) == 0;
}

/* Never through a link that somebody has put there. */
static int open_new(const char *part) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int descriptor = open(part, flags, 0666);
    if (descriptor >= 0 || errno != EEXIST)
        return descriptor;
    if (remove_left_over(part))
        return open(part, flags, 0666);
    errno = EEXIST;
    return -1;
}

static int open_part(const char *path, bool create, struct weir_output_file **file) {
    struct weir_output_file *f = NULL;
    WEIR_TRY(new_file(path, &f));
    if (asprintf(&f->part, "%s%s", path, WEIR_PART_SUFFIX) < 0) {
        f->part = NULL;
        release(f);
        return out_of_memory(path);
    }
    f->descriptor = create ? open_new(f->part) : open(f->part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (f->descriptor < 0) {
        int result = weir_output_error("write", f->part, errno);
        release(f);
        return result;
    }
    *file = f;
    return 0;
}

/* Whether a path stands for something that bytes are handed to, rather than for a file. */
static bool is_passage(const char *path) {
    struct stat status;
    return weir_own_descriptor(path) >= 0 ||
           (stat(path, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)));
}

static int open_passage(const char *path, struct weir_output_file **file) {
    struct weir_output_file *f = NULL;
    const int own = weir_own_descriptor(path);
    WEIR_TRY(new_file(path, &f));
    fflush(stdout); /* which may be where it leads */
    f->descriptor = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    int error = f->descriptor < 0 ? weir_output_error("write", path, errno) : open_stream(f);
    if (error != 0)
        release(f);
    else
        *file = f;
    return error;
}

int weir_output_file_create(const char *path, struct weir_output_file **file) {
    struct stat status;
    if (weir_own_descriptor(path) >= 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return weir_fail(WEIR_FAILED, "cannot write '%s': it is not a regular file: choose another name",
                         path);
    struct weir_output_file *f = NULL;
    WEIR_TRY(open_part(path, true, &f));
    const int error = open_stream(f);
    if (error != 0)
        weir_output_file_discard(f);
    else
        *file = f;
    return error;
}

int weir_output_file_create_anywhere(const char *path, struct weir_output_file **file) {
    return is_passage(path) ? open_passage(path, file) : weir_output_file_create(path, file);
}

int weir_output_file_join(const char *path, struct weir_output_file **file) {
    return open_part(path, false, file);
}

int weir_output_file_leave(struct weir_output_file *file) {
    const int result = fsync(file->descriptor) < 0 ? weir_output_error("write", file->path, errno) : 0;
    release(file);
    return result;
}

const char *weir_output_file_path(const struct weir_output_file *file) {
    return file->path;
}

const char *weir_output_file_part(const struct weir_output_file *file) {
    return file->part;
}

FILE *weir_output_file_stream(struct weir_output_file *file) {
    return file->stream;
}

int weir_output_file_reserve(struct weir_output_file *file, uint64_t bytes) {
    if (fallocate(file->descriptor, 0, 0, (off_t)bytes) == 0 || errno == EOPNOTSUPP || errno == ENOSYS)
        return 0;
    char action[64];
    snprintf(action, sizeof action, "reserve %.3g MB for", (double)bytes / 1e6);
    return weir_output_error(action, file->path, errno);
}

int weir_output_file_trim(struct weir_output_file *file, uint64_t bytes) {
    return ftruncate(file->descriptor, (off_t)bytes) == 0 ? 0 : weir_output_error("write", file->path, errno);
}

/* From byte *written on; an errno. */
static int write_rest(int descriptor, const char *values, size_t size, uint64_t offset, size_t *written) {
    while (*written < size) {
        const ssize_t count =
            pwrite(descriptor, values + *written, size - *written, (off_t)(offset + *written));
        if (count == 0)
            return EIO; /* or it would be tried for ever */
        if (count < 0 && errno != EINTR)
            return errno;
        if (count > 0)
            *written += (size_t)count;
    }
    return 0;
}

/* File systems say EINVAL to the flag, or to what comes after it. */
static int write_past_cache(struct weir_output_file *file, const char *values, size_t size, uint64_t offset,
                            size_t *written) {
    const int flags = fcntl(file->descriptor, F_GETFL);
    int reason = EINVAL;
    if (!file->cached && fcntl(file->descriptor, F_SETFL, flags | O_DIRECT) == 0) {
        reason = write_rest(file->descriptor, values, size - size % WEIR_DIRECT_ALIGNMENT, offset, written);
        fcntl(file->descriptor, F_SETFL, flags);
    }
    file->cached = reason == EINVAL;
    return file->cached ? 0 : reason;
}

int weir_output_file_write_at(struct weir_output_file *file, uint64_t offset, const void *values,
                              size_t size) {
    size_t written = 0;
    int reason = write_past_cache(file, values, size, offset, &written);
    if (reason == 0)
        reason = write_rest(file->descriptor, values, size, offset, &written);
    if (file->cached)
        weir_output_file_hasten(file);
    return reason == 0 ? 0 : weir_output_error("write", file->path, reason);
}

void weir_output_file_hasten(struct weir_output_file *file) {
    (void)sync_file_range(file->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* Whether the temporary name still stands for what was written: another process may have been told to write
 * the same file. */
static bool is_in_place(const struct weir_output_file *file) {
    struct stat own, there;
    if (fstat(file->descriptor, &own) < 0 || lstat(file->part, &there) < 0)
        return false;
    errno = EEXIST;
    return own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

int weir_output_file_finish(struct weir_output_file *file) {
    fflush(file->stream); /* a failure is in file->reason */
    bool ours = file->part;
    if (file->reason == 0 && file->part) {
        ours = is_in_place(file);
        if (!ours || fsync(file->descriptor) < 0 || rename(file->part, file->path) < 0)
            file->reason = errno;
    }
    int result = 0;
    if (file->reason != 0) {
        result = weir_output_error("write", file->path, file->reason);
        if (ours)
            unlink(file->part);
    }
    release(file);
    return result;
}

void weir_output_file_discard(struct weir_output_file *file) {
    if (!file)
        return;
    if (file->part)
        unlink(file->part);
    release(file);
}

int weir_output_file_try(const char *path) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    weir_output_file_discard(file);
    return 0;
}

/* A passage is not opened for the trial: to its reader that would look like the end. */
int weir_output_file_try_anywhere(const char *path) {
    if (!is_passage(path))
        return weir_output_file_try(path);
    return access(path, W_OK) == 0 ? 0 : weir_output_error("write", path, errno);
}
