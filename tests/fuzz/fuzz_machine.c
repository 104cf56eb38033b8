/* Machine files: read, written again, and asked for the rates of a problem. */
#include "src/machine/machine_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

#include <stdlib.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return fuzz_mutate_json(data, size, most, seed, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int block_cells[3] = {16, 16, 16};
    char path[FUZZ_PATH], copy[FUZZ_PATH];
    struct weir_machine_file *file = NULL;
    fuzz_write("machine.json", data, size, path);
    if (!fuzz_judge(weir_machine_file_read(path, &file)))
        return 0;
    struct weir_problem problem;
    struct weir_machine machine;
    weir_problem_default(&problem);
    for (int axis = 0; axis < 3; axis++)
        problem.cells[axis] = 32;
    (void)fuzz_judge(weir_machine_file_select(file, path, &problem, block_cells, &machine));
    fuzz_path("copy.json", copy);
    (void)fuzz_judge(weir_machine_file_write(copy, file));
    weir_machine_file_destroy(file);
    /* What Weir writes of a file it must read. */
    file = NULL;
    if (!fuzz_judge(weir_machine_file_read(copy, &file)))
        abort();
    weir_machine_file_destroy(file);
    return 0;
}
