#include "graph/problem/model.h"

#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/specification.h"
#include "codelets/kernels/gas_table.h"
#include "codelets/kernels/kernels.h"
#include "graph/problem/boundaries.h"
#include "graph/problem/problem.h"

#include <string.h>

static int keep(struct weir_model *model, const struct weir_kept *kept) {
    model->kept[model->kept_count] = *kept;
    return model->kept_count++;
}

int weir_model_add_set(struct weir_model *model, const char *name, const struct weir_lattice_table *lattice,
                       size_t value_size) {
    return keep(model,
                &(struct weir_kept){
                    .name = name, .kind = WEIR_KEPT_SET, .lattice = lattice, .value_size = value_size});
}

int weir_model_add_field(struct weir_model *model, const char *name, int components, size_t value_size) {
    return keep(model, &(struct weir_kept){.name = name,
                                           .kind = WEIR_KEPT_FIELD,
                                           .components = components,
                                           .value_size = value_size});
}

int weir_model_add_channel(struct weir_model *model, size_t value_size) {
    model->channel[model->channel_count].value_size = value_size;
    return model->channel_count++;
}

int weir_model_add_stage(struct weir_model *model, const struct weir_stage *stage) {
    model->stage[model->stage_count] = *stage;
    return model->stage_count++;
}

/* What the flow's kernels advance beside it: the scalar's populations, which travel in the flow's messages,
 * with its source, and what follows from the velocity's gradient, which stay where they are. */
static int add_further(struct weir_model *model, const char *name) {
    const struct weir_problem *problem = model->problem;
    const struct weir_lattice_table *lattice =
        weir_resting_table(weir_lattice_dimensions(problem->lattice), problem->scalar.present,
                           weir_problem_resting_values(problem));
    const int number =
        weir_model_add_set(model, name, lattice, weir_precision_row(problem->precision)->stored_bytes);
    model->kept[number].with_flow = true;
    weir_message_add_set(&model->channel[0].layout, number, lattice);
    return number;
}

/* The velocity of which that gradient is, in a channel of its own. */
static void add_velocity(struct weir_model *model) {
    const int dimensions = weir_lattice_dimensions(model->problem->lattice);
    weir_model_add_field(model, "velocity", dimensions, model->real_size);
    weir_model_add_channel(model, model->real_size);
    weir_message_add_field(&model->channel[WEIR_VELOCITY_CHANNEL].layout, WEIR_VELOCITY_FIELD, dimensions, 1,
                           dimensions);
}

/* What cells attract by, or the densities of two components, in a channel of its own. */
static int add_pseudopotential(struct weir_model *model) {
    const int values = 1 + weir_phases_are_components(&model->problem->phases);
    const int number = weir_model_add_field(model, WEIR_POTENTIALS, values, model->real_size);
    weir_model_add_channel(model, model->real_size);
    weir_message_add_field(&model->channel[WEIR_PSEUDOPOTENTIAL_CHANNEL].layout, number, values, 1,
                           weir_lattice_dimensions(model->problem->lattice));
    return number;
}

/* The filling of cells with a free surface, and what they tell each other: what they are to become, in one
 * channel, and what they have become, in another. */
static int add_surface(struct weir_model *model) {
    const int dimensions = weir_lattice_dimensions(model->problem->lattice);
    const struct weir_surface *const surface = &model->problem->surface;
    const int number = weir_model_add_set(
        model, "filling", weir_filling_table(dimensions, surface->tension > 0, surface->bubbles),
        model->real_size);
    model->kept[number].with_flow = true;
    weir_model_add_field(model, "surface states", WEIR_SURFACE_STATE_VALUES, model->real_size);
    weir_model_add_field(model, "surface shares", 1, model->real_size);
    keep(model, &(struct weir_kept){.name = "surface levels",
                                    .kind = WEIR_KEPT_RINGED,
                                    .components = 1,
                                    .value_size = model->real_size});
    keep(model, &(struct weir_kept){.name = "surface rows", .kind = WEIR_KEPT_ROWS});
    struct weir_message_layout *const states =
        &model->channel[weir_model_add_channel(model, model->real_size)].layout;
    struct weir_message_layout *const levels =
        &model->channel[weir_model_add_channel(model, model->real_size)].layout;
    weir_message_add_field(states, WEIR_SURFACE_STATES, WEIR_SURFACE_STATE_VALUES, 1, dimensions);
    weir_message_add_field(levels, WEIR_SURFACE_LEVELS, 1, 1, dimensions);
    weir_message_add_field(levels, WEIR_SURFACE_SHARES, 1, 1, dimensions);
    if (surface->bubbles) {
        weir_model_add_field(model, "gas labels", 1, sizeof(int32_t));
        keep(model, &(struct weir_kept){.name = "gas table", .kind = WEIR_KEPT_GAS});
        weir_message_add_field(&model->channel[weir_model_add_channel(model, model->real_size)].layout,
                               WEIR_GAS_LABELS, 1, 1, dimensions);
    }
    return number;
}

void weir_model_make(const struct weir_problem *problem, bool steady, struct weir_model *model) {
    const size_t stored_size = weir_precision_row(problem->precision)->stored_bytes;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice),
                                    *set = weir_problem_flow_set(problem);
    *model = (struct weir_model){.problem = problem,
                                 .real_size = weir_precision_row(problem->precision)->real_bytes};
    weir_model_add_set(model, set == lattice ? "flow" : set->name, set, stored_size);
    keep(model, &(struct weir_kept){.name = "geometry", .kind = WEIR_KEPT_GEOMETRY});
    weir_model_add_channel(model, stored_size);
    /* There is room for any lattice: tests/unit/kernels/test_message.c. */
    weir_message_add_set(&model->channel[0].layout, WEIR_FLOW, lattice);
    struct weir_stage step = weir_collide_stream_stage, attract = weir_pseudopotential_stage;
    if (set != lattice) /* of moments */
        step.any_cells = false;
    const bool gradients = weir_problem_gradient_values(problem) > 0;
    if (problem->scalar.present || gradients)
        step.access.updates |= 1u << add_further(model, problem->scalar.present ? "scalar" : "gradients");
    if (gradients)
        add_velocity(model);
    if (problem->phases.present) {
        attract.access.reads |= weir_model_with_flow(model); /* the second of two components */
        attract.access.fills |= 1u << add_pseudopotential(model);
        step.access.reads |= attract.access.fills;
        step.access.takes |= attract.access.gives;
    }
    if (problem->surface.present)
        step.access.updates |= 1u << add_surface(model);
    if (weir_problem_mirrors(problem))
        weir_message_mirror(&model->channel[0].layout);
    weir_model_add_stage(model, &step);
    if (problem->phases.present)
        weir_model_add_stage(model, &attract);
    if (gradients) {
        weir_model_add_stage(model, &weir_velocity_stage);
        weir_model_add_stage(model, &weir_gradient_stage);
    }
    if (problem->surface.present) {
        weir_model_add_stage(model, &weir_surface_mass_stage);
        weir_model_add_stage(model, &weir_surface_states_stage);
        weir_model_add_stage(model, &weir_surface_cells_stage);
        weir_model_add_stage(model, &weir_surface_flags_stage);
    }
    if (problem->surface.bubbles) {
        weir_model_add_stage(model, &weir_gas_pieces_stage);
        weir_model_add_stage(model, &weir_gas_links_stage);
        weir_model_add_stage(model, &weir_gas_spread_stage);
    }
    for (int parity = 0; parity < 2 && weir_problem_varies(problem, 0); parity++)
        keep(model, &(struct weir_kept){.name = "boundary values", .kind = WEIR_KEPT_VARYING});
    if (problem->extend)
        problem->extend(problem, model);
    if (steady) /* last, so that numbers do not depend on it; floats whatever the precision */
        weir_model_add_field(model, WEIR_LAST_VELOCITY, 3, sizeof(float));
    for (int k = 0; k < problem->time_sums; k++)
        weir_model_add_field(model, WEIR_TIME_SUMS, weir_problem_time_sums(problem), sizeof(double));
}

int weir_model_find(const struct weir_model *model, const char *name) {
    for (int number = 0; number < model->kept_count; number++)
        if (strcmp(model->kept[number].name, name) == 0)
            return number;
    return -1;
}

int weir_model_time_sums(const struct weir_model *model, int which) {
    return weir_model_find(model, WEIR_TIME_SUMS) + which;
}

int weir_model_varying(const struct weir_model *model) {
    for (int number = 0; number < model->kept_count; number++)
        if (model->kept[number].kind == WEIR_KEPT_VARYING)
            return number;
    return -1;
}

uint32_t weir_model_with_flow(const struct weir_model *model) {
    uint32_t sets = 0;
    for (int number = 0; number < model->kept_count; number++)
        sets |= (uint32_t)model->kept[number].with_flow << number;
    return sets;
}

static uint32_t all_kept(const struct weir_access *access) {
    return access->reads | access->updates | access->fills;
}

static int bits(uint32_t set) {
    return __builtin_popcount(set);
}

/* Bits of the channels that stages give in steps of one parity. */
static uint32_t given_in_steps(const struct weir_model *model, int parity) {
    uint32_t given = 0;
    for (int k = 0; k < model->stage_count; k++)
        given |= weir_stage_is_taken(&model->stage[k], parity) ? model->stage[k].access.gives : 0;
    return given;
}

/* In how many of two steps a stage is taken. */
static int stage_uses(const struct weir_stage *stage) {
    return weir_stage_is_taken(stage, 0) + weir_stage_is_taken(stage, 1);
}

/* Of the stages of steps of one parity. */
static const char *mistake_in_steps(const struct weir_model *model, int parity) {
    uint32_t given = 0;
    for (int k = 0; k < model->stage_count; k++) {
        const struct weir_access *a = &model->stage[k].access;
        if (!weir_stage_is_taken(&model->stage[k], parity))
            continue;
        if (all_kept(a) >> model->kept_count || (a->takes | a->takes_now | a->gives) >> model->channel_count)
            return "a stage needs data or channels that the model does not have";
        if (bits(a->reads) + bits(a->updates) + bits(a->fills) != bits(all_kept(a)))
            return "a stage needs the same data twice";
        if (a->takes_now & ~given)
            return "a stage takes now what no stage before it gave";
        if (a->gives & given)
            return "two stages give in the same channel";
        if (a->gives_last)
            return "a stage gives for the last step";
        if (model->problem->list_up_to > 0 && !model->stage[k].any_cells)
            return "a stage takes bricks only, and blocks.list_up_to asks for lists";
        if (a->takes & ~given_in_steps(model, 1 - parity))
            return "a stage takes what none gives";
        given |= a->gives;
    }
    return NULL;
}

const char *weir_model_mistake(const struct weir_model *model) {
    for (int parity = 0; parity < 2; parity++) {
        const char *const mistake = mistake_in_steps(model, parity);
        if (mistake)
            return mistake;
    }
    for (int channel = 0; channel < model->channel_count; channel++) {
        const size_t size = model->channel[channel].value_size;
        if (size != 2 && size != 4 && size != 8)
            return "the values of a channel do not have 2, 4 or 8 bytes";
    }
    return NULL;
}

/* What the first stage to have it in steps of one parity does with kept data: fills it; reads it; 0: there is
 * no such stage. */
enum first_use { UNUSED, FILLED, READ };
static enum first_use first_use(const struct weir_model *model, int number, int parity) {
    for (int k = 0; k < model->stage_count; k++)
        if (weir_stage_is_taken(&model->stage[k], parity) && all_kept(&model->stage[k].access) >> number & 1)
            return model->stage[k].access.fills >> number & 1 ? FILLED : READ;
    return UNUSED;
}

bool weir_model_remembers(const struct weir_model *model, int number) {
    const enum first_use even = first_use(model, number, 0), odd = first_use(model, number, 1);
    return even == READ || odd == READ || (even == UNUSED && odd == UNUSED);
}

int weir_model_stages_of_pair(const struct weir_model *model) {
    int count = 0;
    for (int k = 0; k < model->stage_count; k++)
        count += stage_uses(&model->stage[k]);
    return count;
}

int weir_model_last_stage(const struct weir_model *model, int parity) {
    int last = 0;
    for (int k = 0; k < model->stage_count; k++)
        last = weir_stage_is_taken(&model->stage[k], parity) ? k : last;
    return last;
}

int weir_model_channel_uses(const struct weir_model *model, int channel) {
    return (int)(given_in_steps(model, 0) >> channel & 1) + (int)(given_in_steps(model, 1) >> channel & 1);
}

uint32_t weir_model_lasting_channels(const struct weir_model *model) {
    uint32_t channels = 0;
    for (int k = 0; k < model->stage_count; k++)
        channels |= model->stage[k].access.takes;
    return channels;
}

size_t weir_model_kept_bytes(const struct weir_model *model, int number,
                             const struct weir_block_form *block) {
    const struct weir_kept *kept = &model->kept[number];
    if (number == WEIR_FLOW) /* and what open boundaries keep of it */
        return weir_boundaries_layout(model->problem, block).populations_bytes;
    if (number == WEIR_GEOMETRY)
        return weir_boundaries_layout(model->problem, block).geometry_bytes;
    if (kept->kind == WEIR_KEPT_VARYING)
        return weir_boundaries_layout(model->problem, block).varying_bytes;
    if (kept->kind == WEIR_KEPT_SET)
        return weir_layout_populations_bytes(kept->lattice, &block->kept, kept->value_size);
    if (kept->kind == WEIR_KEPT_RINGED)
        return weir_layout_ringed_cells(weir_lattice_table((int)model->problem->lattice), block->box.extent) *
               (size_t)kept->components * kept->value_size;
    if (kept->kind == WEIR_KEPT_ROWS)
        return weir_surface_rows_bytes(block->box.extent);
    if (kept->kind == WEIR_KEPT_GAS)
        return sizeof(struct weir_gas_table);
    return (size_t)block->kept.count * (size_t)kept->components * kept->value_size;
}

size_t weir_model_message_bytes(const struct weir_model *model, int channel, const int extent[3], int axis) {
    return weir_message_bytes(&model->channel[channel].layout, extent, axis,
                              model->channel[channel].value_size);
}

int64_t weir_model_crossing_bytes(const struct weir_model *model, const int extent[3],
                                  struct weir_offset offset) {
    int64_t of_pair = 0;
    for (int channel = 0; channel < model->channel_count; channel++)
        of_pair += weir_message_crossing(&model->channel[channel].layout, extent, offset) *
                   (int64_t)model->channel[channel].value_size * weir_model_channel_uses(model, channel);
    return (of_pair + 1) / 2;
}

int weir_model_data(const struct weir_model *model, const struct weir_block_form *block, unsigned open,
                    struct weir_datum data[WEIR_DATA_MAX]) {
    int count = 0;
    for (int number = 0; number < model->kept_count; number++)
        data[count++] = (struct weir_datum){.bytes = weir_model_kept_bytes(model, number, block),
                                            .number = (int8_t)number};
    for (int channel = 0; channel < model->channel_count; channel++)
        for (int face = 0; face < WEIR_FACES; face++) {
            const size_t bytes = weir_model_message_bytes(model, channel, block->box.extent, face / 2);
            for (int parity = 0; parity < 2 && bytes > 0 && open >> face & 1; parity++)
                data[count++] = (struct weir_datum){.bytes = bytes,
                                                    .message = true,
                                                    .number = (int8_t)channel,
                                                    .face = (int8_t)face,
                                                    .parity = (int8_t)parity};
        }
    return count;
}

/* Of kept data, per cell. */
static double cell_bytes(const struct weir_kept *kept) {
    const int values = kept->kind == WEIR_KEPT_SET ? kept->lattice->populations : kept->components;
    return kept->kind == WEIR_KEPT_GEOMETRY                              ? 1
           : kept->kind == WEIR_KEPT_ROWS || kept->kind == WEIR_KEPT_GAS ? 0
                                                                         : values * (double)kept->value_size;
}

bool weir_model_is_saved(const struct weir_model *model, int number) {
    return model->kept[number].kind == WEIR_KEPT_SET &&
           (number == WEIR_FLOW || model->kept[number].with_flow);
}

size_t weir_model_cell_bytes(const struct weir_model *model) {
    size_t bytes = 0;
    for (int number = 0; number < model->kept_count; number++)
        if (weir_model_is_saved(model, number))
            bytes += (size_t)model->kept[number].lattice->populations * model->kept[number].value_size;
    return bytes;
}

double weir_model_set_bytes(const struct weir_model *model) {
    double bytes = 0;
    for (int number = 0; number < model->kept_count; number++)
        bytes += model->kept[number].kind == WEIR_KEPT_SET ? cell_bytes(&model->kept[number]) : 0;
    /* Up to twice in memory, and a step touches both copies. */
    if (weir_precision_row(model->problem->precision)->moments)
        bytes += cell_bytes(&model->kept[WEIR_FLOW]);
    return bytes;
}

double weir_bytes_per_update(const struct weir_problem *problem) {
    struct weir_model model;
    double bytes = 0;
    weir_model_make(problem, false, &model);
    for (int k = 0; k < model.stage_count; k++)
        for (int number = 0; number < model.kept_count; number++) {
            const struct weir_access *a = &model.stage[k].access;
            const int times = a->updates >> number & 1 ? 2 : (int)((a->reads | a->fills) >> number & 1);
            bytes += 0.5 * stage_uses(&model.stage[k]) * times * cell_bytes(&model.kept[number]);
        }
    return bytes;
}
