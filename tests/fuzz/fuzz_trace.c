/* What StarPU's tool makes of a recording, of two ranks with a block each: an input is the text of
 * paje.trace, behind a line "==== tasks.rec" that of tasks.rec, and so comms.rec. */
#include "src/trace/trace_analysis.h"
#include "src/trace/trace_read.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"paje.trace", "tasks.rec", "comms.rec"};

/* Puts the pieces of an input into files; the folder that they are in. */
static void put_files(const uint8_t *data, size_t size, char folder[FUZZ_PATH]) {
    char path[FUZZ_PATH];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *next = k + 1 < sizeof names / sizeof *names ? names[k + 1] : NULL;
        char separator[64];
        snprintf(separator, sizeof separator, "\n==== %s\n", next ? next : "");
        const uint8_t *end = next && size > 0 ? memmem(data, size, separator, strlen(separator)) : NULL;
        const size_t length = end ? (size_t)(end - data) + 1 : size;
        fuzz_write(names[k], data, length, path);
        if (k > 0 && size == 0)
            unlink(path);
        data = end ? end + strlen(separator) : data;
        size = end ? size - (length - 1) - strlen(separator) : 0;
    }
    *strrchr(path, '/') = '\0';
    strcpy(folder, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct weir_run_record machine;
    char folder[FUZZ_PATH];
    put_files(data, size, folder);
    if (weir_run_record_create(&machine, 0, 3, 2) != 0)
        abort();
    strcpy(machine.stages[0], "collide_stream");
    for (int worker = 0; worker < 3; worker++) {
        machine.workers[worker] = (struct weir_recorded_worker){.id = worker % 2 * 4,
                                                                .steps = true,
                                                                .cores = 1,
                                                                .core = worker,
                                                                .device = worker,
                                                                .rank = worker / 2};
        machine.workers[worker].memory_node = 64 * (worker / 2);
    }
    for (int block = 0; block < 2; block++) {
        machine.blocks[block].fluid_cells = machine.blocks[block].cells = 100;
        for (int k = 0; k < WEIR_RECORD_OFFSETS; k++)
            machine.blocks[block].neighbour[k] = k == 14 ? 1 - block : -1;
    }
    struct weir_trace trace = {.machine = &machine, .from = 7, .steps = 2};
    struct weir_trace_analysis analysis;
    if (fuzz_judge(weir_trace_read(folder, &trace))) {
        (void)fuzz_judge(weir_trace_analyse(&trace, &analysis));
        weir_trace_analysis_release(&analysis);
    }
    weir_trace_release(&trace);
    weir_run_record_release(&machine);
    return 0;
}
