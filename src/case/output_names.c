#include "src/case/output_names.h"

#include <stdio.h>
#include <string.h>

enum { STEP_DIGITS = 9 }; /* at least: see weir_output_path */

static bool is_whole(const char *name, const char *stem, const char *suffix) {
    const size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 && strcmp(name + length, suffix) == 0;
}

static bool is_of_a_step(const char *name, const char *stem, const char *suffix) {
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] != '_')
        return false;
    const char *step = name + length + 1;
    const size_t digits = strspn(step, "0123456789");
    return digits >= STEP_DIGITS && strcmp(step + digits, suffix) == 0;
}

static bool is_of(const struct weir_output *output, const char *name) {
    switch (output->type) {
    case WEIR_OUTPUT_FIELDS:
        return is_whole(name, output->name, ".xmf") || is_of_a_step(name, output->name, ".h5");
    case WEIR_OUTPUT_IMAGE:
        return is_of_a_step(name, output->name, ".png");
    case WEIR_OUTPUT_PROFILE:
        return is_of_a_step(name, output->name, ".csv");
    default:
        return is_whole(name, output->name, ".csv");
    }
}

bool weir_output_names_hold(const struct weir_case *c, const char *name) {
    bool held = strcmp(name, "case.json") == 0 || strcmp(name, "summary.json") == 0;
    for (int k = 0; k < c->output_count; k++)
        held = held || is_of(&c->outputs[k], name);
    return held;
}

bool weir_output_names_clash(const struct weir_output *a, const struct weir_output *b) {
    char file[sizeof a->name + 4];
    if (a->type != WEIR_OUTPUT_SERIES)
        return b->type == WEIR_OUTPUT_SERIES && weir_output_names_clash(b, a);
    snprintf(file, sizeof file, "%s.csv", a->name);
    return b->type == WEIR_OUTPUT_PROFILE && is_of(b, file);
}
