#include "src/case/outputs/output_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

bool weir_output_names_step(const char *name, const char *stem, const char *suffix, int64_t *step) {
    if (!is_of_a_step(name, stem, suffix))
        return false;
    *step = strtoll(name + strlen(stem) + 1, NULL, 10);
    return true;
}

static const struct weir_output_row rows[WEIR_OUTPUT_TYPE_COUNT] = {
    [WEIR_OUTPUT_FIELDS] = {"fields", "the domain, or a part of it, for ParaView", {".xmf", ".h5"}},
    [WEIR_OUTPUT_IMAGE] = {"image", "a picture of a plane", {NULL, ".png"}},
    [WEIR_OUTPUT_PROFILE] = {"profile", "values along a line that follows an axis", {NULL, ".csv"}},
    [WEIR_OUTPUT_SERIES] = {"series",
                            "numbers over time: mass, energy, greatest velocity, forces on bodies and faces",
                            {".csv", NULL}},
    [WEIR_OUTPUT_PROBES] = {"probes",
                            "values at points over time, cheap enough for every step",
                            {".csv", NULL}},
    [WEIR_OUTPUT_FLUX] = {"flux", "what flows through a plane or a part of it, over time", {".csv", NULL}},
    [WEIR_OUTPUT_AVERAGES] = {"averages",
                              "means over time, rms values and Reynolds stresses of the whole domain",
                              {".xmf", ".h5"}},
    [WEIR_OUTPUT_PERMEABILITY] = {"permeability",
                                  "the permeability of a porous medium along the force, over time",
                                  {".csv", NULL}},
    [WEIR_OUTPUT_SURFACE] = {"surface",
                             "wall shear stress and pressure on the surface of bodies, as triangles for "
                             "ParaView",
                             {".pvd", ".vtp"}},
};

const struct weir_output_row *weir_output_row(enum weir_output_type type) {
    return &rows[type];
}

struct weir_output_suffixes weir_output_suffixes(const struct weir_output *output) {
    static const struct weir_output_suffixes vtkhdf = {".vtkhdf", ".h5"};
    return output->format == WEIR_VTKHDF ? vtkhdf : rows[output->type].files;
}

static bool is_of(const struct weir_output *output, const char *name) {
    const struct weir_output_suffixes files = weir_output_suffixes(output);
    return (files.whole && is_whole(name, output->name, files.whole)) ||
           (files.of_step && is_of_a_step(name, output->name, files.of_step));
}

bool weir_output_names_hold(const struct weir_case *c, const char *name) {
    bool held = strcmp(name, "case.json") == 0 || strcmp(name, "summary.json") == 0;
    held = held || is_of_a_step(name, WEIR_CHECKPOINT_NAME, WEIR_CHECKPOINT_SUFFIX);
    for (int k = 0; k < c->output_count; k++)
        held = held || is_of(&c->outputs[k], name);
    return held;
}

bool weir_output_names_are_checkpoints(const struct weir_output *output) {
    const char *of_step = weir_output_suffixes(output).of_step;
    return of_step && strcmp(of_step, WEIR_CHECKPOINT_SUFFIX) == 0 &&
           strcmp(output->name, WEIR_CHECKPOINT_NAME) == 0;
}

bool weir_output_names_clash(const struct weir_output *a, const struct weir_output *b) {
    const char *one = weir_output_suffixes(a).whole, *other = weir_output_suffixes(b).whole;
    char file[sizeof a->name + sizeof ".vtkhdf"];
    snprintf(file, sizeof file, "%s%s", a->name, one ? one : "");
    if (one && is_of(b, file))
        return true;
    snprintf(file, sizeof file, "%s%s", b->name, other ? other : "");
    return other && is_of(a, file);
}
