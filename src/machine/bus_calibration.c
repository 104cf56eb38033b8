#include "src/machine/bus_calibration.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* StarPU keeps what it measured of a machine in a file that is named after it. */
static bool is_due(void) {
    const char *models = getenv("STARPU_PERF_MODEL_DIR"), *home = getenv("XDG_CACHE_HOME");
    char pattern[4096];
    if (!home) /* StarPU's order */
        home = getenv("STARPU_HOME");
    if (!home)
        home = getenv("HOME");
    if (models)
        snprintf(pattern, sizeof pattern, "%s/bus/*.bandwidth", models);
    else
        snprintf(pattern, sizeof pattern, "%s/.starpu/sampling/bus/*.bandwidth", home ? home : "");
    glob_t found;
    const bool none = glob(pattern, 0, NULL, &found) == GLOB_NOMATCH;
    if (!none)
        globfree(&found);
    return none;
}

void weir_bus_calibration_announce(void) {
    if (is_due())
        fputs("first run on this machine: StarPU measures its buses, which takes some seconds\n", stderr);
}
