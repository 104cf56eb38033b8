#include "src/common/number_list.h"

#include "graph/base/error.h"

#include <stdlib.h>
#include <string.h>

int weir_number_read(const char *option, const char *text, long least, long most, long *number) {
    char *end;
    *number = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || *number < least || *number > most)
        return weir_fail(WEIR_USAGE, "--%s: \"%s\" is no number from %ld to %ld", option, text, least, most);
    return 0;
}

static int by_size(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int weir_number_list_read(const char *option, const char *text, long most, int size, int *numbers,
                          int *count) {
    char *copy = strdup(text), *rest = copy;
    int error = copy ? 0 : weir_fail(WEIR_FAILED, "out of memory");
    *count = 0;
    for (const char *word; error == 0 && (word = strsep(&rest, ","));) {
        long number = 0;
        if (*count == size)
            error = weir_fail(WEIR_USAGE, "--%s: at most %d numbers at a time", option, size);
        else
            error = weir_number_read(option, word, 1, most, &number);
        for (int k = 0; error == 0 && k < *count; k++)
            if (numbers[k] == number)
                error =
                    weir_fail(WEIR_USAGE, "--%s: %ld is there twice; name each number once", option, number);
        if (error == 0)
            numbers[(*count)++] = (int)number;
    }
    free(copy);
    if (error == 0)
        qsort(numbers, (size_t)*count, sizeof *numbers, by_size);
    return error;
}
