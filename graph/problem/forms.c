#include "graph/problem/forms.h"

#include "graph/problem/fluid_estimate.h"
#include "graph/problem/geometry.h"

#include <math.h>

enum weir_cell_kind weir_block_kind(const struct weir_problem *problem, const struct weir_box *box,
                                    double fluid) {
    return problem->list_up_to > 0 && fluid <= problem->list_up_to * (double)weir_box_cells(box) ? WEIR_LIST
                                                                                                 : WEIR_BRICK;
}

struct weir_block_form weir_block_form(const struct weir_problem *problem, const struct weir_box *box) {
    if (problem->list_up_to <= 0)
        return weir_brick_form(box);
    const double fluid = weir_fluid_estimate(problem, box, weir_fluid_sample_distance(problem));
    return (struct weir_block_form){*box, weir_kept_cells(weir_block_kind(problem, box, fluid),
                                                          weir_box_cells(box), (int64_t)ceil(fluid))};
}

int weir_block_form_count(const struct weir_problem *problem, const struct weir_box *box,
                          struct weir_block_form *form) {
    *form = weir_block_form(problem, box);
    if (form->kept.kind == WEIR_BRICK)
        return 0;
    const int64_t fluid = weir_geometry_count(problem, box);
    if (fluid < 0)
        return (int)fluid;
    form->kept = weir_kept_cells(form->kept.kind, weir_box_cells(box), fluid);
    return 0;
}
