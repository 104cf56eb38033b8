#include "src/show/show_document.h"

#include "graph/base/error.h"
#include "src/common/json_text.h"
#include "src/common/output_files.h"
#include "src/common/version.h"
#include "src/show/base64.h"
#include "src/show/shown_tables.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Pictures of one output that a page has at most, and bytes of all files in it: browsers open such a page at
 * once. */
enum { PICTURES_MOST = 40 };
static const off_t bytes_most = 96 << 20;

struct gathering {
    const char *folder;
    json_t *document;
    off_t bytes; /* in the document so far */
};

/* The files of an output are one after the other in a sorted list: NAME_000001000.png. Their common beginning
 * is as long as this. */
static size_t stem_of(const char *name) {
    const char *end = strrchr(name, '.'), *digits = end;
    while (digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    return (size_t)(digits > name && digits < end && digits[-1] == '_' ? digits - 1 - name : end - name);
}

static bool same_output(const char *a, const char *b) {
    const size_t length = stem_of(a);
    return length == stem_of(b) && strncmp(a, b, length) == 0;
}

static bool ends_with(const char *name, const char *suffix) {
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int is_picture(const struct dirent *entry) {
    return ends_with(entry->d_name, ".png");
}

static int is_table(const struct dirent *entry) {
    return ends_with(entry->d_name, ".csv");
}

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the page of a run");
}

static json_t *list_in(const struct gathering *g, const char *key) {
    return json_object_get(g->document, key);
}

/* Whether there is room for a file; else its name is noted. */
static bool has_room(struct gathering *g, const char *path, const char *name) {
    struct stat status;
    const off_t size = stat(path, &status) == 0 ? status.st_size : 0;
    if (g->bytes + size > bytes_most) {
        json_array_append_new(list_in(g, "left_out"), weir_json_text(name));
        return false;
    }
    g->bytes += size;
    return true;
}

static int add_picture(struct gathering *g, const char *path, const char *name) {
    char *text;
    WEIR_TRY(weir_base64_of_file(path, &text));
    const size_t stem = stem_of(name);
    json_array_append_new(list_in(g, "images"), json_pack("{s:o, s:s#, s:s}", "file", weir_json_text(name),
                                                          "output", name, (int)stem, "png", text));
    free(text);
    return 0;
}

static int add_table(struct gathering *g, const char *path, const char *name) {
    json_t *table;
    WEIR_TRY(weir_shown_table(path, json_object_get(json_object_get(g->document, "summary"), "statistics"),
                              name, &table));
    json_array_append_new(list_in(g, "tables"), table);
    return 0;
}

static int add_file(struct gathering *g, const char *name,
                    int (*add)(struct gathering *g, const char *path, const char *name)) {
    char *path;
    if (asprintf(&path, "%s/%s", g->folder, name) < 0)
        return fail_memory();
    const int error = has_room(g, path, name) ? add(g, path, name) : 0;
    free(path);
    return error;
}

/* Of each output the last `most` files, or as many at even distances of all that there are, with the last. */
static int add_files(struct gathering *g, int (*choose)(const struct dirent *entry), int most,
                     int (*add)(struct gathering *g, const char *path, const char *name)) {
    struct dirent **list;
    const int count = scandir(g->folder, &list, choose, versionsort);
    if (count < 0)
        return weir_output_error("read", g->folder, errno);
    int error = 0;
    for (int first = 0, last; first < count && error == 0; first = last) {
        for (last = first + 1; last < count && same_output(list[first]->d_name, list[last]->d_name);)
            last++;
        const int all = last - first, shown = all < most ? all : most;
        for (int k = 1; k <= shown && error == 0; k++)
            error = add_file(g, list[first + (int)((long)all * k / shown) - 1]->d_name, add);
    }
    for (int k = 0; k < count; k++)
        free(list[k]);
    free(list);
    return error;
}

/* Null where there is none, as of a run that was killed. */
static json_t *load(const char *folder, const char *name) {
    char *path;
    json_t *json = NULL;
    if (asprintf(&path, "%s/%s", folder, name) >= 0) {
        json = json_load_file(path, 0, NULL);
        free(path);
    }
    return json ? json : json_null();
}

int weir_show_document(const char *folder, json_t **document) {
    struct gathering g = {.folder = folder};
    g.document = json_pack("{s:o, s:o, s:o, s:o, s:[], s:[], s:[]}", "folder", weir_json_text(folder),
                           "version", weir_json_text(weir_version), "case", load(folder, "case.json"),
                           "summary", load(folder, "summary.json"), "images", "tables", "left_out");
    if (!g.document)
        return fail_memory();
    int error = add_files(&g, is_picture, PICTURES_MOST, add_picture);
    if (error == 0)
        error = add_files(&g, is_table, 1, add_table);
    if (error == 0)
        *document = g.document;
    else
        json_decref(g.document);
    return error;
}
