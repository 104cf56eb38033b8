#include "src/output/formats/checkpoint_format.h"

#include "graph/problem/model.h"
#include "src/output/formats/checkpoint_averages.h"

#include <string.h>

int weir_checkpoint_sets(const struct weir_problem *problem,
                         struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS]) {
    struct weir_model model;
    int count = 0;
    size_t before = 0;
    weir_model_make(problem, false, &model);
    for (int number = 0; number < model.kept_count; number++) {
        const struct weir_kept *kept = &model.kept[number];
        if (!weir_model_is_saved(&model, number) || count == WEIR_CHECKPOINT_SETS)
            continue;
        sets[count++] =
            (struct weir_checkpoint_set){kept->name, kept->lattice->populations, kept->value_size, before};
        before += (size_t)kept->lattice->populations * kept->value_size;
    }
    return count;
}

hid_t weir_checkpoint_type(const struct weir_checkpoint_set *set) {
    return set->value_size == sizeof(double)  ? H5T_NATIVE_DOUBLE
           : set->value_size == sizeof(float) ? H5T_NATIVE_FLOAT
                                              : H5T_NATIVE_UINT16;
}

size_t weir_checkpoint_chunk_bytes(const struct weir_case *c, const int chunk[3]) {
    struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS];
    const int count = weir_checkpoint_sets(&c->problem, sets);
    size_t most = 0;
    for (int k = 0; k < count; k++) {
        const size_t cell_bytes = (size_t)sets[k].populations * sets[k].value_size;
        most = most > cell_bytes ? most : cell_bytes;
    }
    return most * (size_t)chunk[0] * (size_t)chunk[1] * (size_t)chunk[2];
}

size_t weir_checkpoint_room(const struct weir_case *c) {
    const double mib = 1 << 20, most = 1 << 20; /* MiB that fit into a size_t */
    return (size_t)(mib * (c->checkpoint.buffer < most ? c->checkpoint.buffer : most));
}

double weir_checkpoint_bytes(const struct weir_case *c, const int chunk[3]) {
    enum { STRUCTURES = 64 * 1024, PER_CHUNK = 128 };
    const struct weir_problem *problem = &c->problem;
    const size_t about = 2 * strlen(c->text); /* the case and what the run has added up */
    struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS];
    const int count = weir_checkpoint_sets(problem, sets);
    double chunks = 1, cells = 1, bytes = STRUCTURES + (double)about;
    for (int axis = 0; axis < 3; axis++) {
        chunks *= weir_checkpoint_chunks(problem->cells[axis], chunk[axis]);
        cells *= chunk[axis];
    }
    for (int k = 0; k < count; k++) {
        const double each = cells * sets[k].populations * (double)sets[k].value_size,
                     gap = each < WEIR_CHECKPOINT_LARGE_CHUNK ? 0 : WEIR_DIRECT_ALIGNMENT;
        bytes += chunks * (each + gap + PER_CHUNK);
    }
    for (int k = 0; k < c->output_count; k++)
        if (c->outputs[k].type == WEIR_OUTPUT_AVERAGES)
            bytes += weir_checkpoint_averages_bytes(weir_case_sums_of_averages(c), problem->cells);
    return bytes;
}
