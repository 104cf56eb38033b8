#include "src/trace/trace_words.h"

#include "src/common/bytes_text.h"
#include "src/report/described.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where no loss stands out, so much of the tasks' time makes another kind of task than steps of blocks worth
 * a word, so much of the critical path the messages on it, and so many of the fluid cells those beside walls.
 */
static const double worth_a_word = 0.1;

/* Blocks half as large have eight times as many tasks: from this part of the time on that StarPU takes, that
 * is no advice. */
static const double overhead_of_small_blocks = 0.05;

static double percent(const struct weir_trace_analysis *a, enum weir_activity activity) {
    return 100 * a->total[activity] / (a->seconds * a->run.home_count);
}

static double percent_of(const struct weir_trace_analysis *a, int home, enum weir_activity activity) {
    return 100 * a->homes[home].seconds[activity] / a->seconds;
}

/* The home that does most, or least, of something. */
static int extreme(const struct weir_trace_analysis *a, enum weir_activity activity, double sign) {
    int found = 0;
    for (int home = 1; home < a->run.home_count; home++)
        if (sign * a->homes[home].seconds[activity] > sign * a->homes[found].seconds[activity])
            found = home;
    return found;
}

static const char *home_name(const struct weir_trace *trace, const struct weir_trace_analysis *a, int home,
                             char name[WEIR_HOME_NAME]) {
    return weir_home_name(&trace->machine->workers[a->run.homes[home].worker], name);
}

/* Of a block's step, all its stages together; the mean of even and odd steps. */
static double median_step_task(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    double seconds = 0;
    for (int kind = 0; kind < trace->kind_count; kind++) {
        const int stage = weir_trace_stage(trace, kind);
        if (stage >= 0)
            seconds += 0.5 * (trace->machine->taken[0][stage] + trace->machine->taken[1][stage]) *
                       a->kinds[kind].median;
    }
    return seconds;
}

static int bouncing(const struct weir_trace *trace, const struct weir_trace_analysis *a, const char *policy,
                    char **text) {
    char bytes[WEIR_BYTES_TEXT];
    const double transitions = trace->steps > 1 ? (double)(trace->steps - 1) : 1;
    const double moved = (double)(a->least_bytes + a->home_bytes) / transitions;
    const bool starpu = strncmp(policy, "starpu:", 7) == 0;
    const char *advice = starpu ? "place blocks with policy balanced or static, and use larger blocks"
                                : "use fewer, larger blocks";
    if (percent(a, WEIR_WAITING_DATA) >= 10)
        return asprintf(
            text,
            "Blocks bounce: from each step to the next %.0f %% of them change their worker under %s, and %s "
            "per step change hands; workers wait %.0f %% of the time for data: %s.",
            100 * a->moved, policy, weir_bytes_text(moved, bytes), percent(a, WEIR_WAITING_DATA), advice);
    return asprintf(
        text,
        "Blocks bounce: from each step to the next %.0f %% of them change their worker under %s, and %s per "
        "step change hands%s, which slows kernels rather than it shows as waiting (workers compute %.0f %% "
        "of the time): %s.",
        100 * a->moved, policy, weir_bytes_text(moved, bytes),
        a->least_bytes > 0 ? ", some between memories" : "", percent(a, WEIR_IN_KERNEL), advice);
}

static int imbalance(const struct weir_trace *trace, const struct weir_trace_analysis *a, const char *policy,
                     char **text) {
    char most[WEIR_HOME_NAME], least[WEIR_HOME_NAME];
    const int waits = extreme(a, WEIR_WAITING_TASKS, 1), works = extreme(a, WEIR_WAITING_TASKS, -1);
    const char *advice = strcmp(policy, "static") == 0 ? "try policy balanced, or other placement.shares"
                         : a->shares.overhead >= overhead_of_small_blocks
                             ? "choose larger blocks, in a number that the workers divide evenly; smaller "
                               "ones would cost StarPU more time than they save"
                             : "use smaller blocks, so that more of them can be dealt out";
    return asprintf(text,
                    "Work is dealt out unevenly: %s waits %.0f %% of the time for tasks, %s %.0f %%: %s.",
                    home_name(trace, a, waits, most), percent_of(a, waits, WEIR_WAITING_TASKS),
                    home_name(trace, a, works, least), percent_of(a, works, WEIR_WAITING_TASKS), advice);
}

/* What mends tasks that are too short. Only recording makes each step of a lone block a task. */
static const char *for_short_tasks(const struct weir_trace *trace) {
    return trace->machine->block_count > 1 ? "use larger blocks, of which there are fewer"
                                           : "but a run without recording takes many steps of a lone block "
                                             "in one task, and has little of it";
}

static int submission(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    return asprintf(
        text,
        "Workers wait %.0f %% of the time for tasks: they end sooner (%.0f µs) than one thread can "
        "submit them: %s.",
        percent(a, WEIR_WAITING_TASKS), 1e6 * median_step_task(trace, a), for_short_tasks(trace));
}

static int starved(const struct weir_trace_analysis *a, char **text) {
    return asprintf(
        text,
        "Workers wait %.0f %% of the time for tasks, all alike: blocks wait for their neighbours; use more "
        "blocks for each worker.",
        percent(a, WEIR_WAITING_TASKS));
}

/* Whether every block of a rank has a neighbour on another: none can be computed while messages travel. */
static bool all_at_border(const struct weir_trace *trace, const struct weir_trace_analysis *a, int rank) {
    const int32_t *last = a->run.worker_of + (trace->steps - 1) * a->run.block_count;
    const struct weir_recorded_worker *workers = trace->machine->workers;
    for (int block = 0; block < a->run.block_count; block++) {
        bool inside = workers[last[block]].rank == rank;
        for (int k = 0; inside && k < WEIR_RECORD_OFFSETS; k++) {
            const int other = trace->machine->blocks[block].neighbour[k];
            inside = other < 0 || workers[last[other]].rank == rank;
        }
        if (inside)
            return false;
    }
    return true;
}

/* The axis along which most blocks of two ranks meet; 'x' where they touch at edges only. */
static char axis_between(const struct weir_trace *trace, const struct weir_trace_analysis *a, int one,
                         int other) {
    static const int stride[3] = {1, 3, 9}; /* of offsets to neighbours */
    const int32_t *last = a->run.worker_of + (trace->steps - 1) * a->run.block_count;
    const struct weir_recorded_worker *workers = trace->machine->workers;
    int faces[3] = {0}, most = 0;
    for (int block = 0; block < a->run.block_count; block++)
        for (int axis = 0; axis < 3 && workers[last[block]].rank == one; axis++)
            for (int side = -1; side <= 1; side += 2) {
                const int neighbour =
                    trace->machine->blocks[block].neighbour[WEIR_RECORD_OFFSETS / 2 + side * stride[axis]];
                faces[axis] += neighbour >= 0 && workers[last[neighbour]].rank == other;
            }
    for (int axis = 1; axis < 3; axis++)
        most = faces[axis] > faces[most] ? axis : most;
    return "xyz"[most];
}

static int messages(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    const struct weir_critical_path *path = &a->path;
    const struct weir_path_link *link = &path->links[0];
    const char axis = axis_between(trace, a, link->to_rank, link->from_rank);
    char advice[160];
    if (trace->shared_cores)
        snprintf(advice, sizeof advice,
                 "give every rank four cores or more, and not all of them to workers, so that the thread "
                 "that moves "
                 "messages has one of its own");
    else if (all_at_border(trace, a, link->to_rank))
        snprintf(advice, sizeof advice,
                 "every block of rank %d waits for some; use smaller blocks, so that others can be computed "
                 "meanwhile, or fewer ranks along %c",
                 link->to_rank, axis);
    else
        snprintf(advice, sizeof advice,
                 "use fewer ranks along %c (ranks.grid), or larger blocks, which make fewer messages", axis);
    return asprintf(
        text,
        "Messages between ranks hold up the steps: they are %.0f %% of the critical path, %.4g of %.4g "
        "ms in each step, and those from rank %d to rank %d alone %.0f %%: %s.",
        100 * path->message_seconds / a->seconds, 1e3 * path->message_seconds / (double)trace->steps,
        1e3 * a->step_seconds, link->from_rank, link->to_rank, 100 * link->seconds / a->seconds, advice);
}

static int data(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    char name[WEIR_HOME_NAME], hidden[64] = "";
    const int home = extreme(a, WEIR_WAITING_DATA, 1);
    if (isfinite(a->hidden))
        snprintf(hidden, sizeof hidden, " (%.0f %% of transfer time is hidden)", 100 * a->hidden);
    return asprintf(
        text,
        "%s waits %.0f %% of the time for data%s: use larger blocks, or give less of the domain to "
        "the workers that it exchanges with.",
        home_name(trace, a, home, name), percent_of(a, home, WEIR_WAITING_DATA), hidden);
}

static int overhead(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    int64_t tasks = 0;
    for (int home = 0; home < a->run.home_count; home++)
        tasks += a->homes[home].tasks;
    return asprintf(text, "StarPU takes %.0f %% of the workers' time, %.0f µs for each task of %.0f µs: %s.",
                    percent(a, WEIR_OVERHEAD),
                    1e6 * a->total[WEIR_OVERHEAD] / (double)(tasks > 0 ? tasks : 1),
                    1e6 * median_step_task(trace, a), for_short_tasks(trace));
}

/* "18 % of the fluid cells lie beside walls and take 1.4 times as long as others" */
enum { BESIDE_WALLS = 128 };
static void beside_walls(const struct weir_trace_analysis *a, char text[BESIDE_WALLS]) {
    char factor[48] = "";
    if (isfinite(a->near_wall.factor))
        snprintf(factor, sizeof factor, " and take %.3g times as long as others", a->near_wall.factor);
    snprintf(text, BESIDE_WALLS, "%.0f %% of the fluid cells lie beside walls%s", 100 * a->near_wall.share,
             factor);
}

static int near_wall(const struct weir_trace_analysis *a, char **text) {
    char cells[BESIDE_WALLS];
    beside_walls(a, cells);
    return asprintf(
        text,
        "Cells beside walls are the loss: %s, which is %.0f %% of the workers' time: no choice of "
        "blocks or policy changes that; solids with less surface do, and GPUs, which mind walls "
        "less.",
        cells, 100 * a->shares.near_wall);
}

/* The stages that take most, as far as there is room: "surface_mass 12 %, surface_cells 4 %". */
static void list_stages(const struct weir_trace *trace, const struct weir_trace_analysis *a, char *list,
                        size_t room) {
    const double all = a->seconds * a->run.home_count;
    size_t length = 0;
    list[0] = 0;
    for (int kind = 0; kind < trace->kind_count; kind++)
        if (weir_trace_is_further_stage(trace, kind) && a->kind_seconds[kind] >= 0.01 * all && length < room)
            length += (size_t)snprintf(list + length, room - length, "%s%s %.0f %%", length > 0 ? ", " : "",
                                       trace->kinds[kind], 100 * a->kind_seconds[kind] / all);
}

static int stages(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    char list[256];
    list_stages(trace, a, list, sizeof list);
    return asprintf(
        text,
        "Stages beside collision and streaming are the loss: they take %.0f %% of the workers' time (%s)%s.",
        100 * a->shares.stages, list,
        trace->surface ? ", for the free surface: no policy changes that; blocks without a surface have "
                         "least of it"
                       : ": no choice of blocks or policy changes that; they belong to the case's model");
}

/* What else is worth a word: another kind of task than steps of blocks; messages on the critical path, as
 * where each home has enough to do beside what waits for them. */
static int none(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    double all = 0, steps = 0, most = 0;
    int other = -1;
    for (int kind = 0; kind < trace->kind_count; kind++) {
        all += a->kind_seconds[kind];
        if (weir_trace_stage(trace, kind) >= 0) {
            steps += a->kind_seconds[kind];
        } else if (a->kind_seconds[kind] > most) {
            most = a->kind_seconds[kind];
            other = kind;
        }
    }
    char parts[WEIR_TRACE_KIND_NAME + 64] = "", messages[80] = "", memory[96] = "",
                                      walls[BESIDE_WALLS + 2] = "";
    if (isfinite(a->gbs) && isfinite(a->limit_gbs))
        snprintf(memory, sizeof memory, " move %.3g of the %.3g GB/s that this run measured, and which",
                 a->gbs, a->limit_gbs);
    if (a->near_wall.share >= worth_a_word && !trace->surface) {
        strcpy(walls, "; ");
        beside_walls(a, walls + 2);
    }
    if (a->path.message_seconds >= worth_a_word * a->seconds)
        snprintf(messages, sizeof messages, ", but messages between ranks are %.0f %% of the critical path",
                 100 * a->path.message_seconds / a->seconds);
    if (other >= 0 && most >= worth_a_word * all)
        snprintf(parts, sizeof parts, " (%.0f %% of their time are steps of blocks, %.0f %% %s)",
                 100 * steps / all, 100 * most / all, trace->kinds[other]);
    return asprintf(text,
                    "Workers compute %.0f %% of the time; no loss stands out%s: what is left is in the "
                    "kernels%s, which%s weir bench kernels holds against the machine's limits%s.",
                    percent(a, WEIR_IN_KERNEL), messages, parts, memory, walls);
}

/* ---- how sure that is ---------------------------------------------------------------------------------- */

/* Nothing is advised. */
static int disturbed(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    const struct weir_trace_disturbance *d = &a->disturbance;
    char slow[224] = "", others[160] = "";
    if (d->slow_share >= 0.5 * WEIR_CORES_LOST_MUCH)
        snprintf(
            slow, sizeof slow,
            " %s took %.3g times as long as usual for %lld steps of blocks, and lost %.0f %% of its time to "
            "that",
            trace->machine->workers[d->worker].name, d->slow_factor, (long long)d->worker_slow,
            100 * d->slow_share);
    if (trace->cores.lost >= 0.5 * WEIR_CORES_LOST_MUCH)
        snprintf(others, sizeof others,
                 " others took %.0f %% of the cores' time, and threads of this run waited as much as %.0f %% "
                 "of it for a core",
                 100 * trace->cores.others, 100 * trace->cores.waited);
    return asprintf(text,
                    "Something else used this machine meanwhile:%s%s%s: no advice would be right; measure "
                    "again when it is quiet.",
                    slow, slow[0] && others[0] ? ";" : "", others);
}

static const char *const loss_words[] = {
    "no loss stands out",
    "blocks bounce",
    "work is uneven",
    "tasks are submitted too slowly",
    "blocks wait for their neighbours",
    "messages hold up the steps",
    "workers wait for data",
    "StarPU takes most",
    "cells beside walls are the loss",
    "stages beside collision and streaming are the loss",
};
_Static_assert(sizeof loss_words / sizeof *loss_words == WEIR_LOSS_COUNT, "words for each loss");

/* What the sections of the window say, the loss of most of them first. */
static int unsure(const struct weir_trace *trace, const struct weir_trace_analysis *a, char **text) {
    char list[512] = "";
    int length = 0;
    for (int agree = a->sections.count; agree > 0; agree--)
        for (int loss = 0; loss < WEIR_LOSS_COUNT; loss++)
            if (weir_section_votes_for(&a->sections, (enum weir_main_loss)loss).agree == agree)
                length += snprintf(list + length, sizeof list - (size_t)length, "%s%s in %d",
                                   length > 0 ? ", " : "", loss_words[loss], agree);
    return asprintf(
        text,
        "What is lost changes within the window: of its %d sections, %s: no advice would be right; "
        "measure again, with more steps (--steps %lld).",
        a->sections.count, list, (long long)(4 * trace->steps));
}

/* Adds how many sections of the window say so too; what cannot be written is left out. */
static char *how_sure(char *text, const struct weir_trace_analysis *a, enum weir_main_loss loss) {
    const struct weir_section_votes votes = weir_section_votes_for(&a->sections, loss);
    char *more = NULL;
    if (a->sections.count < 2 || !text)
        return text;
    if (asprintf(&more, "%s So in %d of %d sections of the window%s%.0f to %.0f %%.", text, votes.agree,
                 a->sections.count, loss == WEIR_LOSS_NONE ? ", where the largest loss is " : ", at ",
                 100 * votes.least, 100 * votes.most) < 0)
        return text;
    free(text);
    return more;
}

char *weir_trace_words(const struct weir_trace *trace, const struct weir_trace_analysis *a,
                       const char *policy) {
    const enum weir_main_loss loss = weir_trace_main_loss(a);
    char *text = NULL;
    int length = -1;
    if (weir_trace_is_disturbed(a))
        return disturbed(trace, a, &text) < 0 ? NULL : text;
    if (!weir_sections_agree(&a->sections, loss))
        return unsure(trace, a, &text) < 0 ? NULL : text;
    switch (loss) {
    case WEIR_LOSS_BOUNCING:
        length = bouncing(trace, a, policy, &text);
        break;
    case WEIR_LOSS_IMBALANCE:
        length = imbalance(trace, a, policy, &text);
        break;
    case WEIR_LOSS_STARVED:
        length = starved(a, &text);
        break;
    case WEIR_LOSS_SUBMISSION:
        length = submission(trace, a, &text);
        break;
    case WEIR_LOSS_NEAR_WALL:
        length = near_wall(a, &text);
        break;
    case WEIR_LOSS_STAGES:
        length = stages(trace, a, &text);
        break;
    case WEIR_LOSS_MESSAGES:
        length = messages(trace, a, &text);
        break;
    case WEIR_LOSS_DATA:
        length = data(trace, a, &text);
        break;
    case WEIR_LOSS_OVERHEAD:
        length = overhead(trace, a, &text);
        break;
    case WEIR_LOSS_NONE:
    case WEIR_LOSS_COUNT:
        length = none(trace, a, &text);
    }
    return length < 0 ? NULL : how_sure(text, a, loss);
}

double weir_trace_cost(double recorded, double before, double after, double *difference) {
    const bool both = isfinite(before) && isfinite(after);
    const double plain = both ? 0.5 * (before + after) : isfinite(before) ? before : after;
    *difference = both ? fabs(before - after) / plain : NAN;
    return recorded / plain - 1;
}
