#include "src/permeability_options.h"

#include "graph/base/error.h"
#include "src/common/command_line.h"

#include <stdlib.h>

static const char description[] =
    "Runs the case once for each of its periodic axes, with its force along that\n"
    "axis, and puts the permeability tensor together: as a table, and as JSON in\n"
    "DIR/permeability.json. Results of the runs are in DIR/x, DIR/y and DIR/z.\n"
    "\n"
    "Options:\v"
    "docs/user-guide.md, Permeability, says what a case needs for it.";

static const struct weir_option options_of_permeability[] = {
    WEIR_OPTION_RUN_STEPS(struct weir_permeability_options,
                          "Steps of each run at most (default: the case's)"),
    WEIR_OPTION_SET(struct weir_permeability_options, "Set a key of the case (repeatable)"),
    WEIR_OPTION_OUT(struct weir_permeability_options, "Write to DIR (default: out/NAME_permeability)"),
    WEIR_OPTION_FORCE(struct weir_permeability_options, "Replace earlier results there"),
    WEIR_OPTION_JSON(struct weir_permeability_options, "Write all numbers to FILE too"),
    WEIR_OPTION_QUIET(struct weir_permeability_options, "No progress on standard error"),
    {.name = NULL},
};

static const struct weir_refused_key refused[] = {
    {"run.steps", "the steps of each run are given with --steps"}, {NULL, NULL}};

static int take_word(void *context, const char *word, int number) {
    struct weir_permeability_options *options = context;
    (void)number;
    return weir_command_line_case(word, &options->case_file);
}

int weir_permeability_options_read(int argc, char **argv, struct weir_permeability_options *options) {
    static const struct weir_command command = {.name = "weir permeability",
                                                .words = "CASE",
                                                .description = description,
                                                .options = options_of_permeability,
                                                .refused = refused,
                                                .word = take_word};
    *options = (struct weir_permeability_options){0};
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    return weir_command_line_need_case(options->case_file, "weir permeability");
}

void weir_permeability_options_release(struct weir_permeability_options *options) {
    free(options->sets);
}
