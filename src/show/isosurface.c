#include "src/show/isosurface.h"

#include "graph/base/error.h"
#include "src/common/child.h"

#include "codelets/kernels/demand/work_folder.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEM "isosurface_"
#define SUFFIX ".png"

/* traces/isosurface.py, from page_data.S. */
extern const char weir_page_isosurface[], weir_page_isosurface_end[];

static int refuse(const char *text) {
    return weir_fail(WEIR_USAGE,
                     "--isosurface \"%s\": give a quantity and its level, and a quantity to colour it by if "
                     "you like, such as q_criterion=1e-5,colour=speed",
                     text);
}

/* A name goes into that of a file. */
static bool copy_name(char *name, size_t size, const char *begin, const char *end) {
    if (begin == end || (size_t)(end - begin) >= size)
        return false;
    for (const char *c = begin; c < end; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
            return false;
    snprintf(name, size, "%.*s", (int)(end - begin), begin);
    return true;
}

int weir_isosurface_read(struct weir_isosurface *isosurface, const char *text) {
    static const char colour[] = ",colour=";
    const char *equals = strchr(text, '='), *end = text + strlen(text);
    if (!equals || !copy_name(isosurface->quantity, sizeof isosurface->quantity, text, equals))
        return refuse(text);
    char *rest;
    const double level = strtod(equals + 1, &rest);
    const size_t length = (size_t)(rest - equals - 1);
    if (length == 0 || length >= sizeof isosurface->level || !isfinite(level))
        return refuse(text);
    snprintf(isosurface->level, sizeof isosurface->level, "%.*s", (int)length, equals + 1);
    if (*rest == '\0')
        return 0;
    if (strncmp(rest, colour, strlen(colour)) != 0 ||
        !copy_name(isosurface->colour, sizeof isosurface->colour, rest + strlen(colour), end))
        return refuse(text);
    return 0;
}

static int run_python(const struct weir_isosurface *isosurface, const char *folder, const char *picture) {
    char said[PATH_MAX];
    snprintf(said, sizeof said, "%s/weir-isosurface-XXXXXX", weir_temporary_folder());
    char *script = strndup(weir_page_isosurface, (size_t)(weir_page_isosurface_end - weir_page_isosurface));
    const int file = mkstemp(said);
    if (!script || file < 0) {
        free(script);
        return weir_fail(WEIR_FAILED, "no memory, or no room in %s, to draw an isosurface",
                         weir_temporary_folder());
    }
    close(file);
    const char *const words[] = {
        "python3",          "-c", script, folder, picture, isosurface->quantity, isosurface->level,
        isosurface->colour, NULL};
    const char *const environment[] = {NULL};
    const int error = weir_child_run_program("/usr/bin/env", words, environment, said);
    unlink(said);
    free(script);
    return error;
}

int weir_isosurface_draw(const struct weir_isosurface *isosurface, struct weir_results_folder *folder) {
    char name[sizeof STEM + sizeof isosurface->quantity], *path;
    snprintf(name, sizeof name, STEM "%s", isosurface->quantity);
    WEIR_TRY(weir_results_folder_file(folder, name, -1, SUFFIX, &path));
    const int error = run_python(isosurface, weir_results_folder_path(folder), path);
    free(path);
    return error;
}

bool weir_isosurface_is_picture(const char *name) {
    const size_t length = strlen(name), end = strlen(SUFFIX);
    return strncmp(name, STEM, strlen(STEM)) == 0 && length > end && strcmp(name + length - end, SUFFIX) == 0;
}
