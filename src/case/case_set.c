/* Walks the path of a --set through the tree, making what is missing, and puts the value at its end. */
#include "src/case/case_set.h"

#include "graph/base/error.h"

#include <stdlib.h>
#include <string.h>

/* Keys of a case are four deep; what walks through a tree calls itself once per level. */
enum { PARTS_MAX = 32 };

/* One part of a path: a key, or an index into a list. */
struct part {
    const char *key; /* not terminated; NULL: an index */
    size_t length;
    size_t index;
    int before; /* length of the path that leads to it */
};

static int fail_path(const char *set, const char *at, const char *problem) {
    return weir_fail(
        WEIR_USAGE,
        "--set %.100s: %s at \"%.40s\"; give PATH=VALUE, such as run.steps=100 or output[0].every=10", set,
        problem, at);
}

/* Reads the part at *cursor and moves it behind the part and the dot that follows it. */
static int next_part(const char *set, const char **cursor, struct part *part) {
    const char *at = *cursor;
    int before = (int)(at - set) - (at > set && at[-1] == '.');
    if (*at == '[') {
        char *end;
        if (at[1] < '0' || at[1] > '9')
            return fail_path(set, at, "no index");
        unsigned long index = strtoul(at + 1, &end, 10);
        if (*end != ']')
            return fail_path(set, at, "no \"]\" after the index");
        *part = (struct part){.index = index, .before = before};
        *cursor = end + 1;
    } else {
        size_t length = strcspn(at, ".[]=");
        if (length == 0)
            return fail_path(set, at, "no key");
        *part = (struct part){.key = at, .length = length, .before = before};
        *cursor = at + length;
    }
    if (**cursor == '.') {
        ++*cursor;
        if (strchr(".[]=", **cursor))
            return fail_path(set, *cursor, "no key");
    } else if (**cursor != '[' && **cursor != '=') {
        return fail_path(set, *cursor, "neither \".\", \"[\" nor \"=\"");
    }
    return 0;
}

/* VALUE as JSON, or as a text where it does not look like JSON. Returns a new value; NULL after weir_fail. */
static json_t *parse_value(const char *set, const char *text) {
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    if (value)
        return value;
    if (text[0] && strchr("{[\"", text[0])) {
        weir_fail(WEIR_USAGE, "--set %.200s: the value is not valid JSON: %s", set, error.text);
        return NULL;
    }
    value = json_string(text);
    if (!value)
        weir_fail(WEIR_USAGE, "--set %.200s: the value is not UTF-8 text", set);
    return value;
}

/* Finds what a part names in a container; *child is borrowed, NULL when it is not there yet. */
static int find(const char *set, json_t *container, const struct part *part, json_t **child) {
    size_t size = json_array_size(container);
    if (part->key) {
        if (!json_is_object(container))
            return weir_fail(WEIR_USAGE, "--set %.200s: %.*s is not an object, so it has no key \"%.*s\"",
                             set, part->before, set, (int)part->length, part->key);
        *child = json_object_getn(container, part->key, part->length);
        return 0;
    }
    if (!json_is_array(container))
        return weir_fail(WEIR_USAGE, "--set %.200s: %.*s is not a list, so it has no entry [%zu]", set,
                         part->before, set, part->index);
    if (part->index > size)
        return weir_fail(WEIR_USAGE, "--set %.200s: %.*s has %zu entries; give an index from 0 to %zu", set,
                         part->before, set, size, size);
    *child = json_array_get(container, part->index);
    return 0;
}

/* Puts a new value (its reference is taken over) where a part points; find() has shown that it can. */
static void put(json_t *container, const struct part *part, json_t *value) {
    if (part->key)
        json_object_setn_new(container, part->key, part->length, value);
    else if (part->index == json_array_size(container))
        json_array_append_new(container, value);
    else
        json_array_set_new(container, part->index, value);
}

/* Takes out what a part points to. */
static int take_out(const char *set, json_t *container, const struct part *part) {
    const int gone = part->key ? json_object_deln(container, part->key, part->length)
                               : json_array_remove(container, part->index);
    return gone == 0
               ? 0
               : weir_fail(WEIR_USAGE,
                           "--set %.200s: the case has no such key, so there is nothing to remove", set);
}

/* What a path with a value does where it ends. */
static int change(const char *set, json_t *container, const struct part *part, const char *text) {
    json_t *value = parse_value(set, text);
    if (!value)
        return -WEIR_USAGE;
    if (json_is_null(value))
        return take_out(set, container, part);
    put(container, part, value);
    return 0;
}

int weir_case_set(json_t *root, const char *set) {
    const char *cursor = set;
    if (!strchr(set, '='))
        return weir_fail(WEIR_USAGE, "--set %.200s: has no \"=\"; give PATH=VALUE, such as run.steps=100",
                         set);

    json_t *container = root;
    for (int parts = 0;; parts++) {
        struct part part = {0};
        json_t *child = NULL;
        if (parts == PARTS_MAX)
            return fail_path(set, cursor, "deeper than any key of a case");
        WEIR_TRY(next_part(set, &cursor, &part));
        WEIR_TRY(find(set, container, &part, &child));
        if (*cursor == '=')
            return change(set, container, &part, cursor + 1);
        if (!child) {
            child = *cursor == '[' ? json_array() : json_object();
            put(container, &part, child);
        }
        container = child;
    }
}
