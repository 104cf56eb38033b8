/* Machine files: what the time model needs to know of a machine, as JSON (configs/machines/schema.json). Some
 * describe machines of which measurements are published here (configs/machines/); some are kept by weir
 * calibrate. */
#ifndef WEIR_SRC_MACHINE_MACHINE_FILE_H
#define WEIR_SRC_MACHINE_MACHINE_FILE_H

#include "graph/plan/time_model.h"
#include "graph/problem/problem.h"
#include "src/machine/machine_trust.h"

enum { WEIR_MACHINE_RATES_MAX = 64, WEIR_MACHINE_GPUS_MAX = 32 };

/* Rates of a worker group for one kernel variant and size of blocks. */
struct weir_machine_rates {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    bool scalar; /* with one that the flow carries along */
    int block_cells[3];
    struct weir_rates rates;
    double cached_cells, cached_fluid_cell_seconds; /* 0: none are known, as in struct weir_machine_kind */
};

struct weir_machine_file_group {
    struct weir_machine_kind kind; /* its rates are unused */
    int rates_count;
    struct weir_machine_rates rates[WEIR_MACHINE_RATES_MAX];
};

/* The machine and program that measured: measurements hold for these only. Empty texts where it is not told.
 */
struct weir_measured_on {
    char host[64];
    int cores;
    char instruction_set[16];
    int kernel_version; /* WEIR_KERNEL_VERSION */
    int gpu_count;
    char gpus[WEIR_MACHINE_GPUS_MAX][64]; /* names */
};

struct weir_machine_file {
    char name[101];
    char *description, *source; /* may be NULL */
    bool has_measured_on;
    struct weir_measured_on measured_on;
    struct weir_machine_trust trust; /* of measurements that are kept; NaN and 0 where nothing is told */
    int group_count;                 /* kinds of worker groups */
    struct weir_machine_file_group *groups;
    bool has_memory_link, has_gpu_link;
    struct weir_link memory_link, gpu_link;
    double submit_seconds;
};

/* Reads a machine file; *machine is the caller's (weir_machine_file_destroy). -WEIR_USAGE with file, key,
 * value and a way out. */
int weir_machine_file_read(const char *path, struct weir_machine_file **machine);

/* Writes one, complete or not at all; the folder must be there. -WEIR_FAILED with path and reason. */
int weir_machine_file_write(const char *path, const struct weir_machine_file *machine);

/* NULL is allowed. */
void weir_machine_file_destroy(struct weir_machine_file *machine);

/* The machine with the rates for a problem's variant and the nearest size of blocks; where there are none for
 * its collision, those of another one. `path` is for the message. -WEIR_USAGE when a worker group has none
 * for the lattice and precision. */
int weir_machine_file_select(const struct weir_machine_file *file, const char *path,
                             const struct weir_problem *problem, const int block_cells[3],
                             struct weir_machine *machine);

#endif
