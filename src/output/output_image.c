#include "src/output/output_image.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "src/output/cell_values.h"
#include "src/output/colour_range.h"
#include "src/picture/picture.h"
#include "src/picture/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct weir_output_image {
    const struct weir_case *c;
    const struct weir_output *output;
    char *directory;
    struct weir_writer *writer;
    struct weir_font *font; /* the writer's thread has it */
    enum weir_quantity quantity;
    struct weir_box region;
    int across, up;      /* the axes of the picture */
    struct plane *plane; /* of the step begun, until it is the writer's */
};

/* What a picture is made of. */
struct plane {
    struct weir_output_image *image;
    int64_t step;
    double *flow[2]; /* of streamlines: the velocity across and up, [up][across]; NULL: none are wanted */
    double values[]; /* [up][across] in lattice units; then those of flow */
};

static const char *const axis_names[3] = {"x", "y", "z"};

static size_t plane_cells(const struct weir_output_image *image) {
    return (size_t)image->region.extent[image->across] * (size_t)image->region.extent[image->up];
}

static size_t plane_bytes(const struct weir_output_image *image) {
    return sizeof(struct plane) +
           (image->output->streamlines > 0 ? 3 : 1) * plane_cells(image) * sizeof(double);
}

static int begin(void *context, int64_t step) {
    struct weir_output_image *image = context;
    free(image->plane); /* of a step that a failure has left unfinished */
    struct plane *plane = image->plane = malloc(plane_bytes(image));
    if (!plane)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", image->output->name);
    plane->image = image;
    plane->step = step;
    for (size_t k = 0; k < 2; k++)
        plane->flow[k] = image->output->streamlines > 0 ? plane->values + (k + 1) * plane_cells(image) : NULL;
    return 0;
}

/* Of a vector the component normal to the plane. */
static int shown_component(const struct weir_output_image *image) {
    return weir_quantity_components(image->quantity) > 1 ? image->output->axis : 0;
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_image *image = context;
    const struct weir_box *box = &observation->box;
    const size_t width = (size_t)image->region.extent[image->across];
    const bool gradient = weir_quantity_row(image->quantity)->of_gradient;
    struct weir_cell_values cell = weir_cell_values_begin(image->c);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const int place[3] = {x, y, z};
                weir_cell_values_turn(&cell, observation, place, gradient);
                const size_t row = (size_t)(place[image->up] + box->origin[image->up]),
                             column = (size_t)(place[image->across] + box->origin[image->across]);
                struct plane *plane = image->plane;
                plane->values[row * width + column] =
                    weir_quantity_value(image->quantity, shown_component(image), &cell);
                if (!plane->flow[0])
                    continue;
                plane->flow[0][row * width + column] = cell.velocity[image->across];
                plane->flow[1][row * width + column] = cell.velocity[image->up];
            }
    return 0;
}

/* "plane y = 32.5 cells  ·  step 1000", in SI "plane y = 0.0325 m  ·  step 1000  ·  time 0.02 s". */
static void describe(const struct weir_output_image *image, int64_t step, char *text, size_t size) {
    const struct weir_units *units = &image->c->units;
    int axis = image->output->axis, length = 0;
    if (weir_lattice_dimensions(image->c->problem.lattice) == 3)
        length = snprintf(text, size, "plane %s = %.5g %s  ·  ", axis_names[axis],
                          (image->region.origin[axis] + 0.5) * units->length, units->si ? "m" : "cells");
    length += snprintf(text + length, size - (size_t)length, "step %" PRId64, step);
    if (units->si)
        snprintf(text + length, size - (size_t)length, "  ·  time %.5g s", (double)step * units->time);
}

static void name_quantity(const struct weir_output_image *image, char *text, size_t size) {
    const char *name = weir_quantity_row(image->quantity)->name;
    if (weir_quantity_components(image->quantity) > 1)
        snprintf(text, size, "%s %s", name, axis_names[image->output->axis]);
    else
        snprintf(text, size, "%s", name);
    for (char *c = text; *c; c++)
        if (*c == '_')
            *c = ' ';
}

/* None where none are wanted. */
static int find_lines(const struct plane *plane, struct weir_streamlines *lines) {
    const struct weir_output_image *image = plane->image;
    const int width = image->region.extent[image->across], height = image->region.extent[image->up];
    const struct weir_plane_flow flow = {width, height, plane->flow[0], plane->flow[1]};
    *lines = (struct weir_streamlines){.count = 0};
    if (!plane->flow[0])
        return 0;
    return weir_streamlines_find(
        &flow, (double)(width > height ? width : height) / (double)image->output->streamlines, lines);
}

static int draw(struct plane *plane, const struct weir_streamlines *lines, struct weir_raster **raster) {
    const struct weir_output_image *image = plane->image;
    const struct weir_case *c = image->c;
    int width = image->region.extent[image->across], height = image->region.extent[image->up];
    size_t cells = plane_cells(image);
    double scale = weir_quantity_scale(image->quantity, &c->units), range[2];
    char title[256], subtitle[256], quantity[64];

    for (size_t i = 0; i < cells; i++)
        plane->values[i] *= scale;
    weir_colour_range_choose(image->quantity, plane->values, cells, image->output->range, range);
    name_quantity(image, quantity, sizeof quantity);
    snprintf(title, sizeof title, "%s: %s", c->name, quantity);
    describe(image, plane->step, subtitle, sizeof subtitle);
    struct weir_picture picture = {
        .width = width,
        .height = height,
        .values = plane->values,
        .low = range[0],
        .high = range[1],
        .diverging = weir_quantity_signed(image->quantity),
        .cell_size = c->units.length,
        .axes = {axis_names[image->across], axis_names[image->up]},
        .axis_unit = c->units.si ? "m" : "cells",
        .title = title,
        .subtitle = subtitle,
        .quantity = quantity,
        .unit = weir_quantity_unit(image->quantity, &c->units),
        .lines = lines,
        .pixels = image->output->pixels,
    };
    return weir_picture_draw(&picture, image->font, raster);
}

/* Job of the writer: draws the picture and writes its file. */
static int write_picture(void *context) {
    struct plane *plane = context;
    const struct weir_output_image *image = plane->image;
    struct weir_raster *raster;
    struct weir_streamlines lines;
    WEIR_TRY(find_lines(plane, &lines));
    const int drawn = draw(plane, &lines, &raster);
    weir_streamlines_release(&lines);
    WEIR_TRY(drawn);
    char *path = NULL;
    struct weir_output_file *file = NULL;
    int result = weir_output_path(image->directory, image->output->name, plane->step, ".png", &path);
    if (result == 0)
        result = weir_output_file_create(path, &file);
    if (result == 0)
        result = weir_raster_write_png(raster, weir_output_file_stream(file));
    if (result == 0)
        result = weir_output_file_finish(file);
    else
        weir_output_file_discard(file);
    free(path);
    weir_raster_destroy(raster);
    return result;
}

static int finish(void *context, bool sound) {
    struct weir_output_image *image = context;
    struct plane *plane = image->plane;
    image->plane = NULL;
    if (sound)
        return weir_writer_add(image->writer, &(struct weir_job){.run = write_picture,
                                                                 .release = free,
                                                                 .context = plane,
                                                                 .bytes = plane_bytes(image)});
    free(plane);
    return 0;
}

int weir_output_image_create(const struct weir_case *c, const struct weir_output *output,
                             const char *directory, struct weir_writer *writer,
                             struct weir_output_image **result) {
    struct weir_output_image *image = calloc(1, sizeof *image);
    if (!image)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    image->c = c;
    image->output = output;
    while (!(output->quantities & 1u << image->quantity))
        image->quantity++;
    int axis = output->axis;
    image->across = axis == 0 ? 1 : 0;
    image->up = axis == 2 ? 1 : 2;
    for (int i = 0; i < 3; i++)
        image->region.extent[i] = c->problem.cells[i];
    image->region.extent[axis] = 1;
    image->region.origin[axis] = (int)fmin(fmax(floor(output->position), 0.0), c->problem.cells[axis] - 1);

    image->writer = writer;
    image->directory = strdup(directory);
    int error = image->directory ? weir_font_create(&image->font)
                                 : weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    if (error < 0) {
        weir_output_image_destroy(image);
        return error;
    }
    *result = image;
    return 0;
}

void weir_output_image_destroy(struct weir_output_image *image) {
    if (!image)
        return;
    weir_font_destroy(image->font);
    free(image->plane);
    free(image->directory);
    free(image);
}

struct weir_sink weir_output_image_sink(struct weir_output_image *image) {
    return (struct weir_sink){
        .context = image,
        .region = image->region,
        .gradients = weir_quantity_row(image->quantity)->of_gradient,
        .begin = begin,
        .put = put,
        .finish = finish,
    };
}
