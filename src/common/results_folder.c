#include "src/common/results_folder.h"

#include "graph/base/error.h"
#include "src/common/file_list.h"
#include "src/common/output_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct weir_results_folder {
    char *path;
    int descriptor;              /* -1: joined */
    struct weir_file_list *list; /* NULL: joined */
    bool made;                   /* by us */
    pthread_mutex_t lock;        /* of the list */
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for a folder of results");
}

/* ---- entries of lists -------------------------------------------------------------------------------- */

enum entry_kind { ENTRY_FILE, ENTRY_FOLDER, ENTRY_TEMPORARY };

/* The name in an entry, and what it is of. */
static enum entry_kind read_entry(const char *entry, char name[NAME_MAX + 1]) {
    const char *end = strchrnul(entry, '/');
    snprintf(name, NAME_MAX + 1, "%.*s", (int)(end - entry), entry);
    return *end == '\0' ? ENTRY_FILE : end[1] == '*' ? ENTRY_TEMPORARY : ENTRY_FOLDER;
}

static bool is_there(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether a result is there of those on the list; temporary folders are none. */
static bool has_results(int folder, const struct weir_file_list *list) {
    char name[NAME_MAX + 1];
    for (int k = 0; k < weir_file_list_count(list); k++)
        if (read_entry(weir_file_list_entry(list, k), name) != ENTRY_TEMPORARY && is_there(folder, name))
            return true;
    return false;
}

/* Name of the file that a temporary one is to become; another file's own name. */
static void final_name(const char *name, char result[NAME_MAX + 1]) {
    const size_t length = strlen(name), suffix = strlen(WEIR_PART_SUFFIX);
    const bool part = length > suffix && strcmp(name + length - suffix, WEIR_PART_SUFFIX) == 0;
    snprintf(result, NAME_MAX + 1, "%.*s", (int)(part ? length - suffix : length), name);
}

/* Whether what is in a folder is on its list, as whatever it may be. */
static bool is_listed(const struct weir_file_list *list, const char *name) {
    static const char *const ends[] = {"", "/", "/*"};
    char entry[NAME_MAX + 3], final[NAME_MAX + 1];
    final_name(name, final);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        snprintf(entry, sizeof entry, "%s%s", final, ends[k]);
        if (list && weir_file_list_has(list, entry))
            return true;
    }
    return false;
}

/* ---- looking ----------------------------------------------------------------------------------------- */

/* Calls `visit` for everything in a folder but its list, until it does not return 0. */
static int for_each_in(int folder, const char *path,
                       int (*visit)(void *context, const char *path, const char *name), void *context) {
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    if (!stream) {
        const int reason = errno;
        if (copy >= 0)
            close(copy);
        return weir_output_error("read", path, reason);
    }
    int result = 0;
    for (const struct dirent *entry; result == 0 && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, WEIR_FILE_LIST_NAME) != 0)
            result = visit(context, path, entry->d_name);
    closedir(stream);
    return result;
}

static int refuse(void *context, const char *path, const char *name) {
    (void)context;
    return weir_fail(
        WEIR_USAGE,
        "\"%s\" is not empty (\"%s\"), and has no list of files that Weir wrote (%s): nothing there "
        "is touched; give an empty or a new folder with --out",
        path, name, WEIR_FILE_LIST_NAME);
}

struct inspection {
    const struct weir_results_use *use;
    const struct weir_file_list *list;
};

static int refuse_others(void *context, const char *path, const char *name) {
    const struct inspection *inspection = context;
    const struct weir_results_use *use = inspection->use;
    char final[NAME_MAX + 1];
    final_name(name, final);
    if (is_listed(inspection->list, name) || !use->writes(use->context, final))
        return 0;
    return weir_fail(
        WEIR_USAGE,
        "\"%s/%s\" is not Weir's (%s does not name it), and has the name of a result; move it, or give "
        "another folder with --out",
        path, name, WEIR_FILE_LIST_NAME);
}

static int inspect(int folder, const char *path, const struct weir_results_use *use,
                   const struct weir_file_list *list) {
    struct inspection inspection = {use, list};
    if (!list || !weir_file_list_kind(list)[0])
        return for_each_in(folder, path, refuse, NULL);
    if (has_results(folder, list) && strcmp(weir_file_list_kind(list), use->command) != 0)
        return weir_fail(WEIR_USAGE,
                         "\"%s\" holds what weir %s has written; give weir %s another folder with --out",
                         path, weir_file_list_kind(list), use->command);
    if (has_results(folder, list) && !use->force)
        return weir_fail(WEIR_USAGE,
                         "\"%s\" holds %s; give --force to replace them, or another folder with --out", path,
                         use->results);
    return for_each_in(folder, path, refuse_others, &inspection);
}

int weir_results_folder_check(const char *path, const struct weir_results_use *use) {
    struct weir_file_list *list = NULL;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == ENOTDIR && access(path, F_OK) == 0)
        return weir_fail(WEIR_USAGE, "--out: \"%s\" is a file; give a folder", path);
    if (folder < 0) /* not there; or not to be read, which making it will tell */
        return 0;
    int error = weir_file_list_read(folder, path, &list);
    if (error == 0)
        error = inspect(folder, path, use, list);
    weir_file_list_close(list);
    close(folder);
    return error;
}

static int refuse_unlisted(void *context, const char *path, const char *name) {
    return is_listed(context, name)
               ? 0
               : weir_fail(
                     WEIR_USAGE,
                     "\"%s/%s\" is not Weir's (%s does not name it), and would go with its folder; move it, "
                     "or give another folder with --out",
                     path, name, WEIR_FILE_LIST_NAME);
}

static int check_subfolders(const char *path, const struct weir_file_list *list) {
    char name[NAME_MAX + 1];
    for (int k = 0; k < weir_file_list_count(list); k++)
        if (read_entry(weir_file_list_entry(list, k), name) == ENTRY_FOLDER)
            WEIR_TRY(weir_results_folder_check_removal(path, name));
    return 0;
}

int weir_results_folder_check_removal(const char *above, const char *name) {
    struct weir_file_list *list = NULL;
    struct stat status;
    char *path;
    if (asprintf(&path, "%s/%s", above, name) < 0)
        return fail_memory();
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int error = 0;
    if (folder >= 0)
        error = weir_file_list_read(folder, path, &list);
    else if (lstat(path, &status) == 0)
        error = weir_fail(WEIR_USAGE,
                          "\"%s\" is no folder of Weir's; move it, or give another one with --out", path);
    if (error == 0 && folder >= 0)
        error = for_each_in(folder, path, list ? refuse_unlisted : refuse, list);
    if (error == 0 && list)
        error = check_subfolders(path, list);
    weir_file_list_close(list);
    if (folder >= 0)
        close(folder);
    free(path);
    return error;
}

/* ---- removing ---------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    (void)remove(path);
    return 0;
}

void weir_results_folder_remove_temporary(const char *path) {
    enum { DESCRIPTORS = 16 };
    (void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void remove_part(int folder, const char *name) {
    char part[NAME_MAX + sizeof WEIR_PART_SUFFIX];
    snprintf(part, sizeof part, "%s%s", name, WEIR_PART_SUFFIX);
    (void)unlinkat(folder, part, 0);
}

static int remove_subfolder(int folder, const char *path, const char *name);

static int remove_entry(int folder, const char *path, const char *entry) {
    char name[NAME_MAX + 1], *whole;
    const enum entry_kind kind = read_entry(entry, name);
    if (asprintf(&whole, "%s/%s", path, name) < 0)
        return fail_memory();
    int error = 0;
    if (kind == ENTRY_TEMPORARY)
        weir_results_folder_remove_temporary(whole);
    else if (kind == ENTRY_FOLDER)
        error = remove_subfolder(folder, whole, name);
    else if (remove_part(folder, name), unlinkat(folder, name, 0) < 0 && errno != ENOENT)
        error = weir_output_error("remove", whole, errno);
    free(whole);
    return error;
}

static int remove_entries(int folder, const char *path, const struct weir_file_list *list,
                          bool temporary_only) {
    char name[NAME_MAX + 1];
    for (int k = 0; k < weir_file_list_count(list); k++) {
        const char *entry = weir_file_list_entry(list, k);
        if (!temporary_only || read_entry(entry, name) == ENTRY_TEMPORARY)
            WEIR_TRY(remove_entry(folder, path, entry));
    }
    return 0;
}

static int note_presence(void *context, const char *path, const char *name) {
    (void)path, (void)name;
    *(bool *)context = true;
    return 0;
}

/* A list that is of no use any more: where other things are in its folder, it says that Weir's are gone. */
static int drop_list(int folder, const char *path, struct weir_file_list *list) {
    bool others = false;
    WEIR_TRY(for_each_in(folder, path, note_presence, &others));
    if (others && weir_file_list_kind(list)[0])
        return weir_file_list_begin(list, weir_file_list_kind(list), false);
    (void)unlinkat(folder, WEIR_FILE_LIST_NAME, 0);
    return 0;
}

/* Not through a link: what that leads to is not on any list. */
static int remove_subfolder(int folder, const char *path, const char *name) {
    struct weir_file_list *list = NULL;
    const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return 0;
    int error = is_there(inner, WEIR_FILE_LIST_NAME) ? weir_file_list_hold(inner, path, &list) : 0;
    if (error == 0 && list)
        error = remove_entries(inner, path, list, false);
    if (error == 0 && list)
        error = drop_list(inner, path, list);
    weir_file_list_close(list);
    close(inner);
    if (error == 0)
        (void)unlinkat(folder, name, AT_REMOVEDIR);
    return error;
}

int weir_results_folder_remove(struct weir_results_folder *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder->path, name) < 0)
        return fail_memory();
    const int error = remove_subfolder(folder->descriptor, path, name);
    free(path);
    return error;
}

/* ---- opening ----------------------------------------------------------------------------------------- */

int weir_results_folder_join(const char *path, struct weir_results_folder **result) {
    struct weir_results_folder *folder = calloc(1, sizeof *folder);
    if (!folder || !(folder->path = strdup(path))) {
        free(folder);
        return fail_memory();
    }
    folder->descriptor = -1;
    pthread_mutex_init(&folder->lock, NULL);
    *result = folder;
    return 0;
}

/* What was found out before may have changed since. */
static int take(struct weir_results_folder *folder, const struct weir_results_use *use) {
    WEIR_TRY(weir_file_list_hold(folder->descriptor, folder->path, &folder->list));
    WEIR_TRY(inspect(folder->descriptor, folder->path, use, folder->list));
    WEIR_TRY(remove_entries(folder->descriptor, folder->path, folder->list, use->keep));
    return weir_file_list_begin(folder->list, use->command, use->keep);
}

int weir_results_folder_open(const char *path, const struct weir_results_use *use,
                             struct weir_results_folder **result) {
    struct weir_results_folder *folder;
    WEIR_TRY(weir_results_folder_check(path, use));
    WEIR_TRY(weir_results_folder_join(path, &folder));
    folder->made = access(path, F_OK) != 0;
    int error = weir_output_folder_create(path);
    if (error == 0) {
        folder->descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        error = folder->descriptor < 0 ? weir_output_error("open", path, errno) : take(folder, use);
    }
    if (error != 0)
        weir_results_folder_close(folder);
    else
        *result = folder;
    return error;
}

void weir_results_folder_close(struct weir_results_folder *folder) {
    if (!folder)
        return;
    if (folder->list && !has_results(folder->descriptor, folder->list))
        (void)drop_list(folder->descriptor, folder->path, folder->list);
    weir_file_list_close(folder->list);
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    if (folder->made)
        (void)rmdir(folder->path); /* only where nothing is in it */
    pthread_mutex_destroy(&folder->lock);
    free(folder->path);
    free(folder);
}

const char *weir_results_folder_path(const struct weir_results_folder *folder) {
    return folder->path;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* Whether it is a folder, no link, with a list of its own. */
static bool has_own_list(int folder, const char *name) {
    const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const bool has = inner >= 0 && is_there(inner, WEIR_FILE_LIST_NAME);
    if (inner >= 0)
        close(inner);
    return has;
}

/* Puts an entry on the list before there is what it names. */
static int announce(struct weir_results_folder *folder, const char *name, const char *ending) {
    char *entry;
    if (!folder->list)
        return 0;
    if (asprintf(&entry, "%s%s", name, ending) < 0)
        return fail_memory();
    int error = 0;
    pthread_mutex_lock(&folder->lock);
    if (!weir_file_list_has(folder->list, entry) && is_there(folder->descriptor, name) &&
        !(strcmp(ending, "/") == 0 && has_own_list(folder->descriptor, name)))
        error =
            weir_fail(WEIR_FAILED,
                      "cannot write '%s/%s': it has come to be there, and is not Weir's: move it, or choose "
                      "another folder with --out",
                      folder->path, name);
    if (error == 0)
        error = weir_file_list_add(folder->list, entry);
    pthread_mutex_unlock(&folder->lock);
    free(entry);
    return error;
}

int weir_results_folder_file(struct weir_results_folder *folder, const char *name, int64_t step,
                             const char *suffix, char **path) {
    WEIR_TRY(weir_output_path(folder->path, name, step, suffix, path));
    const int error = announce(folder, *path + strlen(folder->path) + 1, "");
    if (error != 0) {
        free(*path);
        *path = NULL;
    }
    return error;
}

int weir_results_folder_subfolder(struct weir_results_folder *folder, const char *name, char **path) {
    WEIR_TRY(announce(folder, name, "/"));
    return weir_output_path(folder->path, name, -1, "", path);
}

int weir_results_folder_temporary(struct weir_results_folder *folder, const char *name, char **path) {
    WEIR_TRY(announce(folder, name, "/*"));
    WEIR_TRY(weir_output_path(folder->path, name, -1, "", path));
    if (mkdir(*path, 0777) == 0)
        return 0;
    const int error = weir_output_error("create folder", *path, errno);
    free(*path);
    *path = NULL;
    return error;
}

void weir_results_folder_sweep(struct weir_results_folder *folder) {
    char name[NAME_MAX + 1];
    pthread_mutex_lock(&folder->lock);
    for (int k = 0; folder->list && k < weir_file_list_count(folder->list); k++)
        if (read_entry(weir_file_list_entry(folder->list, k), name) == ENTRY_FILE)
            remove_part(folder->descriptor, name);
    pthread_mutex_unlock(&folder->lock);
}
