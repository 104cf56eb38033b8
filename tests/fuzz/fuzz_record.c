/* Records of runs: what is in the file of a short run of two blocks is changed, then it is read and analysed.
 */
#include "src/output/formats/record_file.h"
#include "src/report/run_analysis.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hdf5_edits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4, BLOCKS = 2, WORKERS = 3 };

static const char *const columns[] = {"tasks/block",      "tasks/step",    "tasks/worker",
                                      "tasks/home",       "tasks/start",   "tasks/end",
                                      "tasks/stage",      "workers/id",    "workers/name",
                                      "workers/cuda",     "workers/steps", "workers/device",
                                      "workers/cores",    "workers/core",  "workers/memory_node",
                                      "blocks/origin",    "blocks/extent", "blocks/fluid_cells",
                                      "blocks/cells",     "blocks/bytes",  "blocks/message_bytes",
                                      "blocks/neighbour", "blocks",        NULL};
static const char *const attributes[] = {"record_version", "steps",    "stages",    "wall_seconds",
                                         "load_start",     "load_end", "load_from", "load_to",
                                         "load_threads",   NULL};

static uint8_t *whole;
static size_t whole_size;

static void write_record(const char *path) {
    static const struct weir_record_labels labels = {"case", "static"};
    struct weir_run_record record;
    if (weir_run_record_create(&record, STEPS * BLOCKS, WORKERS, BLOCKS) != 0)
        abort();
    record.steps = STEPS;
    record.wall_seconds = STEPS;
    record.load_start = record.load_end = NAN;
    record.load_from = record.load_to = -1;
    for (int worker = 0; worker < WORKERS; worker++) {
        record.workers[worker] = (struct weir_recorded_worker){
            .id = worker, .cuda = worker == 2, .steps = true, .memory_node = worker / 2};
        snprintf(record.workers[worker].name, sizeof record.workers[worker].name, "worker %d", worker);
    }
    for (int block = 0; block < BLOCKS; block++) {
        record.blocks[block].cells = record.blocks[block].fluid_cells = 100;
        for (int k = 0; k < WEIR_RECORD_OFFSETS; k++)
            record.blocks[block].neighbour[k] = k == 14 ? 1 - block : -1;
        for (int step = 0; step < STEPS; step++)
            record.tasks[step * BLOCKS + block] =
                (struct weir_recorded_task){.step = step,
                                            .start = step,
                                            .end = step + 0.5,
                                            .block = block,
                                            .worker = (block + step) % WORKERS,
                                            .home = block};
    }
    if (weir_record_file_write(path, &record, &labels) != 0)
        abort();
    weir_run_record_release(&record);
}

/* Makes the file once, for copies of it. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    enum { MOST = 1 << 20 };
    char path[FUZZ_PATH];
    (void)count;
    (void)arguments;
    fuzz_path("whole.h5", path);
    write_record(path);
    FILE *file = fopen(path, "rb");
    whole = malloc(MOST);
    whole_size = file && whole ? fread(whole, 1, MOST, file) : 0;
    if (whole_size == 0)
        abort();
    fclose(file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_bytes bytes = {data, data + size};
    char path[FUZZ_PATH];
    struct weir_run_record record;
    struct weir_run_analysis analysis;
    struct weir_recovery recovery;
    fuzz_write("record.h5", whole, whole_size, path);
    fuzz_edit_hdf5(path, columns, "/", attributes, &bytes);
    if (!fuzz_judge(weir_record_file_read(path, &record)))
        return 0;
    if (fuzz_judge(weir_run_analyse(&record, &analysis))) {
        (void)fuzz_judge(weir_run_recovery(&record, &analysis, 0, record.load_start, &recovery));
        (void)fuzz_judge(weir_run_recovery(&record, &analysis, 0, HUGE_VAL, &recovery));
        weir_run_analysis_release(&analysis);
    }
    weir_run_record_release(&record);
    return 0;
}
