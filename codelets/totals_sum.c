#include "codelets/totals_sum.h"

#include <string.h>

struct combine_argument {
    const struct weir_block *blocks;
    int count;
    bool first;
};

static int64_t global_cell(const struct weir_block *block, uint64_t local) {
    const int64_t nx = block->view.extent[0][1], ny = block->view.extent[1][1], cell = (int64_t)local;
    const int64_t x = block->place.origin[0] + cell % nx, y = block->place.origin[1] + cell / nx % ny,
                  z = block->place.origin[2] + cell / nx / ny;
    return (z * block->place.domain[1] + y) * block->place.domain[0] + x;
}

/* Of equally fast cells the first counts, so that the result does not depend on the order. */
static void consider_fastest(struct weir_totals_sum *total, uint32_t bits, int64_t cell) {
    if (total->fastest_cell < 0 || bits > total->fastest_bits ||
        (bits == total->fastest_bits && cell < total->fastest_cell)) {
        total->fastest_bits = bits;
        total->fastest_cell = cell;
    }
}

static void consider_diverged(struct weir_totals_sum *total, int64_t cell, int block) {
    if (total->diverged_cell < 0 || cell < total->diverged_cell) {
        total->diverged_cell = cell;
        total->diverged_block = block;
    }
}

static void combine(void *buffers[], void *argument) {
    const struct combine_argument *a = argument;
    struct weir_totals_sum *total = weir_buffer(buffers, 0);
    if (a->first) {
        memset(total, 0, sizeof *total);
        total->fastest_cell = total->diverged_cell = -1;
    }
    for (int k = 0; k < a->count; k++) {
        const struct weir_block *block = &a->blocks[k];
        const struct weir_partial_totals *part = weir_buffer(buffers, 1 + k);
        weir_partial_totals_add(&total->sum, part);
        if (part->largest_square_place != 0)
            consider_fastest(total, (uint32_t)(part->largest_square_place >> 32),
                             global_cell(block, (uint32_t)~part->largest_square_place));
        if (part->diverged_cell != UINT64_MAX)
            consider_diverged(total, global_cell(block, part->diverged_cell), block->number);
    }
}

static void add(void *buffers[], void *argument) {
    const struct starpu_task *task = starpu_task_get_current();
    struct weir_totals_sum *total = weir_buffer(buffers, 0);
    (void)argument;
    for (int k = 1; k < (int)STARPU_TASK_GET_NBUFFERS(task); k++) {
        const struct weir_totals_sum *other = weir_buffer(buffers, k);
        weir_partial_totals_add(&total->sum, &other->sum);
        if (other->fastest_cell >= 0)
            consider_fastest(total, other->fastest_bits, other->fastest_cell);
        if (other->diverged_cell >= 0)
            consider_diverged(total, other->diverged_cell, other->diverged_block);
    }
}

void weir_combine_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "combine_totals", kernels, combine, NULL);
}

void weir_add_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "add_totals", kernels, add, NULL);
}

int weir_combine_totals_submit(struct weir_task_kind *kind, starpu_data_handle_t total,
                               const starpu_data_handle_t *parts, const struct weir_block *blocks, int count,
                               bool first) {
    struct combine_argument argument = {blocks, count, first};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, total, first ? STARPU_W : STARPU_RW);
    for (int k = 0; k < count; k++)
        weir_buffers_add(&buffers, parts[k], STARPU_R);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = &argument, .argument_size = sizeof argument});
}
