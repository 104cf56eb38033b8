#include "src/check.h"

#include "graph/domain.h"
#include "graph/error.h"
#include "graph/simulation.h"
#include "src/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_physics(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const double viscosity = (p->relaxation_time - 0.5) / 3, speed = c->characteristic_velocity;
    printf("  lattice       %s, %s%s", weir_lattice_names[p->lattice], weir_collision_names[p->collision],
           p->collision == WEIR_TRT ? "" : ",");
    if (p->collision == WEIR_TRT)
        printf(" (magic %.6g),", p->magic);
    printf(" %s precision\n", weir_precision_names[p->precision]);
    printf("  relaxation    tau %.6g, viscosity %.6g", p->relaxation_time, viscosity);
    if (c->units.si)
        printf(" (%.6g m2/s)", viscosity * weir_units_viscosity(&c->units));
    printf("\n");
    if (speed > 0) {
        printf("  velocity      %.6g cells per step", speed);
        if (c->units.si)
            printf(" (%.6g m/s)", speed * weir_units_velocity(&c->units));
        printf(", Mach %.3f", speed * sqrt(3.0));
        if (c->characteristic_length > 0)
            printf(", Reynolds %.4g", speed * c->characteristic_length / viscosity);
        printf("\n");
    }
    if (c->units.si)
        printf("  units         cell %.6g m, step %.6g s: %.6g s in all\n", c->units.length, c->units.time,
               c->units.time * (double)c->steps);
}

/* What is allowed and yet likely to disappoint. */
static void print_warnings(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    if (c->characteristic_velocity > 0.17)
        printf("  warning: Mach %.2f: errors of compressibility grow with its square; below 0.3 (velocity "
               "0.17) is usual\n",
               c->characteristic_velocity * sqrt(3.0));
    if (p->relaxation_time < 0.51)
        printf("  warning: tau %.4f is near 1/2: the flow may diverge where it is not resolved\n",
               p->relaxation_time);
    if (p->relaxation_time > 2)
        printf("  warning: tau %.3g is large: boundaries lose accuracy with bgk; use trt\n",
               p->relaxation_time);
    if (c->steady > 0 && p->precision != WEIR_DOUBLE && c->steady < 1e-7)
        printf("  warning: run.stop_when.steady %.1e is below what single precision resolves (about 1e-6); "
               "it may never hold\n",
               c->steady);
}

int weir_check(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    struct weir_runtime_options workers;
    WEIR_TRY(weir_workers_of_case(c, &workers));
    const char *workers_set = getenv("STARPU_NCPU");
    const int cores = workers_set && atoi(workers_set) > 0 ? atoi(workers_set) : weir_runtime_cores();
    int gpus = workers.has_cuda_kernels && workers.workers != WEIR_WORKERS_CPU ? weir_runtime_gpus() : 0;
    struct weir_simulation_options options = {.poison = false};
    for (int axis = 0; axis < 3; axis++)
        options.block_cells[axis] = c->block_cells[axis];
    int block_cells[3];
    struct weir_block_grid grid;
    weir_simulation_block_cells(p, &options, cores, gpus, block_cells);
    WEIR_TRY(weir_block_grid_create(p, block_cells, &grid));
    const double cells = (double)p->cells[0] * p->cells[1] * p->cells[2];
    const double bytes = (double)weir_domain_bytes(p, &grid);

    printf("%s: %s\n", c->file, c->name);
    print_physics(c);
    printf("  domain        %d x %d x %d = %.4g cells, %lld steps\n", p->cells[0], p->cells[1], p->cells[2],
           cells, (long long)c->steps);
    printf("  memory        %.4g MiB, %.1f bytes per cell\n", bytes / (1 << 20), bytes / cells);
    printf("  blocks        %d of %d x %d x %d\n", grid.total, grid.block_cells[0], grid.block_cells[1],
           grid.block_cells[2]);
    printf("  homes         policy %s; %s here: ", c->policy[0] ? c->policy : "static",
           gpus > 0 ? "GPUs and their share of blocks" : "CPU cores and their share of blocks");
    printf("%d x %.4g\n", gpus > 0 ? gpus : cores, (double)grid.total / (gpus > 0 ? gpus : cores));
    print_warnings(c);
    return 0;
}
