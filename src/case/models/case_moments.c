#include "codelets/kernels/cells/precisions.h"
#include "src/case/case_sections.h"

/* What asks for populations. */
enum obstacle { NONE, COLLISION, PHASES, SURFACE, NEIGHBOURS, FLOW_RATE, LISTS };

static enum obstacle obstacle_of(const struct weir_case *c) {
    const struct weir_problem *const p = &c->problem;
    const struct weir_precision_row *const row = weir_precision_row(p->precision);
    const int kept = weir_precision_find(row->arithmetic, "moments");
    return !weir_collision_keeps(p->collision, (enum weir_precision)kept) ? COLLISION
           : p->phases.present                                            ? PHASES
           : p->surface.present                                           ? SURFACE
           : weir_problem_gradient_values(p) > 0                          ? NEIGHBOURS
           : c->flow_rate.every > 0                                       ? FLOW_RATE
           : !c->lists_chosen && p->list_up_to > 0                        ? LISTS
                                                                          : NONE;
}

bool weir_case_may_keep_moments(const struct weir_case *c) {
    return !weir_problem_is_thermal(&c->problem) && !c->problem.scalar.present && obstacle_of(c) == NONE;
}

int weir_case_check_moments(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_problem *const p = &c->problem;
    const char *const kept = weir_precision_row(p->precision)->storage;
    const struct weir_json storage = weir_json_member(root, "storage"),
                           blocks = weir_json_member(root, "blocks"),
                           list_up_to = weir_json_member(&blocks, "list_up_to");
    if (!weir_precision_row(p->precision)->moments ||
        weir_problem_is_thermal(p) ||                     /* case_thermal.c says why not */
        !weir_collision_on(WEIR_REGULARISED, p->lattice)) /* so does case_fluid.c */
        return 0;
    switch (obstacle_of(c)) {
    case NONE:
        return 0;
    case COLLISION:
        return weir_json_fail(
            &storage,
            "\"%s\" are density, momentum and stress, and the collision %s asks for more of "
            "what arrives; choose the collision recursive or regularised, or remove "
            "\"storage\"",
            kept, weir_collision_names[p->collision]);
    case PHASES:
        return weir_json_fail(&storage, "\"%s\" cannot be kept of a fluid with phases; remove \"storage\"",
                              kept);
    case SURFACE:
        return weir_json_fail(
            &storage, "\"%s\" cannot be kept of a fluid with a free surface; remove \"storage\"", kept);
    case NEIGHBOURS:
        return weir_json_fail(&storage,
                              "\"%s\" cannot be kept with the turbulence model wale, which asks neighbours "
                              "for their velocity; choose the model smagorinsky or qr, or remove \"storage\"",
                              kept);
    case FLOW_RATE:
        return weir_json_fail(
            &storage,
            "\"%s\" cannot be kept with \"flow_rate\", whose force is known after a step, "
            "while what leaves cells for other blocks is found with the step before; remove "
            "one of the two",
            kept);
    case LISTS:
        return weir_json_fail(&list_up_to,
                              "asks for lists of fluid cells, and moments are kept in bricks; remove "
                              "it, or \"storage\"");
    }
    return 0;
}
