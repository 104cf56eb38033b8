#include "graph/runtime/tracing.h"

#include "codelets/task_names.h"
#include "graph/base/error.h"

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

int weir_tracing_check(void) {
#ifdef STARPU_USE_FXT
    return 0;
#else
    return weir_fail(WEIR_UNAVAILABLE,
                     "this StarPU was built without FxT and cannot record; ./setup.sh builds one that can "
                     "(or configure StarPU with --with-fxt, and build weir with it)");
#endif
}

int weir_tracing_prepare(const char *folder, int megabytes) {
    WEIR_TRY(weir_tracing_check());
#ifdef STARPU_USE_FXT
    char *prefix, size[16];
    if (asprintf(&prefix, "%s/", folder) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    snprintf(size, sizeof size, "%d", megabytes);
    setenv("STARPU_FXT_TRACE", "1", 1);
    setenv("STARPU_FXT_PREFIX", prefix, 1);
    setenv("STARPU_TRACE_BUFFER_SIZE", size, 0);
    setenv("STARPU_CALIBRATE", "1",
           0); /* else only some of StarPU's schedulers measure tasks for the models */
    setenv("STARPU_FXT_SUFFIX", WEIR_TRACE_RECORDING, 1); /* else the user's name is a part of it */
    unsetenv("STARPU_GENERATE_TRACE");
    starpu_fxt_autostart_profiling(0);
    free(prefix);
#else
    (void)folder;
    (void)megabytes;
#endif
    return 0;
}

/* Nobody sends before all record: else messages would have no begin or no end. */
int weir_tracing_begin(int64_t step, struct weir_world *world) {
    weir_task_names_start();
    weir_task_expectations_start();
    weir_task_names_step(step);
#ifdef STARPU_USE_FXT
    starpu_fxt_start_profiling();
    WEIR_TRY(weir_world_agree(world, 0));
    starpu_fxt_trace_user_event(WEIR_TRACE_BEGINS);
#else
    (void)world;
#endif
    return 0;
}

void weir_tracing_end(struct weir_task_expectation **expectations, int *count) {
#ifdef STARPU_USE_FXT
    starpu_fxt_trace_user_event(WEIR_TRACE_ENDS);
    starpu_fxt_stop_profiling();
#endif
    weir_task_names_stop();
    *count = weir_task_expectations_end(expectations);
}
