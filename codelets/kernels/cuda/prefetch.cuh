/* Brings into a GPU's cache what another warp will wait for. */
#ifndef WEIR_KERNELS_PREFETCH_CUH
#define WEIR_KERNELS_PREFETCH_CUH

static __device__ __forceinline__ void prefetch(const void *address) {
#ifdef __CUDACC__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
    __builtin_prefetch(address);
#endif
}

#endif
