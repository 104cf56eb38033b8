/* What threads of a warp, all of which get here, know of each other. */
#ifndef WEIR_KERNELS_WARP_CUH
#define WEIR_KERNELS_WARP_CUH

enum { WARP = 32 };

static constexpr unsigned WHOLE_WARP = 0xffffffffu;

/* What the thread of this number has. */
template <typename T> static __device__ __forceinline__ T of_thread(const T &mine, int thread) {
    enum { WORDS = sizeof(T) / sizeof(uint32_t) };
    static_assert(sizeof(T) == WORDS * sizeof(uint32_t), "whole words");
    uint32_t words[WORDS];
    T theirs;
    memcpy(words, &mine, sizeof mine);
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        words[k] = __shfl_sync(WHOLE_WARP, words[k], thread);
    memcpy(&theirs, words, sizeof theirs);
    return theirs;
}

/* The sum of what all threads up to this one have. */
static __device__ __forceinline__ int sum_up_to_thread(int mine) {
    int sum = mine;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int before = __shfl_up_sync(WHOLE_WARP, sum, distance);
        sum += (int)threadIdx.x % WARP >= distance ? before : 0;
    }
    return sum;
}

#endif
