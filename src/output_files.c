#include "src/output_files.h"

#include "graph/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct weir_output_file {
    char *path;
    char *part;
    int descriptor;
    int reason; /* errno of the first write of the stream that failed, which stdio itself does not keep */
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

void weir_output_folder_remove(const char *path) {
    DIR *stream = opendir(path);
    for (const struct dirent *entry; stream && (entry = readdir(stream));) {
        char *name;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            asprintf(&name, "%s/%s", path, entry->d_name) < 0)
            continue;
        if (unlink(name) != 0)
            weir_output_folder_remove(name);
        free(name);
    }
    if (stream)
        closedir(stream);
    rmdir(path);
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

static int open_part(const char *path, int flags, struct weir_output_file **file) {
    struct weir_output_file *f = calloc(1, sizeof *f);
    if (!f)
        return out_of_memory(path);
    f->descriptor = -1;
    f->path = strdup(path);
    if (!f->path || asprintf(&f->part, "%s.part", path) < 0) {
        f->part = NULL;
        release(f);
        return out_of_memory(path);
    }
    f->descriptor = open(f->part, O_WRONLY | O_CLOEXEC | flags, 0666);
    if (f->descriptor < 0) {
        int result = weir_output_error("write", f->part, errno);
        release(f);
        return result;
    }
    *file = f;
    return 0;
}

int weir_output_file_create(const char *path, struct weir_output_file **file) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return weir_fail(WEIR_FAILED, "cannot write '%s': it is not a regular file: choose another name",
                         path);
    struct weir_output_file *f = NULL;
    WEIR_TRY(open_part(path, O_CREAT | O_TRUNC, &f));
    f->stream = fopencookie(f, "w", (cookie_io_functions_t){.write = write_part});
    if (!f->stream) {
        weir_output_file_discard(f);
        return out_of_memory(path);
    }
    *file = f;
    return 0;
}

int weir_output_file_join(const char *path, struct weir_output_file **file) {
    return open_part(path, 0, file);
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

int weir_output_file_finish(struct weir_output_file *file) {
    fflush(file->stream); /* a failure is in file->reason */
    if (file->reason == 0 && (fsync(file->descriptor) < 0 || rename(file->part, file->path) < 0))
        file->reason = errno;
    int result = 0;
    if (file->reason != 0) {
        result = weir_output_error("write", file->path, file->reason);
        unlink(file->part);
    }
    release(file);
    return result;
}

void weir_output_file_discard(struct weir_output_file *file) {
    if (!file)
        return;
    unlink(file->part);
    release(file);
}

int weir_output_file_try(const char *path) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    weir_output_file_discard(file);
    return 0;
}
