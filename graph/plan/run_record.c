#include "graph/plan/run_record.h"

#include "codelets/kernels/lattice/offsets.h"
#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>

int weir_run_record_create(struct weir_run_record *record, int64_t tasks, int workers, int blocks) {
    *record = (struct weir_run_record){
        .tasks = calloc((size_t)(tasks > 0 ? tasks : 1), sizeof *record->tasks),
        .workers = calloc((size_t)(workers > 0 ? workers : 1), sizeof *record->workers),
        .blocks = calloc((size_t)(blocks > 0 ? blocks : 1), sizeof *record->blocks),
        .task_count = tasks,
        .worker_count = workers,
        .block_count = blocks,
        .stage_count = 1,
        .taken = {{true}, {true}},
        .load_start = NAN,
        .load_end = NAN,
        .load_from = -1,
        .load_to = -1,
    };
    if (record->tasks && record->workers && record->blocks)
        return 0;
    weir_run_record_release(record);
    return weir_fail(WEIR_FAILED,
                     "out of memory for the record of %lld steps of blocks; record fewer steps, or choose "
                     "larger blocks",
                     (long long)tasks);
}

void weir_run_record_release(struct weir_run_record *record) {
    free(record->tasks);
    free(record->workers);
    free(record->blocks);
    *record = (struct weir_run_record){0};
}

int weir_run_record_face(int offset_index) {
    return weir_offset_face(weir_offset_back(weir_offset(offset_index)));
}
