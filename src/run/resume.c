#include "src/run/resume.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/outputs/output_names.h"
#include "src/common/output_files.h"
#include "src/output/formats/earlier_files.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------- */

/* All ranks: each looks at its share of the checksums. */
static int open_whole(const char *path, struct weir_world *world, struct weir_checkpoint_file **checkpoint) {
    *checkpoint = NULL;
    int error = weir_checkpoint_file_open(path, checkpoint);
    if (error == 0)
        error = weir_checkpoint_file_verify(*checkpoint, weir_world_rank(world), weir_world_size(world));
    error = weir_world_agree(world, error);
    if (error != 0) {
        weir_checkpoint_file_close(*checkpoint);
        *checkpoint = NULL;
    }
    return error;
}

/* The steps that rank 0 sees. */
static int agree_on_steps(struct weir_world *world, const int64_t *steps, int count) {
    return weir_world_same(world, "the checkpoints that it sees", steps, sizeof *steps * (size_t)count);
}

int weir_resume_open(const char *directory, const char *file, struct weir_world *world,
                     struct weir_warnings *warnings, struct weir_checkpoint_file **checkpoint) {
    if (file)
        return open_whole(file, world, checkpoint);
    int64_t *steps = NULL;
    int count = 0,
        error = weir_world_agree(world, weir_earlier_steps(directory, WEIR_CHECKPOINT_NAME,
                                                           WEIR_CHECKPOINT_SUFFIX, &steps, &count));
    if (error == 0)
        error = agree_on_steps(world, steps, count);
    bool found = false;
    for (int k = 0; k < count && error == 0 && !found; k++) {
        char *path = NULL;
        error = weir_world_agree(world, weir_output_path(directory, WEIR_CHECKPOINT_NAME, steps[k],
                                                         WEIR_CHECKPOINT_SUFFIX, &path));
        if (error != 0)
            break;
        found = open_whole(path, world, checkpoint) == 0;
        if (!found)
            weir_warn(warnings, "%s", weir_error_text());
        free(path);
    }
    free(steps);
    if (error == 0 && !found)
        error =
            weir_fail(WEIR_USAGE,
                      "\"%s\" has no %scheckpoint to go on from (%s_STEP%s); give a folder of weir run with "
                      "one, or run the case anew: a \"checkpoint\" section in the case has it write some",
                      directory, count > 0 ? "whole " : "", WEIR_CHECKPOINT_NAME, WEIR_CHECKPOINT_SUFFIX);
    return error;
}

/* ---- the case ---------------------------------------------------------------------------------------- */

static int refuse(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint, const char *key,
                  const char *now, const char *then) {
    return weir_fail(WEIR_USAGE,
                     "%s: %s: %s, and the checkpoint %s has %s; give %s as it was, or run the case anew",
                     c->file, key, now, weir_checkpoint_file_path(checkpoint), then, key);
}

/* A word that must be as it was. */
static int check_word(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                      const char *key, const char *now) {
    const char *then = json_string_value(json_object_get(weir_checkpoint_file_about(checkpoint), key));
    return then && strcmp(then, now) == 0 ? 0 : refuse(c, checkpoint, key, now, then ? then : "none");
}

enum { WORD = 128 };

static void word_of(const json_t *value, char *text, size_t size) {
    char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    snprintf(text, size, "%s", dumped ? dumped : "none");
    free(dumped);
}

/* The same of a list or a boolean. now: a new reference. */
static int check_value(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                       const char *member, const char *key, json_t *now) {
    char there[WORD], here[WORD];
    const json_t *then = json_object_get(weir_checkpoint_file_about(checkpoint), member);
    const bool same = json_equal(now, then);
    word_of(now, here, sizeof here);
    word_of(then, there, sizeof there);
    json_decref(now);
    return same ? 0 : refuse(c, checkpoint, key, here, there);
}

static int check_steps(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint) {
    const int64_t step = weir_checkpoint_file_step(checkpoint);
    if (step <= c->steps)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "%s: run.steps: %lld, and the checkpoint %s is of step %lld; give more with --steps, or "
                     "an earlier checkpoint with --resume FILE",
                     c->file, (long long)c->steps, weir_checkpoint_file_path(checkpoint), (long long)step);
}

/* Checkpoints of versions that knew no phases do not say that they have none. */
static int check_phases(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint) {
    const bool then = json_is_true(json_object_get(weir_checkpoint_file_about(checkpoint), "phases")),
               now = c->problem.phases.present;
    return then == now ? 0 : refuse(c, checkpoint, "phases", now ? "true" : "false", then ? "true" : "false");
}

/* What is kept of the velocity's gradient is in checkpoints; those of versions that kept none do not say so.
 */
static int check_gradients(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint) {
    const struct weir_problem *p = &c->problem;
    const json_t *about = weir_checkpoint_file_about(checkpoint);
    const bool eddies = json_is_true(json_object_get(about, "gradient_eddies")),
               strain = json_is_true(json_object_get(about, "gradient_strain"));
    if (eddies != weir_problem_keeps_eddies(p))
        return refuse(c, checkpoint, "turbulence.model", eddies ? "another" : "wale",
                      eddies ? "wale" : "another");
    if (strain != weir_problem_keeps_strain(p))
        return refuse(c, checkpoint, "collision.operator", weir_collision_names[p->collision],
                      strain ? "hybrid_recursive" : "one without differences of the velocity");
    return 0;
}

/* Nor do those of versions that knew no free surfaces, or no bubbles. */
static int check_flag(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                      const char *word, const char *key, bool now) {
    const bool then = json_is_true(json_object_get(weir_checkpoint_file_about(checkpoint), word));
    return then == now ? 0 : refuse(c, checkpoint, key, now ? "true" : "false", then ? "true" : "false");
}

/* What a case's text has for a key, or for one within that; a new reference, NULL: nothing. */
static json_t *value_of(const char *text, const char *key, const char *within) {
    json_t *const root = text ? json_loads(text, 0, NULL) : NULL;
    json_t *value = json_object_get(root, key);
    value = json_incref(within ? json_object_get(value, within) : value);
    json_decref(root);
    return value;
}

/* Whether that is as it was; there, here: what it was and is. */
static bool same_value(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                       const char *key, const char *within, char there[WORD], char here[WORD]) {
    const char *text = json_string_value(json_object_get(weir_checkpoint_file_about(checkpoint), "case"));
    json_t *const now = value_of(c->text, key, within), *const then = value_of(text, key, within);
    const bool same = then && now ? json_equal(then, now) : then == now;
    word_of(now, here, WORD);
    word_of(then, there, WORD);
    json_decref(now);
    json_decref(then);
    return same;
}

/* Sources are kept with the cells, so that a checkpoint has those of its case. */
static int check_sources(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint) {
    char there[WORD], here[WORD];
    return same_value(c, checkpoint, "scalar", "source", there, here)
               ? 0
               : refuse(c, checkpoint, "scalar.source", here, there);
}

/* Whether some solid of a list conducts the scalar. */
static bool any_conducts(const json_t *solids) {
    bool any = false;
    for (size_t k = 0; k < json_array_size(solids); k++)
        any = any || json_object_get(json_array_get(solids, k), "conductor");
    return any;
}

/* So are the rates of conductors, which follow from the magic parameter, too. */
static int check_conductors(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint) {
    const char *text = json_string_value(json_object_get(weir_checkpoint_file_about(checkpoint), "case"));
    json_t *const then = value_of(text, "solids", NULL);
    const bool conducted = any_conducts(then), conducts = c->problem.conductor_count > 0;
    char there[WORD], here[WORD];
    json_decref(then);
    if (!conducted && !conducts)
        return 0;
    if (!same_value(c, checkpoint, "solids", NULL, there, here))
        return refuse(c, checkpoint, "solids",
                      conducts ? "some conduct the scalar, and are kept with the cells"
                               : "none conducts the scalar",
                      conducted ? "other solids that conduct" : "none that conduct");
    return same_value(c, checkpoint, "scalar", "magic", there, here)
               ? 0
               : refuse(c, checkpoint, "scalar.magic", here, "other rates in solids that conduct");
}

/* What may change, and makes another flow of it. */
static void tell_changes(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                         struct weir_warnings *warnings) {
    const json_t *about = weir_checkpoint_file_about(checkpoint);
    const double tau = json_number_value(json_object_get(about, "relaxation_time"));
    const char *collision = json_string_value(json_object_get(about, "collision")),
               *now = weir_collision_names[c->problem.collision];
    if (tau != c->problem.relaxation_time)
        weir_warn(warnings, "the viscosity is another from step %lld on: tau %.9g, and %.9g before",
                  (long long)weir_checkpoint_file_step(checkpoint), c->problem.relaxation_time, tau);
    for (int k = 0; k < c->output_count; k++)
        if (c->outputs[k].type == WEIR_OUTPUT_AVERAGES &&
            c->outputs[k].start < weir_checkpoint_file_step(checkpoint) &&
            !weir_checkpoint_file_has_averages(checkpoint, &c->outputs[k], weir_case_sums_of_averages(c)))
            weir_warn(
                warnings,
                "output[%d]: averages are of steps from %lld on: the checkpoint has none of this name with "
                "the same \"start\" and \"every\", and with turbulence or without it as this case",
                k, (long long)weir_checkpoint_file_step(checkpoint));
    if (!collision || strcmp(collision, now) != 0)
        weir_warn(warnings, "the collision is another from step %lld on: %s, and %s before",
                  (long long)weir_checkpoint_file_step(checkpoint), now, collision ? collision : "none");
}

int weir_resume_check(const struct weir_case *c, const struct weir_checkpoint_file *checkpoint,
                      struct weir_warnings *warnings) {
    const struct weir_problem *p = &c->problem;
    WEIR_TRY(check_word(c, checkpoint, "lattice", weir_lattice_names[p->lattice]));
    WEIR_TRY(check_word(c, checkpoint, "precision", weir_precision_row(p->precision)->arithmetic));
    WEIR_TRY(check_word(c, checkpoint, "storage", weir_precision_row(p->precision)->storage));
    WEIR_TRY(check_value(c, checkpoint, "cells", "domain.cells",
                         json_pack("[iii]", p->cells[0], p->cells[1], p->cells[2])));
    WEIR_TRY(check_value(c, checkpoint, "periodic", "domain.periodic",
                         json_pack("[bbb]", (int)p->periodic[0], (int)p->periodic[1], (int)p->periodic[2])));
    WEIR_TRY(check_value(c, checkpoint, "scalar", "scalar", json_boolean(p->scalar.present)));
    WEIR_TRY(check_sources(c, checkpoint));
    WEIR_TRY(check_conductors(c, checkpoint));
    WEIR_TRY(check_phases(c, checkpoint));
    WEIR_TRY(check_gradients(c, checkpoint));
    WEIR_TRY(check_flag(c, checkpoint, "free_surface", "free_surface", p->surface.present));
    WEIR_TRY(check_flag(c, checkpoint, "bubbles", "free_surface.bubbles", p->surface.bubbles));
    WEIR_TRY(weir_checkpoint_file_check_sets(checkpoint, p));
    WEIR_TRY(check_steps(c, checkpoint));
    tell_changes(c, checkpoint, warnings);
    return 0;
}
