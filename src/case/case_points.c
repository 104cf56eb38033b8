#include "src/case/case_points.h"

#include "graph/base/error.h"
#include "src/common/path_beside.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *text) {
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* The numbers of a row, NULL where it is something else; a new reference. */
static json_t *read_row(const char *text) {
    json_t *point = json_array();
    for (;;) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || !isfinite(number) || json_array_append_new(point, json_real(number)) < 0)
            break;
        text = skip_blanks(end);
        if (*text == '\0' && json_array_size(point) >= 2 && json_array_size(point) <= 3)
            return point;
        if (*text++ != ',')
            break;
    }
    json_decref(point);
    return NULL;
}

static int read_rows(FILE *stream, const struct weir_json *key, const char *path, json_t *points) {
    char *line = NULL;
    size_t capacity = 0;
    int number = 0, error = 0;
    while (error == 0 && getline(&line, &capacity, stream) >= 0) {
        const char *text = skip_blanks(line);
        number++;
        if (*text == '\0' || *text == '#')
            continue;
        json_t *point = read_row(text);
        if (point)
            json_array_append_new(points, point);
        else if (json_array_size(points) > 0 || !isalpha((unsigned char)*text)) /* no row of names */
            error = weir_json_fail(
                key, "%s: line %d is no point; give two or three numbers with commas, such as 8, 8, 4.5",
                path, number);
        if (json_array_size(points) > WEIR_POINTS_MOST)
            error = weir_json_fail(key, "%s: has more than %d points; divide them among several outputs",
                                   path, WEIR_POINTS_MOST);
    }
    free(line);
    return error < 0 || json_array_size(points) > 0
               ? error
               : weir_json_fail(key, "%s: has no points; give one a line, such as 8, 8, 4.5", path);
}

static int read_file(const struct weir_json *key, const char *path, json_t *points) {
    FILE *stream = fopen(path, "r");
    if (!stream)
        return weir_json_fail(key,
                              "%s: %s; give the path of a CSV file of points, as seen from the case file",
                              path, strerror(errno));
    const int error = read_rows(stream, key, path, points);
    fclose(stream);
    return error;
}

static int load(const struct weir_json *output, const struct weir_json *key) {
    char *path = weir_path_beside(output->source->file, json_string_value(key->value));
    if (!path)
        return weir_fail(WEIR_FAILED, "no memory left for the points of an output");
    json_t *points = json_array();
    const int error = read_file(key, path, points);
    free(path);
    if (error < 0)
        json_decref(points);
    else
        json_object_set_new((json_t *)output->value, "points", points);
    return error;
}

int weir_case_load_points(json_t *root, const struct weir_json_source *source) {
    const struct weir_json whole = weir_json_root(source, root), list = weir_json_member(&whole, "output");
    for (size_t k = 0; k < json_array_size(list.value); k++) {
        const struct weir_json output = weir_json_item(&list, (int)k),
                               points = weir_json_member(&output, "points");
        if (json_is_string(points.value))
            WEIR_TRY(load(&output, &points));
    }
    return 0;
}
