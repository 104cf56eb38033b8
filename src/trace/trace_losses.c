#include "src/trace/trace_losses.h"

#include <math.h>

/* Where the main loss begins to be worth a word; from how many blocks on that change their worker these are
 * said to bounce; and where so many tasks come too late, submitting them is what limits. */
static const double loss_worth_a_word = 0.1, bouncing = 0.2, many_late = 0.25;

const char *const weir_loss_names[] = {"none",     "bouncing", "imbalance", "submission", "starved",
                                       "messages", "data",     "overhead",  "near_wall",  "stages"};

/* What those that wait for tasks wait for. */
static enum weir_main_loss why_no_tasks(const struct weir_loss_shares *s) {
    /* Messages, where these are at least half of what the mean waits, on the path, and more than what would
     * go if all waited as little as the least. */
    if (s->messages >= loss_worth_a_word && s->messages >= fmax(0.5 * s->tasks, s->tasks - s->least_tasks))
        return WEIR_LOSS_MESSAGES;
    /* Before imbalance: tasks that are handed out one by one are never dealt out evenly. */
    if (s->late > many_late)
        return WEIR_LOSS_SUBMISSION;
    /* More than half of what the mean waits would go if all waited as little as the least. */
    return s->least_tasks < 0.5 * s->tasks ? WEIR_LOSS_IMBALANCE : WEIR_LOSS_STARVED;
}

/* Blocks that bounce come first: what they cost shows as slower kernels, which no waiting tells of. Where
 * workers mostly wait, bouncing comes of their waiting, and not the other way round. */
enum weir_main_loss weir_main_loss_of(const struct weir_loss_shares *s) {
    const double waiting = fmax(s->tasks, fmax(s->data, s->overhead));
    if (s->moved >= bouncing && s->moved > waiting)
        return WEIR_LOSS_BOUNCING;
    if (s->near_wall >= loss_worth_a_word && s->near_wall > fmax(waiting, s->stages))
        return WEIR_LOSS_NEAR_WALL;
    if (s->stages >= loss_worth_a_word && s->stages > waiting)
        return WEIR_LOSS_STAGES;
    if (waiting < loss_worth_a_word)
        return WEIR_LOSS_NONE;
    if (s->data >= s->tasks && s->data >= s->overhead)
        return WEIR_LOSS_DATA;
    if (s->overhead >= s->tasks)
        return WEIR_LOSS_OVERHEAD;
    return why_no_tasks(s);
}

double weir_loss_share(const struct weir_loss_shares *s, enum weir_main_loss loss) {
    switch (loss) {
    case WEIR_LOSS_BOUNCING:
        return s->moved;
    case WEIR_LOSS_IMBALANCE:
    case WEIR_LOSS_SUBMISSION:
    case WEIR_LOSS_STARVED:
        return s->tasks;
    case WEIR_LOSS_MESSAGES:
        return s->messages;
    case WEIR_LOSS_DATA:
        return s->data;
    case WEIR_LOSS_OVERHEAD:
        return s->overhead;
    case WEIR_LOSS_NEAR_WALL:
        return s->near_wall;
    case WEIR_LOSS_STAGES:
        return s->stages;
    default:
        return fmax(s->tasks, fmax(s->data, s->overhead));
    }
}
