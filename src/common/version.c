#include "src/common/version.h"

#include "codelets/kernels/demand/find.h"
#include "graph/problem/problem.h"
#include "graph/runtime/runtime.h"
#include "src/common/hdf5_access.h"

#include <jansson.h>

const char weir_version[] = WEIR_VERSION;

#if WEIR_WITH_NVTX
static const char nvtx[] = ", with NVTX ranges";
#else
static const char nvtx[] = "";
#endif

void weir_version_print(FILE *stream) {
    char starpu[WEIR_STARPU_VERSION_SIZE];
    unsigned hdf5[3];
    weir_runtime_starpu_version(starpu);
    H5get_libversion(&hdf5[0], &hdf5[1], &hdf5[2]);
    const struct weir_instruction_set *set;
    fprintf(stream, "weir %s\n", weir_version);
    fprintf(stream, "  StarPU %s%s\n", starpu, weir_runtime_starpu_features);
    fprintf(stream, "  CUDA kernels: %s%s\n", weir_kernels_with_cuda() ? "yes" : "no", nvtx);
    fprintf(stream, "  CPU kernels for this processor: %s (of", weir_instruction_set(0)->name);
    for (int k = 0; (set = weir_instruction_set(k)); k++)
        fprintf(stream, " %s", set->name);
    fprintf(stream, ")\n  lattices:");
    for (int k = 0; weir_lattice_names[k]; k++)
        fprintf(stream, " %s", weir_lattice_names[k]);
    fprintf(stream, "; collisions:");
    for (int k = 0; weir_collision_names[k]; k++)
        fprintf(stream, " %s", weir_collision_names[k]);
    fprintf(stream, "; precisions:");
    for (int k = 0; weir_precision_names[k]; k++)
        fprintf(stream, " %s", weir_precision_names[k]);
    fprintf(stream, "\n  meshes of solids: %s, TIFF: %s", WEIR_WITH_ASSIMP ? "yes" : "no",
            WEIR_WITH_TIFF ? "yes" : "no");
    fprintf(stream, "\n  HDF5 %u.%u.%u%s, Jansson %s\n", hdf5[0], hdf5[1], hdf5[2],
            weir_hdf5_is_parallel() ? ", parallel" : "", JANSSON_VERSION);
}
