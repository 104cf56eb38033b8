/* What is computed, as data that all others walk over without knowing a lattice: the sets of populations and
 * the fields that blocks keep, the channels by which blocks tell each other of them, and the stages of a
 * step. What a block has, how large each of it is, and what a step needs of it follow from the model here, in
 * one place. A new kind of data is a few lines where the model is made. */
#ifndef WEIR_GRAPH_PROBLEM_MODEL_H
#define WEIR_GRAPH_PROBLEM_MODEL_H

#include "codelets/kernels/halo/message.h"
#include "codelets/kernels/stage.h"
#include "graph/problem/forms.h"

#include <stdbool.h>

struct weir_problem;

enum weir_kept_kind {
    WEIR_KEPT_SET,      /* populations of one lattice */
    WEIR_KEPT_GEOMETRY, /* flags and constants of walls */
    WEIR_KEPT_FIELD,    /* values per cell */
    WEIR_KEPT_RINGED,   /* values per cell of a block and of the ring around it, as flags lie */
    WEIR_KEPT_ROWS,     /* where rows of a block meet a free surface */
    WEIR_KEPT_GAS,      /* the pieces of a block's gas (codelets/kernels/gas_table.h) */
    WEIR_KEPT_VARYING,  /* profiles of boundaries that change in time */
};

/* Something that every block keeps from step to step. */
struct weir_kept {
    const char *name;
    enum weir_kept_kind kind;
    const struct weir_lattice_table *lattice; /* of a set */
    int components;                           /* of a field: values per cell */
    size_t value_size;                        /* bytes of a population or value */
    bool with_flow; /* a set that the flow's kernels advance: who needs the flow has it, too */
};

/* Name of the field with the velocities that the test for a steady flow compares with: float [3][cells]. */
#define WEIR_LAST_VELOCITY "last velocity"

/* Name of the field of what cells of a fluid with phases attract by: real [values][cells]. */
#define WEIR_POTENTIALS "pseudopotential"

/* Name of the fields with sums over time (kernels.h, WEIR_TIME_SUMS_MAX): double [sums][cells]. */
#define WEIR_TIME_SUMS "sums over time"

/* What blocks tell their neighbours in one stage. Its layers are put into the layout by weir_message_add_set
 * and weir_message_add_field, whose `source` is the number of what they come from. */
struct weir_channel {
    struct weir_message_layout layout;
    size_t value_size; /* bytes of each of its values: 2, 4 or 8 */
};

struct weir_model {
    const struct weir_problem *problem;
    size_t real_size;
    struct weir_kept kept[WEIR_KEPT_MAX]; /* by number; the first two as in stage.h */
    int kept_count;
    struct weir_channel channel[WEIR_CHANNELS_MAX];
    int channel_count;
    struct weir_stage stage[WEIR_STAGES_MAX]; /* in their order within a step */
    int stage_count;
};

/* Makes the model of a problem: one set, the flow's, one channel and one stage; one more set where it has a
 * scalar; a field, a channel and a stage where it has phases; a set, a field, a channel and two stages where
 * it wants the gradient of the velocity; the filling of cells, three fields, two channels and four stages
 * where it has a free surface, two fields, a channel and three stages more where that encloses gas; and what
 * the problem's own function (weir_problem.extend) adds; then the sums over time. The problem must outlive
 * it. steady: with the velocities that the test for a steady flow keeps.
 */
void weir_model_make(const struct weir_problem *problem, bool steady, struct weir_model *model);

/* Add to a model, each returning its number. There must be room (stage.h): models are few and made by
 * programs, not by users. */
int weir_model_add_set(struct weir_model *model, const char *name, const struct weir_lattice_table *lattice,
                       size_t value_size);
int weir_model_add_field(struct weir_model *model, const char *name, int components, size_t value_size);
int weir_model_add_channel(struct weir_model *model, size_t value_size);
int weir_model_add_stage(struct weir_model *model, const struct weir_stage *stage);

/* Number of the profiles that change in time, of even steps; those of odd ones come next. -1: there are none.
 */
int weir_model_varying(const struct weir_model *model);

/* Bits of the sets that the flow's kernels advance beside the flow's own. */
uint32_t weir_model_with_flow(const struct weir_model *model);

/* What is wrong with a model, as a text that stays; NULL: nothing. Where the problem's rule makes lists of
 * blocks, all stages take them. No stage may take now what none gave
 * before it, or what it gives itself; none may fill what it reads; of a channel one stage gives in a step;
 * and what one takes of the last step one gave then. */
const char *weir_model_mistake(const struct weir_model *model);

/* Number of kept data of this name, -1: the model has none. */
int weir_model_find(const struct weir_model *model, const char *name);

/* Number of the kept data that has sums over time number `which`, from 0, of those that its problem has. */
int weir_model_time_sums(const struct weir_model *model, int which);

/* Whether a step begins with what the last one left in kept data, rather than filling it before it looks. */
bool weir_model_remembers(const struct weir_model *model, int number);

/* Stages of an even and an odd step together. */
int weir_model_stages_of_pair(const struct weir_model *model);

/* Number of the stage that ends steps of a parity. */
int weir_model_last_stage(const struct weir_model *model, int parity);

/* In how many of an even and an odd step something is given in a channel. */
int weir_model_channel_uses(const struct weir_model *model, int channel);

/* Bits of the channels of which a step takes what the last one gave. */
uint32_t weir_model_lasting_channels(const struct weir_model *model);

/* Bytes of kept data of a block; of the message of one with extent[3] cells through a face normal to the
 * axis. */
size_t weir_model_kept_bytes(const struct weir_model *model, int number, const struct weir_block_form *block);
size_t weir_model_message_bytes(const struct weir_model *model, int channel, const int extent[3], int axis);

/* Bytes that the block at an offset takes of a block with extent[3] cells in a step, in all channels: the
 * mean of even and odd steps. */
int64_t weir_model_crossing_bytes(const struct weir_model *model, const int extent[3],
                                  struct weir_offset offset);

/* Lists all data of a block: kept data, by number, then messages. open: bits of the
 * faces with a neighbour beyond. Returns how many there are. */
int weir_model_data(const struct weir_model *model, const struct weir_block_form *block, unsigned open,
                    struct weir_datum data[WEIR_DATA_MAX]);

/* Bytes of the populations of a cell, of all sets. */
double weir_model_set_bytes(const struct weir_model *model);

/* Whether a checkpoint has this kept data: the populations of the flow, and of the sets that its kernels
 * advance with it. All else is made of the case again; or, the velocities that the test for a steady flow
 * compares with, of populations at a step at which it is made (src/run/checkpoints.h). */
bool weir_model_is_saved(const struct weir_model *model, int number);

/* Bytes of a cell in a checkpoint: what is saved, by number. */
size_t weir_model_cell_bytes(const struct weir_model *model);

/* Bytes read and written per update of a cell: each population twice, and a flag (Riesinger et al. 2017 and
 * others count the same); each value of a field as often as stages read and write it. */
double weir_bytes_per_update(const struct weir_problem *problem);

#endif
