#include "src/case/boundaries/case_rules.h"

#include "graph/base/error.h"
#include "src/case/case_formulas.h"

int weir_case_read_rule_values(const struct weir_json *object, const struct weir_key *key,
                               struct weir_case *c, enum weir_rule rule, bool formulas,
                               struct weir_initial_component components[WEIR_BOUNDARY_VALUES]) {
    const struct weir_rule_row *row = &weir_rules[rule];
    const struct weir_json value = weir_json_member(object, key->name);
    char wanted[WEIR_WANTED];
    if (!weir_json_present(&value)) {
        weir_case_wanted(&c->units, &key->quantity, wanted);
        return row->required ? weir_json_fail_missing(&value, wanted) : 0;
    }
    if (row->values == 1)
        return weir_case_read_density_formula(&value, c, &key->quantity, "for a boundary", components);
    if (formulas)
        return weir_case_read_velocity_formulas(&value, c, &key->quantity, components);
    double velocity[3];
    WEIR_TRY(weir_case_read_velocity(&value, c, &key->quantity, velocity));
    for (int axis = 0; axis < 3; axis++)
        components[axis].constant = velocity[axis];
    return 0;
}

int weir_case_check_rule(const struct weir_json *type, const struct weir_case *c, enum weir_rule rule) {
    if (c->problem.lattice != WEIR_D3Q13 ||
        (rule != WEIR_RULE_REGULARISED_VELOCITY && rule != WEIR_RULE_REGULARISED_PRESSURE))
        return 0;
    return weir_json_fail(
        type,
        "%s keeps of a cell no more than D3Q13 has, whose equilibrium is another; choose %s, "
        "or lattice D3Q15",
        weir_rules[rule].name,
        rule == WEIR_RULE_REGULARISED_VELOCITY ? "zou_he_velocity" : "zou_he_pressure");
}
