#include "src/output/output_profile.h"

#include "graph/base/error.h"
#include "src/case/profile_line.h"
#include "src/case/quantity.h"
#include "src/common/output_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct weir_output_profile {
    const struct weir_case *c;
    const struct weir_output *output;
    char *directory;
    struct weir_writer *writer;
    int axis;
    unsigned scalars;       /* the columns, as bits of enum weir_quantity */
    struct weir_box region; /* the line's cells; across the line one or two */
    double high_weight[3];  /* across the line: of the higher of two cells */
    int64_t step;           /* begun */
    double (*sums)[5]; /* per cell of the line: density, velocity and scalar times weight, summed over the
                          cells around it */
    double *weights;   /* and the sum of weights: 0 where all are solid */
};

static int length(const struct weir_output_profile *profile) {
    return profile->region.extent[profile->axis];
}

static int begin(void *context, int64_t step) {
    struct weir_output_profile *profile = context;
    size_t count = (size_t)length(profile);
    profile->step = step;
    memset(profile->sums, 0, count * sizeof *profile->sums);
    memset(profile->weights, 0, count * sizeof *profile->weights);
    return 0;
}

/* A cell's weight, from its place in the region. */
static double weight(const struct weir_output_profile *profile, const int place[3]) {
    double product = 1.0;
    for (int axis = 0; axis < 3; axis++)
        if (axis != profile->axis && profile->region.extent[axis] == 2)
            product *= place[axis] == 1 ? profile->high_weight[axis] : 1.0 - profile->high_weight[axis];
    return product;
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_profile *profile = context;
    const struct weir_box *box = &observation->box;
    size_t cell = 0;
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++, cell++) {
                int place[3] = {x, y, z};
                for (int axis = 0; axis < 3; axis++)
                    place[axis] += box->origin[axis] - profile->region.origin[axis];
                if (isnan(observation->density[cell]))
                    continue;
                double part = weight(profile, place), *sums = profile->sums[place[profile->axis]];
                sums[0] += part * observation->density[cell];
                for (int axis = 0; axis < 3; axis++)
                    sums[1 + axis] += part * observation->velocity[axis][cell];
                if (observation->scalar)
                    sums[4] += part * observation->scalar[cell];
                profile->weights[place[profile->axis]] += part;
            }
    return 0;
}

static void write_row(const struct weir_output_profile *profile, FILE *stream, int i) {
    const struct weir_case *c = profile->c;
    int digits = c->problem.precision != WEIR_DOUBLE ? 9 : 17;
    double total = profile->weights[i] > 0.0 ? profile->weights[i] : NAN;
    const double *sums = profile->sums[i];
    double density = sums[0] / total, velocity[3] = {sums[1] / total, sums[2] / total, sums[3] / total};
    fprintf(stream, "%" PRId64 ",%.10g", profile->step, (double)profile->step * c->units.time);
    for (int axis = 0; axis < 3; axis++) {
        double place =
            axis == profile->axis ? profile->region.origin[axis] + i + 0.5 : profile->output->from[axis];
        fprintf(stream, ",%.10g", place * c->units.length);
    }
    for (int q = 0; q < WEIR_QUANTITY_COUNT; q++)
        if (profile->scalars & 1u << q) {
            enum weir_quantity quantity = (enum weir_quantity)q;
            double value = weir_quantity_value(quantity, 0, density, velocity, sums[4] / total) *
                           weir_quantity_scale(quantity, &c->units);
            if (isnan(value))
                fputs(",nan", stream); /* printf may write -nan */
            else
                fprintf(stream, ",%.*g", digits, value);
        }
    fputc('\n', stream);
}

static void write_table(const struct weir_output_profile *profile, FILE *stream) {
    fputs("step,time,x,y,z", stream);
    for (int quantity = 0; quantity < WEIR_QUANTITY_COUNT; quantity++)
        if (profile->scalars & 1u << quantity)
            fprintf(stream, ",%s", weir_quantity_row((enum weir_quantity)quantity)->name);
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

/* The cells around a position across the line: the pair of centres it lies between, or the one at the
 * domain's edge. */
static void place_across(struct weir_output_profile *profile, int axis, double position) {
    int cells = profile->c->problem.cells[axis];
    double centre = fmin(fmax(position - 0.5, 0.0), cells - 1.0);
    int low = (int)floor(centre);
    profile->region.origin[axis] = low;
    profile->high_weight[axis] = centre - low;
    profile->region.extent[axis] = profile->high_weight[axis] > 0.0 ? 2 : 1;
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
    profile->scalars = weir_quantity_scalars(output->quantities);
    const struct weir_profile_line line = weir_profile_line(&c->problem, output);
    profile->axis = line.axis;
    profile->region.origin[line.axis] = line.first;
    profile->region.extent[line.axis] = line.last - line.first + 1;
    for (int axis = 0; axis < 3; axis++)
        if (axis != profile->axis)
            place_across(profile, axis, output->from[axis]);
    profile->directory = strdup(directory);
    profile->sums = calloc((size_t)length(profile), sizeof *profile->sums);
    profile->weights = calloc((size_t)length(profile), sizeof *profile->weights);
    if (!profile->directory || !profile->sums || !profile->weights) {
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
    free(profile->weights);
    free(profile);
}

struct weir_sink weir_output_profile_sink(struct weir_output_profile *profile) {
    return (struct weir_sink){
        .context = profile,
        .region = profile->region,
        .begin = begin,
        .put = put,
        .finish = finish,
    };
}
