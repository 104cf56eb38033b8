#include "src/trace/trace_sections.h"

#include <math.h>
#include <stddef.h>

int weir_section_count(int64_t steps) {
    const int64_t count = steps / WEIR_SECTION_STEPS_LEAST;
    return count < 1 ? 1 : count > WEIR_SECTIONS_MOST ? WEIR_SECTIONS_MOST : (int)count;
}

/* Part of the homes' time of a section. */
static void share_time(const double (*home_seconds)[WEIR_ACTIVITY_COUNT], int homes, double length,
                       struct weir_loss_shares *shares) {
    const double unit = 1 / (length * (homes > 0 ? homes : 1));
    shares->least_tasks = homes > 0 ? INFINITY : 0;
    for (int home = 0; home < homes; home++) {
        const double *seconds = home_seconds[home];
        shares->tasks += unit * seconds[WEIR_WAITING_TASKS];
        shares->data += unit * seconds[WEIR_WAITING_DATA];
        shares->overhead += unit * seconds[WEIR_OVERHEAD];
        shares->least_tasks = fmin(shares->least_tasks, seconds[WEIR_WAITING_TASKS] / length);
    }
}

/* Of the blocks, in the transitions from step to step that end in the section. */
static double moved_within(const struct weir_run_analysis *run, double begin, double end) {
    int64_t moved = 0, transitions = 0;
    for (int64_t step = 0; step + 1 < run->steps; step++)
        if (run->step_end[step] >= begin && run->step_end[step] < end) {
            moved += run->moved_after[step];
            transitions++;
        }
    return transitions > 0 ? (double)moved / (double)(transitions * run->block_count) : 0;
}

static double messages_within(const struct weir_critical_path *path, double begin, double end) {
    double seconds = 0;
    for (int64_t k = 0; k < path->count; k++) {
        const struct weir_path_part *part = &path->parts[k];
        if (part->message >= 0)
            seconds += fmax(fmin(part->begin + part->seconds, end) - fmax(part->begin, begin), 0);
    }
    return seconds / (end - begin);
}

static double late_within(const struct weir_trace *trace, const struct weir_critical_path *path, double begin,
                          double end) {
    int64_t late = 0, tasks = 0;
    for (int64_t k = 0; k < trace->task_count; k++)
        if (trace->tasks[k].start >= begin && trace->tasks[k].start < end) {
            late += path->is_late[k];
            tasks++;
        }
    return tasks > 0 ? (double)late / (double)tasks : 0;
}

void weir_trace_sections_find(const struct weir_trace *trace, const struct weir_critical_path *path,
                              const struct weir_run_analysis *run, double near_wall, double stages,
                              const double (*home_seconds)[WEIR_ACTIVITY_COUNT],
                              struct weir_trace_sections *sections) {
    sections->count = weir_section_count(trace->steps);
    for (int k = 0; k < sections->count; k++) {
        const double begin = trace->seconds * k / sections->count,
                     end = trace->seconds * (k + 1) / sections->count;
        struct weir_trace_section *section = &sections->section[k];
        *section = (struct weir_trace_section){.begin = begin,
                                               .end = end,
                                               .shares = {.moved = moved_within(run, begin, end),
                                                          .messages = messages_within(path, begin, end),
                                                          .late = late_within(trace, path, begin, end),
                                                          .near_wall = near_wall,
                                                          .stages = stages}};
        share_time(home_seconds + (ptrdiff_t)k * run->home_count, run->home_count, end - begin,
                   &section->shares);
        section->loss = weir_main_loss_of(&section->shares);
    }
}

struct weir_section_votes weir_section_votes_for(const struct weir_trace_sections *sections,
                                                 enum weir_main_loss loss) {
    struct weir_section_votes votes = {0, INFINITY, 0};
    for (int k = 0; k < sections->count; k++) {
        const double share = weir_loss_share(&sections->section[k].shares, loss);
        votes.agree += sections->section[k].loss == loss;
        votes.least = fmin(votes.least, share);
        votes.most = fmax(votes.most, share);
    }
    return votes;
}

bool weir_sections_agree(const struct weir_trace_sections *sections, enum weir_main_loss loss) {
    return 5 * weir_section_votes_for(sections, loss).agree >= 3 * sections->count;
}
