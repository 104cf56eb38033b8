/* Reads a case file: JSON from disk, --set applied, then section by section into the struct. */
#include "src/case.h"

#include "graph/error.h"
#include "graph/rank_map.h"
#include "graph/rank_signs.h"
#include "src/case_keys.h"
#include "src/case_ranks.h"
#include "src/case_sections.h"
#include "src/case_set.h"
#include "src/initial_formulas.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LONGEST = 100 };

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
static void name_from_file(const char *file, char name[NAME_LONGEST + 1]) {
    const char *stem = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const char *dot = strrchr(stem, '.');
    size_t length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
    if (length > NAME_LONGEST)
        length = NAME_LONGEST;
    for (size_t i = 0; i < length; i++)
        name[i] = isalnum((unsigned char)stem[i]) || (i > 0 && strchr(".-", stem[i])) ? stem[i] : '_';
    name[length] = '\0';
}

static int read_names(const struct weir_json *root, struct weir_case *c) {
    struct weir_json name_json = weir_json_member(root, "name"), schema = weir_json_member(root, "$schema");
    struct weir_json description_json = weir_json_member(root, "description");
    char stem[NAME_LONGEST + 1];
    const char *name = stem, *description = "", *ignored;

    name_from_file(c->file, stem);
    if (weir_json_present(&name_json))
        WEIR_TRY(weir_json_name(&name_json, NAME_LONGEST, &name));
    if (weir_json_present(&description_json))
        WEIR_TRY(weir_json_string(&description_json, "a sentence in quotes", &description));
    if (weir_json_present(&schema)) /* for editors only */
        WEIR_TRY(weir_json_string(&schema, "the path of configs/schema.json in quotes", &ignored));
    c->name = strdup(name);
    c->description = strdup(description);
    return c->name && c->description ? 0 : fail_memory();
}

static int read_sections(const struct weir_json *root, struct weir_case *c) {
    WEIR_TRY(weir_json_object(root, "an object"));
    WEIR_TRY(read_names(root, c));
    WEIR_TRY(weir_case_read_units(root, c));
    WEIR_TRY(weir_case_read_domain(root, c));
    WEIR_TRY(weir_case_read_fluid(root, c));
    WEIR_TRY(weir_case_read_boundaries(root, c));
    WEIR_TRY(weir_case_read_solids(root, c));
    WEIR_TRY(weir_case_read_initial(root, c));
    WEIR_TRY(weir_case_read_force(root, c));
    WEIR_TRY(weir_case_read_run(root, c));
    WEIR_TRY(weir_case_read_ranks(root, c));
    return weir_case_read_output(root, c);
}

static int read_tree(json_t *root, const struct weir_json_source *source, struct weir_case *c) {
    for (int i = 0; i < source->set_count; i++)
        WEIR_TRY(weir_case_set(root, source->sets[i]));
    WEIR_TRY(weir_case_load_map(root, source, &c->map_file));
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

int weir_case_read(const char *file, const char *const *sets, int set_count, struct weir_case **result) {
    struct weir_json_source source = {
        .file = file, .sets = sets, .set_count = set_count, .known = weir_case_keys};
    json_t *root = NULL;
    WEIR_TRY(weir_json_load(file, "case", &root));
    struct weir_case *c = calloc(1, sizeof *c);
    int error = c ? read_tree(root, &source, c) : fail_memory();
    json_decref(root);
    if (error < 0) {
        weir_case_destroy(c);
        return error;
    }
    *result = c;
    return 0;
}

void weir_case_destroy(struct weir_case *c) {
    if (!c)
        return;
    weir_initial_formulas_destroy(c->problem.initial_context);
    free(c->problem.shapes);
    weir_rank_map_destroy(c->map);
    free(c->map_file);
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
