/* The model of the turbulence that cells are too wide for. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"

#include <stddef.h>

enum { MODEL, CONSTANT };
const struct weir_key weir_turbulence_keys[] = {
    [MODEL] = {.name = "model",
               .type = WEIR_KEY_CHOICE,
               .about =
                   "How an eddy viscosity follows from the stress in each cell: Smagorinsky's model, or qr "
                   "(Verstappen), which is nothing in laminar shear and in planes, and vanishes at walls; or "
                   "from the gradient of the velocity, for which neighbours are asked: wale (Nicoud and "
                   "Ducros), which is nothing in laminar shear, and vanishes at walls with the third power "
                   "of the distance. All work with every collision.",
               .more = "[Turbulence](numerics.md#turbulence).",
               .fallback = "\"smagorinsky\"",
               .choices = weir_turbulence_names,
               .wanted = "a model of turbulence"},
    [CONSTANT] =
        {.name = "constant",
         .type = WEIR_KEY_NUMBER,
         .positive = true,
         .most = 1,
         .about = "Its constant C: the eddy viscosity is (C · cell width)² times a norm of the rate of "
                  "strain, or of the velocity's gradient.",
         .more = "With smagorinsky 0.17 suits isotropic turbulence, 0.1 shear flows; with qr the default is "
                 "0.39, with wale 0.5.",
         .fallback = "0.17",
         .example = "0.1",
         .wanted = "a number greater than 0 and at most 1, such as 0.17",
         WEIR_KEY_AT(struct weir_turbulence, constant)},
    {.name = NULL},
};

int weir_case_read_turbulence(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json turbulence = weir_json_member(root, "turbulence");
    const struct weir_json model = weir_json_member(&turbulence, weir_turbulence_keys[MODEL].name);
    struct weir_turbulence *const t = &c->problem.turbulence;
    if (!weir_json_present(&turbulence))
        return 0;
    WEIR_TRY(weir_json_object(&turbulence, "an object such as {\"model\": \"smagorinsky\"}"));
    t->present = true;
    int choice = WEIR_SMAGORINSKY;
    if (weir_json_present(&model))
        WEIR_TRY(weir_key_read(&model, &weir_turbulence_keys[MODEL], &c->units, &choice));
    t->model = (enum weir_turbulence_model)choice;
    t->constant = weir_turbulence_rows[choice].constant;
    if (weir_turbulence_rows[choice].in_space && weir_lattice_dimensions(c->problem.lattice) == 2)
        return weir_json_fail(&model, "\"%s\" does nothing in two dimensions; choose \"smagorinsky\"",
                              weir_turbulence_names[choice]);
    const struct weir_collision_row *collision = weir_collision_row(c->problem.collision);
    if (collision->without_eddies)
        return weir_json_fail(&turbulence, "cannot go with %s: %s", collision->name,
                              collision->without_eddies);
    if (c->problem.lattice == WEIR_D3Q13)
        return weir_json_fail(&turbulence,
                              "eddies need a stress that relaxes at one rate, which is not so on "
                              "lattice D3Q13; choose D3Q15 or D3Q19");
    return weir_keys_read(&turbulence, weir_turbulence_keys, &c->units, t);
}
