/* What the command lines of all commands have in common: options as rows, from which argp's table, --help and
 * the reading follow, with Weir's own messages. */
#ifndef WEIR_SRC_COMMON_COMMAND_LINE_H
#define WEIR_SRC_COMMON_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weir_option_type {
    WEIR_OPTION_FLAG,   /* bool, becomes true */
    WEIR_OPTION_TEXT,   /* const char *, borrowed from the command line */
    WEIR_OPTION_NUMBER, /* int */
    WEIR_OPTION_STEPS,  /* int64_t */
    WEIR_OPTION_ADD,    /* const char **, a list to be freed; its length is the int at `count` */
    WEIR_OPTION_READ    /* `read` does it */
};

struct weir_option {
    const char *name; /* NULL: past the last row */
    char letter;      /* '\0': none */
    bool first;       /* before all others in --help */
    const char *argument, *help;
    enum weir_option_type type;
    long least, most;     /* of numbers */
    size_t offset, count; /* in the command's struct */
    int (*read)(void *options, const char *text);
};

#define WEIR_OPTION_AT(type, member) .offset = offsetof(type, member)

/* Rows that commands share, for a struct that has these members. */
#define WEIR_OPTION_QUIET(type_, help_)                                            \
    {                                                                              \
        .name = "quiet", .letter = 'q', .help = (help_), .type = WEIR_OPTION_FLAG, \
        WEIR_OPTION_AT(type_, quiet)                                               \
    }
#define WEIR_OPTION_FORCE(type_, help_) \
    { .name = "force", .help = (help_), .type = WEIR_OPTION_FLAG, WEIR_OPTION_AT(type_, force) }
#define WEIR_OPTION_OUT(type_, help_)                                                \
    {                                                                                \
        .name = "out", .argument = "DIR", .help = (help_), .type = WEIR_OPTION_TEXT, \
        WEIR_OPTION_AT(type_, out)                                                   \
    }
#define WEIR_OPTION_JSON(type_, help_)                                                 \
    {                                                                                  \
        .name = "json", .argument = "FILE", .help = (help_), .type = WEIR_OPTION_TEXT, \
        WEIR_OPTION_AT(type_, json)                                                    \
    }
#define WEIR_OPTION_SET(type_, help_)                                                      \
    {                                                                                      \
        .name = "set", .argument = "PATH=VALUE", .help = (help_), .type = WEIR_OPTION_ADD, \
        .count = offsetof(type_, set_count), WEIR_OPTION_AT(type_, sets)                   \
    }

/* Of commands that make runs of their own and compare them. */
enum { WEIR_RUN_STEPS_MAX = 100000000, WEIR_RUN_REPEAT_MAX = 1000 };
#define WEIR_OPTION_RUN_STEPS(type_, help_)                                                       \
    {                                                                                             \
        .name = "steps", .argument = "N", .help = (help_), .type = WEIR_OPTION_STEPS, .least = 1, \
        .most = WEIR_RUN_STEPS_MAX, WEIR_OPTION_AT(type_, steps)                                  \
    }
#define WEIR_OPTION_REPEAT(type_, help_)                                                            \
    {                                                                                               \
        .name = "repeat", .argument = "R", .help = (help_), .type = WEIR_OPTION_NUMBER, .least = 1, \
        .most = WEIR_RUN_REPEAT_MAX, WEIR_OPTION_AT(type_, repeat)                                  \
    }

/* A key that --set may not change, because an option does. */
struct weir_refused_key {
    const char *key, *why; /* key == NULL: past the last */
};

struct weir_command {
    const char *name;  /* what argp's own messages begin with, such as "weir bench"; NULL: argv[0] */
    const char *words; /* for --help: "CASE" */
    const char *description;
    const struct weir_option *options;
    const struct weir_refused_key *refused; /* NULL: none */

    /* Takes a word that is no option, the first of which is number 0. Returns 0 or -WEIR_USAGE. */
    int (*word)(void *options, const char *word, int number);
};

/* Reads a command line into `options`, the command's struct. -WEIR_USAGE, or what a row's function returned;
 * argp itself ends the program where it has told what is wrong. */
int weir_command_line_read(const struct weir_command *command, int argc, char **argv, void *options);

/* Takes a word that names the case; *case_file: NULL so far. -WEIR_USAGE when there is one already. */
int weir_command_line_case(const char *word, const char **case_file);

/* Fails where none was given: `command` as in "weir scale --strong". */
int weir_command_line_need_case(const char *case_file, const char *command);

/* Appends a text, which is not copied, to a list; *list is to be freed. -WEIR_FAILED when memory is short. */
int weir_command_line_add(const char *text, const char ***list, int *count);

/* Calls `take` for each of the words that commas separate, until it fails. */
int weir_command_line_split(const char *list, int (*take)(void *context, const char *word), void *context);

/* Sets wanted[k] for each of these names in a list, in any case of letters, and clears the others; `option`
 * names it in messages. -WEIR_USAGE. */
int weir_command_line_names(const char *option, const char *list, const char *const *names, bool *wanted);

/* Fails for a word that is none of these: "WHAT "WORD" is not known; did you mean ...". */
int weir_command_line_unknown(const char *what, const char *word, const char *const *names);

#endif
