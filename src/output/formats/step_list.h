/* The steps of an output whose files are complete, as tables of contents name them. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_STEP_LIST_H
#define WEIR_SRC_OUTPUT_FORMATS_STEP_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Empty where all is zero. */
struct weir_step_list {
    int64_t *steps; /* [count] */
    size_t count, capacity;
};

/* Adds a step of the output `name` behind the others. Error: -WEIR_FAILED (no memory). */
int weir_step_list_add(struct weir_step_list *list, const char *name, int64_t step);

/* Adds the steps before `first` whose files NAME_STEPSUFFIX are in a folder. Errors as above. */
int weir_step_list_add_earlier(struct weir_step_list *list, const char *directory, const char *name,
                               const char *suffix, int64_t first);

void weir_step_list_free(struct weir_step_list *list);

#endif
