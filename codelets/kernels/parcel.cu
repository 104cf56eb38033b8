/* Packs and unpacks parcels on a GPU: a block of threads for each piece. */
#include "codelets/kernels/parcel_share.h"

enum { THREADS = 256 };

static __global__ void pack(const weir_parcel_piece *pieces, const weir_parcel_messages messages,
                            stored *parcel) {
    const weir_parcel_piece piece = pieces[blockIdx.x];
    pack_share(&piece, &messages, parcel, (int)threadIdx.x, THREADS);
}

static __global__ void unpack(const weir_parcel_piece *pieces, const weir_parcel_messages messages,
                              const stored *parcel) {
    const weir_parcel_piece piece = pieces[blockIdx.x];
    unpack_share(&piece, &messages, parcel, (int)threadIdx.x, THREADS);
}

extern "C" int WEIR_NAME(pack_cuda)(const weir_parcel_piece *pieces, int count,
                                    const weir_parcel_messages *messages, void *parcel, void *stream) {
    pack<<<(unsigned)count, THREADS, 0, (cudaStream_t)stream>>>(pieces, *messages, (stored *)parcel);
    return (int)cudaGetLastError();
}

extern "C" int WEIR_NAME(unpack_cuda)(const weir_parcel_piece *pieces, int count,
                                      const weir_parcel_messages *messages, const void *parcel,
                                      void *stream) {
    unpack<<<(unsigned)count, THREADS, 0, (cudaStream_t)stream>>>(pieces, *messages, (const stored *)parcel);
    return (int)cudaGetLastError();
}
