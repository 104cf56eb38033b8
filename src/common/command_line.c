#include "src/common/command_line.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "src/common/number_list.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Keys of options without a letter begin here: their rows' numbers. */
enum { FIRST_KEY = 256, OPTIONS_MAX = 24 };

/* argp's input. */
struct reading {
    const struct weir_command *command;
    void *options;
};

static int add(const struct weir_command *command, const struct weir_option *option, const char *text,
               void *options) {
    char *const base = options;
    for (const struct weir_refused_key *r = command->refused; r && r->key; r++)
        if (strncmp(text, r->key, strlen(r->key)) == 0 && text[strlen(r->key)] == '=')
            return weir_fail(WEIR_USAGE, "--%s %s: %s", option->name, text, r->why);
    return weir_command_line_add(text, (const char ***)(void *)(base + option->offset),
                                 (int *)(void *)(base + option->count));
}

static int take_option(const struct weir_command *command, const struct weir_option *option, const char *text,
                       void *options) {
    void *const place = (char *)options + option->offset;
    long number = 0;
    if (option->type == WEIR_OPTION_NUMBER || option->type == WEIR_OPTION_STEPS)
        WEIR_TRY(weir_number_read(option->name, text, option->least, option->most, &number));
    switch (option->type) {
    case WEIR_OPTION_FLAG:
        *(bool *)place = true;
        return 0;
    case WEIR_OPTION_TEXT:
        *(const char **)place = text;
        return 0;
    case WEIR_OPTION_NUMBER:
        *(int *)place = (int)number;
        return 0;
    case WEIR_OPTION_STEPS:
        *(int64_t *)place = number;
        return 0;
    case WEIR_OPTION_ADD:
        return add(command, option, text, options);
    default:
        return option->read(options, text);
    }
}

static int key_of(const struct weir_command *command, int row) {
    return command->options[row].letter ? command->options[row].letter : FIRST_KEY + row;
}

static error_t parse_one(int key, char *argument, struct argp_state *state) {
    const struct reading *reading = state->input;
    const struct weir_command *command = reading->command;
    if (key == ARGP_KEY_ARG)
        return command->word(reading->options, argument, (int)state->arg_num) == 0 ? 0 : EINVAL;
    for (int row = 0; command->options[row].name; row++)
        if (key_of(command, row) == key)
            return take_option(command, &command->options[row], argument, reading->options) == 0 ? 0 : EINVAL;
    return ARGP_ERR_UNKNOWN;
}

int weir_command_line_read(const struct weir_command *command, int argc, char **argv, void *options) {
    struct argp_option table[OPTIONS_MAX + 1] = {{0}};
    for (int row = 0; command->options[row].name && row < OPTIONS_MAX; row++) {
        const struct weir_option *option = &command->options[row];
        table[row] = (struct argp_option){.name = option->name,
                                          .key = key_of(command, row),
                                          .arg = option->argument,
                                          .doc = option->help,
                                          .group = option->first ? -1 : 0};
    }
    const struct argp argp = {table, parse_one, command->words, command->description, NULL, NULL, NULL};
    struct reading reading = {.command = command, .options = options};
    if (command->name)
        argv[0] = (char *)command->name; /* argp only reads it */
    argp_err_exit_status = WEIR_USAGE;
    const error_t error = argp_parse(&argp, argc, argv, 0, NULL, &reading);
    if (error == EINVAL && weir_error_text()[0] != '\0')
        return -WEIR_USAGE;
    if (error != 0)
        return weir_fail(WEIR_USAGE, "the command line cannot be read: %s", strerror(error));
    return 0;
}

int weir_command_line_case(const char *word, const char **case_file) {
    if (*case_file)
        return weir_fail(WEIR_USAGE, "\"%s\": one case at a time; quote file names with spaces", word);
    *case_file = word;
    return 0;
}

int weir_command_line_need_case(const char *case_file, const char *command) {
    return case_file ? 0
                     : weir_fail(WEIR_USAGE, "no case; give a case file, such as %s configs/cavity3d.json",
                                 command);
}

int weir_command_line_add(const char *text, const char ***list, int *count) {
    const char **longer = realloc(*list, sizeof **list * (size_t)(*count + 1));
    if (!longer)
        return weir_fail(WEIR_FAILED, "out of memory");
    *list = longer;
    longer[(*count)++] = text;
    return 0;
}

int weir_command_line_split(const char *list, int (*take)(void *context, const char *word), void *context) {
    char *copy = strdup(list), *rest = copy;
    int error = copy ? 0 : weir_fail(WEIR_FAILED, "out of memory");
    for (const char *word; error == 0 && (word = strsep(&rest, ","));)
        error = take(context, word);
    free(copy);
    return error;
}

int weir_command_line_unknown(const char *what, const char *word, const char *const *names) {
    char known[512] = "";
    const char *near = weir_nearest(word, names);
    if (near)
        return weir_fail(WEIR_USAGE, "%s \"%s\" is not known; did you mean \"%s\"?", what, word, near);
    for (int k = 0; names[k]; k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                 k == 0         ? ""
                 : names[k + 1] ? ", "
                                : " or ",
                 names[k]);
    return weir_fail(WEIR_USAGE, "%s \"%s\" is not known; give %s", what, word, known);
}

struct wanted_names {
    const char *option;
    const char *const *names;
    bool *wanted;
};

static int take_name(void *context, const char *word) {
    const struct wanted_names *w = context;
    for (int k = 0; w->names[k]; k++)
        if (strcasecmp(w->names[k], word) == 0) {
            w->wanted[k] = true;
            return 0;
        }
    char what[64];
    snprintf(what, sizeof what, "--%s:", w->option);
    return weir_command_line_unknown(what, word, w->names);
}

int weir_command_line_names(const char *option, const char *list, const char *const *names, bool *wanted) {
    struct wanted_names w = {.option = option, .names = names, .wanted = wanted};
    for (int k = 0; names[k]; k++)
        wanted[k] = false;
    return weir_command_line_split(list, take_name, &w);
}
