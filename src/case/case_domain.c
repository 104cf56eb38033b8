/* The space of a case: its units, lattice, number of cells and periodic axes. */
#include "graph/base/error.h"
#include "src/case/case_keys.h"
#include "src/case/case_sections.h"

#include <inttypes.h>
#include <string.h>

const struct weir_key weir_si_keys[] = {
    {.name = "cell_size",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Width of a cell in m.",
     .otherwise = "needed with SI",
     .examples = "[0.001]",
     .wanted = "the width of a cell in m, such as 0.001",
     WEIR_KEY_AT(struct weir_units, length)},
    {.name = "time_step",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Length of a step in s.",
     .otherwise = "needed with SI",
     .examples = "[0.001]",
     .example = "0.0001",
     .wanted = "the length of a step in s, such as 0.0001",
     WEIR_KEY_AT(struct weir_units, time)},
    {.name = "density",
     .type = WEIR_KEY_NUMBER,
     .positive = true,
     .about = "Density in kg/m³ that is 1 in lattice units.",
     .fallback = "1000",
     .example = "850",
     .wanted = "the density in kg/m^3, such as 1000 for water",
     WEIR_KEY_AT(struct weir_units, density)},
    {.name = NULL},
};

enum { CELLS, PERIODIC, CLOSE_POCKETS };
const struct weir_key weir_domain_keys[] = {
    [CELLS] = {.name = "cells",
               .type = WEIR_KEY_INTEGER,
               .per_axis = true,
               .needed = true,
               .about = "Cells along x, y and z; flat lattices take x and y.",
               .examples = "[[16, 16, 16]]",
               .example = "[128, 128, 128]",
               .least = 1,
               .most = 65536,
               .wanted = "a number of cells from 1 to 65536"},
    [PERIODIC] =
        {.name = "periodic",
         .type = WEIR_KEY_BOOLEAN,
         .per_axis = true,
         .about =
             "For each axis, whether what leaves the domain on one side enters on the other. Axes that are "
             "not periodic end at boundaries.",
         .fallback = "[false, false, false]",
         .example = "[true, true, false]"},
    [CLOSE_POCKETS] =
        {.name = "close_pockets",
         .type = WEIR_KEY_BOOLEAN,
         .about =
             "Whether pieces of fluid that no opening touches, all but the largest, become solid: a body "
             "\"pockets\".",
         .fallback = "false",
         .example = "true",
         .wanted = "true or false"},
    {.name = NULL},
};

int weir_case_read_units(const struct weir_json *root, struct weir_case *c) {
    const char *wanted = "an object such as {\"cell_size\": 0.001, \"time_step\": 0.0001}";
    struct weir_json units = weir_json_member(root, "units"), si = weir_json_member(root, "si");
    int choice = 0;

    c->units = weir_units_lattice();
    if (weir_json_present(&units))
        WEIR_TRY(weir_key_read(&units, weir_case_root_key("units"), NULL, &choice));
    if (choice == 0)
        return weir_json_present(&si)
                   ? weir_json_fail(&si,
                                    "given, but units is \"lattice\"; add \"units\": \"si\" or remove \"si\"")
                   : 0;

    if (!weir_json_present(&si))
        return weir_json_fail(&si, "missing, but units is \"si\"; give %s", wanted);
    WEIR_TRY(weir_json_object(&si, wanted));
    c->units.si = true;
    c->units.density = 1000;
    return weir_keys_read(&si, weir_si_keys, &c->units, &c->units);
}

static int read_cells(const struct weir_json *domain, struct weir_problem *problem) {
    const int64_t largest = INT64_C(1) << 40;
    int dimensions = weir_lattice_dimensions(problem->lattice), count;
    const char *wanted = dimensions == 2
                             ? "2 whole numbers, the cells along x and y, such as [256, 256]"
                             : "3 whole numbers, the cells along x, y and z, such as [128, 128, 128]";
    struct weir_json cells = weir_json_member(domain, "cells");
    int64_t total = 1;

    if (!weir_json_present(&cells))
        return weir_json_fail_missing(&cells, wanted);
    WEIR_TRY(weir_json_array(&cells, wanted, dimensions, 3, &count));
    problem->cells[2] = 1;
    for (int axis = 0; axis < count; axis++) {
        struct weir_json item = weir_json_item(&cells, axis);
        int64_t number;
        WEIR_TRY(weir_key_read(&item, &weir_domain_keys[CELLS], NULL, &number));
        if (axis >= dimensions && number != 1)
            return weir_json_fail(&item,
                                  "%" PRId64
                                  " cells along z, but lattice %s is flat; give 1, or leave it off, or use "
                                  "lattice D3Q19",
                                  number, weir_lattice_names[problem->lattice]);
        problem->cells[axis] = (int)number;
        total *= number;
    }
    if (total > largest)
        return weir_json_fail(&cells, "%d x %d x %d is %.3g cells; give at most %.3g (2^40) in all",
                              problem->cells[0], problem->cells[1], problem->cells[2], (double)total,
                              (double)largest);
    return 0;
}

static int read_periodic(const struct weir_json *domain, struct weir_problem *problem) {
    int dimensions = weir_lattice_dimensions(problem->lattice), count;
    const char *wanted = "true or false for each axis, such as [true, false, false]";
    struct weir_json periodic = weir_json_member(domain, "periodic");

    if (weir_json_present(&periodic)) {
        WEIR_TRY(weir_json_array(&periodic, wanted, dimensions, 3, &count));
        for (int axis = 0; axis < count; axis++) {
            struct weir_json item = weir_json_item(&periodic, axis);
            WEIR_TRY(weir_json_boolean(&item, wanted, &problem->periodic[axis]));
        }
    }
    if (dimensions == 2)
        problem->periodic[2] = true; /* nothing moves along z: neither walls nor ends there */
    return 0;
}

/* Lattices that are there, but not for flows. */
static int refuse_without_flow(const struct weir_json *json) {
    const char *name = json_string_value(json->value);
    for (int k = WEIR_LATTICE_COUNT; name && k < WEIR_ALL_LATTICES; k++) {
        const struct weir_lattice_table *lattice = weir_lattice_table(k);
        if (strcmp(name, lattice->name) == 0)
            return weir_json_fail(json, "%s cannot carry a flow: %s", name, lattice->no_flow);
    }
    return 0;
}

int weir_case_read_domain(const struct weir_json *root, struct weir_case *c) {
    const char *wanted = "an object such as {\"cells\": [128, 128, 128]}";
    struct weir_json lattice = weir_json_member(root, "lattice"), domain = weir_json_member(root, "domain");
    if (weir_json_present(&lattice)) {
        int choice;
        WEIR_TRY(refuse_without_flow(&lattice));
        WEIR_TRY(weir_key_read(&lattice, weir_case_root_key("lattice"), NULL, &choice));
        c->problem.lattice = (enum weir_lattice)choice;
    }
    if (!weir_json_present(&domain))
        return weir_json_fail_missing(&domain, wanted);
    WEIR_TRY(weir_json_object(&domain, wanted));
    WEIR_TRY(read_cells(&domain, &c->problem));
    WEIR_TRY(read_periodic(&domain, &c->problem));
    const struct weir_json pockets = weir_json_member(&domain, weir_domain_keys[CLOSE_POCKETS].name);
    return weir_json_present(&pockets)
               ? weir_json_boolean(&pockets, weir_domain_keys[CLOSE_POCKETS].wanted, &c->close_pockets)
               : 0;
}
