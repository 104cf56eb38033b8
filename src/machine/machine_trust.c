#include "src/machine/machine_trust.h"

#include "graph/base/core_use.h"

#include <math.h>
#include <stdio.h>

/* So far may speed and prediction be from each other, and new and old measurement. */
static const double far_off = 0.25;

static bool is_far(double ratio) {
    return fabs(ratio - 1) > far_off;
}

bool weir_machine_trust_judge(struct weir_machine_trust *trust, double ratio, double lost) {
    const struct weir_machine_trust before = *trust;
    if (!is_far(ratio)) {
        trust->runs_off = 0;
        trust->ratio = 0;
        trust->confirmed = false;
        return before.runs_off > 0 || before.confirmed;
    }
    /* Others make runs slower, never faster. */
    if (trust->confirmed || (ratio < 1 && lost >= WEIR_CORES_LOST_MUCH))
        return false;
    trust->runs_off++;
    trust->ratio = ratio;
    return true;
}

bool weir_machine_trust_is_lost(const struct weir_machine_trust *trust) {
    return trust->runs_off >= WEIR_RUNS_OFF_MOST && !trust->confirmed;
}

bool weir_machine_trust_renew(struct weir_machine_trust *trust, const struct weir_tune_quality *quality,
                              double ratio) {
    /* What is faster is nearer to the truth, whatever it was made under. */
    const bool worse =
        ratio < 1 && weir_tune_is_disturbed(quality) && weir_tune_is_calmer(&trust->quality, quality);
    if (worse) {
        trust->runs_off = 0;
        return false;
    }
    *trust = (struct weir_machine_trust){.quality = *quality,
                                         .confirmed = trust->runs_off > 0 && !is_far(ratio) &&
                                                      !weir_tune_is_disturbed(quality)};
    return true;
}

void weir_tune_quality_text(const struct weir_tune_quality *quality, char text[WEIR_TRUST_TEXT]) {
    char spread[64] = "", others[64] = "";
    if (quality->spread >= 0.5 * WEIR_TUNE_SPREAD_MUCH)
        snprintf(spread, sizeof spread, "repetitions differed by %.0f %%", 100 * quality->spread);
    if (quality->lost >= 0.5 * WEIR_CORES_LOST_MUCH)
        snprintf(others, sizeof others, "others took %.0f %% of the cores' time", 100 * quality->lost);
    snprintf(text, WEIR_TRUST_TEXT, "%s%s%s", spread, spread[0] && others[0] ? " and " : "", others);
}

void weir_machine_trust_text(const struct weir_machine_trust *trust, char text[WEIR_TRUST_TEXT]) {
    char made[WEIR_TRUST_TEXT];
    text[0] = '\0';
    if (weir_machine_trust_is_lost(trust))
        snprintf(
            text, WEIR_TRUST_TEXT,
            "the last %d runs were far off what it predicts, the newest by %+.0f %%; the next run measures "
            "again",
            trust->runs_off, 100 * (trust->ratio - 1));
    else if (weir_tune_is_disturbed(&trust->quality)) {
        weir_tune_quality_text(&trust->quality, made);
        snprintf(text, WEIR_TRUST_TEXT, "it was made while something else used the machine (%.200s)", made);
    }
}
