#include "src/key_schema.h"

#include "src/case/case_keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A pattern of names fit for files: weir_json_name. */
static const char name_pattern[] = "^[A-Za-z0-9][A-Za-z0-9._-]*$";

/* A time in SI units: read_steps in key.c. */
static const char time_pattern[] = "^ *[0-9.][0-9.eE+-]* *s *$";

static json_t *parse(const char *text) {
    return json_loads(text, JSON_DECODE_ANY, NULL);
}

static void set_number(json_t *node, const char *key, double value) {
    json_object_set_new(
        node, key, value == (double)(json_int_t)value ? json_integer((json_int_t)value) : json_real(value));
}

static void set_limits(json_t *node, const struct weir_key *key) {
    if (key->positive)
        json_object_set_new(node, "exclusiveMinimum", json_integer(0));
    if (key->least == key->most)
        return;
    set_number(node, "minimum", key->least);
    set_number(node, "maximum", key->most);
}

static json_t *enumeration(const char *const *choices) {
    json_t *list = json_array();
    for (int k = 0; choices[k]; k++)
        json_array_append_new(list, json_string(choices[k]));
    return list;
}

/* One value of a key that is neither object nor list of objects. */
static json_t *value_schema(const struct weir_key *key) {
    json_t *node = json_object();
    switch (key->type) {
    case WEIR_KEY_NUMBER:
        json_object_set_new(node, "type", json_string("number"));
        set_limits(node, key);
        break;
    case WEIR_KEY_INTEGER:
        json_object_set_new(node, "type", json_string("integer"));
        set_limits(node, key);
        break;
    case WEIR_KEY_STEPS:
        json_object_set_new(node, "type", json_pack("[s, s]", "integer", "string"));
        json_object_set_new(node, "pattern", json_string(time_pattern));
        set_limits(node, key);
        break;
    case WEIR_KEY_BOOLEAN:
        json_object_set_new(node, "type", json_string("boolean"));
        break;
    case WEIR_KEY_NAME:
        json_object_set_new(node, "type", json_string("string"));
        json_object_set_new(node, "pattern", json_string(name_pattern));
        json_object_set_new(node, "maxLength", json_integer(key->longest));
        break;
    case WEIR_KEY_TEXT:
        json_object_set_new(node, "type", json_string("string"));
        break;
    case WEIR_KEY_CHOICE:
        json_object_set_new(node, "enum", enumeration(weir_key_choices(key)));
        break;
    default:
        break;
    }
    if (key->schema)
        json_object_update_new(node, parse(key->schema));
    return node;
}

/* A list of such values. */
static json_t *list_schema(const struct weir_key *key) {
    json_t *node = json_pack("{s:s, s:i}", "type", "array", "minItems", key->per_axis ? 2 : 1);
    if (key->per_axis)
        json_object_set_new(node, "maxItems", json_integer(3));
    else
        json_object_set_new(node, "uniqueItems", json_true());
    json_object_set_new(node, "items", value_schema(key));
    return node;
}

static json_t *key_schema(const struct weir_key *key, json_t *definitions);

/* What members of an object say of it, those of one kind or (-1) of all. The first of several kinds is that
 * kind's name. */
static void set_members(json_t *node, const struct weir_key *members, int kind, json_t *definitions) {
    json_t *properties = json_object(), *required = json_array(), *alternatives = json_array();
    json_object_set_new(node, "additionalProperties", json_false());
    for (const struct weir_key *key = members; key->name; key++) {
        if (kind >= 0 && !weir_key_of_kind(key, kind))
            continue;
        const bool names_kind = kind >= 0 && key == members;
        json_object_set_new(properties, key->name,
                            names_kind ? json_pack("{s:s, s:s}", "description", key->about, "const",
                                                   weir_key_choices(key)[kind])
                                       : key_schema(key, definitions));
        const bool by_default =
            names_kind && key->fallback && strstr(key->fallback, weir_key_choices(key)[kind]);
        if (key->needed || (names_kind && !by_default))
            json_array_append_new(required, json_string(key->name));
        if (key->alternative)
            json_array_append_new(alternatives, json_pack("{s:[s]}", "required", key->name));
    }
    if (json_array_size(required) > 0)
        json_object_set(node, "required", required);
    if (json_array_size(alternatives) > 0)
        json_object_set(node, "oneOf", alternatives);
    json_object_set_new(node, "properties", properties);
    json_decref(required);
    json_decref(alternatives);
}

/* Words as a sentence. */
static json_t *sentence(const char *words) {
    return json_sprintf("%c%s.", toupper((unsigned char)words[0]), words + 1);
}

/* An object of one kind, as it usually is. */
static json_t *kind_example(const struct weir_key *members, int kind) {
    json_t *object = json_pack("{s:s}", members->name, weir_key_choices(members)[kind]);
    for (const struct weir_key *key = members + 1; key->name; key++)
        if (weir_key_of_kind(key, kind) && (key->needed || key->usual)) {
            json_t *examples = parse(key->examples);
            json_object_set(object, key->name, json_array_get(examples, 0));
            json_decref(examples);
        }
    return object;
}

/* An object of several kinds: a schema for each. */
static void set_kinds(json_t *node, const struct weir_key *key, json_t *definitions) {
    const struct weir_key *members = weir_key_members(key);
    json_t *kinds = json_array();
    for (int kind = 0; weir_key_choices(members)[kind]; kind++) {
        json_t *one =
            json_pack("{s:o, s:s}", "description", sentence(key->kinds_about()[kind]), "type", "object");
        json_object_set_new(one, "examples", json_pack("[o]", kind_example(members, kind)));
        set_members(one, members, kind, definitions);
        json_array_append_new(kinds, one);
    }
    json_object_set_new(node, "oneOf", kinds);
}

/* Adds what an object of this key holds, by a definition where it has one. */
static void set_object(json_t *node, const struct weir_key *key, json_t *definitions) {
    char reference[64];
    json_t *object = key->definition ? json_object() : node;
    if (key->by_kind)
        set_kinds(object, key, definitions);
    else
        set_members(object, weir_key_members(key), -1, definitions);
    if (!key->definition)
        return;
    snprintf(reference, sizeof reference, "#/definitions/%s", key->definition);
    json_object_set_new(definitions, key->definition, object);
    json_object_set_new(node, "allOf", json_pack("[{s:s}]", "$ref", reference));
}

static json_t *each_schema(const struct weir_key *key, json_t *definitions) {
    json_t *properties = json_object();
    for (int k = 0; key->each[k]; k++) {
        json_t *one = json_pack("{s:s}", "description", weir_key_members(key)->about);
        set_object(one, key, definitions);
        json_object_set_new(properties, key->each[k], one);
    }
    return json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0, "properties",
                     properties);
}

static json_t *object_schema(const struct weir_key *key, json_t *definitions) {
    if (key->each)
        return each_schema(key, definitions);
    json_t *node = json_pack("{s:s}", "type", "object");
    if (key->schema)
        json_object_update_new(node, parse(key->schema));
    set_object(node, key, definitions);
    return node;
}

static json_t *objects_schema(const struct weir_key *key, json_t *definitions) {
    json_t *items = json_pack("{s:s}", "type", "object");
    if (key->schema)
        json_object_update_new(items, parse(key->schema));
    set_object(items, key, definitions);
    json_t *node = json_pack("{s:s}", "type", "array");
    if (key->least > 0)
        set_number(node, "minItems", key->least);
    if (key->most > 0)
        set_number(node, "maxItems", key->most);
    json_object_set_new(node, "items", items);
    return node;
}

static json_t *key_schema(const struct weir_key *key, json_t *definitions) {
    json_t *node = json_pack("{s:s}", "description", key->about);
    json_object_update_new(node, key->type == WEIR_KEY_OBJECT    ? object_schema(key, definitions)
                                 : key->type == WEIR_KEY_LIST    ? objects_schema(key, definitions)
                                 : key->per_axis || key->several ? list_schema(key)
                                                                 : value_schema(key));
    if (key->fallback)
        json_object_set_new(node, "default", parse(key->fallback));
    if (key->examples)
        json_object_set_new(node, "examples", parse(key->examples));
    return node;
}

json_t *weir_key_schema(void) {
    json_t
        *definitions = json_object(),
        *schema = json_pack(
            "{s:s, s:s, s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
            "Weir case file", "description",
            "A flow to compute with Weir. Lattice units unless \"units\" is \"si\". Positions are measured "
            "from the "
            "domain's low corner in cell widths (SI: m); the centre of the first cell is at (0.5, 0.5, 0.5).",
            "type", "object");
    /* Units and their scales go together. */
    json_object_update_new(
        schema, parse("{\"dependencies\": {\"si\": {\"required\": [\"units\"], \"properties\": {\"units\": "
                      "{\"const\": \"si\"}}}}, \"if\": {\"required\": [\"units\"], \"properties\": "
                      "{\"units\": {\"const\": \"si\"}}}, \"then\": {\"required\": [\"si\"]}}"));
    set_members(schema, weir_case_keys, -1, definitions);
    json_object_set_new(schema, "definitions", definitions);
    return schema;
}

enum { WIDTH = 120 };

static void print_value(const json_t *value, int depth, int column, FILE *stream);

static void print_members(const json_t *object, int depth, FILE *stream) {
    const char *key;
    json_t *value;
    bool first = true;
    fputs("{", stream);
    json_object_foreach((json_t *)object, key, value) {
        const int column = fprintf(stream, "%s\n%*s\"%s\": ", first ? "" : ",", 2 * depth + 2, "", key);
        print_value(value, depth + 1, column, stream);
        first = false;
    }
    fprintf(stream, "\n%*s}", 2 * depth, "");
}

static void print_items(const json_t *list, int depth, FILE *stream) {
    fputs("[", stream);
    for (size_t k = 0; k < json_array_size(list); k++) {
        fprintf(stream, "%s\n%*s", k == 0 ? "" : ",", 2 * depth + 2, "");
        print_value(json_array_get(list, k), depth + 1, 2 * depth + 2, stream);
    }
    fprintf(stream, "\n%*s]", 2 * depth, "");
}

/* Texts stay on one line, however long. */
static void print_value(const json_t *value, int depth, int column, FILE *stream) {
    char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    const bool fits = line && column + (int)strlen(line) < WIDTH && strlen(line) < WIDTH / 2;
    if (!line || fits || !(json_is_object(value) || json_is_array(value)))
        fputs(line ? line : "", stream);
    else if (json_is_object(value))
        print_members(value, depth, stream);
    else
        print_items(value, depth, stream);
    free(line);
}

void weir_key_schema_print(const json_t *schema, FILE *stream) {
    print_value(schema, 0, 0, stream);
    fputs("\n", stream);
}
