#include "graph/plan/worker_groups.h"

#include "graph/base/error.h"

#include <stdio.h>
#include <string.h>

/* Names of kinds in cases: a team is CPU cores as well. */
static const char *const kind_names[WEIR_WORKER_GROUP_KINDS] = {"cuda", "cpu", "cpu"};
static const char *const part_names[WEIR_WORKER_GROUP_KINDS] = {"cuda", "team", "cpu"};

static bool holds(const struct weir_worker_group *group, int worker) {
    for (int k = 0; k < group->worker_count; k++)
        if (group->workers[k] == worker)
            return true;
    return false;
}

void weir_worker_groups_add(struct weir_worker_groups *groups, enum weir_worker_group_kind kind, int device,
                            int worker, int cores) {
    int place = 0;
    while (place < groups->count && !(kind == WEIR_WORKER_GROUP_GPU && groups->group[place].kind == kind &&
                                      groups->group[place].device == device))
        place++;
    if (place == groups->count) {
        if (groups->count == WEIR_WORKER_GROUPS_MAX)
            return;
        /* A new GPU stands before all CPU worker groups. */
        while (kind == WEIR_WORKER_GROUP_GPU && place > 0 &&
               groups->group[place - 1].kind != WEIR_WORKER_GROUP_GPU)
            place--;
        memmove(&groups->group[place + 1], &groups->group[place],
                sizeof *groups->group * (size_t)(groups->count - place));
        struct weir_worker_group *group = &groups->group[place];
        *group = (struct weir_worker_group){.kind = kind, .device = device, .cores = cores};
        const int number = kind == WEIR_WORKER_GROUP_TEAM ? weir_worker_groups_count(groups, kind) : device;
        snprintf(group->name, sizeof group->name, "%s%d", part_names[kind], number);
        groups->count++;
    }
    struct weir_worker_group *group = &groups->group[place];
    if (group->worker_count < WEIR_WORKER_GROUP_WORKERS_MAX)
        group->workers[group->worker_count++] = worker;
}

int weir_worker_groups_of_worker(const struct weir_worker_groups *groups, int worker) {
    for (int k = 0; k < groups->count; k++)
        if (holds(&groups->group[k], worker))
            return k;
    return -1;
}

int weir_worker_groups_count(const struct weir_worker_groups *groups, enum weir_worker_group_kind kind) {
    int count = 0;
    for (int k = 0; k < groups->count; k++)
        count += groups->group[k].kind == kind;
    return count;
}

void weir_worker_groups_describe(const struct weir_worker_groups *groups,
                                 char text[WEIR_WORKER_GROUPS_TEXT]) {
    const int gpus = weir_worker_groups_count(groups, WEIR_WORKER_GROUP_GPU),
              teams = weir_worker_groups_count(groups, WEIR_WORKER_GROUP_TEAM),
              cores = weir_worker_groups_count(groups, WEIR_WORKER_GROUP_CORE);
    int team_cores = 0;
    size_t used = 0;
    for (int k = 0; k < groups->count; k++)
        team_cores += groups->group[k].kind == WEIR_WORKER_GROUP_TEAM ? groups->group[k].cores : 0;
    text[0] = '\0';
    if (gpus > 0)
        used += (size_t)snprintf(text, WEIR_WORKER_GROUPS_TEXT, "%d GPU%s", gpus, gpus > 1 ? "s" : "");
    if (teams == 1)
        used += (size_t)snprintf(text + used, WEIR_WORKER_GROUPS_TEXT - used, "%sa team of %d core%s",
                                 used > 0 ? " and " : "", team_cores, team_cores > 1 ? "s" : "");
    else if (teams > 1)
        used += (size_t)snprintf(text + used, WEIR_WORKER_GROUPS_TEXT - used, "%s%d teams of %d cores in all",
                                 used > 0 ? " and " : "", teams, team_cores);
    if (cores > 0)
        snprintf(text + used, WEIR_WORKER_GROUPS_TEXT - used, "%s%d CPU core%s", used > 0 ? " and " : "",
                 cores, cores > 1 ? "s" : "");
}

bool weir_worker_groups_is_name(const char *name) {
    for (int k = 0; k < WEIR_WORKER_GROUP_KINDS; k++) {
        const size_t length = strlen(part_names[k]);
        if (strncmp(name, part_names[k], length) == 0 &&
            strspn(name + length, "0123456789") == strlen(name + length) && strlen(name) < length + 6)
            return strcmp(name, "team") != 0;
    }
    return false;
}

bool weir_worker_groups_is_called(const struct weir_worker_group *group, const char *name) {
    return strcmp(name, group->name) == 0 || strcmp(name, kind_names[group->kind]) == 0;
}

/* What is named for this group itself; -1: nothing. */
static double share_of_group(const struct weir_worker_group *group, const struct weir_named_share *named,
                             int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(named[k].name, group->name) == 0)
            return named[k].share;
    return -1;
}

/* Kinds are known even where a machine has none of them: the same case then runs on the others. */
static bool is_known(const struct weir_worker_groups *groups, const char *name) {
    for (int k = 0; k < WEIR_WORKER_GROUP_KINDS; k++)
        if (strcmp(name, kind_names[k]) == 0)
            return true;
    for (int k = 0; k < groups->count; k++)
        if (strcmp(name, groups->group[k].name) == 0)
            return true;
    return false;
}

int weir_worker_groups_shares(const struct weir_worker_groups *groups, const struct weir_named_share *named,
                              int named_count, double *share) {
    double sum = 0;
    for (int k = 0; k < named_count; k++)
        if (!is_known(groups, named[k].name) && named[k].share > 0) {
            char there[WEIR_WORKER_GROUPS_TEXT];
            weir_worker_groups_describe(groups, there);
            return weir_fail(WEIR_USAGE,
                             "placement.shares.%s: no part that takes steps here has this name; there %s %s "
                             "(\"%s\" to \"%s\")",
                             named[k].name, groups->count > 1 ? "are" : "is", there, groups->group[0].name,
                             groups->group[groups->count - 1].name);
        }
    for (int k = 0; k < groups->count; k++) {
        const char *kind = kind_names[groups->group[k].kind];
        share[k] = share_of_group(&groups->group[k], named, named_count);
        if (share[k] < 0) {
            int alike = 0;
            for (int other = 0; other < groups->count; other++)
                alike += strcmp(kind_names[groups->group[other].kind], kind) == 0 &&
                         share_of_group(&groups->group[other], named, named_count) < 0;
            share[k] = 0;
            for (int n = 0; n < named_count; n++)
                if (strcmp(named[n].name, kind) == 0)
                    share[k] = named[n].share / alike;
        }
        sum += share[k];
    }
    if (sum <= 0)
        return weir_fail(WEIR_USAGE,
                         "placement.shares: every part that takes steps here has a share of 0; "
                         "give one of them more, such as {\"%s\": 1}",
                         groups->group[0].name);
    return 0;
}
