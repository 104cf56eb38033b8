#include "src/compare/compare_words.h"

#include "src/common/bytes_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const weir_section_names[] = {"speed", "curves", "maps", "busy", "recovery", NULL};

/* What sentences are made from. */
struct subject {
    const struct weir_comparison *comparison;
    const struct weir_compared_workload *workload;
    int policies;
};

static const char *name_of(const struct subject *s, int policy) {
    return s->comparison->options->policies[policy];
}

static const struct weir_compared *compared(const struct subject *s, int policy) {
    return &s->workload->policies[policy];
}

static double median(const struct subject *s, int policy, enum weir_measure measure) {
    return compared(s, policy)->spread[measure].median;
}

static int best(const struct subject *s, enum weir_measure measure, double sign) {
    int found = 0;
    for (int p = 1; p < s->policies; p++)
        if (sign * median(s, p, measure) > sign * median(s, found, measure))
            found = p;
    return found;
}

/* Between the policies of a list: nothing, a comma, or "and". */
static const char *between(int k, int count) {
    return k == 0 ? "" : k + 1 < count ? ", " : count > 2 ? ", and " : " and ";
}

static bool overlap(const struct weir_spread *a, const struct weir_spread *b) {
    return a->low <= b->high && b->low <= a->high;
}

/* ---- speed -------------------------------------------------------------------------------------------- */

static void say_speed(FILE *out, const struct subject *s) {
    const int first = best(s, WEIR_MLUPS, 1);
    const struct weir_spread *top = &compared(s, first)->spread[WEIR_MLUPS];
    fprintf(out, "%s was the fastest with %.1f MLUPS in the median of %d run%s.", name_of(s, first),
            top->median, top->count, top->count == 1 ? "" : "s");
    for (int p = 0, k = 0; p < s->policies; p++)
        if (p != first) {
            const double part = 100 * median(s, p, WEIR_MLUPS) / top->median;
            fprintf(out, k == 0 ? " %s reached %.0f %% of that" : ", %s %.0f %%", name_of(s, p), part);
            k++;
        }
    if (s->policies > 1)
        fputc('.', out);
    int alike = 0;
    for (int p = 0; p < s->policies; p++)
        alike += p != first && overlap(top, &compared(s, p)->spread[WEIR_MLUPS]);
    for (int p = 0, k = 0; p < s->policies; p++)
        if (p != first && overlap(top, &compared(s, p)->spread[WEIR_MLUPS])) {
            fprintf(out, "%s%s",
                    k == 0 ? " These runs do not tell whether it is faster than " : between(k, alike),
                    name_of(s, p));
            k++;
        }
    if (alike > 0)
        fputs(": half of the runs of both lie in spans that overlap.", out);
    if (top->count == 1)
        fputs(" One run of each says nothing about the spread: give --repeat 5.", out);
}

/* ---- time per step ------------------------------------------------------------------------------------ */

/* Quartiles of the curve of the median run, as a part of its median. */
static double unrest(const struct subject *s, int policy) {
    const struct weir_compared *c = compared(s, policy);
    struct weir_spread spread;
    if (weir_spread_of(c->runs[c->median_run].curve, s->workload->points, &spread) != 0)
        return NAN;
    return (spread.high - spread.low) / spread.median;
}

static void say_curves(FILE *out, const struct subject *s, bool disturbed) {
    if (!disturbed) {
        const double length = (double)s->workload->steps / s->workload->points;
        int calm = 0, restless = 0;
        for (int p = 1; p < s->policies; p++) {
            calm = unrest(s, p) < unrest(s, calm) ? p : calm;
            restless = unrest(s, p) > unrest(s, restless) ? p : restless;
        }
        fprintf(out, "Each point is the mean of %.3g step%s. ", length, length == 1 ? "" : "s");
        if (calm == restless)
            fprintf(out,
                    "%s took %.3g ms for a step in the median; half of the points lie within %.0f %% of it.",
                    name_of(s, calm), 1e3 * median(s, calm, WEIR_STEP_SECONDS), 100 * unrest(s, calm));
        else
            fprintf(
                out,
                "Steps took the most even time under %s (the quartiles are %.0f %% of the median apart), the "
                "least even under %s (%.0f %%).",
                name_of(s, calm), 100 * unrest(s, calm), name_of(s, restless), 100 * unrest(s, restless));
        return;
    }
    fprintf(out, "The shaded span is when %d thread%s kept cores and memory busy.",
            compared(s, 0)->runs[0].load_threads, compared(s, 0)->runs[0].load_threads == 1 ? "" : "s");
    int told = 0;
    for (int p = 0; p < s->policies; p++) {
        const struct weir_settled loaded = weir_comparison_settled(compared(s, p), false),
                                  after = weir_comparison_settled(compared(s, p), true);
        if (!isfinite(loaded.step_seconds) || !isfinite(after.step_seconds)) {
            fprintf(out, "%s of %s too few steps fell into a part to say more", told ? ";" : "",
                    name_of(s, p));
            told++;
            continue;
        }
        fprintf(
            out,
            told == 0
                ? " Once settled, a step took %.3g ms with the load and %.3g ms after it under %s (%.2f and "
                  "%.2f times the ideal of that time)"
                : "; %.3g and %.3g ms under %s (%.2f and %.2f)",
            1e3 * loaded.step_seconds, 1e3 * after.step_seconds, name_of(s, p),
            loaded.step_seconds / loaded.ideal_step_seconds, after.step_seconds / after.ideal_step_seconds);
        told++;
    }
    fputs(".", out);
}

/* Digits behind the point that a number is worth. */
static int decimals(double value) {
    return value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;
}

/* ---- who had which block ------------------------------------------------------------------------------ */

static void say_maps(FILE *out, const struct subject *s) {
    char bytes[WEIR_BYTES_TEXT];
    int moving = 0, said = 0;
    bool one_memory = true;
    for (int p = 0; p < s->policies; p++) {
        one_memory = one_memory && median(s, p, WEIR_NODE_BYTES) == 0;
        moving += median(s, p, WEIR_MOVES) > 0;
    }
    for (int p = 0; p < s->policies; p++) {
        const double moves = median(s, p, WEIR_MOVES), each = moves / s->workload->blocks;
        if (moves == 0)
            continue;
        fprintf(out,
                said == 0 ? "Blocks changed their worker %.*f times in 100 steps under %s (%.*f times each)"
                          : ", %.*f times under %s (%.*f)",
                decimals(moves), moves, name_of(s, p), decimals(each), each);
        said++;
    }
    said = 0;
    for (int p = 0; p < s->policies; p++)
        if (median(s, p, WEIR_MOVES) == 0) {
            fprintf(out, "%s%s",
                    said == 0 ? moving ? "; none did under " : "No block changed its worker under "
                              : between(said, s->policies - moving),
                    name_of(s, p));
            said++;
        }
    fputs(".", out);
    for (int kind = one_memory; kind < 2; kind++) {
        fputs(kind == 0 ? " From one memory to another went" : " Inside a memory, per step,", out);
        for (int p = 0; p < s->policies; p++)
            fprintf(out, "%s%s %sunder %s", p ? ", " : " ",
                    weir_bytes_text(median(s, p, kind == 0 ? WEIR_NODE_BYTES : WEIR_HOME_BYTES), bytes),
                    p > 0       ? ""
                    : kind == 0 ? "per step "
                                : "changed hands ",
                    name_of(s, p));
        fputs(".", out);
    }
    if (one_memory)
        fputs(" All workers share one memory, so nothing had to be copied.", out);
}

/* ---- busy and lost ------------------------------------------------------------------------------------ */

static void say_busy(FILE *out, const struct subject *s) {
    const int least = best(s, WEIR_LOSS, -1), most = best(s, WEIR_LOSS, 1);
    const int idlest = best(s, WEIR_BUSY_LEAST, -1);
    for (int p = 0; p < s->policies; p++)
        fprintf(out, p == 0 ? "Workers were busy for %.0f %% of the time under %s" : ", %.0f %% under %s",
                100 * median(s, p, WEIR_BUSY_MEAN), name_of(s, p));
    if (s->policies > 1)
        fprintf(out, ". The one that waited most was under %s, busy for %.0f %%.", name_of(s, idlest),
                100 * median(s, idlest, WEIR_BUSY_LEAST));
    else
        fprintf(out, ", the one that waited most for %.0f %%.", 100 * median(s, idlest, WEIR_BUSY_LEAST));
    if (least != most)
        fprintf(out,
                " Against the ideal, in which every worker keeps its rate and never waits, %s lost the least "
                "time "
                "(%.1f %%) and %s the most (%.1f %%).",
                name_of(s, least), 100 * median(s, least, WEIR_LOSS), name_of(s, most),
                100 * median(s, most, WEIR_LOSS));
    else
        fprintf(out,
                " Against the ideal, in which every worker keeps its rate and never waits, %.1f %% of the "
                "time was "
                "lost.",
                100 * median(s, least, WEIR_LOSS));
}

/* ---- recovery ----------------------------------------------------------------------------------------- */

static void say_recovered(FILE *out, const struct subject *s, int policy, bool after_end) {
    double steps;
    const struct weir_compared *c = compared(s, policy);
    const int runs = weir_comparison_recovered(c, after_end, &steps);
    if (!isfinite(weir_comparison_settled(c, after_end).step_seconds))
        fputs("too few steps to tell", out);
    else if (runs == 0)
        fputs("never", out);
    else if (runs < c->count)
        fprintf(out, "after %.0f steps (in %d of %d runs)", steps, runs, c->count);
    else
        fprintf(out, "after %.0f steps", steps);
}

static void say_recovery(FILE *out, const struct subject *s) {
    fputs(
        "Back at 90 % of the speed that the workers would then reach together, under the load and after its "
        "end: ",
        out);
    for (int p = 0; p < s->policies; p++) {
        fprintf(out, "%s%s ", p ? "; " : "", name_of(s, p));
        say_recovered(out, s, p, false);
        fputs(" and ", out);
        say_recovered(out, s, p, true);
    }
    fputs(".", out);
}

char *weir_compare_words(const struct weir_comparison *comparison, enum weir_workload workload,
                         enum weir_compare_section section) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const struct subject s = {comparison, &comparison->workloads[workload],
                              comparison->options->policy_count};
    switch (section) {
    case WEIR_SECTION_SPEED:
        say_speed(out, &s);
        break;
    case WEIR_SECTION_CURVES:
        say_curves(out, &s, workload == WEIR_DISTURBED);
        break;
    case WEIR_SECTION_MAPS:
        say_maps(out, &s);
        break;
    case WEIR_SECTION_BUSY:
        say_busy(out, &s);
        break;
    default:
        say_recovery(out, &s);
    }
    return fclose(out) == 0 ? text : (free(text), NULL);
}
