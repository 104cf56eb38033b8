#include "graph/problem/problem_kernels.h"

#include "codelets/kernels/collision/collisions.h"
#include "graph/base/error.h"
#include "graph/problem/links.h"

int weir_fail_for_kernels(const struct weir_kernel_news *news) {
    return weir_fail((enum weir_error_code)news->code, "%s", news->error);
}

struct weir_kernel_specification weir_problem_specification(const struct weir_problem *problem,
                                                            enum weir_cell_kind kind) {
    struct weir_kernel_specification s =
        weir_kernel_specification(problem->lattice, problem->collision, problem->precision);
    const struct weir_collision_row *collision = weir_collision_row(problem->collision);
    if (collision->all_moments && collision->all_moments(problem->parameters))
        weir_define(&s.more, "WEIR_ALL_MOMENTS", "1");
    if (weir_problem_is_forced(problem))
        weir_define(&s.more, "WEIR_FORCED", "1");
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (weir_wall_is_counted(&problem->walls[wall]))
            weir_define(&s.more, "WEIR_OPEN", "1");
    if (weir_problem_has_links(problem))
        weir_define(&s.more, "WEIR_LINKS", "1");
    if (weir_problem_mirrors(problem))
        weir_define(&s.more, "WEIR_MIRRORS", "1");
    if (weir_problem_is_wet(problem))
        weir_define(&s.more, "WEIR_WET", "1");
    if (weir_problem_carries_out(problem))
        weir_define(&s.more, "WEIR_CONVECTIVE", "1");
    if (problem->scalar.present)
        weir_define(&s.more, "WEIR_SCALAR", "%s",
                    weir_lattice_table((int)weir_scalar_lattice(problem))->name);
    if (problem->scalar.sources)
        weir_define(&s.more, "WEIR_SOURCE", "1");
    if (problem->conductor_count > 0)
        weir_define(&s.more, "WEIR_CONDUCTORS", "1");
    if (weir_problem_is_buoyant(problem))
        weir_define(&s.more, "WEIR_BUOYANCY", "1");
    if (problem->phases.present)
        weir_define(&s.more, "WEIR_PHASES", "1");
    if (weir_phases_are_components(&problem->phases))
        weir_define(&s.more, "WEIR_COMPONENTS", "1");
    if (problem->surface.present)
        weir_define(&s.more, "WEIR_SURFACE", "1");
    if (problem->surface.present && problem->surface.tension > 0)
        weir_define(&s.more, "WEIR_TENSION", "1");
    if (problem->surface.bubbles)
        weir_define(&s.more, "WEIR_BUBBLES", "1");
    if (problem->equilibrium != WEIR_COMPRESSIBLE)
        weir_define(&s.more, "WEIR_EQUILIBRIUM", "%s", weir_equilibrium_names[problem->equilibrium]);
    if (problem->turbulence.present)
        weir_define(&s.more, "WEIR_TURBULENCE", "%s", weir_turbulence_names[problem->turbulence.model]);
    if (weir_problem_gradient_values(problem) > 0)
        weir_define(&s.more, "WEIR_GRADIENTS", "1");
    if (weir_problem_keeps_eddies(problem))
        weir_define(&s.more, "WEIR_KEPT_EDDIES", "1");
    if (weir_problem_keeps_strain(problem))
        weir_define(&s.more, "WEIR_KEPT_STRAIN", "1");
    if (kind != WEIR_BRICK) /* which texts are of by themselves */
        weir_define(&s.more, "WEIR_CELLS", "%s", weir_cell_kinds[kind].name);
    return s;
}

int weir_problem_kernels(const struct weir_problem *problem, enum weir_cell_kind kind, unsigned where,
                         const struct weir_kernels **kernels) {
    const struct weir_kernel_specification specification = weir_problem_specification(problem, kind);
    struct weir_kernel_news news;
    *kernels = weir_kernels_find(&specification, where, &news);
    return *kernels ? 0 : weir_fail_for_kernels(&news);
}

int weir_problem_kernels_choice(const struct weir_problem *problem, enum weir_cell_kind kind, int choice,
                                const struct weir_kernels **kernels) {
    const struct weir_kernel_specification specification = weir_problem_specification(problem, kind);
    struct weir_kernel_news news;
    *kernels = weir_kernels_choice(&specification, choice, &news);
    return *kernels ? 0 : weir_fail_for_kernels(&news);
}
