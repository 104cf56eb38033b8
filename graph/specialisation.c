#include "graph/specialisation.h"

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
    struct weir_constants constants[WEIR_COMMON_CONSTANTS_MAX];
    bool there[WEIR_COMMON_CONSTANTS_MAX];
    int count, used;
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

static struct weir_common_constants of_block(const struct weir_block *block) {
    const int(*const extent)[3] = block->view.extent;
    return (struct weir_common_constants){
        .constants = weir_constants_of(extent, &block->layout, &block->context->fluid),

        .cells = (int64_t)extent[0][1] * extent[1][1] * extent[2][1]};
}

static int choose(struct weir_specialisation *s, const struct weir_domain *domain,
                  const struct weir_worker_groups *groups) {
    struct weir_common_constants *const blocks = calloc((size_t)domain->set.count + 1, sizeof *blocks);
    int count = 0;
    if (!blocks)
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", domain->set.count);
    for (int k = 0; k < domain->set.count; k++)
        if (domain->blocks[k].layout.kept.kind == WEIR_BRICK && is_on_gpu(&domain->blocks[k], groups))
            blocks[count++] = of_block(&domain->blocks[k]);
    s->count = weir_common_constants_choose(blocks, count);
    for (int k = 0; k < s->count; k++)
        s->constants[k] = blocks[k].constants;
    free(blocks);
    return 0;
}

/* Gets what is not there yet, as far as patience goes. */
static void get(struct weir_specialisation *s, const struct weir_kernel_patience *patience) {
    struct weir_kernel_news news;
    for (int k = 0; k < s->count; k++) {
        if (s->there[k])
            continue;
        const int result = weir_kernels_specialise(s->kernels, &s->constants[k], patience, &news);
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
    for (int k = 0; k < s->count; k++)
        count += s->there[k];
    return count;
}

int weir_specialisation_create(const struct weir_domain *domain, const struct weir_worker_groups *groups,
                               enum weir_specialise mode, struct weir_specialisation **specialisation) {
    struct weir_specialisation *const s = calloc(1, sizeof *s);
    if (!s)
        return weir_fail(WEIR_FAILED, "out of memory for kernels");
    s->kernels = domain->context.kernels[WEIR_BRICK];
    const bool wanted = mode != WEIR_SPECIALISE_NEVER && s->kernels->cuda;
    const int error = wanted ? choose(s, domain, groups) : 0;
    if (error != 0) {
        free(s);
        return error;
    }
    get(s, &(struct weir_kernel_patience){.compile = mode == WEIR_SPECIALISE_FIRST});
    s->used = count_there(s);
    s->ended = mode != WEIR_SPECIALISE_AUTO || s->used == s->count || s->impossible || s->failure[0];
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
    struct weir_specialised report = {.wanted = s->count, .used = s->used};
    if (s->count > 0)
        weir_constants_describe(&s->constants[0], report.blocks);
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
