/* The stages of the flow, of its phases, of its gradients and of its free surface: their kernels, as stages
 * are called. */
#include "codelets/kernels/stage.h"

#include "codelets/kernels/demand/launches.h"

static void collide_stream_on_cpu(const struct weir_stage_view *view, int parity, int row_begin,
                                  int row_end) {
    view->kernels->cpu.collide_stream(&view->block, view->fluid, parity, row_begin, row_end);
}

/* The step to come has the other parity. */
static void pseudopotential_on_cpu(const struct weir_stage_view *view, int parity, int row_begin,
                                   int row_end) {
    view->kernels->cpu.pseudopotential(&view->block, view->fluid, 1 - parity, row_begin, row_end,
                                       view->channel[WEIR_PSEUDOPOTENTIAL_CHANNEL].outgoing);
}

static void velocity_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    view->kernels->cpu.velocity_field(&view->block, view->fluid, 1 - parity, row_begin, row_end,
                                      view->kept[WEIR_VELOCITY_FIELD],
                                      view->channel[WEIR_VELOCITY_CHANNEL].outgoing);
}

static void gradient_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    (void)parity;
    view->kernels->cpu.velocity_gradient(&view->block, view->fluid, row_begin, row_end,
                                         view->kept[WEIR_VELOCITY_FIELD],
                                         view->channel[WEIR_VELOCITY_CHANNEL].incoming);
}

static struct weir_surface_view surface_of(const struct weir_stage_view *view) {
    struct weir_surface_view surface = {.states = view->kept[WEIR_SURFACE_STATES],
                                        .shares = view->kept[WEIR_SURFACE_SHARES],
                                        .levels = view->kept[WEIR_SURFACE_LEVELS],
                                        .rows = view->kept[WEIR_SURFACE_ROWS],
                                        .prepares = view->prepares,
                                        .tension = view->fluid->tension,
                                        .gas_labels = view->kept[WEIR_GAS_LABELS],
                                        .gas_table = view->kept[WEIR_GAS_TABLE],
                                        .atmosphere = view->fluid->atmosphere};
    for (int offset = 0; offset < WEIR_NEIGHBOURS; offset++) {
        surface.states_beside[offset] = view->channel[WEIR_SURFACE_STATES_CHANNEL].incoming[offset];
        surface.levels_beside[offset] = view->channel[WEIR_SURFACE_LEVELS_CHANNEL].incoming[offset];
        surface.labels_beside[offset] = view->channel[WEIR_GAS_LABELS_CHANNEL].incoming[offset];
    }
    for (int face = 0; face < WEIR_FACES; face++) {
        surface.give_states[face] = view->channel[WEIR_SURFACE_STATES_CHANNEL].outgoing[face];
        surface.give_levels[face] = view->channel[WEIR_SURFACE_LEVELS_CHANNEL].outgoing[face];
        surface.give_labels[face] = view->channel[WEIR_GAS_LABELS_CHANNEL].outgoing[face];
    }
    return surface;
}

static void surface_mass_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    if (!view->prepares) /* else messages are there, and nobody looks at them */
        view->kernels->cpu.surface_mass(&view->block, &surface, parity, row_begin, row_end);
}

static void surface_cells_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    view->kernels->cpu.surface_cells(&view->block, &surface, parity, row_begin, row_end);
}

static void surface_flags_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    view->kernels->cpu.surface_flags(&view->block, &surface, parity, row_begin, row_end);
}

static void gas_pieces_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    view->kernels->cpu.gas_pieces(&view->block, &surface, parity, row_begin, row_end);
}

static void gas_links_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    view->kernels->cpu.gas_links(&view->block, &surface, parity, row_begin, row_end);
}

static void gas_spread_on_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const struct weir_surface_view surface = surface_of(view);
    view->kernels->cpu.gas_spread(&view->block, &surface, parity, row_begin, row_end);
}

#if WEIR_WITH_CUDA
static int collide_stream_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    return weir_launch_collide_stream(view->kernels, &view->block, view->fluid, parity, stream);
}

static int pseudopotential_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    return weir_launch_pseudopotential(view->kernels, &view->block, view->fluid, 1 - parity,
                                       view->channel[WEIR_PSEUDOPOTENTIAL_CHANNEL].outgoing, stream);
}

static int velocity_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    return weir_launch_velocity_field(view->kernels, &view->block, view->fluid, 1 - parity,
                                      view->kept[WEIR_VELOCITY_FIELD],
                                      view->channel[WEIR_VELOCITY_CHANNEL].outgoing, stream);
}

static int gradient_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    (void)parity;
    return weir_launch_velocity_gradient(view->kernels, &view->block, view->fluid,
                                         view->kept[WEIR_VELOCITY_FIELD],
                                         view->channel[WEIR_VELOCITY_CHANNEL].incoming, stream);
}

static int surface_mass_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    const struct weir_surface_view surface = surface_of(view);
    return view->prepares ? 0
                          : weir_launch_surface_mass(view->kernels, &view->block, &surface, parity, stream);
}

static int surface_cells_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    const struct weir_surface_view surface = surface_of(view);
    (void)parity;
    return weir_launch_surface_cells(view->kernels, &view->block, &surface, stream);
}

static int surface_flags_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    const struct weir_surface_view surface = surface_of(view);
    (void)parity;
    return weir_launch_surface_flags(view->kernels, &view->block, &surface, stream);
}

static int gas_spread_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    const struct weir_surface_view surface = surface_of(view);
    (void)parity;
    return weir_launch_gas_spread(view->kernels, &view->block, &surface, stream);
}
#else
#define collide_stream_on_cuda NULL
#define pseudopotential_on_cuda NULL
#define velocity_on_cuda NULL
#define gradient_on_cuda NULL
#define surface_mass_on_cuda NULL
#define surface_cells_on_cuda NULL
#define surface_flags_on_cuda NULL
#define gas_spread_on_cuda NULL
#endif

const struct weir_stage weir_collide_stream_stage = {
    .name = "collide_stream",
    .access = {.updates = 1u << WEIR_FLOW, .reads = 1u << WEIR_GEOMETRY, .takes = 1, .gives = 1},
    .cpu = collide_stream_on_cpu,
    .cuda = collide_stream_on_cuda,
    .any_cells = true};

/* From the populations that arrive for the next step, which the neighbours have just sent. Which field it
 * fills the model says. */
const struct weir_stage weir_pseudopotential_stage = {
    .name = "pseudopotential",
    .access = {.reads = 1u << WEIR_FLOW | 1u << WEIR_GEOMETRY,
               .takes_now = 1,
               .gives = 1u << WEIR_PSEUDOPOTENTIAL_CHANNEL},
    .cpu = pseudopotential_on_cpu,
    .cuda = pseudopotential_on_cuda,
    .prepares = true};

const struct weir_stage weir_velocity_stage = {.name = "velocity_field",
                                               .access = {.reads = 1u << WEIR_FLOW | 1u << WEIR_GEOMETRY,
                                                          .fills = 1u << WEIR_VELOCITY_FIELD,
                                                          .takes_now = 1,
                                                          .gives = 1u << WEIR_VELOCITY_CHANNEL,
                                                          .ahead = true},
                                               .cpu = velocity_on_cpu,
                                               .cuda = velocity_on_cuda,
                                               .prepares = true,
                                               .any_cells = true};

const struct weir_stage weir_gradient_stage = {
    .name = "velocity_gradient",
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_VELOCITY_FIELD,
               .updates = 1u << WEIR_FURTHER_SET,
               .takes_now = 1u << WEIR_VELOCITY_CHANNEL,
               .ahead = true},
    .cpu = gradient_on_cpu,
    .cuda = gradient_on_cuda,
    .prepares = true,
    .any_cells = true};

/* Of what the neighbours have just sent. */
const struct weir_stage weir_surface_mass_stage = {
    .name = "surface_mass",
    .steps = WEIR_EVEN_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_SURFACE_LEVELS,
               .updates = 1u << WEIR_FLOW | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_ROWS,
               .takes_now = 1},
    .cpu = surface_mass_on_cpu,
    .cuda = surface_mass_on_cuda};

/* The same, and it is taken out of their messages: what arrives at a cell lies in its own slots then. */
const struct weir_stage weir_surface_states_stage = {
    .name = "surface_states",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_SURFACE_LEVELS,
               .updates = 1u << WEIR_FLOW | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_STATES |
                          1u << WEIR_SURFACE_ROWS,
               .takes_now = 1,
               .gives = 1u << WEIR_SURFACE_STATES_CHANNEL},
    .cpu = surface_mass_on_cpu,
    .cuda = surface_mass_on_cuda,
    .prepares = true};

const struct weir_stage weir_surface_cells_stage = {
    .name = "surface_cells",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_SURFACE_STATES | 1u << WEIR_SURFACE_ROWS,
               .updates = 1u << WEIR_FLOW | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_SHARES,
               .takes_now = 1u << WEIR_SURFACE_STATES_CHANNEL,
               .gives = 1u << WEIR_SURFACE_LEVELS_CHANNEL},
    .cpu = surface_cells_on_cpu,
    .cuda = surface_cells_on_cuda,
    .prepares = true};

const struct weir_stage weir_surface_flags_stage = {
    .name = "surface_flags",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_SURFACE_STATES | 1u << WEIR_SURFACE_SHARES,
               .updates = 1u << WEIR_GEOMETRY | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_LEVELS |
                          1u << WEIR_SURFACE_ROWS,
               .takes_now = 1u << WEIR_SURFACE_LEVELS_CHANNEL},
    .cpu = surface_flags_on_cpu,
    .cuda = surface_flags_on_cuda,
    .prepares = true};

/* On GPUs, too, cores find pieces of gas: these few kilobytes per block and what they look at come and go. */
const struct weir_stage weir_gas_pieces_stage = {
    .name = "gas_pieces",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_LEVELS,
               .fills = 1u << WEIR_GAS_LABELS | 1u << WEIR_GAS_TABLE,
               .gives = 1u << WEIR_GAS_LABELS_CHANNEL},
    .cpu = gas_pieces_on_cpu,
    .prepares = true,
    .on_cores = true};

const struct weir_stage weir_gas_links_stage = {
    .name = "gas_links",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_FURTHER_SET | 1u << WEIR_SURFACE_LEVELS |
                        1u << WEIR_SURFACE_ROWS,
               .updates = 1u << WEIR_GAS_LABELS | 1u << WEIR_GAS_TABLE,
               .takes_now = 1u << WEIR_GAS_LABELS_CHANNEL},
    .cpu = gas_links_on_cpu,
    .prepares = true,
    .on_cores = true};

const struct weir_stage weir_gas_spread_stage = {
    .name = "gas_spread",
    .steps = WEIR_ODD_STEPS,
    .access = {.reads = 1u << WEIR_GEOMETRY | 1u << WEIR_GAS_LABELS | 1u << WEIR_GAS_TABLE,
               .updates = 1u << WEIR_FURTHER_SET},
    .cpu = gas_spread_on_cpu,
    .cuda = gas_spread_on_cuda,
    .joins_gas = true};

const struct weir_access weir_observe_flow = {.reads = 1u << WEIR_FLOW | 1u << WEIR_GEOMETRY, .takes = 1};
