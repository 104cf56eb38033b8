#include "src/output/output_profile.h"

#include "graph/base/error.h"
#include "src/case/outputs/point_cells.h"
#include "src/case/outputs/profile_line.h"
#include "src/common/output_files.h"
#include "src/output/cell_values.h"
#include "src/output/quantity_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct weir_output_profile {
    const struct weir_case *c;
    const struct weir_output *output;
    char *directory;
    struct weir_writer *writer;
    int axis;
    struct weir_box region;         /* the line's cells; across the line one or two */
    struct weir_point_cells across; /* these, of the line's beginning */
    int64_t step;                   /* begun */
    struct weir_cell_sum *sums;     /* per cell of the line: over the cells around it */
};

static int length(const struct weir_output_profile *profile) {
    return profile->region.extent[profile->axis];
}

static int begin(void *context, int64_t step) {
    struct weir_output_profile *profile = context;
    size_t count = (size_t)length(profile);
    profile->step = step;
    memset(profile->sums, 0, count * sizeof *profile->sums);
    return 0;
}

/* A cell's weight, from its place in the region. */
static double weight(const struct weir_output_profile *profile, const int place[3]) {
    double product = 1.0;
    for (int axis = 0; axis < 3; axis++)
        if (axis != profile->axis)
            product *= weir_point_weight(&profile->across, axis, place[axis]);
    return product;
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_profile *profile = context;
    const struct weir_box *box = &observation->box;
    const bool gradient = weir_quantities_of_gradient(profile->output->quantities);
    struct weir_cell_values cell = weir_cell_values_begin(profile->c);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const int in_box[3] = {x, y, z};
                int place[3];
                weir_cell_values_turn(&cell, observation, in_box, gradient);
                for (int axis = 0; axis < 3; axis++)
                    place[axis] = in_box[axis] + box->origin[axis] - profile->region.origin[axis];
                weir_cell_sum_add(&profile->sums[place[profile->axis]], weight(profile, place), &cell);
            }
    return 0;
}

static void write_row(const struct weir_output_profile *profile, FILE *stream, int i) {
    const struct weir_case *c = profile->c;
    fprintf(stream, "%" PRId64 ",%.10g", profile->step, (double)profile->step * c->units.time);
    for (int axis = 0; axis < 3; axis++) {
        double place =
            axis == profile->axis ? profile->region.origin[axis] + i + 0.5 : profile->output->from[axis];
        fprintf(stream, ",%.10g", place * c->units.length);
    }
    const struct weir_cell_values values = weir_cell_sum_mean(&profile->sums[i]);
    weir_quantity_columns_values(stream, profile->output->quantities, c, &values);
    fputc('\n', stream);
}

static void write_table(const struct weir_output_profile *profile, FILE *stream) {
    fputs("step,time,x,y,z", stream);
    weir_quantity_columns_names(stream, profile->output->quantities, "");
    fputc('\n', stream);
    for (int i = 0; i < length(profile); i++)
        write_row(profile, stream, i);
}

static int finish(void *context, bool sound) {
    struct weir_output_profile *profile = context;
    if (!sound)
        return 0;
    char *path;
    struct weir_output_file *file;
    WEIR_TRY(weir_output_path(profile->directory, profile->output->name, profile->step, ".csv", &path));
    int result = weir_output_file_create(path, &file);
    free(path);
    WEIR_TRY(result);
    write_table(profile, weir_output_file_stream(file));
    return weir_writer_finish(profile->writer, file);
}

int weir_output_profile_create(const struct weir_case *c, const struct weir_output *output,
                               const char *directory, struct weir_writer *writer,
                               struct weir_output_profile **result) {
    struct weir_output_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    profile->c = c;
    profile->output = output;
    profile->writer = writer;
    const struct weir_profile_line line = weir_profile_line(&c->problem, output);
    profile->axis = line.axis;
    profile->across = weir_point_cells(c->problem.cells, output->from);
    profile->region = profile->across.box;
    profile->region.origin[line.axis] = line.first;
    profile->region.extent[line.axis] = line.last - line.first + 1;
    profile->directory = strdup(directory);
    profile->sums = calloc((size_t)length(profile), sizeof *profile->sums);
    if (!profile->directory || !profile->sums) {
        weir_output_profile_destroy(profile);
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    }
    *result = profile;
    return 0;
}

void weir_output_profile_destroy(struct weir_output_profile *profile) {
    if (!profile)
        return;
    free(profile->directory);
    free(profile->sums);
    free(profile);
}

struct weir_sink weir_output_profile_sink(struct weir_output_profile *profile) {
    return (struct weir_sink){
        .context = profile,
        .region = profile->region,
        .gradients = weir_quantities_of_gradient(profile->output->quantities),
        .begin = begin,
        .put = put,
        .finish = finish,
    };
}
