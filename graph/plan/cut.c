#include "graph/plan/cut.h"

#include "graph/base/error.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/model.h"

#include <stdlib.h>

static void fill_cells(const struct weir_problem *problem, const int64_t *fluid_cells, struct weir_cut *cut) {
    const int distance = weir_fluid_sample_distance(problem);
    for (int k = 0; k < cut->set.count; k++) {
        const struct weir_box box = weir_block_grid_box(&cut->grid, cut->set.blocks[k]);
        cut->fluid_cells[k] =
            fluid_cells ? (double)fluid_cells[k] : weir_fluid_estimate(problem, &box, distance);
        cut->solid_cells[k] = (double)weir_box_cells(&box) - cut->fluid_cells[k];
        cut->total_fluid += cut->fluid_cells[k];
        cut->total_solid += cut->solid_cells[k];
    }
}

/* Copies a set, or makes one of all blocks. */
static bool copy_set(const struct weir_block_set *set, struct weir_cut *cut) {
    const int count = set ? set->count : cut->grid.total;
    int *blocks = malloc(sizeof *blocks * (size_t)count);
    for (int k = 0; blocks && k < count; k++)
        blocks[k] = set ? set->blocks[k] : k;
    cut->set = (struct weir_block_set){blocks, count};
    return blocks != NULL;
}

/* Calls for every message that a block takes: of what comes from the block at an offset. */
static void visit_messages(struct weir_cut *cut, const struct weir_model *model,
                           void (*visit)(struct weir_cut *cut, int message, int reader)) {
    for (int reader = 0; reader < cut->set.count; reader++)
        for (int k = 0; k < WEIR_NEIGHBOURS * cut->channels; k++) {
            const int channel = k / WEIR_NEIGHBOURS;
            const struct weir_offset offset = weir_offset(k % WEIR_NEIGHBOURS);
            const int face = weir_message_face(&model->channel[channel].layout, offset);
            const int block =
                face < 0 ? -1 : weir_block_grid_neighbour(&cut->grid, cut->set.blocks[reader], offset.along);
            const int source = block < 0 ? -1 : weir_block_set_index(&cut->set, block);
            if (source >= 0)
                visit(cut, (source * cut->channels + channel) * WEIR_FACES + face, reader);
        }
}

static void count_reader(struct weir_cut *cut, int message, int reader) {
    (void)reader;
    cut->messages[message].reader_count++;
}

static void add_reader(struct weir_cut *cut, int message, int reader) {
    struct weir_cut_message *m = &cut->messages[message];
    cut->readers[m->first_reader + m->reader_count++] = reader;
}

static int fill_messages(struct weir_cut *cut, const struct weir_model *model) {
    visit_messages(cut, model, count_reader);
    int64_t readers = 0;
    for (int k = 0; k < weir_cut_messages(cut); k++) {
        struct weir_cut_message *m = &cut->messages[k];
        m->source = k / WEIR_FACES / cut->channels;
        const struct weir_box box = weir_block_grid_box(&cut->grid, cut->set.blocks[m->source]);
        if (m->reader_count > 0)
            m->bytes = (double)weir_model_message_bytes(model, k / WEIR_FACES % cut->channels, box.extent,
                                                        k % WEIR_FACES / 2);
        m->first_reader = readers;
        readers += m->reader_count;
        m->reader_count = 0;
    }
    cut->readers = malloc(sizeof *cut->readers * (size_t)(readers + 1));
    if (!cut->readers)
        return weir_fail(WEIR_FAILED, "out of memory for the messages of %d blocks; choose larger blocks",
                         cut->set.count);
    visit_messages(cut, model, add_reader);
    return 0;
}

int weir_cut_create(const struct weir_problem *problem, const struct weir_block_grid *grid,
                    const struct weir_block_set *set, const int64_t *fluid_cells, struct weir_cut **result) {
    struct weir_cut *cut = calloc(1, sizeof *cut);
    struct weir_model model;
    const int count = set ? set->count : grid->total;
    const size_t blocks = (size_t)count;
    int error = 0;
    if (cut) {
        weir_model_make(problem, false, &model);
        cut->grid = *grid;
        cut->channels = model.channel_count;
        cut->stages = model.stage_count;
        cut->fluid_cells = calloc(blocks, sizeof *cut->fluid_cells);
        cut->solid_cells = calloc(blocks, sizeof *cut->solid_cells);
        cut->messages = calloc(blocks * (size_t)cut->channels * WEIR_FACES, sizeof *cut->messages);
    }
    if (!cut || !copy_set(set, cut) || !cut->fluid_cells || !cut->solid_cells || !cut->messages)
        error = weir_fail(WEIR_FAILED, "out of memory for the time model of %d blocks; choose larger blocks",
                          count);
    if (error == 0) {
        fill_cells(problem, fluid_cells, cut);
        error = fill_messages(cut, &model);
    }
    if (error != 0) {
        weir_cut_destroy(cut);
        return error;
    }
    *result = cut;
    return 0;
}

void weir_cut_destroy(struct weir_cut *cut) {
    if (!cut)
        return;
    free((int *)cut->set.blocks);
    free(cut->fluid_cells);
    free(cut->solid_cells);
    free(cut->messages);
    free(cut->readers);
    free(cut);
}
