/* The operations of a collision, counted: its text, with expressions for numbers. Compiled once per
 * collision.
 *
 * Compilers leave out what changes no bit, and so does this: an expression that was there before is the same
 * one, what follows from the run's constants alone is computed once and not in each cell, and what no
 * population follows from is not computed. Signs cost nothing, nor does a factor of 1. Here a fused
 * multiply-add stays what it is whatever its factors. Of the collisions on D2Q37 gcc 12 makes as many
 * instructions of each kind for x86-64-v4, but for 2 x, which it computes as x + x
 * (docs/measured/2026-11-29-peak.md). */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <vector>

enum kind { CONSTANT, OF_RUN, OF_CELL, SUM, PRODUCT, QUOTIENT, MULTIPLY_ADD };

/* Expressions have numbers from 1 on; that of a negative has a minus sign. */
struct expression {
    kind what;
    int of[3];    /* 0: none */
    double value; /* of a constant; else which one it is */
    bool of_cell;
};
static std::vector<expression> expressions;
static std::map<std::tuple<kind, int, int, int, double>, int> number_of;

static const expression &expression_of(int number) {
    return expressions[(size_t)std::abs(number) - 1];
}

static int number(kind what, int a, int b, int c, double value) {
    int &found = number_of[std::make_tuple(what, a, b, c, value)];
    if (found == 0) {
        bool of_cell = what == OF_CELL;
        for (int one : {a, b, c})
            of_cell = of_cell || (one != 0 && expression_of(one).of_cell);
        expressions.push_back({what, {a, b, c}, value, of_cell});
        found = (int)expressions.size();
    }
    return found;
}

struct counted {
    int number;
    counted() = default;
    counted(double value)
        : number((value < 0 ? -1 : 1) * ::number(CONSTANT, 0, 0, 0, value < 0 ? -value : value)) {}
};

static counted of_number(int number) {
    counted result;
    result.number = number;
    return result;
}

static bool is_constant(counted a) {
    return expression_of(a.number).what == CONSTANT;
}

static double value_of(counted a) {
    return a.number < 0 ? -expression_of(a.number).value : expression_of(a.number).value;
}

static bool is_one(counted a) {
    return is_constant(a) && std::fabs(value_of(a)) == 1;
}

static counted operator-(counted a) {
    return of_number(-a.number);
}

static counted operator+(counted a, counted b) {
    if (is_constant(a) && is_constant(b))
        return value_of(a) + value_of(b);
    return of_number(number(SUM, std::min(a.number, b.number), std::max(a.number, b.number), 0, 0));
}

static counted operator-(counted a, counted b) {
    return a + -b;
}

/* Of factors signs are taken apart, and the order. */
static int sign_of(counted a, counted b) {
    return (a.number < 0) != (b.number < 0) ? -1 : 1;
}
static int first_of(counted a, counted b) {
    return std::min(std::abs(a.number), std::abs(b.number));
}
static int second_of(counted a, counted b) {
    return std::max(std::abs(a.number), std::abs(b.number));
}

static counted operator*(counted a, counted b) {
    if (is_constant(a) && is_constant(b))
        return value_of(a) * value_of(b);
    if (is_one(a) || is_one(b))
        return of_number(sign_of(a, b) * std::abs(is_one(a) ? b.number : a.number));
    return of_number(sign_of(a, b) * number(PRODUCT, first_of(a, b), second_of(a, b), 0, 0));
}

static counted operator/(counted a, counted b) {
    return of_number(number(QUOTIENT, a.number, b.number, 0, 0));
}

static counted fma_of_counted(counted a, counted b, counted c) {
    return of_number(number(MULTIPLY_ADD, sign_of(a, b) * first_of(a, b), second_of(a, b), c.number, 0));
}

static counted &operator+=(counted &a, counted b) {
    return a = a + b;
}

[[maybe_unused]] static counted &operator*=(counted &a, counted b) {
    return a = a * b;
}

#define WEIR_REAL_counted counted
#define WEIR_REAL_BYTES_counted 8
#define WEIR_STORED_IN_HALF_counted 0
#define root_of_counted(a) (std::abort(), (a)) /* who has roots may say what they cost */
#define WEIR_PRECISION counted

extern "C" {
#include "codelets/kernels/collision/collision.h"
}

extern "C" int WEIR_NAME(count_operations)(int forced);
extern "C" int WEIR_NAME(count_operations)(int forced) {
    counted f[POPULATIONS];
    counted constants[sizeof(relaxation) / sizeof(counted)];
    relaxation r;
    expressions.clear();
    number_of.clear();
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        constants[k] = of_number(number(OF_RUN, 0, 0, 0, (double)k));
    memcpy(&r, constants, sizeof r);
    for (int i = 0; i < POPULATIONS; i++)
        f[i] = of_number(number(OF_CELL, 0, 0, 0, i));
    collide(f, forced != 0, &r);

    std::vector<bool> wanted(expressions.size() + 1, false);
    for (counted population : f)
        wanted[(size_t)std::abs(population.number)] = true;
    int operations = 0;
    for (size_t k = expressions.size(); k > 0; k--) {
        const expression &one = expressions[k - 1];
        if (!wanted[k])
            continue;
        for (int other : one.of)
            wanted[(size_t)std::abs(other)] = true;
        if (one.of_cell && one.what != OF_CELL)
            operations += one.what == MULTIPLY_ADD ? 2 : 1;
    }
    return operations;
}
