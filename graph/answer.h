/* What a task finds out for the thread that submits, which goes on meanwhile and comes back for it: once the
 * answer is given, what the giver wrote before can be read. */
#ifndef WEIR_GRAPH_ANSWER_H
#define WEIR_GRAPH_ANSWER_H

#include "codelets/failure.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_answer {
    pthread_mutex_t lock;
    pthread_cond_t given;
    bool is_there;
};

void weir_answer_init(struct weir_answer *answer);
void weir_answer_release(struct weir_answer *answer);

/* Asked anew: before the task is submitted. */
void weir_answer_ask(struct weir_answer *answer);

/* In the task. */
void weir_answer_give(struct weir_answer *answer);

/* Waits for the answer; false: there will be none, as the run has failed. */
bool weir_answer_wait(struct weir_answer *answer, struct weir_failure *failure);

#endif
