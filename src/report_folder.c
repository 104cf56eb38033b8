#include "src/report_folder.h"

#include "graph/error.h"
#include "src/output_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int weir_path_join(const char *folder, const char *name, char **path) {
    return asprintf(path, "%s/%s", folder, name) < 0 ? (*path = NULL, weir_fail(WEIR_FAILED, "out of memory"))
                                                     : 0;
}

int weir_report_folder_choose(const char *out, const char *name, const char *kind, bool force,
                              struct weir_report_folder *folder) {
    char file[64];
    struct stat status;
    *folder = (struct weir_report_folder){0};
    if (out)
        folder->path = strdup(out);
    else if (asprintf(&folder->path, "out/%s_%s", name, kind) < 0)
        folder->path = NULL;
    if (!folder->path)
        return weir_fail(WEIR_FAILED, "out of memory");
    const bool there = stat(folder->path, &status) == 0;
    if (there && !S_ISDIR(status.st_mode))
        return weir_fail(WEIR_USAGE, "--out: \"%s\" is a file; give a folder", folder->path);
    snprintf(file, sizeof file, "%s.html", kind);
    WEIR_TRY(weir_path_join(folder->path, file, &folder->page));
    if (stat(folder->page, &status) == 0 && !force)
        return weir_fail(WEIR_USAGE,
                         "\"%s\" is there from an earlier time; give --force to replace it, or another "
                         "folder with --out",
                         folder->page);
    folder->made = !there;
    return 0;
}

int weir_report_folder_create(struct weir_report_folder *folder) {
    WEIR_TRY(weir_output_folder_create(folder->path));
    WEIR_TRY(weir_path_join(folder->path, "runs.XXXXXX", &folder->work));
    if (mkdtemp(folder->work))
        return 0;
    const int reason = errno;
    free(folder->work);
    folder->work = NULL;
    return weir_output_error("create a folder in", folder->path, reason);
}

void weir_report_folder_release(struct weir_report_folder *folder) {
    if (folder->work)
        weir_output_folder_remove(folder->work);
    if (folder->path && folder->made)
        rmdir(folder->path); /* only where nothing is in it */
    free(folder->path);
    free(folder->page);
    free(folder->work);
    *folder = (struct weir_report_folder){0};
}
