#include "graph/plan/parts.h"

#include "graph/base/error.h"

#include <stdio.h>
#include <string.h>

/* Names of kinds in cases: a team is CPU cores as well. */
static const char *const kind_names[WEIR_PART_KINDS] = {"cuda", "cpu", "cpu"};
static const char *const part_names[WEIR_PART_KINDS] = {"cuda", "team", "cpu"};

static bool holds(const struct weir_part *part, int worker) {
    for (int k = 0; k < part->worker_count; k++)
        if (part->workers[k] == worker)
            return true;
    return false;
}

void weir_parts_add(struct weir_parts *parts, enum weir_part_kind kind, int device, int worker, int cores) {
    int place = 0;
    while (place < parts->count &&
           !(kind == WEIR_PART_GPU && parts->part[place].kind == kind && parts->part[place].device == device))
        place++;
    if (place == parts->count) {
        if (parts->count == WEIR_PARTS_MAX)
            return;
        /* A new GPU stands before all CPU parts. */
        while (kind == WEIR_PART_GPU && place > 0 && parts->part[place - 1].kind != WEIR_PART_GPU)
            place--;
        memmove(&parts->part[place + 1], &parts->part[place],
                sizeof *parts->part * (size_t)(parts->count - place));
        struct weir_part *part = &parts->part[place];
        *part = (struct weir_part){.kind = kind, .device = device, .cores = cores};
        const int number = kind == WEIR_PART_TEAM ? weir_parts_count(parts, kind) : device;
        snprintf(part->name, sizeof part->name, "%s%d", part_names[kind], number);
        parts->count++;
    }
    struct weir_part *part = &parts->part[place];
    if (part->worker_count < WEIR_PART_WORKERS_MAX)
        part->workers[part->worker_count++] = worker;
}

int weir_parts_of_worker(const struct weir_parts *parts, int worker) {
    for (int k = 0; k < parts->count; k++)
        if (holds(&parts->part[k], worker))
            return k;
    return -1;
}

int weir_parts_count(const struct weir_parts *parts, enum weir_part_kind kind) {
    int count = 0;
    for (int k = 0; k < parts->count; k++)
        count += parts->part[k].kind == kind;
    return count;
}

void weir_parts_describe(const struct weir_parts *parts, char text[WEIR_PARTS_TEXT]) {
    const int gpus = weir_parts_count(parts, WEIR_PART_GPU), teams = weir_parts_count(parts, WEIR_PART_TEAM),
              cores = weir_parts_count(parts, WEIR_PART_CORE);
    int team_cores = 0;
    size_t used = 0;
    for (int k = 0; k < parts->count; k++)
        team_cores += parts->part[k].kind == WEIR_PART_TEAM ? parts->part[k].cores : 0;
    text[0] = '\0';
    if (gpus > 0)
        used += (size_t)snprintf(text, WEIR_PARTS_TEXT, "%d GPU%s", gpus, gpus > 1 ? "s" : "");
    if (teams == 1)
        used += (size_t)snprintf(text + used, WEIR_PARTS_TEXT - used, "%sa team of %d core%s",
                                 used > 0 ? " and " : "", team_cores, team_cores > 1 ? "s" : "");
    else if (teams > 1)
        used += (size_t)snprintf(text + used, WEIR_PARTS_TEXT - used, "%s%d teams of %d cores in all",
                                 used > 0 ? " and " : "", teams, team_cores);
    if (cores > 0)
        snprintf(text + used, WEIR_PARTS_TEXT - used, "%s%d CPU core%s", used > 0 ? " and " : "", cores,
                 cores > 1 ? "s" : "");
}

bool weir_parts_is_name(const char *name) {
    for (int k = 0; k < WEIR_PART_KINDS; k++) {
        const size_t length = strlen(part_names[k]);
        if (strncmp(name, part_names[k], length) == 0 &&
            strspn(name + length, "0123456789") == strlen(name + length) && strlen(name) < length + 6)
            return strcmp(name, "team") != 0;
    }
    return false;
}

bool weir_parts_is_called(const struct weir_part *part, const char *name) {
    return strcmp(name, part->name) == 0 || strcmp(name, kind_names[part->kind]) == 0;
}

/* What is named for this part itself; -1: nothing. */
static double share_of_part(const struct weir_part *part, const struct weir_named_share *named, int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(named[k].name, part->name) == 0)
            return named[k].share;
    return -1;
}

/* Kinds are known even where a machine has none of them: the same case then runs on the others. */
static bool is_known(const struct weir_parts *parts, const char *name) {
    for (int k = 0; k < WEIR_PART_KINDS; k++)
        if (strcmp(name, kind_names[k]) == 0)
            return true;
    for (int k = 0; k < parts->count; k++)
        if (strcmp(name, parts->part[k].name) == 0)
            return true;
    return false;
}

int weir_parts_shares(const struct weir_parts *parts, const struct weir_named_share *named, int named_count,
                      double *share) {
    double sum = 0;
    for (int k = 0; k < named_count; k++)
        if (!is_known(parts, named[k].name) && named[k].share > 0) {
            char there[WEIR_PARTS_TEXT];
            weir_parts_describe(parts, there);
            return weir_fail(WEIR_USAGE,
                             "placement.shares.%s: no part that takes steps here has this name; there %s %s "
                             "(\"%s\" to \"%s\")",
                             named[k].name, parts->count > 1 ? "are" : "is", there, parts->part[0].name,
                             parts->part[parts->count - 1].name);
        }
    for (int k = 0; k < parts->count; k++) {
        const char *kind = kind_names[parts->part[k].kind];
        share[k] = share_of_part(&parts->part[k], named, named_count);
        if (share[k] < 0) {
            int alike = 0;
            for (int other = 0; other < parts->count; other++)
                alike += strcmp(kind_names[parts->part[other].kind], kind) == 0 &&
                         share_of_part(&parts->part[other], named, named_count) < 0;
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
                         parts->part[0].name);
    return 0;
}
