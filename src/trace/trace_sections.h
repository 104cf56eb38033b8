/* A recorded window in sections of equal length: whether its main loss is that of each of them, or comes and
 * goes. Arithmetic on arrays only. */
#ifndef WEIR_SRC_TRACE_TRACE_SECTIONS_H
#define WEIR_SRC_TRACE_TRACE_SECTIONS_H

#include "src/report/run_analysis.h"
#include "src/trace/trace_data.h"
#include "src/trace/trace_losses.h"
#include "src/trace/trace_path.h"

enum { WEIR_SECTIONS_MOST = 5, WEIR_SECTION_STEPS_LEAST = 2 };

struct weir_trace_section {
    double begin, end; /* seconds */
    struct weir_loss_shares shares;
    enum weir_main_loss loss;
};

struct weir_trace_sections {
    struct weir_trace_section section[WEIR_SECTIONS_MOST];
    int count; /* 1 for a window of fewer than twice WEIR_SECTION_STEPS_LEAST steps */
};

/* Sections that a window of so many steps has. */
int weir_section_count(int64_t steps);

/* home_seconds[sections][run->home_count][WEIR_ACTIVITY_COUNT]: what each home did in each section. near_wall
 * and stages hold for all sections alike. */
void weir_trace_sections_find(const struct weir_trace *trace, const struct weir_critical_path *path,
                              const struct weir_run_analysis *run, double near_wall, double stages,
                              const double (*home_seconds)[WEIR_ACTIVITY_COUNT],
                              struct weir_trace_sections *sections);

/* How many sections have this main loss, and the least and the most that it is in any of all. */
struct weir_section_votes {
    int agree;
    double least, most;
};
struct weir_section_votes weir_section_votes_for(const struct weir_trace_sections *sections,
                                                 enum weir_main_loss loss);

/* Whether enough of them have it for an advice: three of five. */
bool weir_sections_agree(const struct weir_trace_sections *sections, enum weir_main_loss loss);

#endif
