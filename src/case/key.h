/* Keys of a case file as rows: what a key means, what is right, what is taken where it is left off, and where
 * its value goes. The check for unknown keys, the readers below, configs/schema.json (key_schema.h) and the
 * tables of the user guide (key_guide.h) follow from them. A section's rows stand in its file, case_NAME.c;
 * case_keys.c has the root of all. */
#ifndef WEIR_SRC_CASE_KEY_H
#define WEIR_SRC_CASE_KEY_H

#include "src/case/case_values.h"
#include "src/common/json_reader.h"

#include <stddef.h>

enum weir_key_type {
    WEIR_KEY_NUMBER,  /* stored as double, in lattice units where it has a unit */
    WEIR_KEY_INTEGER, /* int64_t */
    WEIR_KEY_STEPS,   /* int64_t: an integer, or in SI cases a time as text, such as "0.1 s" */
    WEIR_KEY_BOOLEAN, /* bool */
    WEIR_KEY_TEXT,    /* const char *, borrowed from the tree */
    WEIR_KEY_NAME,    /* the same, fit for a file */
    WEIR_KEY_CHOICE,  /* int: place among the choices */
    WEIR_KEY_OBJECT,
    WEIR_KEY_LIST, /* of objects */
    WEIR_KEY_OTHER /* `schema` says what */
};

struct weir_key {
    const char *name; /* NULL: past the last row */
    enum weir_key_type type;
    bool per_axis; /* a list of 2 or 3 of these, one per axis */
    bool several;  /* a list of one or more of these, all different */
    bool needed;
    bool usual;       /* what an example of its kind has, though it is not always needed */
    bool alternative; /* exactly one of these members of an object is given */

    /* For readers. Guide texts are Markdown. */
    const char *about;     /* a sentence or more, in plain words */
    const char *more;      /* what the guide says further */
    const char *fallback;  /* where the key is left off: JSON */
    const char *otherwise; /* the same in words, where it is no fixed value */
    const char *examples;  /* a JSON list: all right in a domain of 16 x 16 x 16 cells */
    const char *example;   /* for the guide, where it is not the first of these */

    /* What is right. */
    double least, most;                     /* of numbers; both 0: any */
    bool positive;                          /* greater than 0 */
    int longest;                            /* characters of a name or text; 0: any number */
    const char *const *choices;             /* ends with NULL */
    const char *const *(*choices_of)(void); /* the same, where they are another table's */
    const char *schema;                     /* more of the schema: a JSON object */
    const char *wanted;                     /* completes an error: "...; give WANTED" */
    struct weir_case_quantity quantity;     /* of numbers with a unit, instead of `wanted` */

    /* Members of an object or of a list's objects; or, where rows depend on other tables, what returns them.
     */
    const struct weir_key *members;
    const struct weir_key *(*members_of)(void);
    const char *const *each; /* objects: names of members that are all alike; `members` are those of each */
    const char *each_as;     /* for the guide: what stands for such a name */
    const char *definition;  /* the name of these members in the schema */

    /* Objects of several kinds: the first member, a choice, says which. Of its further members ... */
    bool by_kind;
    const char *const *(*kinds_about)(void); /* for each choice: what it is */
    unsigned kinds;                          /* ... this one belongs to these: bits 1u << place; 0: to all */

    /* Where weir_keys_read puts the value: WEIR_KEY_AT. */
    bool stored;
    size_t offset;
};

#define WEIR_KEY_AT(type, member) .stored = true, .offset = offsetof(type, member)

/* A whole number of steps. */
#define WEIR_STEPS_MOST 1e12

const struct weir_key *weir_key_members(const struct weir_key *key);

const char *const *weir_key_choices(const struct weir_key *key);

/* Whether a key belongs to kind number `kind` of its object. */
bool weir_key_of_kind(const struct weir_key *key, int kind);

/* Reads a value, which must be there, as its row says. units: of the file. -WEIR_USAGE. */
int weir_key_read(const struct weir_json *json, const struct weir_key *key, const struct weir_units *units,
                  void *place);

/* Reads all members of an object whose rows say where to: base + offset. What is left off stays as it is.
 * Each mistake is noted; -WEIR_USAGE where the source gathers none. */
int weir_keys_read(const struct weir_json *object, const struct weir_key *members,
                   const struct weir_units *units, void *base);

/* Complains of a member that belongs to other kinds of an object than this one. */
int weir_key_check_kind(const struct weir_json *object, const struct weir_key *members, int kind);

#endif
