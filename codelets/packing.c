#include "codelets/packing.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

enum {
    SEGMENTS,
    FIRST_OTHER
}; /* of a task's buffers; then messages and halo message, what is written last */

struct work {
    const struct weir_kernels *kernels;
    const struct weir_halo_segment *segments;
    struct weir_face_messages messages;
    void *halo;
};

static struct work open_buffers(const struct weir_packing *packing, void *buffers[], bool pack) {
    struct work work = {.kernels = packing->kernels, .segments = weir_buffer(buffers, SEGMENTS)};
    const int first_message = pack ? FIRST_OTHER : FIRST_OTHER + 1;
    for (int k = 0; k < packing->message_count; k++)
        work.messages.message[k] = weir_buffer(buffers, first_message + k);
    work.halo = weir_buffer(buffers, pack ? FIRST_OTHER + packing->message_count : FIRST_OTHER);
    return work;
}

static void pack_segments(void *argument, int begin, int end) {
    const struct work *work = argument;
    work->kernels->cpu.pack(work->segments, begin, end, &work->messages, work->halo);
}

static void unpack_segments(void *argument, int begin, int end) {
    const struct work *work = argument;
    work->kernels->cpu.unpack(work->segments, begin, end, &work->messages, work->halo);
}

static void pack_on_cpu(void *buffers[], void *argument) {
    const struct weir_packing *packing = argument;
    if (weir_failed(packing->context->failure))
        return;
    struct work work = open_buffers(packing, buffers, true);
    weir_team_divide(pack_segments, &work, packing->segment_count);
}

static void unpack_on_cpu(void *buffers[], void *argument) {
    const struct weir_packing *packing = argument;
    if (weir_failed(packing->context->failure))
        return;
    struct work work = open_buffers(packing, buffers, false);
    weir_team_divide(unpack_segments, &work, packing->segment_count);
}

#if WEIR_WITH_CUDA
static void check_cuda(const struct weir_packing *packing, const char *kernel, const char *direction,
                       int error) {
    if (error != cudaSuccess)
        weir_failure_record(
            packing->context->failure, 1,
            "kernel %s of a halo message %s rank %d failed on the GPU: %s; the device may be lost or out of "
            "memory: see nvidia-smi, or run on the CPU with --set placement.workers=cpu",
            kernel, direction, packing->rank, cudaGetErrorString((cudaError_t)error));
}

static void pack_on_cuda(void *buffers[], void *argument) {
    const struct weir_packing *packing = argument;
    if (weir_failed(packing->context->failure))
        return;
    const struct work work = open_buffers(packing, buffers, true);
    check_cuda(packing, "pack", "to",
               weir_launch_pack(work.kernels, work.segments, packing->segment_count, &work.messages,
                                work.halo, starpu_cuda_get_local_stream()));
}

static void unpack_on_cuda(void *buffers[], void *argument) {
    const struct weir_packing *packing = argument;
    if (weir_failed(packing->context->failure))
        return;
    const struct work work = open_buffers(packing, buffers, false);
    check_cuda(packing, "unpack", "from",
               weir_launch_unpack(work.kernels, work.segments, packing->segment_count, &work.messages,
                                  work.halo, starpu_cuda_get_local_stream()));
}
#endif

/* For performance models: halo messages of the same size take the same time. */
static uint32_t footprint(struct starpu_task *task) {
    const struct weir_packing *packing = task->cl_arg;
    return starpu_hash_crc32c_be_n(&packing->bytes, sizeof packing->bytes, 0);
}

void weir_pack_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "pack", kernels, pack_on_cpu, WEIR_ON_CUDA(kernels->cuda, pack_on_cuda));
    kind->model.footprint = footprint;
}

void weir_unpack_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "unpack", kernels, unpack_on_cpu, WEIR_ON_CUDA(kernels->cuda, unpack_on_cuda));
    kind->model.footprint = footprint;
}

static int submit(struct weir_task_kind *kind, struct weir_packing *packing,
                  const struct weir_buffers *buffers) {
    return weir_task_submit(kind, buffers,
                            &(struct weir_task_options){.argument = packing, .home = &packing->home});
}

int weir_pack_submit(struct weir_task_kind *kind, struct weir_packing *packing, int parity) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, packing->segments, STARPU_R);
    for (int k = 0; k < packing->message_count; k++)
        weir_buffers_add(&buffers, packing->message[parity][k], STARPU_R);
    weir_buffers_add(&buffers, packing->halo[parity], STARPU_W);
    return submit(kind, packing, &buffers);
}

int weir_unpack_submit(struct weir_task_kind *kind, struct weir_packing *packing, int parity) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, packing->segments, STARPU_R);
    weir_buffers_add(&buffers, packing->halo[parity], STARPU_R);
    for (int k = 0; k < packing->message_count; k++)
        weir_buffers_add(&buffers, packing->message[parity][k], STARPU_W);
    return submit(kind, packing, &buffers);
}
