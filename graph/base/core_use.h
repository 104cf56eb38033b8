/* What of its cores' time this process did not get: how long its threads were ready and waited for a core,
 * and how long others kept these cores busy. Both tell whether times that were measured are to be trusted.
 * From Linux's /proc; what a kernel does not tell is NaN. The load average is not asked: it still tells of
 * this program's own run of a minute ago. */
#ifndef WEIR_GRAPH_BASE_CORE_USE_H
#define WEIR_GRAPH_BASE_CORE_USE_H

#include <stdint.h>

enum { WEIR_CORE_USE_CORES = 1024, WEIR_CORE_SET_WORDS = WEIR_CORE_USE_CORES / 64 };

/* The counters at one moment; only differences mean something. */
struct weir_core_use {
    double seconds;                    /* of a clock */
    double own;                        /* processor time of all threads of this process */
    double waited;                     /* of all threads: ready to run, and put off */
    double switches;                   /* times that a thread lost its core while it could have gone on */
    double busy[WEIR_CORE_USE_CORES];  /* of each core, whoever used it; NaN: there is none */
    uint64_t set[WEIR_CORE_SET_WORDS]; /* cores to which threads of this process are bound; where none is,
                                          those that they may run on */
};

void weir_core_use_read(struct weir_core_use *use);

/* What happened between two moments; can be sent to other ranks as it is. */
struct weir_core_span {
    double seconds, own, waited, switches;
    double busy; /* of the cores in the set */
    int cores;   /* in the set */
    uint64_t set[WEIR_CORE_SET_WORDS];
};

struct weir_core_span weir_core_use_between(const struct weir_core_use *before,
                                            const struct weir_core_use *after);

/* Of the time of the span's cores, as fractions; NaN: not known. */
struct weir_core_loss {
    double others;   /* kept busy by others than this run; what /proc cannot tell from nothing is 0 */
    double waited;   /* waited for by this process's threads: more than 1 where many wait for one core */
    double lost;     /* the lesser of both: threads of this program that wait for each other lose nothing to
                        others */
    double switches; /* per second and core */
};

/* beside: processor seconds in the same span of other processes of this run that share cores with this one.
 */
struct weir_core_loss weir_core_span_loss(const struct weir_core_span *span, double beside);

/* The same for each of `count` processes of one run, of which host[k] says on which machine it is: the one
 * that lost most. */
struct weir_core_loss weir_core_spans_loss(const struct weir_core_span *spans, const char *const *hosts,
                                           int count);

/* From this part of the cores' time on, what others took makes measured times worth little. */
#define WEIR_CORES_LOST_MUCH 0.1

#endif
