#include "graph/specialisation.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/base/later.h"
#include "graph/domain.h"
#include "graph/plan/common_constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run goes on for so long that compiling pays, some times as long as that takes. */
static const double seconds_that_pay = 10;

struct weir_specialisation {
    const struct weir_kernels *kernels; /* of bricks: what lists would gain has not been measured */
    struct weir_common_constants wanted;
    bool there[WEIR_COMMON_CONSTANTS_BEST];
    int used;
    struct weir_later *later; /* NULL: nothing is being compiled */
    bool ended;               /* there is nothing more to do */
    bool impossible;          /* there is no compiler: the general kernels have to do */
    double seconds;           /* as in the report; written by who compiles, as are there and failure */
    char failure[sizeof((struct weir_specialised *)0)->failure];
};

int weir_specialise_mode(enum weir_specialise *mode) {
    static const char *const names[WEIR_SPECIALISE_MODES] = {"auto", "first", "never"};
    const char *const text = getenv("WEIR_KERNEL_CONSTANTS");
    *mode = WEIR_SPECIALISE_AUTO;
    if (!text || !*text)
        return 0;
    for (int k = 0; k < WEIR_SPECIALISE_MODES; k++)
        if (strcmp(text, names[k]) == 0) {
            *mode = (enum weir_specialise)k;
            return 0;
        }
    return weir_fail(WEIR_USAGE,
                     "WEIR_KERNEL_CONSTANTS is \"%s\"; give auto (kernels of GPUs are compiled for the run's "
                     "blocks where it is long enough), first (before the first step) or never",
                     text);
}

/* Whether steps of the block may be taken by a GPU. */
static bool is_on_gpu(const struct weir_block *block, const struct weir_worker_groups *groups) {
    const int home = atomic_load(&block->home.group);
    if (home >= 0)
        return groups->group[home].kind == WEIR_WORKER_GROUP_GPU;
    return weir_worker_groups_count(groups, WEIR_WORKER_GROUP_GPU) > 0;
}

static void choose(struct weir_specialisation *s, const struct weir_domain *domain,
                   const struct weir_worker_groups *groups) {
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *const block = &domain->blocks[k];
        const struct weir_constants constants =
            weir_constants_of(block->view.extent, &block->layout, &domain->context.fluid);
        if (block->layout.kept.kind == WEIR_BRICK && is_on_gpu(block, groups))
            weir_common_constants_add(&s->wanted, &constants);
    }
    weir_common_constants_choose(&s->wanted);
}

/* Gets what is not there yet, as far as patience goes. */
static void get(struct weir_specialisation *s, const struct weir_kernel_patience *patience) {
    struct weir_kernel_news news;
    for (int k = 0; k < s->wanted.count; k++) {
        if (s->there[k])
            continue;
        const int result = weir_kernels_specialise(s->kernels, &s->wanted.kind[k].constants, patience, &news);
        s->there[k] = result == 0;
        if (news.compiled + news.waited > 0)
            s->seconds += news.seconds;
        s->impossible = s->impossible || (result < 0 && news.code == WEIR_UNAVAILABLE);
        if (result < 0 && !s->impossible)
            snprintf(s->failure, sizeof s->failure, "%s", news.error);
    }
}

static void compile_beside(void *context, const atomic_bool *given_up) {
    get(context, &(struct weir_kernel_patience){.compile = true, .given_up = given_up});
}

static int count_there(const struct weir_specialisation *s) {
    int count = 0;
    for (int k = 0; k < s->wanted.count; k++)
        count += s->there[k];
    return count;
}

int weir_specialisation_create(const struct weir_domain *domain, const struct weir_worker_groups *groups,
                               enum weir_specialise mode, struct weir_specialisation **specialisation) {
    struct weir_specialisation *const s = calloc(1, sizeof *s);
    if (!s)
        return weir_fail(WEIR_FAILED, "out of memory for kernels");
    s->kernels = domain->context.kernels[WEIR_BRICK];
    if (mode != WEIR_SPECIALISE_NEVER && s->kernels->cuda &&
        !weir_precision_row(domain->model.problem->precision)->moments) /* their steps have none */
        choose(s, domain, groups);
    get(s, &(struct weir_kernel_patience){.compile = mode == WEIR_SPECIALISE_FIRST});
    s->used = count_there(s);
    s->ended = mode != WEIR_SPECIALISE_AUTO || s->used == s->wanted.count || s->impossible || s->failure[0];
    *specialisation = s;
    return 0;
}

bool weir_specialisation_review(struct weir_specialisation *s, double seconds_left) {
    if (s->ended)
        return false;
    if (!s->later) {
        if (seconds_left >= seconds_that_pay)
            s->ended = !(s->later = weir_later_start(compile_beside, s));
        return false;
    }
    s->ended = weir_later_ready(s->later);
    if (s->ended)
        s->used = count_there(s);
    return s->ended;
}

struct weir_specialised weir_specialisation_report(const struct weir_specialisation *s) {
    struct weir_specialised report = {.wanted = s->wanted.count, .used = s->used};
    if (s->wanted.count > 0)
        weir_constants_describe(&s->wanted.kind[0].constants, report.blocks);
    if (!s->ended)
        return report; /* what comes of it is being written */
    report.seconds = s->seconds;
    snprintf(report.failure, sizeof report.failure, "%s", s->failure);
    return report;
}

void weir_specialisation_destroy(struct weir_specialisation *s) {
    if (!s)
        return;
    weir_later_destroy(s->later);
    free(s);
}
