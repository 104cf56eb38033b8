/* Reads a case file: JSON from disk, --set applied, then section by section into the struct. */
#include "src/case/case.h"

#include "graph/base/error.h"
#include "graph/plan/rank_map.h"
#include "graph/problem/forms.h"
#include "graph/problem/known_counts.h"
#include "graph/ranks/heartbeats.h"
#include "graph/ranks/world.h"
#include "src/case/body_values.h"
#include "src/case/boundary_profiles.h"
#include "src/case/case_keys.h"
#include "src/case/case_pockets.h"
#include "src/case/case_points.h"
#include "src/case/case_ranks.h"
#include "src/case/case_sections.h"
#include "src/case/case_set.h"
#include "src/case/case_tables.h"
#include "src/case/initial_formulas.h"
#include "src/common/set_up_notice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the case");
}

/* The tree as text, with as few digits as bring every number back unchanged. */
static char *dump(const json_t *root) {
    for (size_t digits = 15;; digits++) {
        char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
        json_t *back = text ? json_loads(text, 0, NULL) : NULL;
        bool same = back && json_equal(root, back);
        json_decref(back);
        if (same || !text || digits == 17)
            return text;
        free(text);
    }
}

/* The name of a case that gives none: its file's, without folder and ending, made fit for a folder. */
static void name_from_file(const char *file, char name[WEIR_CASE_NAME_LONGEST + 1]) {
    const char *stem = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const char *dot = strrchr(stem, '.');
    size_t length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
    if (length > WEIR_CASE_NAME_LONGEST)
        length = WEIR_CASE_NAME_LONGEST;
    for (size_t i = 0; i < length; i++)
        name[i] = isalnum((unsigned char)stem[i]) || (i > 0 && strchr(".-", stem[i])) ? stem[i] : '_';
    name[length] = '\0';
}

static int read_names(const struct weir_json *root, struct weir_case *c) {
    char stem[WEIR_CASE_NAME_LONGEST + 1];
    struct weir_case_names names = {.name = stem, .description = ""};
    name_from_file(c->file, stem);
    WEIR_TRY(weir_keys_read(root, weir_case_keys, &c->units, &names));
    c->name = strdup(names.name);
    c->description = strdup(names.description);
    return c->name && c->description ? 0 : fail_memory();
}

/* A section that every case has. Where a key was not known, the section may be there by another name, and is
 * not told to be missing as well. */
static int read_needed(const struct weir_json *root, struct weir_case *c, const char *key, bool misspelt,
                       int (*read)(const struct weir_json *root, struct weir_case *c)) {
    const struct weir_json section = weir_json_member(root, key);
    return misspelt && !weir_json_present(&section) ? 0 : weir_json_note(root->source, read(root, c));
}

/* What counts cells and axes, or follows from them. */
static int read_dependent(const struct weir_json *root, struct weir_case *c) {
    static int (*const sections[])(const struct weir_json *root, struct weir_case *c) = {
        weir_case_read_scalar,    weir_case_read_phases, weir_case_read_surface, weir_case_read_boundaries,
        weir_case_read_solids,    weir_case_add_gas,     weir_case_read_initial, weir_case_read_force,
        weir_case_read_flow_rate, weir_case_read_blocks, weir_case_read_ranks,   weir_case_read_output};
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        WEIR_JSON_NOTE(root->source, sections[k](root, c));
    WEIR_JSON_NOTE(root->source, weir_case_check_conductors(root, c));
    WEIR_JSON_NOTE(root->source, weir_case_check_moments(root, c));
    return weir_case_check_thermal(root, c);
}

/* By the program and the case alone, so that ranks agree, whatever their hosts have. */
static bool may_use_gpus(const struct weir_case *c) {
    return WEIR_WITH_CUDA && strcmp(c->workers, "cpu") != 0 && strcmp(c->workers, "team") != 0;
}

/* Tells all mistakes at once, but none that may follow from another. */
static int read_sections(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json_source *source = root->source;
    WEIR_JSON_NOTE(source, weir_json_object(root, "an object"));
    const struct weir_json domain = weir_json_member(root, "domain");
    const bool misspelt = source->mistakes->count > 0;
    WEIR_JSON_NOTE(source, read_names(root, c));
    const int before = source->mistakes->count;
    WEIR_JSON_NOTE(source, weir_case_read_units(root, c));
    if (source->mistakes->count > before) /* of units: no number can be judged */
        return weir_json_tell(source);
    WEIR_TRY(read_needed(root, c, "domain", misspelt, weir_case_read_domain));
    const bool domain_known = weir_json_present(&domain) && source->mistakes->count == before;
    WEIR_TRY(read_needed(root, c, "fluid", misspelt, weir_case_read_fluid));
    WEIR_JSON_NOTE(source, weir_case_read_turbulence(root, c));
    WEIR_JSON_NOTE(source, weir_case_read_placement(root, c));
    WEIR_TRY(read_needed(root, c, "run", misspelt, weir_case_read_run));
    WEIR_JSON_NOTE(root->source, weir_case_read_checkpoint(root, c));
    if (domain_known)
        WEIR_JSON_NOTE(source, read_dependent(root, c));
    return weir_json_tell(source);
}

static int read_tree(json_t *root, const struct weir_json_source *source, struct weir_case *c) {
    for (int i = 0; i < source->set_count; i++)
        WEIR_JSON_NOTE(source, weir_case_set(root, source->sets[i]));
    WEIR_TRY(weir_json_tell(source));
    WEIR_TRY(weir_case_load_map(root, source, &c->map_file));
    WEIR_TRY(weir_case_load_points(root, source));
    WEIR_TRY(weir_case_load_tables(root, source));
    WEIR_TRY(weir_case_name_solid_files(root, source->file));
    c->file = strdup(source->file);
    c->text = dump(root);
    if (!c->file || !c->text)
        return fail_memory();
    weir_problem_default(&c->problem);
    c->steady_every = 1000;
    c->rank_timeout = WEIR_RANK_TIMEOUT;
    struct weir_json json = weir_json_root(source, root);
    return read_sections(&json, c);
}

/* What looks at the domain that the case describes. */
static int look_at_domain(struct weir_case *c, struct weir_world *world) {
    weir_set_up_notice_stage(c->notice, "looking for pockets of fluid");
    WEIR_TRY(weir_case_close_pockets(c, world));
    if (c->lists_chosen)
        c->problem.list_up_to = weir_fastest_list_up_to(&c->problem, may_use_gpus(c));
    c->problem.known = weir_known_counts_create();
    return 0;
}

static int read_case(const char *file, const char *const *sets, int set_count,
                     struct weir_set_up_notice *notice, struct weir_case **result) {
    struct weir_json_mistakes mistakes = {.count = 0};
    struct weir_json_source source = {.file = file,
                                      .sets = sets,
                                      .set_count = set_count,
                                      .known = weir_case_known_keys(),
                                      .mistakes = &mistakes};
    json_t *root = NULL;
    WEIR_TRY(weir_json_load(file, "case", &root));
    struct weir_case *c = calloc(1, sizeof *c);
    if (c)
        c->notice = notice;
    int error = c ? read_tree(root, &source, c) : fail_memory();
    json_decref(root);
    if (error < 0) {
        weir_case_destroy(c);
        return error;
    }
    *result = c;
    return 0;
}

/* Whether all ranks have read the same. */
static int compare(const struct weir_case *c, struct weir_world *world) {
    char what[512];
    snprintf(what, sizeof what, "%s%s%s with what --set makes of it", c->file,
             c->map_file ? " and its map " : "", c->map_file ? c->map_file : "");
    return weir_world_same(world, what, c->text, strlen(c->text));
}

int weir_case_read_together(struct weir_world *world, const char *file, const char *const *sets,
                            int set_count, struct weir_set_up_notice *notice, struct weir_case **result) {
    struct weir_case *c = NULL;
    int error = weir_world_agree(world, read_case(file, sets, set_count, notice, &c));
    if (error == 0 && weir_world_size(world) > 1)
        error = compare(c, world);
    if (error == 0)
        error = look_at_domain(c, world);
    if (error != 0) {
        weir_case_destroy(c);
        return error;
    }
    *result = c;
    return 0;
}

int weir_case_read(const char *file, const char *const *sets, int set_count, struct weir_case **result) {
    return weir_case_read_together(NULL, file, sets, set_count, NULL, result);
}

void weir_case_destroy(struct weir_case *c) {
    if (!c)
        return;
    weir_initial_formulas_destroy(c->problem.initial_context);
    weir_boundary_profiles_destroy(c->problem.profile_context);
    weir_body_values_destroy(c->problem.body_context);
    weir_known_counts_destroy(c->problem.known);
    weir_problem_free_shapes(&c->problem);
    weir_rank_map_destroy(c->map);
    free(c->map_file);
    for (int k = 0; k < c->output_count; k++) {
        free(c->outputs[k].points);
        free(c->outputs[k].differences);
    }
    free(c->outputs);
    free(c->workers);
    free(c->policy);
    free(c->shares);
    free(c->text);
    free(c->description);
    free(c->name);
    free(c->file);
    free(c);
}

int weir_case_sums_of_averages(const struct weir_case *c) {
    return WEIR_SUMS_OF_AVERAGES - !c->problem.turbulence.present;
}
