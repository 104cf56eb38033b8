/* What flows with a temperature, on lattice D2Q37, cannot be computed with. */
#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/case_sections.h"

/* Sections of a case that such a flow does without, and what to do. */
static const struct {
    const char *key, *why;
} refused[] = {
    {"scalar",
     "cannot be computed on lattice D2Q37, whose flow has a temperature of its own; remove it, or choose "
     "lattice D2Q9"},
    {"phases",
     "cannot be computed on lattice D2Q37, whose fluid is an ideal gas; remove them, or choose lattice "
     "D2Q9"},
    {"free_surface",
     "cannot be computed on lattice D2Q37, whose populations reach three cells far, and gas beyond a surface "
     "one; remove it, or choose lattice D2Q9"},
    {"flow_rate",
     "cannot be held on lattice D2Q37, where the force is per mass, as gravity is; remove it, or choose "
     "lattice D2Q9"},
    {"solids",
     "cannot be computed on lattice D2Q37, whose populations reach three cells far and have rules for "
     "none but faces; remove them, or choose lattice D2Q9"},
};

/* Cells along an axis that ends at two walls, each with so many rows as populations reach far, and fluid
 * between them that no population crosses in a step. */
static int check_room(const struct weir_json *domain, const struct weir_problem *problem) {
    const int least = 3 * weir_lattice_table((int)problem->lattice)->reach;
    const struct weir_json cells = weir_json_member(domain, "cells");
    for (int axis = 0; axis < weir_lattice_dimensions(problem->lattice); axis++)
        if (!problem->periodic[axis] && problem->cells[axis] < least) {
            const struct weir_json item = weir_json_item(&cells, axis);
            return weir_json_fail(
                &item,
                "is %d, and between two walls of lattice D2Q37, of which each takes three rows of "
                "cells, at least %d are needed; make it %d, or domain.periodic[%d] true",
                problem->cells[axis], least, least, axis);
        }
    return 0;
}

/* Faces may be walls as a whole, and nothing else. */
static int check_faces(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_json boundaries = weir_json_member(root, "boundaries");
    for (int face = 0; face < WEIR_FACES; face++) {
        const struct weir_json of_face = weir_json_member(&boundaries, weir_face_names[face]),
                               type = weir_json_member(&of_face, "type"),
                               parts = weir_json_member(&of_face, "parts");
        if (weir_json_present(&type) &&
            c->problem.walls[WEIR_WALL_OF_FACE(face)].rule != WEIR_RULE_THERMAL_WALL)
            WEIR_JSON_NOTE(root->source,
                           weir_json_fail(&type, "is another than \"wall\", and on lattice D2Q37 there are "
                                                 "walls alone; make it \"wall\", or choose lattice D2Q9"));
        if (weir_json_present(&parts))
            WEIR_JSON_NOTE(root->source,
                           weir_json_fail(&parts,
                                          "are given, and on lattice D2Q37 a face is one wall; remove "
                                          "them, or choose lattice D2Q9"));
    }
    return 0;
}

int weir_case_check_thermal(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_problem *const problem = &c->problem;
    const struct weir_json units = weir_json_member(root, "units"),
                           storage = weir_json_member(root, "storage"),
                           blocks = weir_json_member(root, "blocks"),
                           list_up_to = weir_json_member(&blocks, "list_up_to"),
                           domain = weir_json_member(root, "domain");
    if (!weir_problem_is_thermal(problem))
        return 0;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const struct weir_json section = weir_json_member(root, refused[k].key);
        if (weir_json_present(&section))
            WEIR_JSON_NOTE(root->source, weir_json_fail(&section, "%s", refused[k].why));
    }
    if (c->units.si)
        return weir_json_fail(&units,
                              "cannot be SI on lattice D2Q37, whose temperature is told in lattice units; "
                              "remove \"units\" and \"si\"");
    const struct weir_precision_row *const row = weir_precision_row(problem->precision);
    if (row->without_scalar)
        return weir_json_fail(
            &storage, "cannot be \"%s\" on lattice D2Q37: %s would be lost; remove it", row->storage,
            row->moments ? "moments of the third and fourth order" : "small changes of temperature");
    if (problem->list_up_to > 0)
        return weir_json_fail(&list_up_to,
                              "asks for lists of fluid cells, which lattice D2Q37 has no need of, "
                              "as it has no solids; remove it");
    WEIR_TRY(check_faces(root, c));
    return check_room(&domain, problem);
}
