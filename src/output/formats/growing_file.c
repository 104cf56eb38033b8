#include "src/output/formats/growing_file.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "src/output/formats/earlier_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

struct weir_growing_file {
    char *path;
    FILE *stream;
    off_t length; /* that the system has */
};

static int open_file(struct weir_growing_file *file) {
    (void)unlink(file->path);
    const int descriptor = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 && (file->stream = fdopen(descriptor, "w")))
        return 0;
    const int error = weir_output_error("write", file->path, errno);
    if (descriptor >= 0)
        close(descriptor);
    return error;
}

int weir_growing_file_create(const char *directory, const char *name, int64_t first,
                             struct weir_growing_file **result) {
    struct weir_growing_file *file = calloc(1, sizeof *file);
    if (!file)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", name);
    int error = weir_output_path(directory, name, -1, ".csv", &file->path);
    if (error == 0 && first > 0)
        error = weir_earlier_rows_open(file->path, first, &file->stream);
    if (error == 0 && file->stream)
        file->length = ftello(file->stream);
    else if (error == 0)
        error = open_file(file);
    if (error < 0) {
        weir_growing_file_destroy(file);
        return error;
    }
    *result = file;
    return 0;
}

bool weir_growing_file_is_new(const struct weir_growing_file *file) {
    return file->length == 0;
}

FILE *weir_growing_file_stream(struct weir_growing_file *file) {
    return file->stream;
}

int weir_growing_file_flush(struct weir_growing_file *file) {
    if (fflush(file->stream) == 0) {
        file->length = ftello(file->stream);
        return 0;
    }
    const int reason = errno;
    __fpurge(file->stream);
    if (ftruncate(fileno(file->stream), file->length) != 0)
        return weir_output_error("shorten", file->path, errno);
    return weir_output_error("write", file->path, reason);
}

void weir_growing_file_remove(struct weir_growing_file *file) {
    unlink(file->path);
}

void weir_growing_file_destroy(struct weir_growing_file *file) {
    if (!file)
        return;
    if (file->stream)
        fclose(file->stream);
    free(file->path);
    free(file);
}
