#include "src/output/formats/earlier_files.h"

#include "graph/base/error.h"
#include "src/case/outputs/output_names.h"
#include "src/common/output_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int newest_first(const void *a, const void *b) {
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one > other ? -1 : one < other;
}

int weir_earlier_steps(const char *directory, const char *name, const char *suffix, int64_t **steps,
                       int *count) {
    int64_t *list = NULL;
    *count = 0;
    DIR *folder = opendir(directory);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        int64_t step;
        if (!weir_output_names_step(entry->d_name, name, suffix, &step))
            continue;
        int64_t *longer = realloc(list, sizeof *list * (size_t)(*count + 1));
        if (!longer) {
            free(list);
            closedir(folder);
            return weir_fail(WEIR_FAILED, "out of memory for the files in '%s'", directory);
        }
        list = longer;
        list[(*count)++] = step;
    }
    if (folder)
        closedir(folder);
    if (*count > 0)
        qsort(list, (size_t)*count, sizeof *list, newest_first);
    *steps = list;
    return 0;
}

/* Where the rows before this step end; 0: there are not even headings. */
static off_t end_of_rows(FILE *stream, int64_t first) {
    char *line = NULL;
    size_t size = 0;
    off_t end = 0;
    for (ssize_t length; (length = getline(&line, &size, stream)) > 0 && line[length - 1] == '\n';
         end += length) {
        char *rest;
        const int64_t step = strtoll(line, &rest, 10);
        if (end > 0 && (*rest != ',' || step >= first))
            break;
    }
    free(line);
    return end;
}

int weir_earlier_rows_open(const char *path, int64_t first, FILE **stream) {
    *stream = NULL;
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT)
        return 0;
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r+");
    const off_t end = file ? end_of_rows(file, first) : 0;
    if (file && end > 0 && fflush(file) == 0 && ftruncate(descriptor, end) == 0 &&
        fseeko(file, end, SEEK_SET) == 0) {
        *stream = file;
        return 0;
    }
    const int error = file && end == 0 ? 0 : weir_output_error("go on with", path, errno);
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    return error;
}
