#include "src/output/table_stretch.h"

#include "graph/base/error.h"
#include "src/common/spectrum.h"

#include <math.h>

enum { STEP, TIME }; /* columns of all tables */

bool weir_table_is_over_time(const struct weir_table *table) {
    return table->columns > TIME && weir_table_find(table, "step") == STEP &&
           weir_table_find(table, "time") == TIME && weir_table_find(table, "x") < 0;
}

struct weir_table_stretch weir_table_stretch(const struct weir_table *table, int64_t from) {
    struct weir_table_stretch stretch = {.from = -1, .to = -1};
    const double *step = weir_table_column(table, STEP), *time = weir_table_column(table, TIME);
    while (stretch.first < table->rows && step[stretch.first] < (double)from)
        stretch.first++;
    stretch.rows = table->rows - stretch.first;
    step += stretch.first;
    time += stretch.first;
    if (stretch.rows > 2 && step[stretch.rows - 1] - step[stretch.rows - 2] < step[1] - step[0])
        stretch.rows--;
    if (stretch.rows > 0) {
        stretch.from = (int64_t)step[0];
        stretch.to = (int64_t)step[stretch.rows - 1];
    }
    if (stretch.rows > 1)
        stretch.interval = (time[stretch.rows - 1] - time[0]) / (double)(stretch.rows - 1);
    return stretch;
}

int weir_table_statistics(const struct weir_table *table, const struct weir_table_stretch *stretch,
                          int column, struct weir_column_statistics *statistics) {
    const double *values = weir_table_column(table, column) + stretch->first;
    const double rows = (double)stretch->rows;
    double sum = 0, squares = 0, least = values[0], greatest = values[0];
    for (size_t i = 0; i < stretch->rows; i++) {
        sum += values[i];
        least = fmin(least, values[i]);
        greatest = fmax(greatest, values[i]);
    }
    const double mean = sum / rows;
    for (size_t i = 0; i < stretch->rows; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    struct weir_spectrum spectrum;
    WEIR_TRY(weir_spectrum_make(values, stretch->rows, stretch->interval, &spectrum));
    *statistics = (struct weir_column_statistics){.mean = mean,
                                                  .rms = sqrt(squares / rows),
                                                  .least = least,
                                                  .greatest = greatest,
                                                  .frequency = spectrum.peak};
    weir_spectrum_release(&spectrum);
    return 0;
}
