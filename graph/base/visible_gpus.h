/* The GPUs that CUDA would find, asked without starting CUDA here: once it is started, CUDA_VISIBLE_DEVICES
 * no longer counts. */
#ifndef WEIR_GRAPH_BASE_VISIBLE_GPUS_H
#define WEIR_GRAPH_BASE_VISIBLE_GPUS_H

enum { WEIR_GPUS_MAX = 64, WEIR_GPU_NAME = 48 };

/* How CUDA_VISIBLE_DEVICES names a GPU, such as "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6": the same for all
 * processes of a host. */
struct weir_visible_gpus {
    int count;
    char name[WEIR_GPUS_MAX][WEIR_GPU_NAME];
};

/* Asks in a child process, which takes about as long as CUDA takes to start. None in a build without CUDA, or
 * where the child fails. */
void weir_visible_gpus(struct weir_visible_gpus *gpus);

#endif
