/* Steps on GPUs compiled for the blocks of this rank as they are (demand/constants.h), beside the general
 * ones with which a run begins. What has been compiled before is used from the first step on. Else, where a
 * run is long enough, it is compiled beside it, by processes that take what time the run leaves them, and
 * used from the step on at which it is there: the bits are the same, so nobody waits. */
#ifndef WEIR_GRAPH_SPECIALISATION_H
#define WEIR_GRAPH_SPECIALISATION_H

#include "codelets/kernels/demand/provide.h"
#include "graph/plan/worker_groups.h"

#include <stdbool.h>

struct weir_domain;
struct weir_specialisation;

enum weir_specialise {
    WEIR_SPECIALISE_AUTO,  /* as above */
    WEIR_SPECIALISE_FIRST, /* before the first step, which waits for it */
    WEIR_SPECIALISE_NEVER,
    WEIR_SPECIALISE_MODES
};

/* What WEIR_KERNEL_CONSTANTS says, in the enum's order: auto, first, never. -WEIR_USAGE where it says
 * anything else. */
int weir_specialise_mode(enum weir_specialise *mode);

/* The environment of runs that are compared with each other: none gets other kernels than the next. */
#define WEIR_SPECIALISE_NOTHING "WEIR_KERNEL_CONSTANTS=never"

/* What came of it, in this rank. */
struct weir_specialised {
    int wanted, used;   /* sizes of blocks: of which kernels are wanted, which have them */
    double seconds;     /* that compiling took; 0: all were there */
    char blocks[48];    /* of the kind with most cells: "64 x 64 x 64"; "": nothing is wanted */
    char failure[6144]; /* "": none */
};

/* Looks which kernels are wanted, and loads them (WEIR_SPECIALISE_FIRST: compiles them) as far as they are
 * there. The domain's blocks must have their homes. -WEIR_FAILED when memory is short. */
int weir_specialisation_create(const struct weir_domain *domain, const struct weir_worker_groups *groups,
                               enum weir_specialise mode, struct weir_specialisation **specialisation);

/* To be called now and then between steps, with how long the run will go on: begins to compile what is
 * missing where that pays. True once, when all is there or has failed. */
bool weir_specialisation_review(struct weir_specialisation *specialisation, double seconds_left);

struct weir_specialised weir_specialisation_report(const struct weir_specialisation *specialisation);

/* Ends at once what is being compiled. NULL is allowed. */
void weir_specialisation_destroy(struct weir_specialisation *specialisation);

#endif
