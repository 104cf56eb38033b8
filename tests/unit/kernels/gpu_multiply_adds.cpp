/* The GPU's multiply-adds on a CPU, by one of its threads. */
#include "tests/unit/kernels/gpu_words.h"

#include <math.h>

[[maybe_unused]] static struct { unsigned x, y, z; } gridDim = {1, 1, 1};
#define __launch_bounds__(threads)

#include "codelets/kernels/multiply_adds.cu"

extern "C" void weir_gpu_multiply_adds_single(unsigned threads, unsigned thread, float *values, int turns);
extern "C" void weir_gpu_multiply_adds_single(unsigned threads, unsigned thread, float *values, int turns) {
    blockDim.x = threads;
    threadIdx.x = thread;
    multiply_adds_single(values, turns);
}

extern "C" void weir_gpu_multiply_adds_double(unsigned threads, unsigned thread, double *values, int turns);
extern "C" void weir_gpu_multiply_adds_double(unsigned threads, unsigned thread, double *values, int turns) {
    blockDim.x = threads;
    threadIdx.x = thread;
    multiply_adds_double(values, turns);
}
