/* "text" of a solid: letters in the plane of x and y. */
#include "graph/base/error.h"
#include "src/case/case_values.h"
#include "src/case/solids/case_regions.h"
#include "src/geometry/letters.h"

#include <string.h>

enum { LETTERS, HEIGHT, ORIGIN };
const struct weir_key weir_text_keys[] = {
    [LETTERS] = {.name = "letters",
                 .type = WEIR_KEY_TEXT,
                 .needed = true,
                 .about = "What is written.",
                 .examples = "[\"W\"]",
                 .example = "\"WEIR\"",
                 .wanted = "a text such as \"WEIR\""},
    [HEIGHT] = {.name = "height",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about = "Height of a capital H in cell widths (SI: m).",
                .examples = "[6]",
                .example = "32",
                .quantity = {"the height of capital letters", WEIR_DIMENSION_LENGTH, "32"}},
    [ORIGIN] = {.name = "origin",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .about = "Where the line begins that letters stand on.",
                .otherwise = "the text is in the middle of the domain",
                .examples = "[[2, 2, 0]]",
                .example = "[2, 2]",
                .quantity = {"where the line begins", WEIR_DIMENSION_LENGTH, "2"}},
    {.name = NULL},
};

/* Some of it must be in the domain. */
static int check_inside(const struct weir_json *json, const struct weir_case *c,
                        const struct weir_region *region) {
    for (int axis = 0; axis < 2; axis++)
        if (region->low[axis] > c->problem.cells[axis] || region->high[axis] < 0)
            return weir_json_fail(
                json,
                "lies outside the domain: along %c it goes from %g to %g, the domain from 0 to %g; give "
                "another \"origin\", or none: then it is in the middle",
                "xy"[axis], region -> low[axis] * c -> units.length, region->high[axis] * c->units.length,
                c->problem.cells[axis] * c->units.length);
    return 0;
}

int weir_case_read_text_solid(const struct weir_json *json, const struct weir_case *c,
                              struct weir_shape *shape) {
    const struct weir_json letters = weir_json_member(json, weir_text_keys[LETTERS].name),
                           height = weir_json_member(json, weir_text_keys[HEIGHT].name),
                           origin = weir_json_member(json, weir_text_keys[ORIGIN].name);
    struct weir_letters_options options = {.centred = !weir_json_present(&origin)};
    struct weir_region *region;
    double place[3] = {0};
    if (!weir_json_present(&letters))
        return weir_json_fail_missing(&letters, weir_text_keys[LETTERS].wanted);
    WEIR_TRY(weir_key_read(&letters, &weir_text_keys[LETTERS], &c->units, &options.text));
    WEIR_TRY(weir_case_read_positive(&height, &c->units, &weir_text_keys[HEIGHT].quantity, &options.height));
    if (!options.centred)
        WEIR_TRY(weir_case_read_vector(&origin, c, &weir_text_keys[ORIGIN].quantity, place));
    memcpy(options.origin, place, sizeof options.origin);
    memcpy(options.cells, c->problem.cells, sizeof options.cells);
    WEIR_TRY(weir_case_name_key(&letters, weir_letters_create(&options, &region)));
    weir_shape_use_region(shape, region);
    return check_inside(json, c, region);
}
