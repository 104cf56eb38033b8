/* How to run a case: its blocks, their placement, the number of steps and when to stop. */
#include "graph/base/error.h"
#include "graph/runtime/policy.h"
#include "src/case/case_sections.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_CELLS, LIST_UP_TO, KEEP_SOLID, PLANES_AT_ONCE };
const struct weir_key weir_blocks_keys[] = {
    [BLOCK_CELLS] =
        {.name = "cells",
         .type = WEIR_KEY_INTEGER,
         .per_axis = true,
         .usual = true,
         .about = "Cells of a block along x, y and z; one block along an axis where this exceeds the domain. "
                  "A block holds at most 2^30 cells, and 65535 along z.",
         .more = "The last block along an axis may be smaller; there are at most 2^24.",
         .otherwise = "chosen",
         .examples = "[[8, 8, 8]]",
         .example = "[64, 64, 64]",
         .least = 1,
         .most = INT_MAX,
         .wanted = "a number of cells greater than 0, such as 64"},
    [LIST_UP_TO] =
        {.name = "list_up_to",
         .type = WEIR_KEY_NUMBER,
         .about = "Blocks of which at most this share is fluid keep their fluid cells only, as lists: 0 for "
                  "none, 1 for all.",
         .more =
             "Where it is left out, what is faster is chosen: 0.9 (with half storage 0.5) where at most that "
             "share of the domain is fluid and, in two dimensions, GPUs may take part, else 0 "
             "([lists](#lists-of-fluid-cells)). Results are the same "
             "bits.",
         .otherwise = "chosen",
         .examples = "[0.5]",
         .most = 1,
         .wanted = "a share of cells from 0 to 1, such as 0.5"},
    [KEEP_SOLID] = {.name = "keep_solid",
                    .type = WEIR_KEY_BOOLEAN,
                    .about = "Whether blocks without any fluid are kept like others. Else they take neither "
                             "memory nor time ([blocks without fluid](#blocks-without-fluid)).",
                    .more = "Results are the same bits.",
                    .fallback = "false",
                    .examples = "[true]",
                    .wanted = "true or false"},
    [PLANES_AT_ONCE] =
        {.name = "planes_at_once",
         .type = WEIR_KEY_INTEGER,
         .about = "With storage moments and mixed_moments: planes (normal to z) of a block that are stepped "
                  "before "
                  "others, which then take memory of theirs. Fewer need less memory, and more are faster.",
         .more = "Where it is left out, they are 64, or as many as have 2^24 cells, in blocks of 2^25 cells "
                 "and more, and all in others: in three dimensions and single precision 46 bytes per cell, "
                 "all included, in a block of 512 cells along each axis (mixed 33), and 81 in one of 256 "
                 "(57). Results are the same bits.",
         .otherwise = "chosen",
         .examples = "[16]",
         .least = 1,
         .most = 65535,
         .wanted = "a number of planes from 1 to 65535, such as 32"},
    {.name = NULL},
};

static const char *const worker_choices[] = {"auto", "cpu", "team", "cuda", "all", NULL};

enum { POLICY, SHARES, WORKERS, MEMORY };
const struct weir_key weir_placement_keys[] = {
    [POLICY] = {.name = "policy",
                .type = WEIR_KEY_TEXT,
                .about =
                    "balanced: blocks have homes, which move as measured times ask for it. model: dealt out "
                    "once, by predicted time. static: dealt out once, by shares. starpu:NAME: StarPU's "
                    "scheduler of that name decides for every task.",
                .fallback = "\"balanced\"",
                .examples = "[\"balanced\", \"model\", \"static\", \"starpu:dmdas\"]",
                .example = "\"starpu:dmdas\"",
                .schema = "{\"pattern\": \"^(balanced|model|static|starpu:[a-z0-9_-]+)$\"}",
                .wanted =
                    "\"balanced\", \"model\", \"static\", or \"starpu:\" and a scheduler of StarPU, such "
                    "as \"starpu:dmdas\""},
    [SHARES] = {.name = "shares",
                .type = WEIR_KEY_OTHER,
                .about =
                    "Shares of the cells for parts of the machine: cuda or cpu for all of a kind, or single "
                    "ones (cuda0, team0, cpu3); any unit, what is not named gets nothing.",
                .more = "Equal for parts of one kind, where left out.",
                .otherwise = "measured",
                .examples = "[\"measured\", {\"cuda\": 0.9, \"cpu\": 0.1}]",
                .example = "{\"cuda\": 0.95, \"cpu\": 0.05}",
                .schema = "{\"oneOf\": [{\"const\": \"measured\"}, {\"type\": \"object\", "
                          "\"minProperties\": 1, \"propertyNames\": {\"pattern\": "
                          "\"^(cuda[0-9]*|cpu[0-9]*|team[0-9]+)$\"}, \"additionalProperties\": {\"type\": "
                          "\"number\", \"minimum\": 0}}]}"},
    [WORKERS] = {.name = "workers",
                 .type = WEIR_KEY_CHOICE,
                 .about =
                     "Which devices take part; auto leaves out those that would only slow the others down. "
                     "cpu: each core takes blocks of its own; team: the cores that share a cache take each "
                     "block together, as they do beside GPUs.",
                 .more =
                     "`\"all\"`: GPUs and teams. `\"auto\"`: `\"cpu\"` without GPUs, else `\"all\"` under "
                     "`balanced` and `model`, `\"cuda\"` under the others.",
                 .fallback = "\"auto\"",
                 .example = "\"cpu\"",
                 .choices = worker_choices,
                 .wanted = "a choice of workers"},
    [MEMORY] = {.name = "memory",
                .type = WEIR_KEY_NUMBER,
                .positive = true,
                .about = "Memory of the GPU that blocks may take at a time, in MiB. A domain of more is "
                         "computed slab by slab, and the others wait in main memory "
                         "([domains larger than a GPU](#domains-larger-than-a-gpu)).",
                .more = "Without a GPU main memory takes its place, to try it. Results are the same bits.",
                .otherwise = "what it has",
                .examples = "[20000]",
                .wanted = "a number of MiB greater than 0, such as 20000"},
    {.name = NULL},
};

static const struct weir_key stop_keys[] = {
    {.name = "steady",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about =
         "Stop when no velocity component changed by more than this share of the greatest velocity since the "
         "comparison before.",
     .more = "It takes 12 bytes per cell.",
     .otherwise = "off",
     .examples = "[1e-8]",
     .wanted =
         "the greatest change of velocity that counts as steady, relative to the greatest velocity, such "
         "as 1e-8",
     WEIR_KEY_AT(struct weir_case, steady)},
    {.name = "every",
     .type = WEIR_KEY_INTEGER,
     .about = "Steps between comparisons.",
     .fallback = "1000",
     .least = 1,
     .most = WEIR_STEPS_MOST,
     .wanted = "the steps between comparisons, 1 or more, such as 1000",
     WEIR_KEY_AT(struct weir_case, steady_every)},
    {.name = NULL},
};

const struct weir_key weir_run_keys[] = {
    {.name = "steps",
     .type = WEIR_KEY_INTEGER,
     .needed = true,
     .about = "Number of steps.",
     .examples = "[10]",
     .example = "20000",
     .least = 0,
     .most = WEIR_STEPS_MOST,
     .wanted = "the number of steps, from 0 to 1e12, such as 20000",
     WEIR_KEY_AT(struct weir_case, steps)},
    {.name = "check_every",
     .type = WEIR_KEY_INTEGER,
     .about = "Steps between checks that the flow is finite and below the speed limit.",
     .otherwise = "`100`; in domains of less than a million cells more, up to `1000`",
     .examples = "[100]",
     .example = "1000",
     .least = 1,
     .most = WEIR_STEPS_MOST,
     .wanted = "the steps between checks for divergence, 1 or more, such as 100",
     WEIR_KEY_AT(struct weir_case, check_every)},
    {.name = "stop_when",
     .type = WEIR_KEY_OBJECT,
     .about = "Ends the run before its last step.",
     .members = stop_keys},
    {.name = NULL},
};

int weir_case_read_blocks(const struct weir_json *root, struct weir_case *c) {
    int dimensions = weir_lattice_dimensions(c->problem.lattice), count;
    const char *wanted = dimensions == 2
                             ? "2 whole numbers, the cells of a block along x and y, such as [64, 64]"
                             : "3 whole numbers, the cells of a block along x, y and z, such as [64, 64, 64]";
    struct weir_json blocks = weir_json_member(root, "blocks"), cells = weir_json_member(&blocks, "cells"),
                     list_up_to = weir_json_member(&blocks, "list_up_to"),
                     keep_solid = weir_json_member(&blocks, "keep_solid"),
                     planes = weir_json_member(&blocks, "planes_at_once");

    c->lists_chosen = !weir_json_present(&list_up_to);
    if (!weir_json_present(&blocks))
        return 0;
    WEIR_TRY(weir_json_object(&blocks, "an object such as {\"cells\": [64, 64, 64]}"));
    if (weir_json_present(&list_up_to))
        WEIR_TRY(weir_key_read(&list_up_to, &weir_blocks_keys[LIST_UP_TO], NULL, &c->problem.list_up_to));
    if (weir_json_present(&keep_solid))
        WEIR_TRY(
            weir_key_read(&keep_solid, &weir_blocks_keys[KEEP_SOLID], NULL, &c->problem.keep_solid_blocks));
    if (weir_json_present(&planes)) {
        int64_t number;
        WEIR_TRY(weir_key_read(&planes, &weir_blocks_keys[PLANES_AT_ONCE], NULL, &number));
        c->problem.planes_at_once = (int)number;
    }
    if (!weir_json_present(&cells))
        return 0;
    WEIR_TRY(weir_json_array(&cells, wanted, dimensions, 3, &count));
    c->block_cells[2] = 1;
    for (int axis = 0; axis < count; axis++) {
        struct weir_json item = weir_json_item(&cells, axis);
        int64_t number;
        WEIR_TRY(weir_key_read(&item, &weir_blocks_keys[BLOCK_CELLS], NULL, &number));
        int domain = c->problem.cells[axis];
        c->block_cells[axis] = number < domain ? (int)number : domain; /* larger: one block along this axis */
    }
    return 0;
}

/* One of ours, or "starpu:" and what StarPU calls a scheduler. */
static bool is_policy(const char *text) {
    const char *prefix = "starpu:";
    for (int k = 0; weir_policy_names[k]; k++)
        if (strcmp(text, weir_policy_names[k]) == 0)
            return true;
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return false;
    const char *name = text + strlen(prefix);
    size_t length = strlen(name);
    return length > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

static int read_shares(const struct weir_json *placement, struct weir_case *c) {
    const char *wanted =
        "\"measured\", or an object of parts with their shares of the cells, such as {\"cuda\": 0.9, "
        "\"cpu\": 0.1} or {\"cuda0\": 2, \"cuda1\": 1}";
    struct weir_json shares = weir_json_member(placement, "shares");
    if (!weir_json_present(&shares))
        return 0;
    if (json_is_string(shares.value)) {
        static const char *const choices[] = {"measured", NULL};
        int choice;
        return weir_json_choice(&shares, wanted, choices, &choice);
    }
    if (!json_is_object(shares.value)) /* its keys are not ours: parts have numbers */
        return weir_json_fail_type(&shares, "shares", wanted);
    c->shares = calloc(json_object_size(shares.value) + 1, sizeof *c->shares);
    if (!c->shares)
        return weir_fail(WEIR_FAILED, "no memory left for the case");
    double sum = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)shares.value, name, value) {
        struct weir_json item = weir_json_member(&shares, name);
        struct weir_named_share *share = &c->shares[c->share_count++];
        if (!weir_worker_groups_is_name(name))
            return weir_json_fail_type(
                &item, "the share of a part of a machine",
                "\"cuda\" or \"cpu\" for all of a kind, or one of them, such as \"cuda0\", "
                "\"team0\" or \"cpu3\"");
        WEIR_TRY(weir_json_number(&item, "a share of 0 or more, such as 0.1", &share->share));
        if (share->share < 0)
            return weir_json_fail_type(&item, "0 or more", "a share, such as 0.1");
        snprintf(share->name, sizeof share->name, "%s", name);
        sum += share->share;
    }
    return sum > 0 ? 0 : weir_json_fail_type(&shares, "more than 0 in all", wanted);
}

static int read_policy(const struct weir_json *json, const char **policy) {
    const struct weir_key *key = &weir_placement_keys[POLICY];
    WEIR_TRY(weir_key_read(json, key, NULL, policy));
    return is_policy(*policy) ? 0 : weir_json_fail_type(json, "a placement policy", key->wanted);
}

int weir_case_read_placement(const struct weir_json *root, struct weir_case *c) {
    struct weir_json placement = weir_json_member(root, "placement");
    struct weir_json policy = weir_json_member(&placement, "policy"),
                     workers = weir_json_member(&placement, "workers"),
                     memory = weir_json_member(&placement, "memory");
    const char *policy_text = "";
    int choice = 0;

    if (weir_json_present(&placement))
        WEIR_TRY(weir_json_object(&placement, "an object such as {\"policy\": \"static\"}"));
    if (weir_json_present(&policy))
        WEIR_JSON_NOTE(root->source, read_policy(&policy, &policy_text));
    if (weir_json_present(&workers))
        WEIR_JSON_NOTE(root->source, weir_key_read(&workers, &weir_placement_keys[WORKERS], NULL, &choice));

    c->memory = 0;
    if (weir_json_present(&memory)) {
        WEIR_JSON_NOTE(root->source, weir_key_read(&memory, &weir_placement_keys[MEMORY], NULL, &c->memory));
        c->memory *= 1 << 20;
    }
    WEIR_JSON_NOTE(root->source, read_shares(&placement, c));
    c->policy = strdup(policy_text);
    c->workers = strdup(worker_choices[choice]);
    return c->policy && c->workers ? 0 : weir_fail(WEIR_FAILED, "no memory left for the case");
}

/* Of domains below a million cells a hundred steps take no longer than a check: looked at a thousand steps
 * apart, they are still looked at every few milliseconds. */
static int64_t usual_check_every(const struct weir_problem *p) {
    enum { EVERY = 100, MOST = 1000, CELLS = 1000000 };
    const int64_t cells = (int64_t)p->cells[0] * p->cells[1] * p->cells[2];
    return cells >= CELLS ? EVERY : cells * MOST <= (int64_t)CELLS * EVERY ? MOST : EVERY * (CELLS / cells);
}

int weir_case_read_run(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json run = weir_json_member(root, "run"), stop = weir_json_member(&run, "stop_when");
    if (!weir_json_present(&run))
        return weir_json_fail_missing(&run, "an object such as {\"steps\": 20000}");
    WEIR_TRY(weir_json_object(&run, "an object such as {\"steps\": 20000}"));
    c->check_every = usual_check_every(&c->problem);
    WEIR_TRY(weir_keys_read(&run, weir_run_keys, &c->units, c));
    if (!weir_json_present(&stop))
        return 0;
    WEIR_TRY(weir_json_object(&stop, "an object such as {\"steady\": 1e-8, \"every\": 1000}"));
    return weir_keys_read(&stop, stop_keys, &c->units, c);
}
