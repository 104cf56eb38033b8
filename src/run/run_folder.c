#include "src/run/run_folder.h"

#include "graph/base/error.h"
#include "graph/ranks/world.h"
#include "src/case/outputs/output_names.h"
#include "src/common/output_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_result(const void *c, const char *name) {
    return weir_output_names_hold(c, name);
}

static struct weir_results_use use_of(const struct weir_case *c, const struct weir_options *options) {
    return (struct weir_results_use){.command = "run",
                                     .results = "the results of an earlier run",
                                     .force = options->force || options->resumes,
                                     .keep = options->resumes,
                                     .writes = is_result,
                                     .context = c};
}

/* A file that an option names must not be one of the run's outputs. */
static int check_beside(const struct weir_case *c, const char *folder_path, const char *option,
                        const char *path) {
    char *slash, *above = path ? strdup(path) : NULL, *folder = realpath(folder_path, NULL), *real = NULL;
    if (above && folder) {
        slash = strrchr(above, '/');
        if (slash)
            slash[slash == above] = '\0';
        real = realpath(slash ? above : ".", NULL);
    }
    const char *name = path && strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const bool clash = real && strcmp(real, folder) == 0 && strcmp(name, "summary.json") != 0 &&
                       weir_output_names_hold(c, name);
    free(above);
    free(folder);
    free(real);
    return clash ? weir_fail(WEIR_USAGE, "%s: the run writes \"%s\" itself; give another file", option, path)
                 : 0;
}

int weir_run_folder_choose(const struct weir_case *c, const struct weir_options *options, char **path) {
    const char *out = options->out;
    if ((out ? asprintf(path, "%s", out) : asprintf(path, "out/%s", c->name)) < 0) {
        *path = NULL;
        return weir_fail(WEIR_FAILED, "out of memory");
    }
    if (!weir_world_speaks(options->world))
        return 0;
    const struct weir_results_use use = use_of(c, options);
    WEIR_TRY(check_beside(c, *path, "--summary", options->summary));
    WEIR_TRY(check_beside(c, *path, "--record", options->record));
    return weir_results_folder_check(*path, &use);
}

static int write_case(const struct weir_case *c, struct weir_results_folder *folder) {
    char *path = NULL;
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_results_folder_file(folder, "case", -1, ".json", &path));
    int error = weir_output_file_create(path, &file);
    if (error == 0) {
        fputs(c->text, weir_output_file_stream(file));
        fputc('\n', weir_output_file_stream(file));
        error = weir_output_file_finish(file);
    }
    free(path);
    return error;
}

/* Rank 0 writes for all. */
int weir_run_folder_open(const struct weir_case *c, const struct weir_options *options, const char *path,
                         struct weir_results_folder **folder) {
    const struct weir_results_use use = use_of(c, options);
    if (!weir_world_speaks(options->world))
        return weir_results_folder_join(path, folder);
    if (options->summary)
        WEIR_TRY(weir_output_file_try_anywhere(options->summary));
    if (options->record)
        WEIR_TRY(weir_output_file_try(options->record));
    WEIR_TRY(weir_results_folder_open(path, &use, folder));
    if (options->resumes) /* what was being written when the run before ended */
        weir_results_folder_sweep(*folder);
    return write_case(c, *folder);
}
