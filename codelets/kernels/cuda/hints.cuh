/* What a GPU's compiler and cache are told, and what changes no result. */
#ifndef WEIR_KERNELS_HINTS_CUH
#define WEIR_KERNELS_HINTS_CUH

/* Brings into the cache what another warp will wait for. */
static __device__ __forceinline__ void prefetch(const void *address) {
#ifdef __CUDACC__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
    __builtin_prefetch(address);
#endif
}

/* The same number, of which the compiler does not know that it is the same: so what follows from it is
 * computed anew and does not take registers meanwhile. */
static __device__ __forceinline__ int anew(int number) {
    asm volatile("" : "+r"(number));
    return number;
}

#endif
