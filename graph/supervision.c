#include "graph/supervision.h"

#include "graph/ranks/supervisor.h"
#include "graph/simulation.h"

static int64_t done(void *simulation) {
    return weir_simulation_done(simulation);
}

static bool waits(void *simulation) {
    return weir_simulation_waits(simulation);
}

static int status(void *simulation) {
    return weir_simulation_status(simulation);
}

static bool failed_everywhere(void *simulation) {
    return weir_simulation_failed_everywhere(simulation);
}

static void fail(void *simulation, const char *text) {
    weir_simulation_fail(simulation, text);
}

void weir_simulation_supervise(struct weir_simulation *simulation, struct weir_supervisor *supervisor) {
    weir_supervisor_attend(supervisor, &(struct weir_supervised){.done = done,
                                                                 .waits = waits,
                                                                 .status = status,
                                                                 .failed_everywhere = failed_everywhere,
                                                                 .fail = fail,
                                                                 .context = simulation});
}
