/* Whether kernels leave the upper halves of vector registers cleared, as far as the processor tells: where
 * they do not, all that follows in their thread takes many times as long (codelets/kernels/variant.h). */
#ifndef WEIR_TESTS_UPPER_HALVES_H
#define WEIR_TESTS_UPPER_HALVES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __x86_64__

#include <cpuid.h>
#include <stdint.h>

/* What of its registers' state this thread uses, as bits: xgetbv, where there is its second number. */
static inline bool upper_halves_in_use(void) {
    enum { STATES = 0xd, OSXSAVE = 1 << 27, SECOND_NUMBER = 1 << 2, UPPER_HALVES = 1 << 2 };
    static bool asked, tells;
    unsigned a, b, c, d;
    if (!asked) {
        tells = __get_cpuid(1, &a, &b, &c, &d) && (c & OSXSAVE) &&
                __get_cpuid_count(STATES, 1, &a, &b, &c, &d) && (a & SECOND_NUMBER) &&
                __builtin_cpu_supports("avx");
        asked = true;
    }
    if (!tells)
        return false;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return low & UPPER_HALVES;
}

/* Some processors say that they are in use, whatever there is. */
static inline bool tells_when_cleared(void) {
    if (!__builtin_cpu_supports("avx"))
        return false;
    __asm__ volatile("vzeroupper" ::: "memory");
    return !upper_halves_in_use();
}

/* Before a kernel: what is found after it is its own doing, also where it has nothing to do. */
static inline void clear_upper_halves_before(void) {
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::
                             : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#else

static inline bool upper_halves_in_use(void) {
    return false;
}

static inline void clear_upper_halves_before(void) {}

static inline bool tells_when_cleared(void) {
    return false;
}

#endif

/* After a kernel. */
static inline void expect_cleared_upper_halves(const char *kernel) {
    if (upper_halves_in_use() && tells_when_cleared()) {
        fprintf(stderr, "%s leaves upper halves of vector registers in use\n", kernel);
        abort();
    }
}

#endif
