#include "codelets/kernels/cells/precisions.h"
#include "src/case/case_sections.h"

int weir_case_check_moments(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_problem *const p = &c->problem;
    const struct weir_json storage = weir_json_member(root, "storage"),
                           blocks = weir_json_member(root, "blocks"),
                           list_up_to = weir_json_member(&blocks, "list_up_to"),
                           flow_rate = weir_json_member(root, "flow_rate");
    if (!weir_precision_row(p->precision)->moments ||
        weir_problem_is_thermal(p) ||                     /* case_thermal.c says why not */
        !weir_collision_on(WEIR_REGULARISED, p->lattice)) /* so does case_fluid.c */
        return 0;
    if (!weir_collision_keeps(p->collision, p->precision))
        return weir_json_fail(
            &storage,
            "\"moments\" are density, momentum and stress, and the collision %s asks for more of "
            "what arrives; choose the collision recursive or regularised, or remove "
            "\"storage\"",
            weir_collision_names[p->collision]);
    if (p->phases.present || p->surface.present)
        return weir_json_fail(&storage, "\"moments\" cannot be kept of a fluid with %s; remove \"storage\"",
                              p->phases.present ? "phases" : "a free surface");
    if (weir_problem_gradient_values(p) > 0)
        return weir_json_fail(
            &storage, "\"moments\" cannot be kept with the turbulence model wale, which asks neighbours "
                      "for their velocity; choose the model smagorinsky or qr, or remove \"storage\"");
    if (weir_json_present(&flow_rate))
        return weir_json_fail(
            &storage, "\"moments\" cannot be kept with \"flow_rate\", whose force is known after a step, "
                      "while what leaves cells for other blocks is found with the step before; remove "
                      "one of the two");
    if (weir_json_present(&list_up_to) && json_number_value(list_up_to.value) > 0)
        return weir_json_fail(&list_up_to,
                              "asks for lists of fluid cells, and moments are kept in bricks; remove "
                              "it, or \"storage\"");
    return 0;
}
