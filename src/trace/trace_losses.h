/* Which loss of a window of a trace is the main one. Numbers only; docs/tracing.md, "The sentence". */
#ifndef WEIR_SRC_TRACE_TRACE_LOSSES_H
#define WEIR_SRC_TRACE_TRACE_LOSSES_H

/* What decides, of a window or of a section of it: fractions of the homes' time, unless said otherwise. */
struct weir_loss_shares {
    double tasks, data, overhead; /* waiting for tasks or data; StarPU's own time */
    double least_tasks;           /* what the home waits for tasks that waits least */
    double moved;                 /* of the blocks: change their worker from a step to the next */
    double messages;              /* of the critical path */
    double late;                  /* of the tasks: submitted after all that they wait for had ended */
    double near_wall; /* what fluid cells beside walls take beyond others; 0 where that is not known */
    double stages;    /* what stages of steps beside collision and streaming take */
};

enum weir_main_loss {
    WEIR_LOSS_NONE,       /* workers compute nearly all of the time */
    WEIR_LOSS_BOUNCING,   /* blocks change their worker again and again */
    WEIR_LOSS_IMBALANCE,  /* some wait for tasks while others do not */
    WEIR_LOSS_SUBMISSION, /* all wait for tasks, which end sooner than others can be submitted */
    WEIR_LOSS_STARVED,    /* all wait for tasks, which wait for each other */
    WEIR_LOSS_MESSAGES,   /* and what the critical path waits for is messages between ranks */
    WEIR_LOSS_DATA,
    WEIR_LOSS_OVERHEAD,
    WEIR_LOSS_NEAR_WALL, /* cells beside walls take longer than others */
    WEIR_LOSS_STAGES,    /* a step has more stages than collision and streaming, and these take long */
    WEIR_LOSS_COUNT
};
extern const char *const weir_loss_names[]; /* in JSON */

enum weir_main_loss weir_main_loss_of(const struct weir_loss_shares *shares);

/* The fraction that a loss is, of the homes' time; of blocks that bounce, of the blocks; of messages, of the
 * critical path; of none, the largest of what is waited for and StarPU takes. */
double weir_loss_share(const struct weir_loss_shares *shares, enum weir_main_loss loss);

#endif
