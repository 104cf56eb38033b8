/* The table of kernel variants; its rows and instruction sets come from meson.build. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/kernel_table.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if WEIR_WITH_CUDA
#define DECLARE_CUDA(lattice, collision, precision)                                          \
    weir_collide_stream_cuda weir_collide_stream_cuda_##lattice##_##collision##_##precision; \
    weir_initialise_cuda weir_initialise_cuda_##lattice##_##precision;                       \
    weir_macroscopic_cuda weir_macroscopic_cuda_##lattice##_##precision;                     \
    weir_totals_cuda weir_totals_cuda_##lattice##_##precision;                               \
    weir_velocity_change_cuda weir_velocity_change_cuda_##lattice##_##precision;             \
    weir_digest_cuda weir_digest_cuda_##lattice##_##precision;                               \
    weir_pack_cuda weir_pack_cuda_##precision;                                               \
    weir_unpack_cuda weir_unpack_cuda_##precision;
#define CUDA_KERNELS(lattice, collision, precision)                                            \
    .cuda = {.collide_stream = weir_collide_stream_cuda_##lattice##_##collision##_##precision, \
             .initialise = weir_initialise_cuda_##lattice##_##precision,                       \
             .macroscopic = weir_macroscopic_cuda_##lattice##_##precision,                     \
             .totals = weir_totals_cuda_##lattice##_##precision,                               \
             .velocity_change = weir_velocity_change_cuda_##lattice##_##precision,             \
             .digest = weir_digest_cuda_##lattice##_##precision,                               \
             .pack = weir_pack_cuda_##precision,                                               \
             .unpack = weir_unpack_cuda_##precision},
#else
#define DECLARE_CUDA(lattice, collision, precision)
#define CUDA_KERNELS(lattice, collision, precision)
#endif

/* Declares every kernel of a row, under the names that WEIR_NAME in variant.h makes. */
#define DECLARE(set, looking, lattice, collision, COLLISION, precision, PRECISION)             \
    weir_collide_stream_cpu weir_collide_stream_##lattice##_##collision##_##precision##_##set; \
    weir_clear_cpu weir_clear_##lattice##_##precision##_##looking;                             \
    weir_initialise_cpu weir_initialise_##lattice##_##precision##_##looking;                   \
    weir_macroscopic_cpu weir_macroscopic_##lattice##_##precision##_##looking;                 \
    weir_totals_cpu weir_totals_##lattice##_##precision##_##looking;                           \
    weir_velocity_change_cpu weir_velocity_change_##lattice##_##precision##_##looking;         \
    weir_digest_cpu weir_digest_##lattice##_##precision##_##looking;                           \
    weir_pack_cpu weir_pack_##precision;                                                       \
    weir_unpack_cpu weir_unpack_##precision;                                                   \
    DECLARE_CUDA(lattice, collision, precision)
WEIR_KERNEL_ROWS(DECLARE)

#define NUMBER(set, supported) SET_##set,
enum instruction_set { WEIR_INSTRUCTION_SETS(NUMBER) SET_COUNT };

#define REAL_single float
#define REAL_double double
#define REAL_half float
#define STORED_single float
#define STORED_double double
#define STORED_half uint16_t
#define ENTRY(set, looking, lattice_, collision, COLLISION, precision, PRECISION)                     \
    [SET_##set][WEIR_##lattice_][WEIR_##COLLISION][WEIR_##PRECISION] = {                              \
        .real_size = sizeof(REAL_##precision),                                                        \
        .stored_size = sizeof(STORED_##precision),                                                    \
        .name = #lattice_ "_" #collision "_" #precision,                                              \
        .instruction_set = #set,                                                                      \
        .cpu = {.collide_stream = weir_collide_stream_##lattice_##_##collision##_##precision##_##set, \
                .clear = weir_clear_##lattice_##_##precision##_##looking,                             \
                .initialise = weir_initialise_##lattice_##_##precision##_##looking,                   \
                .macroscopic = weir_macroscopic_##lattice_##_##precision##_##looking,                 \
                .totals = weir_totals_##lattice_##_##precision##_##looking,                           \
                .velocity_change = weir_velocity_change_##lattice_##_##precision##_##looking,         \
                .digest = weir_digest_##lattice_##_##precision##_##looking,                           \
                .pack = weir_pack_##precision,                                                        \
                .unpack = weir_unpack_##precision},                                                   \
        CUDA_KERNELS(lattice_, collision, precision)},

static const struct weir_kernels table[SET_COUNT][WEIR_LATTICE_COUNT][WEIR_COLLISION_COUNT]
                                      [WEIR_PRECISION_COUNT] = {WEIR_KERNEL_ROWS(ENTRY)};

static bool supported(enum instruction_set set) {
    switch (set) {
#define SUPPORTED(name, test) \
    case SET_##name:          \
        return test;
        WEIR_INSTRUCTION_SETS(SUPPORTED)
    default:
        return false;
    }
}

const struct weir_kernels *weir_kernels_choice(enum weir_lattice lattice, enum weir_collision collision,
                                               enum weir_precision precision, int choice) {
    for (enum instruction_set set = 0; set < SET_COUNT; set++)
        if (supported(set) && choice-- == 0)
            return &table[set][lattice][collision][precision];
    return NULL;
}

const struct weir_kernels *weir_kernels_find(enum weir_lattice lattice, enum weir_collision collision,
                                             enum weir_precision precision) {
    return weir_kernels_choice(lattice, collision, precision, 0);
}
