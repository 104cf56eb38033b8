#include "src/report/report_folder.h"

#include "graph/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int weir_path_join(const char *folder, const char *name, char **path) {
    return asprintf(path, "%s/%s", folder, name) < 0 ? (*path = NULL, weir_fail(WEIR_FAILED, "out of memory"))
                                                     : 0;
}

static bool is_page(const struct weir_report_use *use, const char *name) {
    const size_t length = strlen(use->command);
    return strncmp(name, use->command, length) == 0 && strcmp(name + length, ".html") == 0;
}

static bool writes(const void *context, const char *name) {
    const struct weir_report_use *use = context;
    return is_page(use, name) || (use->writes && use->writes(use->context, name));
}

static struct weir_results_use use_of(const struct weir_report_use *use) {
    return (struct weir_results_use){.command = use->command,
                                     .results = use->results,
                                     .force = use->force,
                                     .keep = true,
                                     .writes = writes,
                                     .context = use};
}

int weir_report_folder_choose(const char *out, const char *name, const struct weir_report_use *use,
                              struct weir_report_folder *folder) {
    *folder = (struct weir_report_folder){.use = use};
    if (out)
        folder->path = strdup(out);
    else if (asprintf(&folder->path, "out/%s_%s", name, use->command) < 0)
        folder->path = NULL;
    if (!folder->path || asprintf(&folder->page, "%s/%s.html", folder->path, use->command) < 0) {
        folder->page = NULL;
        return weir_fail(WEIR_FAILED, "out of memory");
    }
    const struct weir_results_use results = use_of(use);
    return weir_results_folder_check(folder->path, &results);
}

int weir_report_folder_create(struct weir_report_folder *folder) {
    const struct weir_results_use results = use_of(folder->use);
    char name[32];
    WEIR_TRY(weir_results_folder_open(folder->path, &results, &folder->results));
    snprintf(name, sizeof name, "runs.%ld", (long)getpid());
    return weir_results_folder_temporary(folder->results, name, &folder->work);
}

int weir_report_folder_begin_page(struct weir_report_folder *folder) {
    char *path;
    WEIR_TRY(weir_results_folder_file(folder->results, folder->use->command, -1, ".html", &path));
    free(path);
    return 0;
}

void weir_report_folder_release(struct weir_report_folder *folder) {
    if (folder->work)
        weir_results_folder_remove_temporary(folder->work);
    weir_results_folder_close(folder->results);
    free(folder->path);
    free(folder->page);
    free(folder->work);
    *folder = (struct weir_report_folder){0};
}
