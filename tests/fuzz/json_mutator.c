#include "tests/fuzz/json_mutator.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t fuzz_random_below(struct fuzz_random *random, size_t below) {
    random->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = random->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return below > 0 ? (size_t)(z % below) : 0;
}

static bool one_in(struct fuzz_random *random, size_t many) {
    return fuzz_random_below(random, many) == 0;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Of any type: what readers meet at their limits. */
static json_t *any_value(struct fuzz_random *random) {
    static const char *const texts[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "0.5",
                                        "1e-300",
                                        "1e300",
                                        "-1e300",
                                        "65535",
                                        "65536",
                                        "65537",
                                        "1e15",
                                        "1e-9",
                                        "true",
                                        "false",
                                        "null",
                                        "\"\"",
                                        "\"x\"",
                                        "\"0*x\"",
                                        "\"t\"",
                                        "[]",
                                        "{}",
                                        "[0,0,0]",
                                        "[1,1]",
                                        "[[0,0]]",
                                        "0.1",
                                        "3",
                                        "7",
                                        "\"1 m\"",
                                        "\"1 s\"",
                                        "\"..\"",
                                        "4294967296",
                                        "9223372036854775807",
                                        "\"sin(x/nx*pi)\"",
                                        "\"\\u0001\"",
                                        "\"1 m/s\"",
                                        "\"a/b\"",
                                        "[true,true,true]"};
    return json_loads(texts[fuzz_random_below(random, sizeof texts / sizeof *texts)], JSON_DECODE_ANY, NULL);
}

static json_t *pick_from(struct fuzz_random *random, const char *list) {
    json_t *all = list ? json_loads(list, 0, NULL) : NULL;
    json_t *value = json_incref(json_array_get(all, fuzz_random_below(random, json_array_size(all))));
    json_decref(all);
    return value;
}

static json_t *number_of(struct fuzz_random *random, const struct weir_key *key) {
    const bool whole = key->type == WEIR_KEY_INTEGER || key->type == WEIR_KEY_STEPS;
    const double step = whole ? 1 : 1e-6, span = key->most - key->least;
    double value = 0;
    switch (fuzz_random_below(random, 8)) {
    case 0:
        value = key->least;
        break;
    case 1:
        value = key->most;
        break;
    case 2:
        value = key->least - step;
        break;
    case 3:
        value = key->most + step;
        break;
    case 4:
        value = key->least + span / 2;
        break;
    default:
        value = key->least + (double)fuzz_random_below(random, whole ? 20 : 2000) / (whole ? 1 : 1000);
    }
    return whole && value >= -9e15 && value <= 9e15 ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *object_of(struct fuzz_random *random, const struct weir_key *key, int depth);
enum { DEEPEST = 5 };

/* A value for a key, often a right one. */
static json_t *value_of(struct fuzz_random *random, const struct weir_key *key, int depth) {
    const char *const *choices = weir_key_choices(key);
    json_t *value = NULL;
    size_t count = 0;
    if (one_in(random, 12))
        return any_value(random);
    if (key->examples && one_in(random, 2))
        value = pick_from(random, key->examples);
    else if (key->fallback && one_in(random, 6))
        value = json_loads(key->fallback, JSON_DECODE_ANY, NULL);
    if (value)
        return value;
    switch (key->type) {
    case WEIR_KEY_NUMBER:
    case WEIR_KEY_INTEGER:
    case WEIR_KEY_STEPS:
        value = number_of(random, key);
        break;
    case WEIR_KEY_BOOLEAN:
        value = json_boolean(one_in(random, 2));
        break;
    case WEIR_KEY_CHOICE:
        while (choices && choices[count])
            count++;
        value = count > 0 ? json_string(choices[fuzz_random_below(random, count)]) : any_value(random);
        break;
    case WEIR_KEY_OBJECT:
        return depth < DEEPEST ? object_of(random, key, depth + 1) : json_object();
    case WEIR_KEY_LIST:
        value = json_array();
        for (size_t k = fuzz_random_below(random, 3) + 1; k > 0 && depth < DEEPEST; k--)
            json_array_append_new(value, object_of(random, key, depth + 1));
        return value;
    default:
        value = key->examples ? pick_from(random, key->examples) : any_value(random);
    }
    if (!key->per_axis && !key->several)
        return value;
    json_t *list = json_array();
    for (size_t k = fuzz_random_below(random, 3) + (key->per_axis ? 1 : 0); k > 0; k--)
        json_array_append_new(list, value_of(random,
                                             &(struct weir_key){.type = key->type,
                                                                .least = key->least,
                                                                .most = key->most,
                                                                .choices = key->choices,
                                                                .choices_of = key->choices_of},
                                             depth));
    json_array_append_new(list, value);
    return list;
}

static void fill_object(struct fuzz_random *random, const struct weir_key *members, json_t *object,
                        int depth) {
    bool alternative = false;
    for (; members && members->name; members++) {
        const bool wanted = members->needed || (members->alternative && !alternative && one_in(random, 3));
        alternative = alternative || (members->alternative && wanted);
        if (wanted ? !one_in(random, 20) : one_in(random, 5))
            json_object_set_new(object, members->name, value_of(random, members, depth));
    }
}

static json_t *object_of(struct fuzz_random *random, const struct weir_key *key, int depth) {
    json_t *object = json_object();
    if (!key->each) {
        fill_object(random, weir_key_members(key), object, depth);
        return object;
    }
    for (const char *const *name = key->each; *name; name++)
        if (one_in(random, 2)) {
            json_t *one = json_object();
            fill_object(random, weir_key_members(key), one, depth);
            json_object_set_new(object, *name, one);
        }
    return object;
}

/* ---- places ------------------------------------------------------------------------------------------- */

/* An object or a list of the tree, and what is known of it. */
struct place {
    json_t *container;
    const struct weir_key *keys; /* of an object's members; NULL: none are known */
};
enum { PLACES_MOST = 512 };
struct places {
    struct place place[PLACES_MOST];
    size_t count;
};

static void collect(json_t *value, const struct weir_key *keys, struct places *places);

static void collect_member(const char *name, json_t *value, const struct weir_key *keys,
                           struct places *places) {
    const struct weir_key *key = keys;
    while (key && key->name && strcmp(key->name, name) != 0)
        key++;
    const struct weir_key *members = key && key->name ? weir_key_members(key) : NULL;
    const char *each;
    json_t *one;
    size_t k;
    if (json_is_array(value)) {
        collect(value, NULL, places);
        json_array_foreach(value, k, one) collect(one, members, places);
    } else if (members && key->each) {
        json_object_foreach(value, each, one) collect(one, members, places);
    } else {
        collect(value, members, places);
    }
}

static void collect(json_t *value, const struct weir_key *keys, struct places *places) {
    const char *name;
    json_t *member;
    size_t k;
    if ((!json_is_object(value) && !json_is_array(value)) || places->count == PLACES_MOST)
        return;
    places->place[places->count++] = (struct place){value, keys};
    if (json_is_array(value)) {
        json_array_foreach(value, k, member) if (json_is_array(member)) collect(member, NULL, places);
    } else {
        json_object_foreach(value, name, member) collect_member(name, member, keys, places);
    }
}

/* ---- changes ------------------------------------------------------------------------------------------ */

/* A number near another. */
static json_t *nudged(struct fuzz_random *random, const json_t *number) {
    static const double factors[] = {2, 0.5, -1, 10, 1e6, 1e-6, 1.0000001};
    const double value = json_number_value(number);
    const size_t way = fuzz_random_below(random, 10);
    if (json_is_integer(number) && way < 6)
        return json_integer(
            (json_int_t)((uint64_t)json_integer_value(number) + (way < 3 ? 1 : (uint64_t)-1)));
    return json_real(way < 3 ? value + 1 : value * factors[fuzz_random_below(random, 7)]);
}

/* What takes a value's place. key: its row, NULL where none is known. */
static json_t *instead_of(struct fuzz_random *random, json_t *value, const struct weir_key *key) {
    if (json_is_number(value) && one_in(random, 2))
        return nudged(random, value);
    if (json_is_boolean(value) && one_in(random, 2))
        return json_boolean(!json_is_true(value));
    return key ? value_of(random, key, 1) : any_value(random);
}

static const struct weir_key *row_of(const struct weir_key *keys, const char *name) {
    for (; keys && keys->name; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

static void change_object(struct fuzz_random *random, const struct place *place) {
    size_t rows = 0, k = fuzz_random_below(random, json_object_size(place->container));
    for (const struct weir_key *key = place->keys; key && key->name; key++)
        rows++;
    if (rows > 0 && one_in(random, 2)) {
        const struct weir_key *key = &place->keys[fuzz_random_below(random, rows)];
        json_object_set_new(place->container, key->name, value_of(random, key, 1));
        return;
    }
    void *member = json_object_iter(place->container);
    for (; member && k > 0; k--)
        member = json_object_iter_next(place->container, member);
    if (!member)
        return;
    char *name = strdup(json_object_iter_key(member));
    json_t *value = json_object_iter_value(member);
    if (!name)
        abort();
    if (one_in(random, 5))
        json_object_del(place->container, name);
    else
        json_object_set_new(place->container, name, instead_of(random, value, row_of(place->keys, name)));
    free(name);
}

static void change_list(struct fuzz_random *random, json_t *list) {
    const size_t size = json_array_size(list), at = fuzz_random_below(random, size);
    json_t *entry = json_array_get(list, at);
    switch (fuzz_random_below(random, 4)) {
    case 0:
        json_array_remove(list, at);
        break;
    case 1: /* once more */
        if (entry && size < 64)
            json_array_insert_new(list, fuzz_random_below(random, size + 1), json_deep_copy(entry));
        break;
    default:
        if (entry && !json_is_object(entry))
            json_array_set_new(list, at, instead_of(random, entry, NULL));
        else if (!entry)
            json_array_append_new(list, any_value(random));
    }
}

void fuzz_mutate_tree(json_t *root, struct fuzz_random *random, const struct weir_key *keys) {
    static struct places places;
    for (size_t changes = fuzz_random_below(random, 4) + 1; changes > 0; changes--) {
        places.count = 0;
        collect(root, keys, &places);
        const struct place *place = &places.place[fuzz_random_below(random, places.count)];
        if (json_is_object(place->container))
            change_object(random, place);
        else
            change_list(random, place->container);
    }
}

size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed, const struct weir_key *keys) {
    struct fuzz_random random = {seed};
    json_t *root = json_loadb((const char *)data, size, 0, NULL);
    if (!json_is_object(root)) {
        json_decref(root);
        root = json_object();
    }
    fuzz_mutate_tree(root, &random, keys);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    const size_t length = text ? strlen(text) : 0;
    json_decref(root);
    if (length > 0 && length <= most) {
        memcpy(data, text, length);
        size = length;
    }
    free(text);
    return size;
}
