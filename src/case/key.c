/* Reading by rows. */
#include "src/case/key.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct weir_key *weir_key_members(const struct weir_key *key) {
    return key->members_of ? key->members_of() : key->members;
}

const char *const *weir_key_choices(const struct weir_key *key) {
    return key->choices_of ? key->choices_of() : key->choices;
}

bool weir_key_of_kind(const struct weir_key *key, int kind) {
    return key->kinds == 0 || (key->kinds & 1u << kind);
}

static int read_number(const struct weir_json *json, const struct weir_key *key,
                       const struct weir_units *units, double *number) {
    if (key->quantity.what)
        return key->positive ? weir_case_read_positive(json, units, &key->quantity, number)
                             : weir_case_read_number(json, units, &key->quantity, number);
    WEIR_TRY(weir_json_number(json, key->wanted, number));
    if (key->positive && *number <= 0)
        return weir_json_fail_type(json, "greater than 0", key->wanted);
    if (key->least != key->most && !(*number >= key->least && *number <= key->most))
        return weir_json_fail_type(json, "within the limits", key->wanted);
    return 0;
}

/* A time is as many whole steps as come nearest to it. */
static int read_steps(const struct weir_json *json, const struct weir_key *key,
                      const struct weir_units *units, int64_t *steps) {
    double seconds;
    int end = 0;
    const char *text = json_string_value(json->value);
    if (!text)
        return weir_json_integer(json, key->wanted, (int64_t)key->least, (int64_t)key->most, steps);
    if (sscanf(text, " %lf s %n", &seconds, &end) != 1 || end == 0 || text[end] || !(seconds >= 0))
        return weir_json_fail_type(json, "a time such as \"0.1 s\"", key->wanted);
    if (!units->si)
        return weir_json_fail(json, "\"%s\" needs a case in SI units; give steps, or \"units\": \"si\"",
                              text);
    if (!(seconds / units->time <= key->most))
        return weir_json_fail(json, "\"%s\" is more than %g steps of %.3g s; give a shorter time", text,
                              key->most, units->time);
    *steps = llround(seconds / units->time);
    if ((double)*steps >= key->least)
        return 0;
    return weir_json_fail(json, "\"%s\" is shorter than a step, which takes %.3g s; give a longer time", text,
                          units->time);
}

int weir_key_read(const struct weir_json *json, const struct weir_key *key, const struct weir_units *units,
                  void *place) {
    switch (key->type) {
    case WEIR_KEY_NUMBER:
        return read_number(json, key, units, place);
    case WEIR_KEY_INTEGER:
        return weir_json_integer(json, key->wanted, (int64_t)key->least, (int64_t)key->most, place);
    case WEIR_KEY_STEPS:
        return read_steps(json, key, units, place);
    case WEIR_KEY_BOOLEAN:
        return weir_json_boolean(json, key->wanted, place);
    case WEIR_KEY_TEXT:
        return weir_json_string(json, key->wanted, place);
    case WEIR_KEY_NAME:
        return weir_json_name(json, (size_t)key->longest, place);
    case WEIR_KEY_CHOICE:
        return weir_json_choice(json, key->wanted, weir_key_choices(key), place);
    default: /* objects, lists and others have readers of their own */
        return 0;
    }
}

static int read_member(const struct weir_json *object, const struct weir_key *key,
                       const struct weir_units *units, void *base) {
    const struct weir_json json = weir_json_member(object, key->name);
    if (weir_json_present(&json))
        return weir_key_read(&json, key, units, (char *)base + key->offset);
    if (!key->needed)
        return 0;
    char wanted[WEIR_WANTED];
    if (key->quantity.what)
        weir_case_wanted(units, &key->quantity, wanted);
    return weir_json_fail_missing(&json, key->quantity.what ? wanted : key->wanted);
}

int weir_keys_read(const struct weir_json *object, const struct weir_key *members,
                   const struct weir_units *units, void *base) {
    for (const struct weir_key *key = members; key->name; key++)
        if (key->stored)
            WEIR_JSON_NOTE(object->source, read_member(object, key, units, base));
    return 0;
}

/* Writes "a", "b" and "c": the kinds that a key belongs to, by rows of the same name. */
static void list_kinds(const struct weir_key *members, const char *name, char text[256]) {
    unsigned kinds = 0;
    size_t used = 0;
    int left = 0;
    for (const struct weir_key *key = members; key->name; key++)
        if (strcmp(key->name, name) == 0)
            kinds |= key->kinds;
    left = __builtin_popcount(kinds);
    text[0] = '\0';
    for (int kind = 0; weir_key_choices(members)[kind] && used < 256; kind++)
        if (kinds & 1u << kind) {
            used += (size_t)snprintf(text + used, 256 - used, "\"%s\"%s", weir_key_choices(members)[kind],
                                     left > 2    ? ", "
                                     : left == 2 ? " and "
                                                 : "");
            left--;
        }
}

/* Whether a row of this name belongs to a kind. */
static bool any_of_kind(const struct weir_key *members, const char *name, int kind) {
    for (const struct weir_key *key = members; key->name; key++)
        if (strcmp(key->name, name) == 0 && weir_key_of_kind(key, kind))
            return true;
    return false;
}

int weir_key_check_kind(const struct weir_json *object, const struct weir_key *members, int kind) {
    const struct weir_json chosen = weir_json_member(object, members->name);
    for (const struct weir_key *key = members; key->name; key++) {
        const struct weir_json json = weir_json_member(object, key->name);
        char kinds[256];
        if (!weir_json_present(&json) || any_of_kind(members, key->name, kind))
            continue;
        list_kinds(members, key->name, kinds);
        return weir_json_fail(&json, "belongs to %s %s, but that is \"%s\"; remove one of the two",
                              chosen.path, kinds, weir_key_choices(members)[kind]);
    }
    return 0;
}
