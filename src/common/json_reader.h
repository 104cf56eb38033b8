/* Typed reading of a JSON tree. Every value carries the path of keys that leads to it, so that each error
 * names the file, the key, what was there and what would be right. Knows JSON (Jansson), not what the keys
 * mean. */
#ifndef WEIR_SRC_COMMON_JSON_READER_H
#define WEIR_SRC_COMMON_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The keys an object may have. Paths are those of messages with array indices left out: "output[]", "" for
 * the root. */
struct weir_json_keys {
    const char *object;
    const char *const *keys; /* NULL-terminated */
};

/* What is wrong with a file, as far as it has been read: a line each. */
enum { WEIR_JSON_MISTAKES = 1800 };
struct weir_json_mistakes {
    int count, told;               /* all; those in the text */
    char text[WEIR_JSON_MISTAKES]; /* lines but the first begin with "weir: ", as the first will */
};

/* Where values come from, for messages and for the check of keys. */
struct weir_json_source {
    const char *file;
    const char *const *sets; /* PATH=VALUE texts that changed the tree after it was read */
    int set_count;
    const struct weir_json_keys *known;  /* ends with object == NULL */
    struct weir_json_mistakes *mistakes; /* NULL: reading ends with the first */
};

enum { WEIR_JSON_PATH = 256 };

/* A value in the tree: borrowed from it, like its source; free to copy. */
struct weir_json {
    const struct weir_json_source *source;
    const json_t *value; /* NULL: the key is absent */
    char path[WEIR_JSON_PATH];
};

/* Loads a file that holds a JSON object of at most 64 MiB; `what` names its kind in messages, "case" for a
 * case file. *root is a new reference. -WEIR_USAGE with file, line and reason. */
int weir_json_load(const char *file, const char *what, json_t **root);

/* The root of a tree. */
struct weir_json weir_json_root(const struct weir_json_source *source, const json_t *root);

/* The value under a key of an object; absent when the object is absent or has no such key. */
struct weir_json weir_json_member(const struct weir_json *object, const char *key);

/* An entry of an array; absent beyond its end. */
struct weir_json weir_json_item(const struct weir_json *array, int index);

/* Whether the key is there; only then are the readers below of use. */
bool weir_json_present(const struct weir_json *json);

/* Fails with "FILE: PATH: text", and names the --set that put the value there if one did. Returns
 * -WEIR_USAGE. */
int weir_json_fail(const struct weir_json *json, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes a mistake, so that reading goes on with what does not depend on it: 0 for -WEIR_USAGE where the
 * source gathers mistakes. Any other error comes back unchanged. */
int weir_json_note(const struct weir_json_source *source, int error);

/* WEIR_TRY with that. */
#define WEIR_JSON_NOTE(source, call) WEIR_TRY(weir_json_note(source, call))

/* Whether anything was noted; fails with all of it then, a line each. */
int weir_json_tell(const struct weir_json_source *source);

/* Fails with "... what is missing; give WANTED". */
int weir_json_fail_missing(const struct weir_json *json, const char *wanted);

/* Fails with "... VALUE is not KIND; give WANTED". */
int weir_json_fail_type(const struct weir_json *json, const char *kind, const char *wanted);

/* Each of these checks the type of a value that must be present, and returns 0 or -WEIR_USAGE. `wanted`
 * completes the message "...; give WANTED". */

/* An object all of whose keys are known: source.known has a row for its path. Where several are
 * not, all but the last are noted. */
int weir_json_object(const struct weir_json *json, const char *wanted);

/* An array of between `least` and `most` entries; *count receives their number. */
int weir_json_array(const struct weir_json *json, const char *wanted, int least, int most, int *count);

int weir_json_number(const struct weir_json *json, const char *wanted, double *result);

/* A whole number between least and most, written as 1000 or as 1e3. */
int weir_json_integer(const struct weir_json *json, const char *wanted, int64_t least, int64_t most,
                      int64_t *result);

int weir_json_boolean(const struct weir_json *json, const char *wanted, bool *result);

/* *result is borrowed from the tree. */
int weir_json_string(const struct weir_json *json, const char *wanted, const char **result);

/* One of `names` (NULL-terminated); *result receives its place among them. `what` says what they are, such as
 * "a lattice". */
int weir_json_choice(const struct weir_json *json, const char *what, const char *const *names, int *result);

/* Fails where one of these has to be given. */
int weir_json_fail_choice_missing(const struct weir_json *json, const char *const *names);

/* Writes "a", "b" or "c". */
enum { WEIR_JSON_LIST = 512 };
void weir_json_list_names(const char *const *names, char text[WEIR_JSON_LIST]);

/* A name fit for files: letters, digits, '.', '_' and '-', the first a letter or digit, at most `longest`
 * characters. *result is borrowed from the tree. */
int weir_json_name(const struct weir_json *json, size_t longest, const char **result);

#endif
