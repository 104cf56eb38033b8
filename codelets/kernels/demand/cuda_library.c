#include "codelets/kernels/demand/cuda_library.h"

#include <stdio.h>

const struct weir_cuda_text weir_cuda_texts[] = {
#define STEP(number, parity, strip, open_)                                                        \
    {                                                                                             \
        .path = "codelets/kernels/collide_stream.cu", .first = WEIR_CUDA_STEP + (number),         \
        .kernels = {"step"},                                                                      \
        .definitions = {{"WEIR_PARITY", #parity}, {"WEIR_STRIP", #strip}, {"WEIR_OPEN", #open_}}, \
        .wide = (strip) > 1, .open = open_, .populations = true                                   \
    }
    STEP(0, 0, 1, 0),
    STEP(1, 0, 2, 0),
    STEP(2, 1, 1, 0),
    STEP(3, 1, 2, 0),
    STEP(4, 0, 1, 1),
    STEP(5, 0, 2, 1),
    STEP(6, 1, 1, 1),
    STEP(7, 1, 2, 1),
#undef STEP
    {.path = "codelets/kernels/moment_step.cu",
     .first = WEIR_CUDA_STEP_TILES,
     .kernels = {"step_tiles"},
     .only = "WEIR_MOMENTS"},
    {.path = "codelets/kernels/open_cells.cu",
     .first = WEIR_CUDA_STEP_OPEN,
     .kernels = {"step_open"},
     .open = true},
    {.path = "codelets/kernels/digest.cu", .first = WEIR_CUDA_HASH_CELLS, .kernels = {"hash_cells"}},
    {.path = "codelets/kernels/snapshot.cu", .first = WEIR_CUDA_COPY_CELLS, .kernels = {"copy_cells"}},
    {.path = "codelets/kernels/initialise.cu",
     .first = WEIR_CUDA_FILL_CELLS,
     .kernels = {"fill_cells"},
     .populations = true},
    {.path = "codelets/kernels/initialise_of_moments.cu",
     .first = WEIR_CUDA_FILL_CELLS,
     .kernels = {"fill_cells"},
     .only = "WEIR_MOMENTS"},
    {.path = "codelets/kernels/macroscopic.cu",
     .first = WEIR_CUDA_OBSERVE_BOX,
     .kernels = {"observe_box", "sample_boxes"}},
#define TOTALS                         \
    .first = WEIR_CUDA_ADD_CELLS_EVEN, \
    .kernels = {"add_cells_even", "add_cells_odd", "add_forces", "add_flows"}
    {.path = "codelets/kernels/totals.cu", TOTALS, .populations = true},
    {.path = "codelets/kernels/totals_of_moments.cu", TOTALS, .only = "WEIR_MOMENTS"},
#undef TOTALS
    {.path = "codelets/kernels/velocity_change.cu",
     .first = WEIR_CUDA_COMPARE_CELLS,
     .kernels = {"compare_cells"}},
    {.path = "codelets/kernels/time_sums.cu",
     .first = WEIR_CUDA_ADD_TO_SUMS,
     .kernels = {"add_cells_to_sums", "copy_cells_of_sums"}},
    {.path = "codelets/kernels/pseudopotential.cu",
     .first = WEIR_CUDA_PSEUDOPOTENTIAL,
     .kernels = {"fill_pseudopotential"},
     .only = "WEIR_PHASES"},
    {.path = "codelets/kernels/gradients.cu",
     .first = WEIR_CUDA_VELOCITY_FIELD,
     .kernels = {"fill_velocity", "fill_gradient"},
     .only = "WEIR_GRADIENTS"},
    {.path = "codelets/kernels/free_surface.cu",
     .first = WEIR_CUDA_SURFACE_ROWS,
     .kernels = {"follow_surface_rows", "count_surface_mass", "convert_surface_cells", "forget_surface_rows",
                 "settle_surface_flags", "pull_surface_cells"},
     .only = "WEIR_SURFACE"},
    {.path = "codelets/kernels/bubbles.cu",
     .first = WEIR_CUDA_GAS_SPREAD,
     .kernels = {"spread_gas_to_cells"},
     .only = "WEIR_BUBBLES"},
    {.path = "codelets/kernels/layouts.cu",
     .first = WEIR_CUDA_LAYOUT,
     .kernels = {"layout_propagate", "layout_collide", "layout_fused"},
     .only = "WEIR_CLUSTER"},
    {.path = "codelets/kernels/halo.cu", .first = WEIR_CUDA_PACK, .kernels = {"pack", "unpack"}},
    {.path = NULL},
};

const struct weir_cuda_text weir_cuda_stream_texts[] = {
    {.path = "codelets/kernels/streams.cu",
     .first = WEIR_CUDA_STREAM,
     .kernels = {"update_single", "update_wide_single", "update_double", "update_wide_double"}},
    {.path = NULL},
};

const struct weir_cuda_text weir_cuda_arithmetic_texts[] = {
    {.path = "codelets/kernels/multiply_adds.cu",
     .first = WEIR_CUDA_MULTIPLY_ADDS,
     .kernels = {"multiply_adds_single", "multiply_adds_double"}},
    {.path = NULL},
};

#if WEIR_WITH_CUDA

#include <cuda_runtime.h>

int weir_cuda_library_load(const struct weir_kernel_object *object, const struct weir_cuda_text *text,
                           struct weir_cuda_set *set) {
    cudaLibrary_t library;
    cudaError_t error = cudaLibraryLoadData(&library, object->file.data, NULL, NULL, 0, NULL, NULL, 0);
    for (int k = 0; error == cudaSuccess && text->kernels[k]; k++) {
        cudaKernel_t kernel = NULL;
        error = cudaLibraryGetKernel(&kernel, library, text->kernels[k]);
        set->kernel[text->first + k] = (void *)kernel;
    }
    return (int)error;
}

int weir_cuda_devices(char architectures[WEIR_CUDA_DEVICES_MAX][16]) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError(); /* no driver, no device */
        return 0;
    }
    count = count < WEIR_CUDA_DEVICES_MAX ? count : WEIR_CUDA_DEVICES_MAX;
    for (int device = 0; device < count; device++) {
        int major = 0, minor = 0;
        architectures[device][0] = '\0';
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess)
            snprintf(architectures[device], sizeof architectures[device], "sm_%d%d", major, minor);
    }
    return count;
}

#else

int weir_cuda_library_load(const struct weir_kernel_object *object, const struct weir_cuda_text *text,
                           struct weir_cuda_set *set) {
    (void)object, (void)text, (void)set;
    return -1;
}

int weir_cuda_devices(char architectures[WEIR_CUDA_DEVICES_MAX][16]) {
    (void)architectures;
    return 0;
}

#endif
