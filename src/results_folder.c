#include "src/results_folder.h"

#include "graph/error.h"
#include "src/output_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a run leaves; other files in the folder are the user's. */
static bool is_result(const char *name) {
    static const char *const endings[] = {".h5", ".xmf", ".png", ".csv", ".part"};
    const size_t length = strlen(name);
    if (strcmp(name, "case.json") == 0 || strcmp(name, "summary.json") == 0)
        return true;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const size_t ending = strlen(endings[k]);
        if (length > ending && strcmp(name + length - ending, endings[k]) == 0)
            return true;
    }
    return false;
}

static int join(const char *directory, const char *name, char **path) {
    return asprintf(path, "%s/%s", directory, name) < 0 ? weir_fail(WEIR_FAILED, "out of memory") : 0;
}

int weir_results_folder_name(const struct weir_case *c, const char *out, char **directory) {
    if (!out)
        return join("out", c->name, directory);
    *directory = strdup(out);
    return *directory ? 0 : weir_fail(WEIR_FAILED, "out of memory");
}

int weir_results_folder_check(const char *directory, bool force) {
    struct stat status;
    char *record = NULL;
    WEIR_TRY(join(directory, "case.json", &record));
    const bool earlier_run = stat(record, &status) == 0;
    free(record);
    if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
        return weir_fail(WEIR_USAGE, "--out: \"%s\" is a file; give a folder", directory);
    if (earlier_run && !force)
        return weir_fail(
            WEIR_USAGE,
            "\"%s\" holds the results of an earlier run; give --force to replace them, or another folder "
            "with --out",
            directory);
    return 0;
}

static bool is_part(const char *name) {
    const char *ending = strrchr(name, '.');
    return ending && strcmp(ending, ".part") == 0;
}

static int remove_files(const char *directory, bool (*goes)(const char *name)) {
    DIR *stream = opendir(directory);
    if (!stream)
        return weir_output_error("read", directory, errno);
    int error = 0;
    for (const struct dirent *entry; error == 0 && (entry = readdir(stream));) {
        char *path = NULL;
        if (!goes(entry->d_name))
            continue;
        error = join(directory, entry->d_name, &path);
        if (error == 0 && unlink(path) != 0)
            error = weir_output_error("remove", path, errno);
        free(path);
    }
    closedir(stream);
    return error;
}

int weir_results_folder_sweep(const char *directory) {
    return remove_files(directory, is_part);
}

int weir_results_folder_create(const char *directory, const struct weir_case *c) {
    char *path = NULL;
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_folder_create(directory));
    WEIR_TRY(remove_files(directory, is_result));
    WEIR_TRY(weir_output_path(directory, "case", -1, ".json", &path));
    int error = weir_output_file_create(path, &file);
    if (error == 0) {
        fputs(c->text, weir_output_file_stream(file));
        fputc('\n', weir_output_file_stream(file));
        error = weir_output_file_finish(file);
    }
    free(path);
    return error;
}
