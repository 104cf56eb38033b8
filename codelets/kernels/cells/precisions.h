/* How populations are computed and kept: a row for each pair of arithmetic and storage that there is.
 * Everybody who asks what follows from a precision asks here; how a population is read and written in kernels
 * is in storage.h, how moments are in kept_moments.h. */
#ifndef WEIR_KERNELS_PRECISIONS_H
#define WEIR_KERNELS_PRECISIONS_H

#include "codelets/kernels/variants.h"

#include <stdbool.h>
#include <stddef.h>

struct weir_precision_row {
    const char *name;       /* in names of variants, machine files, options of benchmarks */
    const char *text;       /* in kernel texts (WEIR_PRECISION) */
    bool moments;           /* moments are stored, of which populations are made (WEIR_MOMENTS) */
    bool stress_in_half;    /* of these the stress in 16 bits (WEIR_STRESS_IN_HALF) */
    const char *arithmetic; /* "precision" in case files */
    const char *storage;    /* "storage" there */
    const char *about;      /* of populations, behind the arithmetic in `weir check`: ", ..."; or "" */
    size_t real_bytes;      /* of numbers in arithmetic, boundary values, macroscopic values */
    size_t stored_bytes;    /* of a population, or a word of moments, in memory, and of a population in
                               messages */
    double rounding;        /* storing a number changes it by at most this share, of moments the density */
    double densest;         /* greatest density to start with, lattice units */
    double steady_least;    /* smaller changes of the velocity are lost in rounding (run.stop_when.steady) */
    int digits;             /* decimals that tell any two numbers of the arithmetic apart */
    const char *without_scalar; /* why there can be no scalar, and what to do; NULL: there can */
};

const struct weir_precision_row *weir_precision_row(enum weir_precision precision);

/* What "precision" and "storage" may be in case files: all that rows name, once, NULL behind the last. */
extern const char *const weir_arithmetic_names[], *const weir_storage_names[];

/* The precision that has both names; -1: there is none. */
int weir_precision_find(const char *arithmetic, const char *storage);

/* Turns `count` numbers as the arithmetic has them into doubles. */
void weir_reals_widen(enum weir_precision precision, const void *reals, size_t count, double *doubles);

/* Writes number k of an array of such. */
void weir_real_write(enum weir_precision precision, void *reals, size_t k, double value);

#endif
