#include "codelets/task_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct name {
    struct name *next;
    char text[64];
};

static struct name *names;
static int64_t step_now;
static bool naming;

void weir_task_names_start(void) {
    naming = true;
}

void weir_task_names_step(int64_t step) {
    step_now = step;
}

void weir_task_names_stop(void) {
    naming = false;
    while (names) {
        struct name *next = names->next;
        free(names);
        names = next;
    }
}

const char *weir_task_name(const char *kind, int block) {
    struct name *name = naming ? malloc(sizeof *name) : NULL;
    if (!name)
        return NULL;
    if (block >= 0)
        snprintf(name->text, sizeof name->text, "%s.b%d.s%" PRId64, kind, block, step_now);
    else
        snprintf(name->text, sizeof name->text, "%s.s%" PRId64, kind, step_now);
    name->next = names;
    names = name;
    return name->text;
}
