#include "src/picture/picture.h"

#include "graph/base/error.h"
#include "src/picture/colour_map.h"
#include "src/picture/resample.h"
#include "src/picture/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t ink[3] = {0x22, 0x26, 0x2b}, faint_ink[3] = {0x6b, 0x72, 0x7a},
                     solid_grey[3] = {0x8f, 0x93, 0x98}, white[3] = {0xff, 0xff, 0xff};

/* Everything is measured in pixels from the upper left corner, and spaced in letter sizes. */
struct layout {
    double letter; /* size of the letters */
    int width, height;
    int plot_x, plot_y, plot_width, plot_height;
    bool bar_below; /* beside the plot otherwise */
    int bar_x, bar_y, bar_length, bar_breadth;
};

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

static int even(double length) {
    return 2 * (int)ceil(0.5 * length);
}

/* Pixels per cell where the size is left open. A small plane is magnified until it is large enough to be
 * looked at, but shows no more than it has: drawing and compressing pixels that are interpolated takes longer
 * than steps of so few cells. Very large planes are reduced. */
static double chosen_scale(int longer) {
    enum { LARGE_ENOUGH = 880, LEAST = 400, MOST = 1600, PER_CELL = 4 };
    const double magnified = clamp(PER_CELL * (double)longer, LEAST, LARGE_ENOUGH);
    return clamp(longer, magnified, MOST) / longer;
}

static void lay_out(const struct weir_picture *picture, struct layout *layout) {
    int longer = picture->width > picture->height ? picture->width : picture->height;
    double longer_pixels = picture->pixels > 0 ? picture->pixels : chosen_scale(longer) * longer;
    double letter = fmax(11.0, round(longer_pixels / 58.0));
    bool bar_below = picture->width > 3 * picture->height;
    double left = 5.6 * letter, top = 4.9 * letter;
    double right = (bar_below ? 1.8 : 9.4) * letter, bottom = (bar_below ? 9.0 : 4.0) * letter;
    double scale = chosen_scale(longer);
    if (picture->pixels > 0)
        scale = fmin((picture->pixels - left - right) / picture->width,
                     (picture->pixels - top - bottom) / picture->height);
    *layout = (struct layout){
        .letter = letter,
        .plot_x = (int)left,
        .plot_y = (int)top,
        .plot_width = (int)fmax(8.0, round(scale * picture->width)),
        .plot_height = (int)fmax(8.0, round(scale * picture->height)),
        .bar_below = bar_below,
        .bar_breadth = (int)(1.25 * letter),
    };
    layout->width = even(left + layout->plot_width + right);
    layout->height = even(top + layout->plot_height + bottom);
    layout->bar_x = layout->plot_x + (bar_below ? 0 : layout->plot_width + (int)(1.6 * letter));
    layout->bar_y = layout->plot_y + (bar_below ? layout->plot_height + (int)(5.6 * letter) : 0);
    layout->bar_length = bar_below ? layout->plot_width : layout->plot_height;
}

static double colour_position(const struct weir_picture *picture, double value) {
    if (picture->diverging)
        return 0.5 + 0.5 * value / fmax(fabs(picture->low), fabs(picture->high));
    return (value - picture->low) / (picture->high - picture->low);
}

static void draw_row(const struct weir_picture *picture, const struct weir_colour_map *map,
                     const double *values, int columns, uint8_t *pixel) {
    for (int column = 0; column < columns; column++, pixel += 3)
        if (isnan(values[column]))
            memcpy(pixel, solid_grey, 3);
        else if (map)
            memcpy(pixel, weir_colour_map_at(map, colour_position(picture, values[column])), 3);
}

/* Solids, and the fluid in the colours of a map; NULL: solids alone, over what is there. */
static int draw_plane(const struct weir_picture *picture, const struct layout *layout,
                      const struct weir_colour_map *map, struct weir_raster *raster) {
    int columns = layout->plot_width, rows = layout->plot_height;
    struct weir_resampling *resampling;
    WEIR_TRY(
        weir_resampling_create(picture->values, picture->width, picture->height, columns, rows, &resampling));
    double *values = malloc((size_t)columns * sizeof *values);
    for (int row = 0; values && row < rows; row++) {
        weir_resampling_row(resampling, row, values);
        draw_row(picture, map, values, columns,
                 weir_raster_pixel(raster, layout->plot_x, layout->plot_y + rows - 1 - row));
    }
    weir_resampling_destroy(resampling);
    if (!values)
        return weir_fail(WEIR_FAILED, "no memory left for a picture of %d x %d pixels", layout->width,
                         layout->height);
    free(values);
    return 0;
}

/* Lines of a flow on the plot, as distances of the centres of pixels from the nearest one: where lines meet
 * or turn, nothing is drawn twice. */
struct line_layer {
    int width, height;
    float *distances; /* [height][width], from the upper left corner of the plot */
};

static double distance_to_segment(double px, double py, const double from[2], const double to[2]) {
    const double x = to[0] - from[0], y = to[1] - from[1], square = x * x + y * y;
    const double along =
        square > 0 ? clamp(((px - from[0]) * x + (py - from[1]) * y) / square, 0.0, 1.0) : 0.0;
    const double dx = px - from[0] - along * x, dy = py - from[1] - along * y;
    return sqrt(dx * dx + dy * dy);
}

static void add_segment(struct line_layer *layer, double reach, const double from[2], const double to[2]) {
    const int left = (int)clamp(floor(fmin(from[0], to[0]) - reach), 0, layer->width),
              right = (int)clamp(ceil(fmax(from[0], to[0]) + reach), 0, layer->width),
              top = (int)clamp(floor(fmin(from[1], to[1]) - reach), 0, layer->height),
              bottom = (int)clamp(ceil(fmax(from[1], to[1]) + reach), 0, layer->height);
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) {
            float *distance = &layer->distances[(size_t)row * (size_t)layer->width + (size_t)column];
            *distance = fminf(*distance, (float)distance_to_segment(column + 0.5, row + 0.5, from, to));
        }
}

/* A point of a line in pixels of the plot. */
static void place_point(const struct weir_picture *picture, const struct layout *layout,
                        const struct weir_streamline_point *point, double place[2]) {
    place[0] = point->x / picture->width * layout->plot_width;
    place[1] = layout->plot_height - point->y / picture->height * layout->plot_height;
}

static double coverage(double distance, double half_width) {
    return clamp(half_width + 0.5 - distance, 0.0, 1.0);
}

static const uint8_t *line_colour(const struct weir_picture *picture) {
    return picture->diverging ? ink : white;
}

/* Dark on a map whose middle is pale and pale on one that begins dark, each with a seam of the other, so that
 * they are seen on all colours. */
static void blend_lines(const struct weir_picture *picture, const struct layout *layout,
                        const struct line_layer *layer, double half_width, double seam,
                        struct weir_raster *raster) {
    const uint8_t *core = line_colour(picture), *edge = core == ink ? white : ink;
    const float *distance = layer->distances;
    for (int row = 0; row < layer->height; row++)
        for (int column = 0; column < layer->width; column++, distance++) {
            const int x = layout->plot_x + column, y = layout->plot_y + row;
            weir_raster_blend(raster, x, y, edge, 0.45 * coverage(*distance, half_width + seam));
            weir_raster_blend(raster, x, y, core, 0.9 * coverage(*distance, half_width));
        }
}

/* Which way a line goes: in its middle, where all of the arrow is on the plot. */
static void draw_arrow(const struct weir_picture *picture, const struct layout *layout, size_t middle,
                       double size, struct weir_raster *raster) {
    double before[2], after[2];
    place_point(picture, layout, &picture->lines->points[middle - 1], before);
    place_point(picture, layout, &picture->lines->points[middle + 1], after);
    double dx = after[0] - before[0], dy = after[1] - before[1];
    const double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    dx *= size / length;
    dy *= size / length;
    const double x = 0.5 * (before[0] + after[0]), y = 0.5 * (before[1] + after[1]);
    const double corners[2][3] = {{x + dx, x - 0.6 * dx - 0.7 * dy, x - 0.6 * dx + 0.7 * dy},
                                  {y + dy, y - 0.6 * dy + 0.7 * dx, y - 0.6 * dy - 0.7 * dx}};
    double shifted[2][3];
    for (int k = 0; k < 3; k++) {
        if (corners[0][k] < 0 || corners[1][k] < 0 || corners[0][k] > layout->plot_width ||
            corners[1][k] > layout->plot_height)
            return;
        shifted[0][k] = layout->plot_x + corners[0][k];
        shifted[1][k] = layout->plot_y + corners[1][k];
    }
    weir_raster_triangle(raster, shifted[0], shifted[1], line_colour(picture));
}

/* Lines over the colours; solids, which no line enters, over what reaches into them of a line's breadth. */
static int draw_lines(const struct weir_picture *picture, const struct layout *layout,
                      struct weir_raster *raster) {
    const struct weir_streamlines *lines = picture->lines;
    const double half_width = fmax(0.5, layout->letter / 26), seam = 2 * half_width,
                 arrow = layout->letter / 2.8;
    struct line_layer layer = {layout->plot_width, layout->plot_height, NULL};
    const size_t pixels = (size_t)layer.width * (size_t)layer.height;
    layer.distances = malloc(pixels * sizeof *layer.distances);
    if (!layer.distances)
        return weir_fail(WEIR_FAILED, "no memory left for a picture of %d x %d pixels", layout->width,
                         layout->height);
    for (size_t k = 0; k < pixels; k++)
        layer.distances[k] = INFINITY;
    for (int line = 0; line < lines->count; line++)
        for (size_t k = lines->begin[line]; k + 1 < lines->begin[line + 1]; k++) {
            double from[2], to[2];
            place_point(picture, layout, &lines->points[k], from);
            place_point(picture, layout, &lines->points[k + 1], to);
            add_segment(&layer, half_width + seam + 1, from, to);
        }
    blend_lines(picture, layout, &layer, half_width, seam, raster);
    free(layer.distances);
    for (int line = 0; line < lines->count; line++)
        draw_arrow(picture, layout, (lines->begin[line] + lines->begin[line + 1]) / 2, arrow, raster);
    return draw_plane(picture, layout, NULL, raster);
}

/* A frame of one pixel around a rectangle. */
static void draw_frame(struct weir_raster *raster, int x, int y, int width, int height) {
    weir_raster_fill(raster, x - 1, y - 1, width + 2, 1, ink);
    weir_raster_fill(raster, x - 1, y + height, width + 2, 1, ink);
    weir_raster_fill(raster, x - 1, y, 1, height, ink);
    weir_raster_fill(raster, x + width, y, 1, height, ink);
}

/* Where on a line of `length` pixels a value between low and high has its mark. */
static int mark_place(double value, double low, double high, int length) {
    return (int)clamp(floor((value - low) / (high - low) * length), 0.0, length - 1.0);
}

/* Marks below an edge that runs to the right from (x, y). */
static void draw_marks_below(struct weir_raster *raster, struct weir_font *font, double letter, int x, int y,
                             int length, double low, double high, const struct weir_ticks *ticks) {
    int mark = (int)(0.4 * letter);
    for (int i = 0; i < ticks->count; i++) {
        char label[WEIR_TICK_LABEL];
        weir_ticks_label(ticks, i, label);
        int place = x + mark_place(ticks->values[i], low, high, length);
        weir_raster_fill(raster, place, y, 1, mark, ink);
        weir_font_draw(font, raster, place + 0.5 - 0.5 * weir_font_width(font, letter, label),
                       y + mark + 1.1 * letter, letter, false, ink, label);
    }
}

/* Marks beside an edge that runs up from (x, y): to its left, or to its right. */
static void draw_marks_beside(struct weir_raster *raster, struct weir_font *font, double letter, int x, int y,
                              int length, double low, double high, const struct weir_ticks *ticks,
                              bool left) {
    int mark = (int)(0.4 * letter);
    for (int i = 0; i < ticks->count; i++) {
        char label[WEIR_TICK_LABEL];
        weir_ticks_label(ticks, i, label);
        int place = y - 1 - mark_place(ticks->values[i], low, high, length);
        double gap = mark + 0.35 * letter;
        weir_raster_fill(raster, left ? x - mark : x, place, mark, 1, ink);
        weir_font_draw(font, raster, left ? x - gap - weir_font_width(font, letter, label) : x + gap,
                       place + 0.36 * letter, letter, false, ink, label);
    }
}

/* Marks need room: at most one every `spacing` pixels. */
static int most_marks(int length, double spacing) {
    return (int)clamp(length / spacing, 3.0, 8.0);
}

static void join(char *text, size_t size, const char *name, const char *unit) {
    snprintf(text, size, "%s%s%s", name, unit[0] ? " " : "", unit);
}

static void draw_axes(const struct weir_picture *picture, const struct layout *layout, struct weir_font *font,
                      struct weir_raster *raster) {
    double letter = layout->letter;
    int bottom = layout->plot_y + layout->plot_height;
    double ends[2] = {picture->width * picture->cell_size, picture->height * picture->cell_size};
    struct weir_ticks ticks;
    char unit[WEIR_TICK_LABEL], label[128];

    draw_frame(raster, layout->plot_x, layout->plot_y, layout->plot_width, layout->plot_height);
    weir_ticks_choose(0.0, ends[0], most_marks(layout->plot_width, 5.0 * letter), &ticks);
    draw_marks_below(raster, font, letter, layout->plot_x, bottom + 1, layout->plot_width, 0.0, ends[0],
                     &ticks);
    weir_ticks_unit(&ticks, picture->axis_unit, unit);
    join(label, sizeof label, picture->axes[0], unit);
    weir_font_draw(font, raster,
                   layout->plot_x + 0.5 * (layout->plot_width - weir_font_width(font, letter, label)),
                   bottom + 3.1 * letter, letter, false, ink, label);

    weir_ticks_choose(0.0, ends[1], most_marks(layout->plot_height, 2.8 * letter), &ticks);
    draw_marks_beside(raster, font, letter, layout->plot_x - 1, bottom, layout->plot_height, 0.0, ends[1],
                      &ticks, true);
    weir_ticks_unit(&ticks, picture->axis_unit, unit);
    join(label, sizeof label, picture->axes[1], unit);
    weir_font_draw(font, raster, 1.6 * letter,
                   bottom - 0.5 * (layout->plot_height - weir_font_width(font, letter, label)), letter, true,
                   ink, label);
}

/* Whether values lie below the low or above the high end of the bar. */
static void find_excess(const struct weir_picture *picture, bool *below, bool *above) {
    size_t count = (size_t)picture->width * (size_t)picture->height;
    *below = *above = false;
    for (size_t i = 0; i < count; i++) {
        *below = *below || picture->values[i] < picture->low;
        *above = *above || picture->values[i] > picture->high;
    }
}

/* A point that ends the bar where values go on beyond it: from the bar's edge, in the direction of the bar.
 */
static void draw_point(struct weir_raster *raster, const struct layout *layout, const uint8_t *colour,
                       bool high) {
    double length = (high ? 0.8 : -0.8) * layout->bar_breadth, breadth = layout->bar_breadth;
    double gap = high ? 2.0 : -2.0;
    if (layout->bar_below) {
        double x = layout->bar_x + (high ? layout->bar_length : 0) + gap, y = layout->bar_y;
        weir_raster_triangle(raster, (double[3]){x, x, x + length},
                             (double[3]){y, y + breadth, y + 0.5 * breadth}, colour);
    } else {
        double x = layout->bar_x, y = layout->bar_y + (high ? 0 : layout->bar_length) - gap;
        weir_raster_triangle(raster, (double[3]){x, x + breadth, x + 0.5 * breadth},
                             (double[3]){y, y, y - length}, colour);
    }
}

static void draw_bar(const struct weir_picture *picture, struct layout layout,
                     const struct weir_colour_map *map, struct weir_font *font, struct weir_raster *raster) {
    double letter = layout.letter;
    struct weir_ticks ticks;
    char unit[WEIR_TICK_LABEL], label[128];
    bool below, above;
    weir_ticks_choose(picture->low, picture->high,
                      most_marks(layout.bar_length, (layout.bar_below ? 7.5 : 2.6) * letter), &ticks);
    weir_ticks_unit(&ticks, picture->unit, unit);
    join(label, sizeof label, picture->quantity, unit);
    double label_width = weir_font_width(font, letter, label);

    find_excess(picture, &below, &above);
    int point = layout.bar_breadth; /* room for a point */
    if (above || below) {
        layout.bar_length -= (above + below) * point;
        if (layout.bar_below)
            layout.bar_x += below ? point : 0;
        else
            layout.bar_y += above ? point : 0;
    }
    for (int i = 0; i < layout.bar_length; i++) {
        double value = picture->low + (i + 0.5) / layout.bar_length * (picture->high - picture->low);
        const uint8_t *colour = weir_colour_map_at(map, colour_position(picture, value));
        if (layout.bar_below)
            weir_raster_fill(raster, layout.bar_x + i, layout.bar_y, 1, layout.bar_breadth, colour);
        else
            weir_raster_fill(raster, layout.bar_x, layout.bar_y + layout.bar_length - 1 - i,
                             layout.bar_breadth, 1, colour);
    }
    if (below)
        draw_point(raster, &layout, weir_colour_map_at(map, 0.0), false);
    if (above)
        draw_point(raster, &layout, weir_colour_map_at(map, 1.0), true);

    if (layout.bar_below) {
        draw_marks_below(raster, font, letter, layout.bar_x, layout.bar_y + layout.bar_breadth,
                         layout.bar_length, picture->low, picture->high, &ticks);
        weir_font_draw(font, raster, layout.plot_x, layout.bar_y - 0.55 * letter, letter, false, ink, label);
    } else {
        draw_marks_beside(raster, font, letter, layout.bar_x + layout.bar_breadth,
                          layout.bar_y + layout.bar_length, layout.bar_length, picture->low, picture->high,
                          &ticks, false);
        weir_font_draw(font, raster, fmin(layout.bar_x, layout.width - 0.9 * letter - label_width),
                       layout.plot_y - 0.7 * letter, letter, false, ink, label);
    }
}

/* Draws a line of words from the plot's left edge, smaller where it would not fit. */
static void draw_words(const struct layout *layout, struct weir_font *font, struct weir_raster *raster,
                       double baseline, double size, const uint8_t colour[3], const char *text) {
    double room = layout->width - layout->plot_x - 0.9 * layout->letter;
    size *= fmin(1.0, room / fmax(1.0, weir_font_width(font, size, text)));
    weir_font_draw(font, raster, layout->plot_x, baseline, size, false, colour, text);
}

int weir_picture_draw(const struct weir_picture *picture, struct weir_font *font,
                      struct weir_raster **raster) {
    struct layout layout;
    struct weir_colour_map map;
    struct weir_raster *canvas;
    lay_out(picture, &layout);
    if (picture->diverging)
        weir_colour_map_diverging(&map);
    else
        weir_colour_map_sequential(&map);
    WEIR_TRY(weir_raster_create(layout.width, layout.height, &canvas));
    int result = draw_plane(picture, &layout, &map, canvas);
    if (result == 0 && picture->lines && picture->lines->count > 0)
        result = draw_lines(picture, &layout, canvas);
    if (result < 0) {
        weir_raster_destroy(canvas);
        return result;
    }
    draw_axes(picture, &layout, font, canvas);
    draw_bar(picture, layout, &map, font, canvas);
    draw_words(&layout, font, canvas, 1.95 * layout.letter, 1.4 * layout.letter, ink, picture->title);
    draw_words(&layout, font, canvas, 3.5 * layout.letter, layout.letter, faint_ink, picture->subtitle);
    *raster = canvas;
    return 0;
}
