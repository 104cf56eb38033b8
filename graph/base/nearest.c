/* Edit distance over a small table; words here are keys and option names. */
#include "graph/base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b) {
    return a < b ? a : b;
}

static bool same(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

int weir_edit_distance(const char *a, const char *b) {
    int distance[LONGEST + 1][LONGEST + 1]; /* [i][j]: of the first i characters of a and j of b */
    int rows = (int)strnlen(a, LONGEST), columns = (int)strnlen(b, LONGEST);

    for (int i = 0; i <= rows; i++)
        distance[i][0] = i;
    for (int j = 0; j <= columns; j++)
        distance[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= columns; j++) {
            int replaced = distance[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
            int shifted = least(distance[i - 1][j], distance[i][j - 1]) + 1;
            distance[i][j] = least(replaced, shifted);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                distance[i][j] = least(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[rows][columns];
}

const char *weir_nearest(const char *word, const char *const *names) {
    size_t length = strlen(word);
    int allowed = length <= 1 ? 0 : length <= 3 ? 1 : length <= 7 ? 2 : 3;
    int best = INT_MAX;
    const char *nearest = NULL;

    for (; *names; names++) {
        int distance = weir_edit_distance(word, *names);
        if (distance <= allowed && distance < best) {
            best = distance;
            nearest = *names;
        }
    }
    return nearest;
}
