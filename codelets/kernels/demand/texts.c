#include "codelets/kernels/demand/texts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int weir_text_find(const char *path) {
    for (int k = 0; k < weir_text_count; k++)
        if (strcmp(weir_texts[k].path, path) == 0)
            return k;
    return -1;
}

/* The path that an include made of definitions names:
 *     WEIR_STRING(codelets/kernels/collision/WEIR_JOIN(collision_, WEIR_COLLISION).h)
 * "" where the definition is not given. */
static void computed_path(const char *line, const struct weir_definitions *definitions, char path[256]) {
    char folder[128], prefix[64], name[64], ending[16];
    path[0] = '\0';
    if (sscanf(line, "WEIR_STRING(%127[^(](%63[^,], %63[^)])%15[^)])", folder, prefix, name, ending) != 4)
        return;
    char *const join = strstr(folder, "WEIR_JOIN");
    const char *const value = weir_definition(definitions, name);
    if (!join || !value)
        return;
    *join = '\0';
    snprintf(path, 256, "%s%s%s%s", folder, prefix, value, ending);
}

static void add(int text, const struct weir_definitions *definitions, struct weir_text_closure *closure);

static void follow_includes(const char *text, const struct weir_definitions *definitions,
                            struct weir_text_closure *closure) {
    static const char include[] = "#include ";
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, include, strlen(include)) != 0)
            continue;
        char path[256] = "";
        const char *const what = line + strlen(include);
        if (sscanf(what, "\"%255[^\"]\"", path) != 1)
            computed_path(what, definitions, path);
        const int next = weir_text_find(path);
        if (next >= 0)
            add(next, definitions, closure);
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool mentions(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

static void add(int text, const struct weir_definitions *definitions, struct weir_text_closure *closure) {
    if (closure->member[text])
        return;
    closure->member[text] = true;
    for (int k = 0; k < definitions->count; k++)
        closure->defined[k] =
            closure->defined[k] || mentions(weir_texts[text].text, definitions->definition[k].name);
    follow_includes(weir_texts[text].text, definitions, closure);
}

void weir_text_close(int text, const struct weir_definitions *definitions,
                     struct weir_text_closure *closure) {
    memset(closure, 0, sizeof *closure);
    add(text, definitions, closure);
}

/* Makes the folders above a file. */
static int make_folders(char *path, size_t below) {
    for (char *slash = strchr(path + below + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int result = mkdir(path, 0700);
        *slash = '/';
        if (result != 0 && errno != EEXIST)
            return -1;
    }
    return 0;
}

int weir_texts_write(const char *folder) {
    for (int k = 0; k < weir_text_count; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, weir_texts[k].path);
        if (make_folders(path, strlen(folder)) != 0)
            return -1;
        FILE *file = fopen(path, "we");
        if (!file)
            return -1;
        const bool written = fputs(weir_texts[k].text, file) >= 0;
        if (fclose(file) != 0 || !written)
            return -1;
    }
    return 0;
}
