#include "codelets/kernels/demand/instruction_sets.h"

#include "codelets/kernels/demand/sha256.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Best first. v4 has the observing kernels of v3: wider vectors bring them nothing. */
static const struct weir_instruction_set sets[] = {
#if WEIR_NATIVE
    {"native", "native", "-march=native", "native"},
#elif defined __x86_64__
    {"v4", "x86-64-v4", "-march=x86-64-v4 -mprefer-vector-width=512", "v3"},
    {"v3", "x86-64-v3", "-march=x86-64-v3", "v3"},
    {"baseline", "x86-64", "-march=x86-64", "baseline"},
#else
    {"baseline", "", "", "baseline"},
#endif
};
enum { SETS = sizeof sets / sizeof *sets };

#if defined __x86_64__ && defined __clang__
/* clang before 18 does not know the levels. No processor has these without the few others of their level. */
#define HAS_V3 \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
#define HAS_V4                                                                            \
    (HAS_V3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && \
     __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&          \
     __builtin_cpu_supports("avx512vl"))
#elif defined __x86_64__
#define HAS_V3 __builtin_cpu_supports("x86-64-v3")
#define HAS_V4 __builtin_cpu_supports("x86-64-v4")
#endif

static bool supported(const struct weir_instruction_set *set) {
#if defined __x86_64__
    if (strcmp(set->name, "v4") == 0)
        return HAS_V4;
    if (strcmp(set->name, "v3") == 0)
        return HAS_V3;
#endif
    (void)set;
    return true;
}

const struct weir_instruction_set *weir_instruction_set(int choice) {
    for (int k = 0; k < SETS; k++)
        if (supported(&sets[k]) && choice-- == 0)
            return &sets[k];
    return NULL;
}

const struct weir_instruction_set *weir_instruction_set_named(const char *name) {
    for (int k = 0; k < SETS; k++)
        if (strcmp(sets[k].name, name) == 0 || (sets[k].machine[0] && strcmp(sets[k].machine, name) == 0))
            return &sets[k];
    return NULL;
}

const struct weir_instruction_set *weir_instruction_set_known(int number) {
    return number < SETS ? &sets[number] : NULL;
}

static char processor[WEIR_SHA256_HEX_SIZE];

/* What of the first processor decides which instructions a compiler takes for it. */
static void read_processor(void) {
    static const char *const keys[] = {"vendor_id", "cpu family", "model", "flags", "CPU ", "Features"};
    char line[8192];
    struct weir_sha256 s;
    weir_sha256_begin(&s);
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file) && line[0] != '\n')
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strncmp(line, keys[k], strlen(keys[k])) == 0)
                weir_sha256_add_string(&s, line);
    if (file)
        fclose(file);
    weir_sha256_end(&s, processor);
}

const char *weir_instruction_set_processor(const struct weir_instruction_set *set) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (strcmp(set->name, "native") != 0)
        return "";
    pthread_once(&once, read_processor);
    return processor;
}
