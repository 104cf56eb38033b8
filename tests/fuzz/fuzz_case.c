/* Case files, with values of --set: text lines "--set PATH=VALUE" behind the JSON. What reads without a
 * mistake is checked as weir check does it, where it is small enough for that to take no time. */
#include "graph/ranks/world.h"
#include "src/case/case.h"
#include "src/case/case_keys.h"
#include "src/case/case_set.h"
#include "src/check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells that are looked at. */
static const double CELLS_MOST = 4096;
enum { SETS_MOST = 8 };
static const char before_set[] = "\n--set ";

/* The sets behind the JSON of an input, which end at its '\0'; they stay in `text`, which then ends before
 * them. */
static int split(char *text, const char *sets[SETS_MOST]) {
    int count = 0;
    char *at = strstr(text, before_set);
    while (at && count < SETS_MOST) {
        *at = '\0';
        sets[count++] = at + strlen(before_set);
        at = strstr(at + 1, before_set);
    }
    if (at)
        *at = '\0';
    return count;
}

/* Voxels of a domain of 16 x 16 x 16 cells, every other one solid, behind a head. */
static void put_voxels(const char *name, const char *head, size_t length) {
    enum { VOXELS = 4096 };
    uint8_t bytes[256 + VOXELS];
    char path[FUZZ_PATH];
    memcpy(bytes, head, length);
    for (size_t k = 0; k < VOXELS; k++)
        bytes[length + k] = k % 2;
    fuzz_write(name, bytes, length + VOXELS, path);
}

/* Files that a case may name: those of the schema's examples, a map and tables. */
static void put_files(void) {
    static const char npy[] =
        "\x93NUMPY\x01\0\x4b\0{'descr': '|u1', 'fortran_order': False, 'shape': (16, 16, 16), }"
        "         \n",
                      map[] = "{\"regions\": [{\"from\": [0, 0, 0], \"to\": [8, 16, 16], \"rank\": 0},\n"
                              " {\"from\": [8, 0, 0], \"to\": [16, 16, 16], \"rank\": 1}]}",
                      table[] = "x,t,velocity\n0,0,0.01\n8,0,0.02\n0,10,0.03\n8,10,0.05\n",
                      points[] = "x,y,z\n1.5,2.5,3.5\n4,4,4\n",
                      body[] = "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    char path[FUZZ_PATH];
    put_voxels("labels.raw", "", 0);
    put_voxels("labels.npy", npy, sizeof npy - 1);
    fuzz_write("map.json", map, sizeof map - 1, path);
    fuzz_write("table.csv", table, sizeof table - 1, path);
    fuzz_write("points.csv", points, sizeof points - 1, path);
    fuzz_write("body.obj", body, sizeof body - 1, path);
    fuzz_write("body.stl", body, sizeof body - 1, path);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    char path[FUZZ_PATH];
    fuzz_path("cache", path);
    setenv("XDG_CACHE_HOME", path, 1);     /* nothing is there: the same on all machines */
    setenv("HWLOC_PLUGINS_PATH", path, 1); /* loading hwloc's takes most of the time */
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 1);
    fuzz_hush();
    put_files();
    return 0;
}

/* How many cells the domain has, as far as that can be seen; 0: it cannot. */
static double cells_of(const char *text, const char *const sets[], int count) {
    json_t *root = json_loads(text, 0, NULL);
    double cells = 1;
    size_t k;
    const json_t *number;
    for (int set = 0; set < count && json_is_object(root); set++)
        (void)weir_case_set(root, sets[set]);
    const json_t *list = json_object_get(json_object_get(root, "domain"), "cells");
    json_array_foreach(list, k, number) cells *= json_number_value(number);
    if (json_array_size(list) == 0)
        cells = 0;
    json_decref(root);
    return cells;
}

static void check(const struct weir_case *c, int ranks) {
    const int *cells = c->problem.cells;
    if ((double)cells[0] * cells[1] * cells[2] <= CELLS_MOST)
        (void)fuzz_judge(weir_check(c, ranks, NULL, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *sets[SETS_MOST];
    char path[FUZZ_PATH], *text = fuzz_text(data, size);
    const int count = split(text, sets);
    struct weir_case *c = NULL;
    fuzz_write("case.json", text, strlen(text), path);
    /* Pockets and packings take as long as there are cells. */
    if (cells_of(text, sets, count) > CELLS_MOST &&
        (strstr(text, "close_pockets") || strstr(text, "solids"))) {
        free(text);
        return 0;
    }
    if (fuzz_judge(weir_case_read(path, sets, count, &c)))
        check(c, (int)(size % 3)); /* 0: without */
    weir_case_destroy(c);
    free(text);
    return 0;
}

/* Mostly by the rows of keys; sometimes a --set more, or one less. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    static const char *const more[] = {"run.steps=7",
                                       "domain.cells[0]=5",
                                       "output[0].every=2",
                                       "output[1]={}",
                                       "fluid.tau=0.8",
                                       "solids[0]=null",
                                       "lattice=D2Q9",
                                       "boundaries.x-.velocity[1]=0.1",
                                       "domain.periodic[2]=true",
                                       "name=a",
                                       "precision=half",
                                       "a.b.c[0][0]=1",
                                       "units=si",
                                       "checkpoint.every=5",
                                       "scalar=null",
                                       "initial={\"velocity\":[0,0,\"x\"]}"};
    struct fuzz_random random = {seed};
    char *text = fuzz_text(data, size), *sets = strstr(text, before_set);
    char *behind = strdup(sets ? sets : "");
    if (!behind)
        abort();
    const size_t json =
        fuzz_random_below(&random, 8) == 0
            ? (sets ? (size_t)(sets - text) : size)
            : fuzz_mutate_json(data, sets ? (size_t)(sets - text) : size, most, seed, weir_case_keys);
    char tail[1024] = "";
    if (fuzz_random_below(&random, 6) > 0)
        snprintf(tail, sizeof tail, "%s", behind);
    const size_t used = strlen(tail);
    if (fuzz_random_below(&random, 8) == 0)
        snprintf(tail + used, sizeof tail - used, "%s%s", before_set,
                 more[fuzz_random_below(&random, sizeof more / sizeof *more)]);
    const size_t length = strlen(tail);
    size = json;
    if (json + length <= most) {
        memcpy(data + json, tail, length);
        size = json + length;
    }
    free(behind);
    free(text);
    return size;
}
