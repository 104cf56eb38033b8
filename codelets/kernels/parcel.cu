/* Packs and unpacks parcels on a GPU: a block of threads for each piece. */
#include "codelets/kernels/parcel_share.h"
#include "codelets/kernels/shapes.h"

extern "C" __global__ void pack(const weir_parcel_piece *pieces, const weir_parcel_messages messages,
                                stored *parcel) {
    const weir_parcel_piece piece = pieces[blockIdx.x];
    pack_share(&piece, &messages, parcel, (int)threadIdx.x, WEIR_PARCEL_THREADS);
}

extern "C" __global__ void unpack(const weir_parcel_piece *pieces, const weir_parcel_messages messages,
                                  const stored *parcel) {
    const weir_parcel_piece piece = pieces[blockIdx.x];
    unpack_share(&piece, &messages, parcel, (int)threadIdx.x, WEIR_PARCEL_THREADS);
}
