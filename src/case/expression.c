/* muParser's C interface behind create, value, destroy. Cells are evaluated one by one: muParser's bulk mode
 * starts OpenMP threads of its own, which would compete with the workers that call this. */
#include "src/case/expression.h"

#include "graph/base/error.h"
#include "src/geometry/random_numbers.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct weir_expression {
    muParserHandle_t parser;
};

static const char *const variables[4] = {"x", "y", "z", [WEIR_TIME] = "t"};

/* random(seed, k): number k, whichever is asked for first, of those that belong to a seed; from 0 up to
 * below 1. Both are whole, else it is no number. */
static double random_number(double seed, double k) {
    const double most = 9007199254740992; /* 2^53 */
    if (!(fabs(seed) <= most && fabs(k) <= most && seed == floor(seed) && k == floor(k)))
        return NAN;
    uint64_t of_seed = (uint64_t)(int64_t)seed;
    uint64_t state = (uint64_t)ldexp(weir_random_number(&of_seed), 53) + (uint64_t)(int64_t)k;
    return weir_random_number(&state);
}

/* Whether the text has muParser's assignment "=", which would overwrite the position. */
static bool assigns(const char *text) {
    for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
        if (at[1] == '=')
            at++;
        else if (at == text || !strchr("<>!", at[-1]))
            return true;
    }
    return false;
}

/* mupGetErrorMsg() and mupGetErrorToken() copy what they say, which may hold the whole formula twice, into a
 * buffer of 2048 letters: longer formulas are told by the place alone. */
static int fail_long(const char *text, muParserHandle_t parser) {
    const int position = mupGetErrorPos(parser), length = (int)strlen(text);
    const int place = position < 0 || position > length ? 0 : position;
    return weir_fail(WEIR_USAGE, "\"%.60s...\" (%d letters) is not a formula: wrong at letter %d, \"%.40s\"",
                     text, length, place + 1, text + place);
}

/* Evaluates once, which makes muParser compile. */
static int compile(const char *text, muParserHandle_t parser) {
    enum { SAFE_LENGTH = 800 };
    int count = 0;
    mupEvalMulti(parser, &count);
    const bool failed = mupError(parser); /* tells it once */
    if (failed && strlen(text) > SAFE_LENGTH)
        return fail_long(text, parser);
    if (failed) {
        const char *message = mupGetErrorMsg(parser);
        size_t length = strlen(message);
        length -= length > 0 && message[length - 1] == '.';
        return weir_fail(WEIR_USAGE, "\"%.200s\" is not a formula: %.*s", text, (int)length, message);
    }
    if (count != 1)
        return weir_fail(WEIR_USAGE, "\"%.200s\" is %d formulas with commas between them", text, count);
    return 0;
}

int weir_expression_create(const char *text, const struct weir_expression_terms *terms,
                           struct weir_expression **result) {
    static const char *const sizes[3] = {"nx", "ny", "nz"};

    if (assigns(text))
        return weir_fail(WEIR_USAGE, "\"%.200s\" assigns with \"=\", where \"==\" compares", text);
    struct weir_expression *expression = malloc(sizeof *expression);
    if (!expression)
        return weir_fail(WEIR_FAILED, "no memory left for a formula");
    expression->parser = mupCreate(muBASETYPE_FLOAT);
    for (int axis = 0; axis < 3; axis++) {
        mupDefineVar(expression->parser, variables[axis], &terms->position[axis]);
        mupDefineConst(expression->parser, sizes[axis], terms->size[axis]);
    }
    if (terms->time)
        mupDefineVar(expression->parser, variables[WEIR_TIME], terms->time);
    mupDefineConst(expression->parser, "pi", M_PI);
    mupDefineFun2(expression->parser, "random", random_number, 0);
    mupSetExpr(expression->parser, text);

    int error = compile(text, expression->parser);
    if (error < 0) {
        weir_expression_destroy(expression);
        return error;
    }
    *result = expression;
    return 0;
}

void weir_expression_destroy(struct weir_expression *expression) {
    if (!expression)
        return;
    mupRelease(expression->parser);
    free(expression);
}

bool weir_expression_uses(struct weir_expression *expression, int axis) {
    const int count = mupGetExprVarNum(expression->parser);
    bool found = false;
    for (int k = 0; k < count; k++) {
        const char *name;
        double *place;
        mupGetExprVar(expression->parser, (unsigned)k, &name, &place);
        found = found || strcmp(name, variables[axis]) == 0;
    }
    return found;
}

double weir_expression_value(struct weir_expression *expression) {
    return mupEval(expression->parser);
}
