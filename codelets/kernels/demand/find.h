/* Kernels on demand: a specification in, functions out. What is not installed with the program nor in the
 * user's cache is compiled then, from the texts that the program carries. */
#ifndef WEIR_KERNELS_FIND_H
#define WEIR_KERNELS_FIND_H

#include "codelets/kernels/demand/constants.h"
#include "codelets/kernels/demand/instruction_sets.h"
#include "codelets/kernels/demand/provide.h"
#include "codelets/kernels/demand/specification.h"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/multiply_adds.h"
#include "codelets/kernels/streams.h"

/* Where kernels are wanted. */
enum { WEIR_KERNELS_CPU = 1, WEIR_KERNELS_CUDA = 2 };

struct weir_cuda_kernels;

/* Steps of GPUs that are compiled for constants of some blocks; a list. */
struct weir_special_steps {
    struct weir_constants constants;
    const struct weir_cuda_kernels *cuda;
    const struct weir_special_steps *next;
};

/* Such a list grows while other threads launch kernels. */
struct weir_special_list {
    _Atomic(const struct weir_special_steps *) first;
};

/* The kernels of one specification. */
struct weir_kernels {
    struct weir_kernel_specification specification;
    size_t real_size;                  /* real_bytes of the precision's row (precisions.h) */
    size_t stored_size;                /* stored_bytes */
    char name[WEIR_VARIANT_NAME_SIZE]; /* "D3Q19_trt_single" */
    const char *instruction_set;       /* of the CPU's collide_stream: "v4" for x86-64-v4, say */
    struct {                           /* NULL where they have not been asked for */
        weir_collide_stream_cpu *collide_stream;
        weir_list_routes_cpu *list_routes;         /* NULL, too, where steps need none */
        weir_pseudopotential_cpu *pseudopotential; /* of phases; NULL, too, where there are none */
        weir_velocity_field_cpu *velocity_field;   /* where neighbours are asked for it; else NULL, too */
        weir_velocity_gradient_cpu *velocity_gradient;
        weir_surface_cpu *surface_mass, *surface_cells, *surface_flags; /* of a free surface, as these */
        weir_surface_cpu *gas_pieces, *gas_links, *gas_spread;          /* of gas that is enclosed, too */
        weir_clear_cpu *clear;
        weir_initialise_cpu *initialise;
        weir_macroscopic_cpu *macroscopic;
        weir_totals_cpu *totals;
        weir_velocity_change_cpu *velocity_change;
        weir_add_to_time_sums_cpu *add_to_time_sums;
        weir_copy_time_sums_cpu *copy_time_sums;
        weir_digest_cpu *digest;
        weir_snapshot_cpu *snapshot;
        weir_layout_step_cpu *layout[WEIR_LAYOUT_OPERATIONS]; /* of weir bench layouts; else NULL, too */
        weir_pack_cpu *pack;                                  /* these two are always there */
        weir_unpack_cpu *unpack;
    } cpu;
    const struct weir_cuda_kernels *cuda; /* for launches.h; NULL where they have not been asked for */
    struct weir_special_list *special;    /* launches.h takes these for blocks that have their constants */
};

/* Whether this build can have kernels for GPUs at all. */
bool weir_kernels_with_cuda(void);

/* The kernels of a specification, for the best instruction set of this processor and for all GPUs that CUDA
 * finds: as asked for by `where`, bits of the above. 0: names and sizes only, which never fails. They are the
 * same until the process ends, and get more functions when more is asked for. NULL: news has the error. */
const struct weir_kernels *weir_kernels_find(const struct weir_kernel_specification *specification,
                                             unsigned where, struct weir_kernel_news *news);

/* Adds steps of GPUs that are compiled for these constants to kernels that weir_kernels_find gave; they are
 * launched from then on, until the process ends. Any thread may do this while others launch kernels. Nobody
 * is told. 0; 1: they are not there, and not to be compiled; -1: news has the error. */
int weir_kernels_specialise(const struct weir_kernels *kernels, const struct weir_constants *constants,
                            const struct weir_kernel_patience *patience, struct weir_kernel_news *news);

/* The newest of these that are for a block; NULL: there are none. */
const struct weir_special_steps *weir_special_steps_for(const struct weir_kernels *kernels,
                                                        const struct weir_block_view *view,
                                                        const struct weir_fluid *fluid);

/* The same on the CPU for instruction set number `choice` of weir_instruction_set. For tests and benchmarks.
 */
const struct weir_kernels *weir_kernels_choice(const struct weir_kernel_specification *specification,
                                               int choice, struct weir_kernel_news *news);

/* The kernels of plain memory traffic, for the best instruction set, or on GPUs. NULL: as above. */
const struct weir_stream_kernels *weir_stream_kernels_find(struct weir_kernel_news *news);
const struct weir_cuda_kernels *weir_cuda_streams_find(struct weir_kernel_news *news);

/* Those of plain arithmetic, in the same way. */
const struct weir_arithmetic_kernels *weir_arithmetic_kernels_find(struct weir_kernel_news *news);
const struct weir_cuda_kernels *weir_cuda_arithmetic_find(struct weir_kernel_news *news);

/* Who is told, in a line each, what has been compiled and how long it took; NULL, as at first: nobody. */
void weir_kernels_tell(void (*tell)(const char *line));

/* What compiling a specification takes on this machine or another, without loading it: the objects of a set
 * (NULL: none) and of an architecture such as "sm_90" (NULL: none), with those of plain traffic and
 * arithmetic. Appends to a list that realloc has made, each object once. Returns 0, or -1: out of memory. */
int weir_kernel_objects_of(const struct weir_kernel_specification *specification,
                           const struct weir_instruction_set *set, const char *architecture,
                           struct weir_kernel_object **objects, int *count);

/* What compiling steps for constants takes, in the same way. */
int weir_kernel_special_objects_of(const struct weir_kernel_specification *specification,
                                   const struct weir_constants *constants, const char *architecture,
                                   struct weir_kernel_object **objects, int *count);

/* The architectures of the GPUs that CUDA finds, each once: "sm_90". Returns how many, at most `most`. */
int weir_cuda_architectures(char architectures[][16], int most);

#endif
