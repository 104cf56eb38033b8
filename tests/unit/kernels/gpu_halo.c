/* Pack and unpack as GPU threads do it, one thread after the other, the last first. */
#include "codelets/kernels/halo/halo_share.h"

enum { THREADS = 256 };

weir_pack_cpu WEIR_NAME(gpu_pack);
weir_unpack_cpu WEIR_NAME(gpu_unpack);

void WEIR_NAME(gpu_pack)(const struct weir_halo_segment *segments, int begin, int end,
                         const struct weir_face_messages *messages, void *halo) {
    for (int k = begin; k < end; k++)
        for (int thread = THREADS - 1; thread >= 0; thread--)
            pack_share(&segments[k], messages, halo, thread, THREADS);
}

void WEIR_NAME(gpu_unpack)(const struct weir_halo_segment *segments, int begin, int end,
                           const struct weir_face_messages *messages, const void *halo) {
    for (int k = begin; k < end; k++)
        for (int thread = THREADS - 1; thread >= 0; thread--)
            unpack_share(&segments[k], messages, halo, thread, THREADS);
}
