#include "codelets/kernels/cells/precisions.h"

#include <stdint.h>
#include <string.h>

#define ABOUT_MOMENTS ", kept as density, momentum and stress"
#define NO_SCALAR_WITH_MOMENTS                                                                     \
    "is kept as populations, which storage \"moments\" and \"mixed_moments\" do not have; remove " \
    "\"storage\", or the scalar"

static const struct weir_precision_row rows[] = {
    [WEIR_SINGLE] = {.name = "single",
                     .text = "single",
                     .arithmetic = "single",
                     .storage = "full",
                     .about = "",
                     .real_bytes = sizeof(float),
                     .stored_bytes = sizeof(float),
                     .rounding = 0x1p-24,
                     .densest = 50,
                     .steady_least = 1e-7,
                     .digits = 9},
    [WEIR_DOUBLE] = {.name = "double",
                     .text = "double",
                     .arithmetic = "double",
                     .storage = "full",
                     .about = "",
                     .real_bytes = sizeof(double),
                     .stored_bytes = sizeof(double),
                     .rounding = 0x1p-53,
                     .densest = 50,
                     .digits = 17},
    /* Deviations from the weights may be 2 at most (halves.h), so densities must stay well below 7. */
    [WEIR_HALF] = {.name = "half",
                   .text = "half",
                   .arithmetic = "single",
                   .storage = "half",
                   .about = ", populations stored in 16 bits",
                   .real_bytes = sizeof(float),
                   .stored_bytes = sizeof(uint16_t),
                   .rounding = 0x1p-12,
                   .densest = 4,
                   .steady_least = 1e-7,
                   .digits = 9,
                   .without_scalar = "needs more digits than storage \"half\" has: small changes would be "
                                     "lost; remove \"storage\", or the scalar"},
    [WEIR_MOMENTS_SINGLE] = {.name = "single_moments",
                             .text = "single",
                             .moments = true,
                             .arithmetic = "single",
                             .storage = "moments",
                             .about = ABOUT_MOMENTS,
                             .real_bytes = sizeof(float),
                             .stored_bytes = sizeof(float),
                             .rounding = 0x1p-24,
                             .densest = 50,
                             .steady_least = 1e-7,
                             .digits = 9,
                             .without_scalar = NO_SCALAR_WITH_MOMENTS},
    [WEIR_MOMENTS_DOUBLE] = {.name = "double_moments",
                             .text = "double",
                             .moments = true,
                             .arithmetic = "double",
                             .storage = "moments",
                             .about = ABOUT_MOMENTS,
                             .real_bytes = sizeof(double),
                             .stored_bytes = sizeof(double),
                             .rounding = 0x1p-53,
                             .densest = 50,
                             .digits = 17,
                             .without_scalar = NO_SCALAR_WITH_MOMENTS},
    /* What there is of mass, and of momentum, is in 32 bits. */
    [WEIR_MOMENTS_MIXED] = {.name = "mixed_moments",
                            .text = "single",
                            .moments = true,
                            .stress_in_half = true,
                            .arithmetic = "single",
                            .storage = "mixed_moments",
                            .about = ABOUT_MOMENTS ", the stress in 16 bits",
                            .real_bytes = sizeof(float),
                            .stored_bytes = sizeof(float),
                            .rounding = 0x1p-24,
                            .densest = 4,
                            .steady_least = 1e-7,
                            .digits = 9,
                            .without_scalar = NO_SCALAR_WITH_MOMENTS},
};
_Static_assert(sizeof rows / sizeof *rows == WEIR_PRECISION_COUNT, "a row for each precision");

const char *const weir_arithmetic_names[] = {"single", "double", NULL};
const char *const weir_storage_names[] = {"full", "half", "moments", "mixed_moments", NULL};

const struct weir_precision_row *weir_precision_row(enum weir_precision precision) {
    return &rows[precision];
}

int weir_precision_find(const char *arithmetic, const char *storage) {
    for (int k = 0; k < WEIR_PRECISION_COUNT; k++)
        if (strcmp(rows[k].arithmetic, arithmetic) == 0 && strcmp(rows[k].storage, storage) == 0)
            return k;
    return -1;
}

void weir_reals_widen(enum weir_precision precision, const void *reals, size_t count, double *doubles) {
    if (rows[precision].real_bytes == sizeof(double))
        memcpy(doubles, reals, count * sizeof *doubles);
    else
        for (size_t k = 0; k < count; k++)
            doubles[k] = (double)((const float *)reals)[k];
}

void weir_real_write(enum weir_precision precision, void *reals, size_t k, double value) {
    if (rows[precision].real_bytes == sizeof(double))
        ((double *)reals)[k] = value;
    else
        ((float *)reals)[k] = (float)value;
}
