/* Formulas: compiled, asked for their variables, and evaluated, also where their position is no number. */
#include "src/case/expression.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double position[3] = {0.5, 1.5, 2.5}, time = 0;
    const struct weir_expression_terms terms = {
        .position = position, .time = size % 2 ? &time : NULL, .size = {16, 8, 4}};
    static const double places[] = {0.5, 0, -1, 1e300, INFINITY, NAN};
    struct weir_expression *expression;
    char *text = fuzz_text(data, size);
    if (fuzz_judge(weir_expression_create(text, &terms, &expression))) {
        for (int axis = 0; axis <= WEIR_TIME; axis++)
            (void)weir_expression_uses(expression, axis);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            position[0] = position[1] = time = places[k];
            (void)weir_expression_value(expression);
        }
        weir_expression_destroy(expression);
    }
    free(text);
    return 0;
}
