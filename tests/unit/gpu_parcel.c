/* Pack and unpack as GPU threads do it, one thread after the other, the last first. */
#include "codelets/kernels/parcel_share.h"

enum { THREADS = 256 };

weir_pack_cpu WEIR_NAME(gpu_pack);
weir_unpack_cpu WEIR_NAME(gpu_unpack);

void WEIR_NAME(gpu_pack)(const struct weir_parcel_piece *pieces, int begin, int end,
                         const struct weir_parcel_messages *messages, void *parcel) {
    for (int k = begin; k < end; k++)
        for (int thread = THREADS - 1; thread >= 0; thread--)
            pack_share(&pieces[k], messages, parcel, thread, THREADS);
}

void WEIR_NAME(gpu_unpack)(const struct weir_parcel_piece *pieces, int begin, int end,
                           const struct weir_parcel_messages *messages, const void *parcel) {
    for (int k = begin; k < end; k++)
        for (int thread = THREADS - 1; thread >= 0; thread--)
            unpack_share(&pieces[k], messages, parcel, thread, THREADS);
}
