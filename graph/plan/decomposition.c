#include "graph/plan/decomposition.h"

#include "graph/base/error.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/forms.h"
#include "graph/problem/model.h"

#include <stdlib.h>
#include <string.h>

static void fill_cells(const struct weir_problem *problem, const int64_t *fluid_cells,
                       struct weir_decomposition *decomposition) {
    for (int k = 0; k < decomposition->set.count; k++) {
        const struct weir_box box = weir_block_grid_box(&decomposition->grid, decomposition->set.blocks[k]);
        const struct weir_cell_counts cells =
            weir_cells_estimate(problem, &box, fluid_cells ? (double)fluid_cells[k] : -1);
        decomposition->fluid_cells[k] = cells.fluid;
        decomposition->solid_cells[k] = cells.solid;
        decomposition->wall_cells[k] = cells.wall;
        decomposition->kinds[k] = weir_block_kind(problem, &box, cells.fluid);
        decomposition->total_fluid += cells.fluid;
        decomposition->total_solid += cells.solid;
        struct weir_cell_counts *of_kind = &decomposition->of_kind[decomposition->kinds[k]];
        of_kind->fluid += cells.fluid;
        of_kind->solid += cells.solid;
        of_kind->wall += cells.wall;
    }
}

/* Copies a set, or makes one of all blocks that have fluid. */
static bool copy_set(const struct weir_block_set *set, struct weir_decomposition *decomposition) {
    int count = set ? set->count : decomposition->grid.total;
    int *blocks = malloc(sizeof *blocks * (size_t)count);
    if (!blocks)
        return false;
    if (set)
        memcpy(blocks, set->blocks, sizeof *blocks * (size_t)count);
    else
        count = weir_block_grid_find_fluid(&decomposition->grid, blocks);
    decomposition->set = (struct weir_block_set){blocks, count};
    return true;
}

/* Calls for every message that a block takes: of what comes from the block at an offset. */
static void visit_messages(struct weir_decomposition *decomposition, const struct weir_model *model,
                           void (*visit)(struct weir_decomposition *decomposition, int message, int reader)) {
    for (int reader = 0; reader < decomposition->set.count; reader++)
        for (int k = 0; k < WEIR_NEIGHBOURS * decomposition->channels; k++) {
            const int channel = k / WEIR_NEIGHBOURS;
            const struct weir_offset offset = weir_offset(k % WEIR_NEIGHBOURS);
            const int face = weir_message_face(&model->channel[channel].layout, offset);
            const int block =
                face < 0 ? -1
                         : weir_block_grid_neighbour(&decomposition->grid, decomposition->set.blocks[reader],
                                                     offset.along);
            const int source = block < 0 ? -1 : weir_block_set_index(&decomposition->set, block);
            if (source >= 0)
                visit(decomposition, (source * decomposition->channels + channel) * WEIR_FACES + face,
                      reader);
        }
}

static void count_reader(struct weir_decomposition *decomposition, int message, int reader) {
    (void)reader;
    decomposition->messages[message].reader_count++;
}

static void add_reader(struct weir_decomposition *decomposition, int message, int reader) {
    struct weir_decomposition_message *m = &decomposition->messages[message];
    decomposition->readers[m->first_reader + m->reader_count++] = reader;
}

static int fill_messages(struct weir_decomposition *decomposition, const struct weir_model *model) {
    visit_messages(decomposition, model, count_reader);
    int64_t readers = 0;
    for (int k = 0; k < weir_decomposition_messages(decomposition); k++) {
        struct weir_decomposition_message *m = &decomposition->messages[k];
        m->source = k / WEIR_FACES / decomposition->channels;
        const struct weir_box box =
            weir_block_grid_box(&decomposition->grid, decomposition->set.blocks[m->source]);
        if (m->reader_count > 0)
            m->bytes = 0.5 * weir_model_channel_uses(model, k / WEIR_FACES % decomposition->channels) *
                       (double)weir_model_message_bytes(model, k / WEIR_FACES % decomposition->channels,
                                                        box.extent, k % WEIR_FACES / 2);
        m->first_reader = readers;
        readers += m->reader_count;
        m->reader_count = 0;
    }
    decomposition->readers = malloc(sizeof *decomposition->readers * (size_t)(readers + 1));
    if (!decomposition->readers)
        return weir_fail(WEIR_FAILED, "out of memory for the messages of %d blocks; choose larger blocks",
                         decomposition->set.count);
    visit_messages(decomposition, model, add_reader);
    return 0;
}

int weir_decomposition_create(const struct weir_problem *problem, const struct weir_block_grid *grid,
                              const struct weir_block_set *set, const int64_t *fluid_cells,
                              struct weir_decomposition **result) {
    struct weir_decomposition *decomposition = calloc(1, sizeof *decomposition);
    struct weir_model model;
    const int count = set ? set->count : grid->total;
    const size_t blocks = (size_t)count;
    int error = 0;
    if (decomposition) {
        weir_model_make(problem, false, &model);
        decomposition->grid = *grid;
        decomposition->channels = model.channel_count;
        decomposition->stages = 0.5 * weir_model_stages_of_pair(&model);
        decomposition->fluid_cells = calloc(blocks, sizeof *decomposition->fluid_cells);
        decomposition->solid_cells = calloc(blocks, sizeof *decomposition->solid_cells);
        decomposition->wall_cells = calloc(blocks, sizeof *decomposition->wall_cells);
        decomposition->kinds = calloc(blocks, sizeof *decomposition->kinds);
        decomposition->messages =
            calloc(blocks * (size_t)decomposition->channels * WEIR_FACES, sizeof *decomposition->messages);
    }
    if (!decomposition || !copy_set(set, decomposition) || !decomposition->fluid_cells ||
        !decomposition->solid_cells || !decomposition->wall_cells || !decomposition->kinds ||
        !decomposition->messages)
        error = weir_fail(WEIR_FAILED, "out of memory for the time model of %d blocks; choose larger blocks",
                          count);
    if (error == 0) {
        fill_cells(problem, fluid_cells, decomposition);
        error = fill_messages(decomposition, &model);
    }
    if (error != 0) {
        weir_decomposition_destroy(decomposition);
        return error;
    }
    *result = decomposition;
    return 0;
}

void weir_decomposition_destroy(struct weir_decomposition *decomposition) {
    if (!decomposition)
        return;
    free((int *)decomposition->set.blocks);
    free(decomposition->fluid_cells);
    free(decomposition->solid_cells);
    free(decomposition->wall_cells);
    free(decomposition->kinds);
    free(decomposition->messages);
    free(decomposition->readers);
    free(decomposition);
}
