/* The tables and defaults of what can be computed. */
#include "graph/problem/problem.h"

#include "codelets/kernels/kernels.h"
#include "codelets/kernels/lattice.h"

#include <stddef.h>
#include <string.h>

const char *const weir_lattice_names[] = {"D2Q9", "D3Q15", "D3Q19", "D3Q27", NULL};
const char *const weir_collision_names[] = {"bgk", "trt", NULL};
const char *const weir_precision_names[] = {"single", "double", "half", NULL};
const char *const weir_face_names[] = {"x-", "x+", "y-", "y+", "z-", "z+", NULL};

void weir_problem_default(struct weir_problem *problem) {
    *problem = (struct weir_problem){
        .lattice = WEIR_D3Q19,
        .collision = WEIR_TRT,
        .precision = WEIR_SINGLE,
        .cells = {1, 1, 1},
        .relaxation_time = 1.0,
        .magic = 3.0 / 16.0,
        .reference_density = 1.0,
        .wall_count = WEIR_FIRST_BODY,
        .initial_density = 1.0,
    };
    for (int face = 0; face < WEIR_FACES; face++) {
        char *name = problem->walls[1 + face].name;
        name[0] = weir_face_names[face][0];
        name[1] = weir_face_names[face][1];
    }
    strcpy(problem->walls[WEIR_EDGE_WALL].name, "edge");
}

int weir_lattice_dimensions(enum weir_lattice lattice) {
    return weir_lattice_table((int)lattice)->dimensions;
}

int weir_lattice_populations(enum weir_lattice lattice) {
    return weir_lattice_table((int)lattice)->populations;
}

void weir_problem_messages(const struct weir_problem *problem, struct weir_message_layout *messages) {
    *messages = (struct weir_message_layout){0};
    /* There is room for any lattice: tests/unit/test_message.c. */
    weir_message_add_set(messages, 0, weir_lattice_table((int)problem->lattice));
}

double weir_bytes_per_update(const struct weir_problem *problem) {
    const struct weir_kernels *kernels =
        weir_kernels_find(problem->lattice, problem->collision, problem->precision);
    return 2.0 * weir_lattice_populations(problem->lattice) * (double)kernels->stored_size + 1;
}
