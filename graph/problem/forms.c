#include "graph/problem/forms.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/geometry.h"
#include "graph/problem/links.h"

#include <math.h>

/* Up to which share of fluid blocks are stepped faster as lists (docs/measured/2026-11-23-lists-tables.md,
 * 2026-11-23-lists-by-default.md). In half precision that is for CPUs that have no vectors of 512 bits; GPUs
 * have not been asked. */
static double faster_up_to(enum weir_precision precision) {
    return precision == WEIR_HALF ? 0.5 : 0.9;
}

double weir_fastest_list_up_to(const struct weir_problem *problem, bool gpus) {
    const struct weir_box all = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}};
    if (problem->shape_count == 0 || problem->extend || problem->phases.present || problem->surface.present ||
        weir_problem_mirrors(problem) || weir_precision_row(problem->precision)->moments ||
        weir_lattice_table((int)problem->lattice)->reach > 1 ||
        (weir_lattice_dimensions(problem->lattice) == 2 && !gpus))
        return 0;
    const double fluid = weir_fluid_estimate(problem, &all, weir_fluid_share_distance(problem));
    const double most = faster_up_to(problem->precision);
    return fluid <= most * (double)weir_box_cells(&all) ? most : 0;
}

enum weir_cell_kind weir_block_kind(const struct weir_problem *problem, const struct weir_box *box,
                                    double fluid) {
    return problem->list_up_to > 0 && fluid <= problem->list_up_to * (double)weir_box_cells(box) ? WEIR_LIST
                                                                                                 : WEIR_BRICK;
}

/* With the kind of cells, and as many of them as may be needed; without links. */
static struct weir_block_form form_without_links(const struct weir_problem *problem,
                                                 const struct weir_box *box) {
    struct weir_block_form form = weir_brick_form(box);
    if (problem->list_up_to <= 0)
        return form;
    const double fluid = weir_fluid_estimate(problem, box, weir_fluid_sample_distance(problem));
    form.kept =
        weir_kept_cells(weir_block_kind(problem, box, fluid), weir_box_cells(box), (int64_t)ceil(fluid));
    return form;
}

struct weir_block_form weir_block_form(const struct weir_problem *problem, const struct weir_box *box) {
    struct weir_block_form form = form_without_links(problem, box);
    form.links = weir_links_estimate(problem, box);
    return form;
}

int weir_block_form_count(const struct weir_problem *problem, const struct weir_box *box,
                          struct weir_block_form *form) {
    *form = form_without_links(problem, box);
    const int error = weir_links_count(problem, box, &form->links);
    if (error < 0)
        return error;
    if (form->kept.kind == WEIR_BRICK)
        return 0;
    const int64_t fluid = weir_geometry_count(problem, box);
    if (fluid < 0)
        return (int)fluid;
    form->kept = weir_kept_cells(form->kept.kind, weir_box_cells(box), fluid);
    return 0;
}
