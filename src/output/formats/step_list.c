#include "src/output/formats/step_list.h"

#include "graph/base/error.h"
#include "src/output/formats/earlier_files.h"

#include <stdlib.h>

int weir_step_list_add(struct weir_step_list *list, const char *name, int64_t step) {
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 16;
        int64_t *steps = realloc(list->steps, capacity * sizeof *steps);
        if (!steps)
            return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", name);
        list->steps = steps;
        list->capacity = capacity;
    }
    list->steps[list->count++] = step;
    return 0;
}

int weir_step_list_add_earlier(struct weir_step_list *list, const char *directory, const char *name,
                               const char *suffix, int64_t first) {
    int64_t *steps;
    int count, error = weir_earlier_steps(directory, name, suffix, &steps, &count);
    if (error < 0)
        return error;
    for (int k = count - 1; k >= 0 && error == 0; k--)
        if (steps[k] < first)
            error = weir_step_list_add(list, name, steps[k]);
    free(steps);
    return error;
}

void weir_step_list_free(struct weir_step_list *list) {
    free(list->steps);
}
