/* Kernels of GPUs, loaded by the CUDA runtime. */
#ifndef WEIR_KERNELS_CUDA_LIBRARY_H
#define WEIR_KERNELS_CUDA_LIBRARY_H

#include "codelets/kernels/demand/object.h"

#include <stdbool.h>

/* The kernels that the CUDA texts define. */
enum weir_cuda_kernel {
    WEIR_CUDA_STEP, /* eight: closed, open blocks; even, odd parity; narrow, wide strips */
    WEIR_CUDA_STEP_LAST = WEIR_CUDA_STEP + 7,
    WEIR_CUDA_STEP_TILES, /* of cells that keep moments */
    WEIR_CUDA_STEP_OPEN,  /* of all cells near open boundaries */
    WEIR_CUDA_HASH_CELLS,
    WEIR_CUDA_COPY_CELLS,
    WEIR_CUDA_FILL_CELLS,
    WEIR_CUDA_OBSERVE_BOX,
    WEIR_CUDA_SAMPLE_BOXES,
    WEIR_CUDA_ADD_CELLS_EVEN,
    WEIR_CUDA_ADD_CELLS_ODD,
    WEIR_CUDA_ADD_FORCES,
    WEIR_CUDA_ADD_FLOWS,
    WEIR_CUDA_COMPARE_CELLS,
    WEIR_CUDA_ADD_TO_SUMS,
    WEIR_CUDA_COPY_SUMS,
    WEIR_CUDA_PSEUDOPOTENTIAL,
    WEIR_CUDA_VELOCITY_FIELD,
    WEIR_CUDA_VELOCITY_GRADIENT,
    WEIR_CUDA_SURFACE_ROWS,
    WEIR_CUDA_SURFACE_MASS,
    WEIR_CUDA_SURFACE_CELLS,
    WEIR_CUDA_SURFACE_FORGET,
    WEIR_CUDA_SURFACE_FLAGS,
    WEIR_CUDA_SURFACE_TENSION,
    WEIR_CUDA_GAS_SPREAD,
    WEIR_CUDA_LAYOUT, /* three: weir_layout_operation */
    WEIR_CUDA_LAYOUT_LAST = WEIR_CUDA_LAYOUT + 2,
    WEIR_CUDA_PACK,
    WEIR_CUDA_UNPACK,
    WEIR_CUDA_STREAM, /* four: single, double; narrow, wide */
    WEIR_CUDA_STREAM_LAST = WEIR_CUDA_STREAM + 3,
    WEIR_CUDA_MULTIPLY_ADDS, /* two: single, double */
    WEIR_CUDA_MULTIPLY_ADDS_LAST,
    WEIR_CUDA_KERNEL_COUNT
};

/* Objects that CUDA texts make, with the kernels that they define. */
enum { WEIR_TEXT_DEFINITIONS = 3 };

struct weir_cuda_text {
    const char *path;
    int first;              /* of enum weir_cuda_kernel */
    const char *kernels[6]; /* closed by NULL */
    struct {
        const char *name, *value; /* NULL past the last */
    } definitions[WEIR_TEXT_DEFINITIONS];
    bool wide; /* strips of several cells, which not every variant has */
    bool open; /* for blocks whose boundaries let fluid pass, which specifications with WEIR_OPEN have */
    const char *only; /* for specifications with this definition; NULL: for all */
    bool populations; /* for cells that keep populations; those that keep moments have others */
};

/* Those of a variant, of plain memory traffic, and of plain arithmetic; closed by a path that is NULL. */
extern const struct weir_cuda_text weir_cuda_texts[], weir_cuda_stream_texts[], weir_cuda_arithmetic_texts[];

enum { WEIR_CUDA_DEVICES_MAX = 64 };

struct weir_cuda_set {
    void *kernel[WEIR_CUDA_KERNEL_COUNT]; /* cudaKernel_t; NULL: this variant does not have it */
};

struct weir_cuda_kernels {
    bool forced; /* they are for runs with a body force, and for no others */
    int strip;   /* cells of a strip (weir_strip_cells) */
    const struct weir_cuda_set *of_device[WEIR_CUDA_DEVICES_MAX];
};

/* Loads an object and finds its kernels. Returns 0 or a cudaError_t. */
int weir_cuda_library_load(const struct weir_kernel_object *object, const struct weir_cuda_text *text,
                           struct weir_cuda_set *set);

/* Architecture of each GPU that CUDA finds, "" where it does not tell. Returns how many GPUs there are. */
int weir_cuda_devices(char architectures[WEIR_CUDA_DEVICES_MAX][16]);

#endif
