#include "src/common/launcher.h"

#include "graph/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *weir_program_find(const char *name) {
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    char *copy = strdup(path ? path : "/usr/local/bin:/usr/bin:/bin"), *rest = copy, *found = NULL;
    for (const char *folder; copy && !found && (folder = strsep(&rest, ":"));) {
        if (asprintf(&found, "%s/%s", folder[0] ? folder : ".", name) < 0)
            found = NULL;
        if (found && access(found, X_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(copy);
    return found;
}

/* A word with the number in the place of each {ranks}. NULL when memory is short. */
static char *fill_in(const char *word, int ranks) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (const char *mark; (mark = strstr(word, "{ranks}")); word = mark + strlen("{ranks}"))
        fprintf(stream, "%.*s%d", (int)(mark - word), word, ranks);
    fputs(word, stream);
    fclose(stream);
    return text;
}

int weir_launcher_create(const char *command, int ranks, struct weir_launcher *launcher) {
    *launcher = (struct weir_launcher){0};
    char *copy = strdup(command), *rest = copy;
    int error = copy ? 0 : weir_fail(WEIR_FAILED, "out of memory");
    for (const char *word; error == 0 && (word = strsep(&rest, " \t\n"));) {
        if (word[0] == '\0')
            continue;
        if (launcher->count == WEIR_LAUNCHER_WORDS_MAX)
            error = weir_fail(WEIR_USAGE, "--launcher: \"%s\" has more than %d words; put it into a script",
                              command, WEIR_LAUNCHER_WORDS_MAX);
        else if (!(launcher->words[launcher->count] = fill_in(word, ranks)))
            error = weir_fail(WEIR_FAILED, "out of memory");
        else
            launcher->count++;
    }
    free(copy);
    if (error == 0 && launcher->count == 0)
        error =
            weir_fail(WEIR_USAGE, "--launcher: an empty command; give one such as 'srun --ntasks={ranks}'");
    WEIR_TRY(error);
    char *program = weir_program_find(launcher->words[0]);
    if (!program)
        return weir_fail(WEIR_UNAVAILABLE,
                         "no program \"%s\" is found, which is to start the ranks; install an MPI (Debian: "
                         "openmpi-bin), set PATH, or name another with --launcher",
                         launcher->words[0]);
    free(launcher->words[0]);
    launcher->words[0] = program;
    return 0;
}

void weir_launcher_release(struct weir_launcher *launcher) {
    for (int k = 0; k < launcher->count; k++)
        free(launcher->words[k]);
    launcher->count = 0;
}
