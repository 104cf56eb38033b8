/* The instruction sets that CPU kernels are compiled for. */
#ifndef WEIR_KERNELS_INSTRUCTION_SETS_H
#define WEIR_KERNELS_INSTRUCTION_SETS_H

struct weir_instruction_set {
    const char *name;    /* "v4" for x86-64-v4 */
    const char *machine; /* as compilers and users call it; "" for what the compiler takes by itself */
    const char *flags;
    const char *observing; /* the set whose kernels for observing a block it takes */
};

/* Number `choice` of those that this processor has, best first; NULL past the last. */
const struct weir_instruction_set *weir_instruction_set(int choice);

/* Any that this build knows, by either name; NULL: none. */
const struct weir_instruction_set *weir_instruction_set_named(const char *name);

/* All that this build knows; NULL past the last. */
const struct weir_instruction_set *weir_instruction_set_known(int number);

/* What kernels for one set have to do with the processor beyond it: "" but for those of -march=native. */
const char *weir_instruction_set_processor(const struct weir_instruction_set *set);

#endif
