/* Typed reading of a Jansson tree; see the header. Messages quote values as JSON, cut short where they are
 * long. */
#include "src/common/json_reader.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { QUOTE = 48, LIST = WEIR_JSON_LIST };

/* Appends to a path, control characters made visible; what does not fit is left off. */
static void path_append(char path[WEIR_JSON_PATH], const char *text) {
    size_t used = strlen(path);
    for (; *text && used + 1 < WEIR_JSON_PATH; text++)
        path[used++] = iscntrl((unsigned char)*text) ? '?' : *text;
    path[used] = '\0';
}

int weir_json_load(const char *file, const char *what, json_t **root) {
    const off_t largest = 64 << 20;
    struct stat status;
    if (stat(file, &status) < 0)
        return weir_fail(WEIR_USAGE, "%s: %s; give the path of a %s file", file, strerror(errno), what);
    if (S_ISDIR(status.st_mode))
        return weir_fail(WEIR_USAGE, "%s: is a folder; give the path of a %s file in it", file, what);
    if (status.st_size > largest)
        return weir_fail(WEIR_USAGE, "%s: has %lld bytes; a %s file is JSON text of a few kilobytes", file,
                         (long long)status.st_size, what);

    json_error_t error;
    json_t *tree = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    if (!tree && error.line < 0)
        return weir_fail(WEIR_USAGE, "%s: %s; give the path of a %s file that can be read", file, error.text,
                         what);
    if (!tree)
        return weir_fail(WEIR_USAGE, "%s: line %d, column %d: not valid JSON: %s", file, error.line,
                         error.column, error.text);
    if (!json_is_object(tree)) {
        json_decref(tree);
        return weir_fail(WEIR_USAGE, "%s: is a list; a %s is an object {...}, see configs/ for examples",
                         file, what);
    }
    *root = tree;
    return 0;
}

struct weir_json weir_json_root(const struct weir_json_source *source, const json_t *root) {
    return (struct weir_json){.source = source, .value = root, .path = ""};
}

struct weir_json weir_json_member(const struct weir_json *object, const char *key) {
    struct weir_json member = *object;
    if (member.path[0])
        path_append(member.path, ".");
    path_append(member.path, key);
    member.value = json_object_get(object->value, key);
    return member;
}

struct weir_json weir_json_item(const struct weir_json *array, int index) {
    struct weir_json item = *array;
    char number[16];
    snprintf(number, sizeof number, "[%d]", index);
    path_append(item.path, number);
    item.value = json_array_get(array->value, (size_t)index);
    return item;
}

bool weir_json_present(const struct weir_json *json) {
    return json->value != NULL;
}

/* Whether one path is the other or leads to it. */
static bool same_branch(const char *path, const char *set, size_t set_length) {
    size_t path_length = strlen(path);
    size_t shorter = path_length < set_length ? path_length : set_length;
    if (shorter == 0 || strncmp(path, set, shorter) != 0)
        return false;
    char next = path_length > shorter ? path[shorter] : set_length > shorter ? set[shorter] : '\0';
    return next == '\0' || next == '.' || next == '[';
}

/* The --set that made or changed the value at a path, or NULL. */
static const char *responsible_set(const struct weir_json *json) {
    for (int i = json->source->set_count - 1; i >= 0; i--) {
        const char *set = json->source->sets[i];
        if (same_branch(json->path, set, strcspn(set, "=")))
            return set;
    }
    return NULL;
}

int weir_json_fail(const struct weir_json *json, const char *format, ...) {
    char text[1400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    const char *set = responsible_set(json);
    return weir_fail(WEIR_USAGE, "%s: %s%s%s%s%.100s%s", json->source->file, json->path,
                     json->path[0] ? ": " : "", text, set ? " (from --set " : "", set ? set : "",
                     set ? ")" : "");
}

int weir_json_note(const struct weir_json_source *source, int error) {
    struct weir_json_mistakes *mistakes = source->mistakes;
    enum { ROOM_FOR_MORE = 64 };
    if (error != -WEIR_USAGE || !mistakes)
        return error;
    const size_t used = strlen(mistakes->text), room = sizeof mistakes->text - ROOM_FOR_MORE - used;
    const char *between = mistakes->count > 0 ? "\nweir: " : "", *text = weir_error_text();
    if (mistakes->count++ == mistakes->told && (used == 0 || strlen(between) + strlen(text) < room)) {
        snprintf(mistakes->text + used, room, "%s%s", between, text);
        mistakes->told++;
    }
    return 0;
}

int weir_json_tell(const struct weir_json_source *source) {
    const struct weir_json_mistakes *mistakes = source->mistakes;
    char more[48] = "";
    if (mistakes->count == 0)
        return 0;
    if (mistakes->count > mistakes->told)
        snprintf(more, sizeof more, "\nweir: and %d more", mistakes->count - mistakes->told);
    return weir_fail(WEIR_USAGE, "%s%s", mistakes->text, more);
}

int weir_json_fail_missing(const struct weir_json *json, const char *wanted) {
    return weir_json_fail(json, "missing; give %s", wanted);
}

/* The value as JSON text, at most QUOTE characters of it. */
static void quote(const json_t *value, char text[QUOTE + 4]) {
    char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
    size_t length = dump ? strlen(dump) : 0;
    if (length > QUOTE) {
        length = QUOTE;
        while (length > 0 && ((unsigned char)dump[length] & 0xC0) == 0x80) /* not inside a UTF-8 character */
            length--;
        strcpy(text + length, "...");
    } else {
        text[length] = '\0';
    }
    if (length > 0)
        memcpy(text, dump, length);
    free(dump);
}

int weir_json_fail_type(const struct weir_json *json, const char *kind, const char *wanted) {
    char text[QUOTE + 4];
    quote(json->value, text);
    return weir_json_fail(json, "%s is not %s; give %s", text, kind, wanted);
}

/* The path without array indices: "output[2].every" becomes "output[].every". */
static void path_without_indices(const char *path, char result[WEIR_JSON_PATH]) {
    bool inside = false;
    size_t used = 0;
    for (; *path; path++) {
        if (*path == ']')
            inside = false;
        if (!inside)
            result[used++] = *path;
        if (*path == '[')
            inside = true;
    }
    result[used] = '\0';
}

static bool is_among(const char *word, const char *const *names) {
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

void weir_json_list_names(const char *const *names, char text[LIST]) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; names[i] && used < LIST; i++) {
        const char *before = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        int written = snprintf(text + used, LIST - used, "%s\"%s\"", before, names[i]);
        used += (size_t)written;
    }
}

static int fail_unknown_key(const struct weir_json *object, const char *key, const char *const *keys) {
    struct weir_json member = weir_json_member(object, key);
    const char *near = weir_nearest(key, keys);
    if (near)
        return weir_json_fail(&member, "unknown key; did you mean \"%s\"?", near);

    for (const struct weir_json_keys *other = object->source->known; other->object; other++)
        if (is_among(key, other->keys))
            return weir_json_fail(&member, "unknown key here; did you mean \"%s%s%s\"?", other->object,
                                  other->object[0] ? "." : "", key);

    char known[LIST];
    weir_json_list_names(keys, known);
    return weir_json_fail(&member, "unknown key; known here are %s", known);
}

int weir_json_object(const struct weir_json *json, const char *wanted) {
    if (!json_is_object(json->value))
        return weir_json_fail_type(json, "an object {...}", wanted);

    char path[WEIR_JSON_PATH];
    path_without_indices(json->path, path);
    const struct weir_json_keys *known = json->source->known;
    while (strcmp(known->object, path) != 0)
        known++;

    const char *key;
    json_t *value;
    int error = 0; /* with the last unknown key; those before it are noted */
    json_object_foreach((json_t *)json->value, key, value) {
        if (is_among(key, known->keys))
            continue;
        WEIR_JSON_NOTE(json->source, error);
        error = fail_unknown_key(json, key, known->keys);
    }
    return error;
}

int weir_json_array(const struct weir_json *json, const char *wanted, int least, int most, int *count) {
    if (!json_is_array(json->value))
        return weir_json_fail_type(json, "a list [...]", wanted);
    size_t size = json_array_size(json->value);
    if (size < (size_t)least || size > (size_t)most)
        return weir_json_fail(json, "has %zu %s; give %s", size, size == 1 ? "entry" : "entries", wanted);
    *count = (int)size;
    return 0;
}

int weir_json_number(const struct weir_json *json, const char *wanted, double *result) {
    if (!json_is_number(json->value))
        return weir_json_fail_type(json, "a number", wanted);
    *result = json_number_value(json->value);
    return 0;
}

int weir_json_integer(const struct weir_json *json, const char *wanted, int64_t least, int64_t most,
                      int64_t *result) {
    const double exact = 9007199254740992.0; /* 2^53: up to here every whole number is a double */
    if (!json_is_number(json->value))
        return weir_json_fail_type(json, "a number", wanted);
    double number = json_number_value(json->value);
    if (number != floor(number))
        return weir_json_fail_type(json, "a whole number", wanted);
    if (number < (double)least || number > (double)most || fabs(number) > exact) {
        char text[QUOTE + 4];
        quote(json->value, text);
        return weir_json_fail(json, "%s is too %s; give %s", text, number < (double)least ? "small" : "large",
                              wanted);
    }
    *result = (int64_t)number;
    return 0;
}

int weir_json_boolean(const struct weir_json *json, const char *wanted, bool *result) {
    if (!json_is_boolean(json->value))
        return weir_json_fail_type(json, "true or false", wanted);
    *result = json_is_true(json->value);
    return 0;
}

int weir_json_string(const struct weir_json *json, const char *wanted, const char **result) {
    if (!json_is_string(json->value))
        return weir_json_fail_type(json, "a text in quotes", wanted);
    *result = json_string_value(json->value);
    return 0;
}

int weir_json_choice(const struct weir_json *json, const char *what, const char *const *names, int *result) {
    char known[LIST];
    weir_json_list_names(names, known);
    const char *text = json_string_value(json->value);
    if (!text)
        return weir_json_fail_type(json, what, known);
    for (int i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *result = i;
            return 0;
        }
    }
    const char *near = weir_nearest(text, names);
    if (near && names[1])
        return weir_json_fail(json, "\"%.48s\" is not %s; did you mean \"%s\"? Give %s", text, what, near,
                              known);
    return weir_json_fail_type(json, what, known);
}

int weir_json_fail_choice_missing(const struct weir_json *json, const char *const *names) {
    char known[LIST];
    weir_json_list_names(names, known);
    return weir_json_fail_missing(json, known);
}

static bool is_name(const char *text, size_t longest) {
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t length = strlen(text);
    return length > 0 && length <= longest && strspn(text, letters) == length &&
           isalnum((unsigned char)text[0]);
}

int weir_json_name(const struct weir_json *json, size_t longest, const char **result) {
    WEIR_TRY(weir_json_string(json, "a name in quotes", result));
    if (is_name(*result, longest))
        return 0;
    char wanted[160];
    snprintf(wanted, sizeof wanted,
             "at most %zu letters, digits, \".\", \"_\" or \"-\", beginning with a letter or digit", longest);
    return weir_json_fail_type(json, "a name fit for a file", wanted);
}
