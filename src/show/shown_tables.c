#include "src/show/shown_tables.h"

#include "graph/base/error.h"
#include "src/common/json_text.h"
#include "src/common/spectrum.h"
#include "src/output/table_stretch.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <string.h>

/* Points of a curve, amplitudes of a spectrum, and spectra of a table: more cannot be told apart. A spectrum
 * is shown up to this many times the frequency of its strongest swing. */
enum { POINTS_MOST = 4000, AMPLITUDES_MOST = 400, SPECTRA_MOST = 48, PEAKS_SHOWN = 6 };

static json_t *every(const double *values, size_t count, size_t step) {
    json_t *list = json_array();
    for (size_t k = 0; k < count; k += step)
        json_array_append_new(list, weir_json_of_number(values[k]));
    return list;
}

/* The step from which the summary has statistics of an output; where it has none, half of the run. */
static int64_t settled(const struct weir_table *table, const json_t *statistics, const char *name) {
    char output[256];
    snprintf(output, sizeof output, "%.*s", (int)strcspn(name, "."), name);
    const json_t *from = json_object_get(json_object_get(statistics, output), "from_step");
    if (json_is_integer(from))
        return json_integer_value(from);
    return table->rows > 0 ? (int64_t)(0.5 * weir_table_column(table, 0)[table->rows - 1]) : 0;
}

/* Amplitudes up to some peaks, the largest of each few where there are many. */
static json_t *amplitudes(const struct weir_spectrum *s, double *step) {
    json_t *list = json_array();
    size_t count = (size_t)fmin((double)s->bins, PEAKS_SHOWN * s->peak / s->step + 1),
           few = count / AMPLITUDES_MOST + 1;
    for (size_t k = 0; k < count; k += few) {
        double most = 0;
        for (size_t i = k; i < k + few && i < count; i++)
            most = fmax(most, s->amplitude[i]);
        json_array_append_new(list, weir_json_of_number(most));
    }
    *step = s->step * (double)few;
    return list;
}

static int add_spectrum(const struct weir_table *table, const struct weir_table_stretch *stretch, int column,
                        json_t *spectra) {
    struct weir_spectrum s;
    double step;
    WEIR_TRY(weir_spectrum_make(weir_table_column(table, column) + stretch->first, stretch->rows,
                                stretch->interval, &s));
    if (isfinite(s.peak)) {
        json_t *list = amplitudes(&s, &step);
        json_array_append_new(spectra, json_pack("{s:o, s:f, s:f, s:f, s:o}", "name",
                                                 weir_json_text(table->names[column]), "peak", s.peak,
                                                 "height", s.height, "step", step, "amplitude", list));
    }
    weir_spectrum_release(&s);
    return 0;
}

/* What swings is asked of places and bodies, which columns name in brackets: velocity_x(1), c_y(cylinder). */
static bool is_of_interest(const char *column) {
    return strchr(column, '(') && strncmp(column, "mass_flow(", 10) != 0 &&
           strncmp(column, "scalar_flow(", 12) != 0;
}

static int add_spectra(const struct weir_table *table, int64_t from, json_t *shown) {
    const struct weir_table_stretch stretch = weir_table_stretch(table, from);
    json_t *spectra = json_array();
    json_object_set_new(shown, "spectra", spectra);
    json_object_set_new(shown, "spectra_from", json_integer(stretch.from));
    for (int k = 2; k < table->columns && json_array_size(spectra) < SPECTRA_MOST; k++)
        if (stretch.rows > 0 && is_of_interest(table->names[k]))
            WEIR_TRY(add_spectrum(table, &stretch, k, spectra));
    return 0;
}

int weir_shown_table(const char *path, const json_t *statistics, const char *name, json_t **shown) {
    struct weir_table table;
    WEIR_TRY(weir_table_read(path, &table));
    const bool over_time = weir_table_is_over_time(&table);
    const size_t step = table.rows / POINTS_MOST + 1;
    json_t *names = json_array(), *columns = json_array();
    for (int k = 0; k < table.columns; k++) {
        json_array_append_new(names, weir_json_text(table.names[k]));
        json_array_append_new(columns, every(weir_table_column(&table, k), table.rows, step));
    }
    *shown = json_pack("{s:o, s:o, s:o, s:b, s:I, s:I}", "file", weir_json_text(name), "names", names,
                       "columns", columns, "over_time", over_time, "rows", (json_int_t)table.rows, "row_step",
                       (json_int_t)step);
    const int error = over_time ? add_spectra(&table, settled(&table, statistics, name), *shown) : 0;
    weir_table_release(&table);
    if (error != 0)
        json_decref(*shown);
    return error;
}
