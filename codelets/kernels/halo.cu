/* Packs and unpacks halo messages on a GPU: a block of threads for each segment. */
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/halo/halo_share.h"

extern "C" __global__ void pack(const weir_halo_segment *segments, const weir_face_messages messages,
                                stored *halo) {
    const weir_halo_segment segment = segments[blockIdx.x];
    pack_share(&segment, &messages, halo, (int)threadIdx.x, WEIR_HALO_THREADS);
}

extern "C" __global__ void unpack(const weir_halo_segment *segments, const weir_face_messages messages,
                                  const stored *halo) {
    const weir_halo_segment segment = segments[blockIdx.x];
    unpack_share(&segment, &messages, halo, (int)threadIdx.x, WEIR_HALO_THREADS);
}
