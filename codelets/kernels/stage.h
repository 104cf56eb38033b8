/* The stages of a step as data: which of a block's data a task reads and writes, which messages it takes and
 * gives, and the functions that do it. A step of a model is a list of stages, each one task per block
 * (graph/problem/model.h); who makes tasks of them knows nothing else of them. */
#ifndef WEIR_KERNELS_STAGE_H
#define WEIR_KERNELS_STAGE_H

#include "codelets/kernels/cells/block_view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a block keeps from step to step has numbers, as its model gives them; these two are the same in all.
 */
enum { WEIR_FLOW /* populations of the first set */, WEIR_GEOMETRY, WEIR_FIRST_FURTHER_DATUM };

/* Number of what the flow's kernels advance beside it, in models that have it: a scalar's populations, the
 * filling of cells with a free surface, or what follows from the gradient of the velocity, alone or behind a
 * scalar. The velocity of which it follows comes next, and is told in a channel of its own, as is what cells
 * of a fluid with phases attract by, behind a scalar where there is one. */
enum { WEIR_FURTHER_SET = WEIR_FIRST_FURTHER_DATUM, WEIR_VELOCITY_FIELD };
enum { WEIR_PSEUDOPOTENTIAL_CHANNEL = 1, WEIR_VELOCITY_CHANNEL = WEIR_PSEUDOPOTENTIAL_CHANNEL };

/* The same of models with a free surface, whose further set are masses and levels. */
enum { WEIR_SURFACE_STATE_VALUES = 5 }; /* of a cell (boundary/free_surface.h) */
enum {
    WEIR_SURFACE_STATES = WEIR_FURTHER_SET + 1,
    WEIR_SURFACE_SHARES,
    WEIR_SURFACE_LEVELS,
    WEIR_SURFACE_ROWS,
    WEIR_GAS_LABELS, /* these two where gas that is enclosed has a pressure of its own */
    WEIR_GAS_TABLE
};
enum { WEIR_SURFACE_STATES_CHANNEL = 1, WEIR_SURFACE_LEVELS_CHANNEL, WEIR_GAS_LABELS_CHANNEL };

/* At most, of a model. */
enum { WEIR_KEPT_MAX = 12, WEIR_CHANNELS_MAX = 4, WEIR_STAGES_MAX = 8 };

/* One piece of a block's data: kept, or a message. */
struct weir_datum {
    size_t bytes;
    bool message;
    int8_t number;       /* of the kept data, or of the message's channel */
    int8_t face, parity; /* of a message: through which, of a step of which parity */
};

/* Of a block at most. */
enum { WEIR_DATA_MAX = WEIR_KEPT_MAX + 2 * WEIR_FACES * WEIR_CHANNELS_MAX };

/* What a task needs of a block. Kept data is named by bits, 1 << number, and channels are: the messages that
 * a block gives its neighbours, one through each face, exist in each channel, and twice, by the parity of the
 * step that gives them. */
struct weir_access {
    uint32_t reads, updates; /* kept data: only looked at; read and written */
    uint32_t fills;          /* written all over, whatever was there */
    uint32_t takes;          /* channels: what the neighbours gave in the last step */
    uint32_t takes_now;      /* in this step, in an earlier stage */
    uint32_t gives;          /* channels: what the neighbours are to take */
    uint32_t gives_last;     /* the same of the step before this one: only before the first */
    bool ahead; /* looks at the flow before the next step: boundaries that change in time have what they have
                   then */
};

/* What a stage's function sees of a block. Data and messages that it did not name in its access are NULL. */
struct weir_stage_view {
    /* Sizes, flags and walls; populations of the first set, messages of the first channel. */
    struct weir_block_view block;
    void *kept[WEIR_KEPT_MAX]; /* by number */
    struct {
        const void *incoming[WEIR_NEIGHBOURS];
        void *outgoing[WEIR_FACES];
    } channel[WEIR_CHANNELS_MAX]; /* from 1 on, as those of the first channel are in `block` */
    const struct weir_fluid *fluid;
    const struct weir_kernels *kernels; /* of the flow */
    bool prepares;                      /* this is done before the first step (weir_stage.prepares) */
};

/* One step, of this parity, of rows row_begin .. row_end - 1 of a block (row = y + ny z). Different rows may
 * be done at the same time. */
typedef void weir_stage_cpu(const struct weir_stage_view *view, int parity, int row_begin, int row_end);

/* The same for CUDA, whole blocks: what the view's kept data and messages point to is on the device, stream
 * is a cudaStream_t, the result a cudaError_t. */
typedef int weir_stage_cuda(const struct weir_stage_view *view, int parity, void *stream);

/* Populations lie and move in another way in even steps than in odd ones (addressing.h): what may look at
 * them where they lie after odd ones is a stage of these alone. */
enum weir_stage_steps { WEIR_ALL_STEPS, WEIR_EVEN_STEPS, WEIR_ODD_STEPS };

struct weir_stage {
    const char *name;            /* of its tasks, in traces too */
    enum weir_stage_steps steps; /* in which it is taken; before the first, whatever the parity: prepares */
    struct weir_access access;
    weir_stage_cpu *cpu;   /* NULL: CPUs cannot */
    weir_stage_cuda *cuda; /* NULL: GPUs cannot */
    bool prepares;  /* is done once before the first step, too, as of the step before that: a step, and who
                       observes the flow, begins with what it makes */
    bool any_cells; /* takes blocks whatever their kind of cells (cell_kinds.h); else bricks only */
    bool on_cores;  /* cores take it, also where the other stages are GPUs' */
    bool
        joins_gas; /* before it, what blocks know of their gas is joined over all of them (graph/bubbles.h) */
};

/* Collision and streaming of the flow: all there is to a step where nothing else is asked for. */
extern const struct weir_stage weir_collide_stream_stage;

/* What follows it where a fluid has phases: what cells attract by, from their density. The force on each of
 * them is found by whoever wants it (collision/cohesion.h). */
extern const struct weir_stage weir_pseudopotential_stage;

/* What follows it where collisions or eddies want the gradient of the velocity: that of each cell; what is
 * kept of its differences. */
extern const struct weir_stage weir_velocity_stage, weir_gradient_stage;

/* What follows it where liquid has a free surface: after even steps the mass of cells; after odd ones that
 * and their states, what cells become, and their flags. */
extern const struct weir_stage weir_surface_mass_stage, weir_surface_states_stage, weir_surface_cells_stage,
    weir_surface_flags_stage;

/* And where gas that is enclosed has a pressure of its own: the pieces of a block's gas, what they touch in
 * other blocks, and what cells get of it. */
extern const struct weir_stage weir_gas_pieces_stage, weir_gas_links_stage, weir_gas_spread_stage;

/* What a task needs that observes the flow between two steps. */
extern const struct weir_access weir_observe_flow;

static inline bool weir_stage_is_taken(const struct weir_stage *stage, int parity) {
    return stage->steps == WEIR_ALL_STEPS || stage->steps == (parity ? WEIR_ODD_STEPS : WEIR_EVEN_STEPS);
}

/* Where a view has the messages of a channel. */
static inline const void **weir_stage_incoming(struct weir_stage_view *view, int channel) {
    return channel == 0 ? view->block.incoming : view->channel[channel].incoming;
}
static inline void **weir_stage_outgoing(struct weir_stage_view *view, int channel) {
    return channel == 0 ? view->block.outgoing : view->channel[channel].outgoing;
}

#endif
