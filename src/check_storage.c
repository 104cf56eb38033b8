#include "src/check_storage.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/forms.h"
#include "graph/problem/solid_blocks.h"
#include "src/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Less than so much time of a step is nothing to change a case for: predictions are off by more. */
static const double worth = 0.93;

/* The seconds of a step; 0: it has not been measured here. */
static int predict(const struct weir_case *c, const struct weir_step_workers *workers, double *seconds) {
    struct weir_block_grid grid;
    struct weir_machine machine;
    struct weir_machine_trust trust;
    struct weir_split split;
    char note[WEIR_MACHINE_NOTE];
    bool *solid, found;
    *seconds = 0;
    WEIR_TRY(weir_predict_measured(c, workers, &machine, &trust, &grid, &found, note));
    if (!found)
        return 0;
    WEIR_TRY(weir_solid_blocks_find(&c->problem, &grid, &solid));
    const int error = weir_predict_case(c, &machine, &grid, NULL, &split);
    if (error == 0)
        *seconds = split.prediction.step_seconds;
    free(solid);
    return error;
}

int weir_check_storage(const struct weir_case *c, const struct weir_step_workers *workers,
                       const struct weir_prediction *as_it_is) {
    const struct weir_precision_row *const row = weir_precision_row(c->problem.precision);
    if (!weir_case_may_keep_moments(c) || strcmp(row->storage, "half") == 0)
        return 0;
    const char *const storage = row->moments ? "full" : "moments";
    struct weir_case other = *c;
    double seconds;
    other.problem.precision = (enum weir_precision)weir_precision_find(row->arithmetic, storage);
    other.problem.list_up_to =
        row->moments && c->lists_chosen ? weir_fastest_list_up_to(&other.problem, workers->gpus > 0) : 0;
    WEIR_TRY(predict(&other, workers, &seconds));
    if (seconds == 0) {
        printf("  storage       %s; what %s would take has not been measured here: weir calibrate %s --set "
               "storage=%s\n",
               row->storage, storage, c->file, storage);
        return 0;
    }
    const double ratio = seconds / as_it_is->step_seconds;
    printf("  storage       %s; with %s a step is predicted to take %.2f times as long%s%s\n", row->storage,
           storage, ratio, ratio < worth ? ": choose storage " : "", ratio < worth ? storage : "");
    return 0;
}
