#include "graph/runtime/memory_check.h"

#include "graph/base/error.h"
#include "graph/base/host_memory.h"

#include <math.h>
#include <stdio.h>

/* Of what is free, what a run may plan with. */
static const double usable = 0.95;

enum {
    THREAD_ADDRESSES =
        64 << 20, /* of a thread that allocates: the C library's arena (measured: 190 MB for 3) */
};

double weir_memory_of_values(const struct weir_problem *problem, const struct weir_block_grid *grid) {
    double cells = 1;
    for (int axis = 0; axis < 3; axis++)
        cells *= grid->block_cells[axis] + 2;
    return problem->initial ? 4 * sizeof(double) * cells : 0;
}

/* As "1.25 GiB" or "140 GiB". */
enum { GIB_TEXT = 32 };
static const char *in_gib(double bytes, char text[GIB_TEXT]) {
    const double number = bytes / (1 << 30);
    snprintf(text, GIB_TEXT, "%.*f GiB", number < 10 ? 2 : 0, number);
    return text;
}

/* What is free for this process, in words: where the limit comes from, and what raises it. */
static void describe(const struct weir_memory_room *room, int sharers, char *text, size_t size) {
    const char *each = sharers > 1 && room->bound != WEIR_BOUND_BY_PROCESS ? " for each of its ranks" : "";
    char bytes[GIB_TEXT];
    in_gib(room->bytes, bytes);
    switch (room->bound) {
    case WEIR_BOUND_BY_HOST:
        snprintf(text, size, "this machine has %s free%s", bytes, each);
        break;
    case WEIR_BOUND_BY_GROUP:
        snprintf(text, size, "the control group (of a container or job) that this runs in leaves %s%s", bytes,
                 each);
        break;
    case WEIR_BOUND_BY_PROCESS:
        snprintf(text, size, "the limit of this process (ulimit -v) leaves %s", bytes);
        break;
    }
}

/* data: bytes of blocks that are kept in main memory. */
static int check_main_memory(const struct weir_memory_need *need, double data) {
    struct weir_memory_room room = weir_memory_room(need->sharers);
    const int threads = need->workers.cpus + WEIR_STREAMS_PER_GPU * need->workers.gpus;
    if (room.bound == WEIR_BOUND_BY_PROCESS && !need->started)
        room.bytes = fmax(0, room.bytes - (1.0 + threads) * THREAD_ADDRESSES);
    room.bytes *= usable;
    const double routes = need->workers.cpus > 0 ? need->routes : 0;
    const double bookkeeping = need->books, values = fmin(need->blocks, threads) * need->values_bytes,
                 outputs = need->sums / need->sharers + need->copies;
    const double all = data + routes + bookkeeping + values + outputs;
    if (all <= room.bytes)
        return 0;
    char there[160], needed[GIB_TEXT], of_outputs[GIB_TEXT], part[128] = "";
    if (outputs > 0)
        snprintf(part, sizeof part, ", %s of it for copies that outputs and checkpoints make",
                 in_gib(outputs, of_outputs));
    describe(&room, need->sharers, there, sizeof there);
    if (bookkeeping > data)
        return weir_fail(WEIR_USAGE,
                         "blocks.cells: the bookkeeping of %d blocks takes %s, and %s; choose larger blocks",
                         need->blocks, in_gib(bookkeeping, needed), there);
    return weir_fail(WEIR_USAGE,
                     "domain.cells: the domain needs %s%s%s, and %s; choose fewer cells, single precision or "
                     "\"storage\": \"half\"",
                     in_gib(all, needed), need->sharers > 1 ? " on this rank" : "", part, there);
}

int weir_memory_check(const struct weir_memory_need *need) {
    const int gpus = need->workers.gpus;
    /* Slabs are at home in main memory; their places are a GPU's, or there, too. */
    if (need->workers.slab_memory > 0)
        return check_main_memory(need, need->bytes + (gpus > 0 ? need->cells : need->workers.slab_memory));
    char needed[GIB_TEXT], had[GIB_TEXT];
    if (gpus == 0)
        return check_main_memory(need, need->bytes);
    /* Flags of cells are made in main memory and stay there, a byte each. Where cores take steps too, blocks
     * may be theirs. */
    const double on_gpus = weir_runtime_gpu_memory(gpus), beside = fmax(0, need->bytes - on_gpus);
    if (beside > 0 && need->workers.cpus == 0)
        return weir_fail(WEIR_USAGE,
                         "domain.cells: the domain needs %s%s, and %s %s; choose fewer cells, single "
                         "precision, \"storage\": \"half\" or more GPUs",
                         in_gib(need->bytes, needed), need->sharers > 1 ? " on this rank" : "",
                         gpus > 1 ? "its GPUs together have" : "its GPU has", in_gib(on_gpus, had));
    return check_main_memory(need, need->cells + beside);
}
