#include "src/common/file_list.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct weir_file_list {
    char *path;
    int descriptor;
    char kind[32];
    char writer[HOST_NAME_MAX + 96]; /* the last process to write: which, where and since when */
    char **entries;                  /* in the order in which they were added */
    int count, capacity;
    void *tree; /* of the entries, to find one (tsearch) */
};

static const char head[] = "#weir-files 1 ", writer[] = "#writer ";

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the list of files (%s)", WEIR_FILE_LIST_NAME);
}

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

static void keep_nothing(void *entry) {
    (void)entry; /* belongs to list->entries */
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Of a file in the folder itself: nothing else may ever be removed for a list's sake. */
static bool is_entry(const char *line) {
    const size_t name = strcspn(line, "/");
    const char *end = line + name;
    return name > 0 && line[0] != '.' && (!*end || strcmp(end, "/") == 0 || strcmp(end, "/*") == 0);
}

static int remember(struct weir_file_list *list, const char *entry) {
    if (list->count == list->capacity) {
        const int capacity = 2 * list->capacity + 16;
        char **entries = realloc(list->entries, sizeof *entries * (size_t)capacity);
        if (!entries)
            return fail_memory();
        list->entries = entries;
        list->capacity = capacity;
    }
    char *copy = strdup(entry);
    if (!copy || !tsearch(copy, &list->tree, compare)) {
        free(copy);
        return fail_memory();
    }
    list->entries[list->count++] = copy;
    return 0;
}

static int take_line(struct weir_file_list *list, const char *line) {
    if (strncmp(line, head, strlen(head)) == 0)
        snprintf(list->kind, sizeof list->kind, "%s", line + strlen(head));
    else if (strncmp(line, writer, strlen(writer)) == 0)
        snprintf(list->writer, sizeof list->writer, "%s", line + strlen(writer));
    else if (list->kind[0] && is_entry(line) && !weir_file_list_has(list, line))
        return remember(list, line);
    return 0;
}

/* A last line without an end was being written when its process was killed: its file has not been made. */
static int read_lines(struct weir_file_list *list) {
    const int copy = fcntl(list->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "r");
    if (!stream) {
        if (copy >= 0)
            close(copy);
        return weir_output_error("read", list->path, errno);
    }
    char *line = NULL;
    size_t size = 0;
    int error = 0;
    for (ssize_t length; error == 0 && (length = getline(&line, &size, stream)) > 0;)
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
            error = take_line(list, line);
        }
    free(line);
    fclose(stream);
    return error;
}

/* ---- the lock ---------------------------------------------------------------------------------------- */

static int fail_held(const struct weir_file_list *list) {
    const int folder = (int)(strlen(list->path) - strlen("/" WEIR_FILE_LIST_NAME));
    return weir_fail(
        WEIR_USAGE, "\"%.*s\" is being written to by %s; wait for its end, or give another folder with --out",
        folder, list->path, list->writer[0] ? list->writer : "another process");
}

/* Asks for the lock, or only whether somebody else has it. It belongs to the open file: no other descriptor
 * that this process closes takes it away. */
static bool others_hold(const struct weir_file_list *list, bool take) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (take)
        return fcntl(list->descriptor, F_OFD_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES);
    return fcntl(list->descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* ---- opening ----------------------------------------------------------------------------------------- */

static int open_file(int folder, const char *path, int flags, struct weir_file_list **result) {
    struct weir_file_list *list = calloc(1, sizeof *list);
    struct stat status;
    if (!list || asprintf(&list->path, "%s/%s", path, WEIR_FILE_LIST_NAME) < 0) {
        free(list);
        return fail_memory();
    }
    list->descriptor =
        openat(folder, WEIR_FILE_LIST_NAME, flags | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    int error = 0;
    if (list->descriptor < 0)
        error = errno == ENOENT ? 0 : weir_output_error("open", list->path, errno);
    else if (fstat(list->descriptor, &status) < 0 || !S_ISREG(status.st_mode))
        error =
            weir_fail(WEIR_USAGE, "\"%s\" is no list of Weir's; give another folder with --out", list->path);
    if (error != 0 || list->descriptor < 0) {
        weir_file_list_close(list);
        *result = NULL;
        return error;
    }
    *result = list;
    return 0;
}

/* What the list says, or who holds it. */
static int look(struct weir_file_list *list, bool take) {
    const bool held = others_hold(list, take);
    WEIR_TRY(read_lines(list));
    return held ? fail_held(list) : 0;
}

int weir_file_list_read(int folder, const char *path, struct weir_file_list **result) {
    struct weir_file_list *list;
    *result = NULL;
    WEIR_TRY(open_file(folder, path, O_RDONLY, &list));
    const int error = list ? look(list, false) : 0;
    if (error == 0 && list && list->kind[0])
        *result = list;
    else
        weir_file_list_close(list);
    return error;
}

/* Whether the file is still the one of that name: the process that held it may have removed it. */
static bool is_in_place(const struct weir_file_list *list) {
    struct stat status;
    return fstat(list->descriptor, &status) == 0 && status.st_nlink > 0;
}

int weir_file_list_hold(int folder, const char *path, struct weir_file_list **result) {
    *result = NULL;
    for (;;) {
        struct weir_file_list *list;
        WEIR_TRY(open_file(folder, path, O_RDWR | O_CREAT, &list));
        const int error = look(list, true);
        if (error == 0 && is_in_place(list)) {
            *result = list;
            return 0;
        }
        weir_file_list_close(list);
        WEIR_TRY(error);
    }
}

void weir_file_list_close(struct weir_file_list *list) {
    if (!list)
        return;
    if (list->descriptor >= 0)
        close(list->descriptor);
    tdestroy(list->tree, keep_nothing);
    for (int k = 0; k < list->count; k++)
        free(list->entries[k]);
    free(list->entries);
    free(list->path);
    free(list);
}

/* ---- what is on it ----------------------------------------------------------------------------------- */

const char *weir_file_list_kind(const struct weir_file_list *list) {
    return list->kind;
}

int weir_file_list_count(const struct weir_file_list *list) {
    return list->count;
}

const char *weir_file_list_entry(const struct weir_file_list *list, int number) {
    return list->entries[number];
}

bool weir_file_list_has(const struct weir_file_list *list, const char *entry) {
    return tfind(entry, &list->tree, compare) != NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* All of a text, or nothing of it. */
static int append(const struct weir_file_list *list, const char *text) {
    struct stat before;
    const size_t length = strlen(text);
    if (fstat(list->descriptor, &before) < 0)
        return weir_output_error("write", list->path, errno);
    errno = ENOSPC; /* where only a part could be written */
    if (write(list->descriptor, text, length) == (ssize_t)length)
        return 0;
    const int reason = errno;
    if (ftruncate(list->descriptor, before.st_size) < 0)
        return weir_output_error("shorten", list->path, errno);
    return weir_output_error("write", list->path, reason);
}

static void forget(struct weir_file_list *list) {
    tdestroy(list->tree, keep_nothing);
    list->tree = NULL;
    while (list->count > 0)
        free(list->entries[--list->count]);
}

int weir_file_list_begin(struct weir_file_list *list, const char *kind, bool keep) {
    char host[HOST_NAME_MAX + 1] = "", since[32], text[sizeof list->writer + 64];
    const time_t now = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(list->writer, sizeof list->writer, "process %ld on %s since %s", (long)getpid(), host, since);
    if (!keep || !list->kind[0]) {
        if (ftruncate(list->descriptor, 0) < 0)
            return weir_output_error("write", list->path, errno);
        forget(list);
        if (kind != list->kind)
            snprintf(list->kind, sizeof list->kind, "%s", kind);
        snprintf(text, sizeof text, "%s%s\n%s%s\n", head, kind, writer, list->writer);
    } else {
        snprintf(text, sizeof text, "%s%s\n", writer, list->writer);
    }
    return append(list, text);
}

int weir_file_list_add(struct weir_file_list *list, const char *entry) {
    char *line;
    if (weir_file_list_has(list, entry))
        return 0;
    if (asprintf(&line, "%s\n", entry) < 0)
        return fail_memory();
    const int error = append(list, line);
    free(line);
    return error == 0 ? remember(list, entry) : error;
}
