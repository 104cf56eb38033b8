/* Maps of ranks: read for a small case, given seats, and used to divide its blocks. */
#include "graph/plan/rank_map.h"

#include "graph/ranks/world.h"
#include "src/case/case.h"
#include "src/case/case_sections.h"
#include "src/check_decomposition.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

#include <stdlib.h>

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_hush();
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return fuzz_mutate_json(data, size, most, seed, weir_map_keys);
}

static void divide(const struct weir_case *c, int ranks) {
    static const int block_cells[3] = {4, 4, 4};
    const struct weir_step_workers workers = {.cpus = 1};
    struct weir_check_decomposition *decomposition = NULL;
    struct weir_block_grid grid;
    if (fuzz_judge(weir_block_grid_create(&c->problem, block_cells, &grid)) &&
        fuzz_judge(weir_check_divide(c, &grid, ranks, &workers, &decomposition)))
        weir_check_decomposition_print(decomposition);
    weir_check_decomposition_destroy(decomposition);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char text[] =
        "{\"lattice\": \"D3Q19\", \"domain\": {\"cells\": [16, 16, 16], \"periodic\": [true, true, true]},"
        " \"fluid\": {\"tau\": 0.8}, \"run\": {\"steps\": 10}, \"ranks\": {\"map\": \"map.json\"}}";
    char path[FUZZ_PATH], map[FUZZ_PATH];
    struct weir_case *c = NULL;
    fuzz_write("map.json", data, size, map);
    fuzz_write("case.json", text, sizeof text - 1, path);
    if (fuzz_judge(weir_case_read(path, NULL, 0, &c)))
        for (int ranks = 0; ranks <= 4; ranks++)
            divide(c, ranks);
    weir_case_destroy(c);
    return 0;
}
