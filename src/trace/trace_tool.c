#include "src/trace/trace_tool.h"

#include "graph/base/error.h"
#include "graph/runtime/tracing.h"
#include "src/common/child.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tool_name[] = "starpu_fxt_tool";

static int find_in_path(char **path) {
    const char *all = getenv("PATH");
    for (const char *at = all ? all : ""; *at;) {
        const int length = (int)strcspn(at, ":");
        if (asprintf(path, "%.*s/%s", length, at, tool_name) < 0)
            return *path = NULL, weir_fail(WEIR_FAILED, "out of memory");
        if (access(*path, X_OK) == 0)
            return 0;
        free(*path);
        at += length + (at[length] == ':');
    }
    *path = NULL;
    return weir_fail(WEIR_UNAVAILABLE,
                     "%s, which belongs to StarPU, is neither at %s nor in PATH; add the bin/ of StarPU to "
                     "PATH, or give the tool in STARPU_FXT_TOOL",
                     tool_name, WEIR_FXT_TOOL);
}

int weir_trace_tool_find(char **path) {
    const char *wanted = getenv("STARPU_FXT_TOOL");
    if (!wanted && access(WEIR_FXT_TOOL, X_OK) != 0)
        return find_in_path(path);
    *path = strdup(wanted ? wanted : WEIR_FXT_TOOL);
    if (!*path)
        return weir_fail(WEIR_FAILED, "out of memory");
    if (access(*path, X_OK) == 0)
        return 0;
    const int error =
        weir_fail(WEIR_UNAVAILABLE, "STARPU_FXT_TOOL: '%s' is no program that can be run", *path);
    free(*path);
    *path = NULL;
    return error;
}

/* The recordings, one of each rank: all there, and none empty. */
static int check_recordings(const char *folder, const glob_t *found, int ranks) {
    if ((int)found->gl_pathc != ranks)
        return weir_fail(WEIR_FAILED,
                         "'%s' has %d of %d recordings; it has to be a folder that all ranks see, with space "
                         "on its disk",
                         folder, (int)found->gl_pathc, ranks);
    for (size_t k = 0; k < found->gl_pathc; k++) {
        struct stat status;
        if (stat(found->gl_pathv[k], &status) != 0 || status.st_size == 0)
            return weir_fail(WEIR_FAILED, "the recording '%s' is empty; see that there is space on that disk",
                             found->gl_pathv[k]);
    }
    return 0;
}

static int convert(const char *tool, const char *folder, const char *said, const glob_t *found) {
    const char *words[WEIR_TRACED_RANKS_MAX + 8] = {"-c", "-d", folder, "-i"};
    for (size_t k = 0; k < found->gl_pathc; k++)
        words[4 + k] = found->gl_pathv[k];
    const char *const environment[] = {"STARPU_SILENT=1", NULL};
    return weir_child_run_program(tool, words, environment, said);
}

int weir_trace_tool_convert(const char *tool, const char *folder, int ranks) {
    char *pattern = NULL, *said = NULL;
    glob_t found;
    if (asprintf(&pattern, "%s/%s_*", folder, WEIR_TRACE_RECORDING) < 0 ||
        asprintf(&said, "%s/%s.txt", folder, tool_name) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    int error = 0;
    if (glob(pattern, 0, NULL, &found) != 0)
        error = weir_fail(WEIR_FAILED,
                          "StarPU wrote no recording to '%s'; see that there is space on that disk", folder);
    else {
        error = check_recordings(folder, &found, ranks);
        if (error == 0)
            error = convert(tool, folder, said, &found);
        globfree(&found);
    }
    free(pattern);
    free(said);
    return error;
}
