/* How far a kept measurement of this machine is to be trusted: what it was made under, and what runs say of
 * it since. Numbers and words only; docs/placement.md, "Measurements that do not hold". */
#ifndef WEIR_SRC_MACHINE_MACHINE_TRUST_H
#define WEIR_SRC_MACHINE_MACHINE_TRUST_H

#include "graph/tune.h"

struct weir_machine_trust {
    struct weir_tune_quality quality;
    int runs_off;   /* runs in a row whose speed was far off the prediction, the newest among them */
    double ratio;   /* measured / predicted speed of the newest of these; 0: there is none */
    bool confirmed; /* measured again because of such runs, and found the same: it is the model that is off */
};

/* Runs that are far off in a row, until the machine is measured again. */
enum { WEIR_RUNS_OFF_MOST = 2 };

/* Hears of a run that was over: measured / predicted speed, and the part of the cores' time that it lost to
 * others (weir_core_loss), NaN where that is not known. A run that others made slow says nothing. Returns
 * whether anything changed. */
bool weir_machine_trust_judge(struct weir_machine_trust *trust, double ratio, double lost);

/* Whether runs say that the machine is to be measured again. */
bool weir_machine_trust_is_lost(const struct weir_machine_trust *trust);

/* After a new measurement because of that: ratio of the speeds of all parts together, new / old. Where the
 * new one is to be kept, *trust becomes that of it and the result is true; else it becomes that of the old
 * one, about which runs may complain again. */
bool weir_machine_trust_renew(struct weir_machine_trust *trust, const struct weir_tune_quality *quality,
                              double ratio);

/* What a reader should know: "it was made while ...", "the last 2 runs ..."; empty where there is nothing. */
enum { WEIR_TRUST_TEXT = 320 };
void weir_machine_trust_text(const struct weir_machine_trust *trust, char text[WEIR_TRUST_TEXT]);

/* "repetitions differed by 34 % and others took 41 % of the cores' time"; empty where neither was much. */
void weir_tune_quality_text(const struct weir_tune_quality *quality, char text[WEIR_TRUST_TEXT]);

#endif
