#include "src/picture/streamlines.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct weir_streamline_point point;

/* Of the greatest speed: what is slower stands still, as its direction is rounding. */
static const double least_speed = 1e-5;
/* Of the spacing: how near a line comes to others, and how short it may be. */
static const double nearest = 0.5, shortest = 1.5;

/* Points in the order in which they came, each in the list of its square of the plane. */
struct search {
    const struct weir_plane_flow *flow;
    double spacing;
    double step;    /* of a line from point to point */
    double slowest; /* square of the speed below which the fluid rests */

    struct weir_streamlines *lines;
    size_t line_room, point_room;
    size_t *next;      /* [point_room]: of the same square; END: none */
    int columns, rows; /* of squares, as wide as the spacing */
    size_t *first;     /* [rows][columns] */

    point *trace; /* [2 * trace_most + 1]: the line that is being found, from the middle both ways */
    size_t trace_most;
};

static const size_t END = (size_t)-1;

/* ---- the flow --------------------------------------------------------------------------------------------
 */

static bool is_inside(const struct weir_plane_flow *flow, point p) {
    return p.x >= 0 && p.y >= 0 && p.x < flow->width && p.y < flow->height;
}

static bool is_fluid(const struct weir_plane_flow *flow, point p) {
    return is_inside(flow, p) && !isnan(flow->across[(size_t)p.y * (size_t)flow->width + (size_t)p.x]);
}

static int within(int k, int end) {
    return k < 0 ? 0 : k >= end ? end - 1 : k;
}

/* Between centres of cells, linearly; at rest in solids, and beyond the outermost centres as there. */
static point velocity_at(const struct weir_plane_flow *flow, point p) {
    const double x = p.x - 0.5, y = p.y - 0.5, low_x = floor(x), low_y = floor(y);
    point sum = {0, 0};
    for (int k = 0; k < 4; k++) {
        const int column = within((int)low_x + (k & 1), flow->width),
                  row = within((int)low_y + (k >> 1), flow->height);
        const size_t cell = (size_t)row * (size_t)flow->width + (size_t)column;
        const double weight = (k & 1 ? x - low_x : 1 - (x - low_x)) * (k >> 1 ? y - low_y : 1 - (y - low_y));
        if (isnan(flow->across[cell]))
            continue;
        sum.x += weight * flow->across[cell];
        sum.y += weight * flow->up[cell];
    }
    return sum;
}

/* Of length 1; false where the fluid rests, in solids and outside. */
static bool direction_at(const struct search *s, point p, point *direction) {
    if (!is_fluid(s->flow, p))
        return false;
    const point u = velocity_at(s->flow, p);
    const double square = u.x * u.x + u.y * u.y;
    if (!(square > s->slowest))
        return false;
    const double speed = sqrt(square);
    *direction = (point){u.x / speed, u.y / speed};
    return true;
}

static point moved(point p, double length, point direction) {
    return (point){p.x + length * direction.x, p.y + length * direction.y};
}

/* A step along the flow, or against it where length is negative (Runge and Kutta's of fourth order). */
static bool advance(const struct search *s, double length, point *p) {
    point a, b, c, d;
    if (!direction_at(s, *p, &a) || !direction_at(s, moved(*p, 0.5 * length, a), &b) ||
        !direction_at(s, moved(*p, 0.5 * length, b), &c) || !direction_at(s, moved(*p, length, c), &d))
        return false;
    const point mean = {(a.x + 2 * (b.x + c.x) + d.x) / 6, (a.y + 2 * (b.y + c.y) + d.y) / 6};
    const point to = moved(*p, length, mean);
    if (!is_fluid(s->flow, to))
        return false;
    *p = to;
    return true;
}

/* ---- points that are there --------------------------------------------------------------------------------
 */

static double distance_square(point a, point b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* Whether a point keeps this distance, at most the spacing, from all lines that are finished. */
static bool is_free(const struct search *s, point p, double distance) {
    const int column = (int)(p.x / s->spacing), row = (int)(p.y / s->spacing);
    for (int y = row - 1; y <= row + 1; y++)
        for (int x = column - 1; x <= column + 1; x++) {
            if (x < 0 || y < 0 || x >= s->columns || y >= s->rows)
                continue;
            for (size_t k = s->first[(size_t)y * (size_t)s->columns + (size_t)x]; k != END; k = s->next[k])
                if (distance_square(p, s->lines->points[k]) < distance * distance)
                    return false;
        }
    return true;
}

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for streamlines of a picture; ask for fewer");
}

static bool grow(void *array, size_t size, size_t room) {
    void *larger = realloc(*(void **)array, size * room);
    if (larger)
        *(void **)array = larger;
    return larger != NULL;
}

static int make_room(struct search *s, size_t points) {
    struct weir_streamlines *lines = s->lines;
    const size_t used = lines->begin[lines->count];
    if ((size_t)lines->count + 2 > s->line_room) {
        s->line_room = 2 * s->line_room + 64;
        if (!grow(&lines->begin, sizeof *lines->begin, s->line_room))
            return out_of_memory();
    }
    if (used + points > s->point_room) {
        s->point_room = 2 * s->point_room + points;
        if (!grow(&lines->points, sizeof *lines->points, s->point_room) ||
            !grow(&s->next, sizeof *s->next, s->point_room))
            return out_of_memory();
    }
    return 0;
}

/* ---- one line
 * ---------------------------------------------------------------------------------------------- */

/* Whether a point comes nearer than `limit` to one of these of a line, which follow each other one way from
 * trace[0]: those between cannot be nearer to it than the steps to them allow. */
static bool is_near(const struct search *s, const point *trace, int way, size_t from, size_t to, point p,
                    double limit) {
    for (size_t k = from; k < to; k++) {
        const double distance = sqrt(distance_square(p, trace[way * (ptrdiff_t)k]));
        if (distance < limit)
            return true;
        k += (size_t)((distance - limit) / s->step);
    }
    return false;
}

/* Of points along a line, from which on others are others: half around a circle as wide as lines are apart.
 */
static size_t apart(const struct search *s) {
    return (size_t)(3.2 * nearest * s->spacing / s->step) + 1;
}

/* Goes one way from trace[0], writing trace[way], trace[2 way], ...; returns how many. done: points that the
 * line has the other way. A line ends where it comes beside what it has done itself, as a spiral does, or
 * back to where it began: closed (out). */
static size_t follow(const struct search *s, point *trace, int way, size_t done, bool *closed) {
    const double near = nearest * s->spacing;
    const size_t own = apart(s);
    size_t count = 1;
    point p = trace[0];
    *closed = false;
    while (count <= s->trace_most && advance(s, way * s->step, &p) && is_free(s, p, near)) {
        const size_t earlier = count > own ? count - own : 0;
        *closed = is_near(s, trace, way, 0, earlier < 3 ? earlier : 3, p, s->step);
        if (*closed || is_near(s, trace, way, own, earlier, p, near) ||
            is_near(s, trace, -way, own, done + 1, p, near))
            break;
        trace[way * (ptrdiff_t)count++] = p;
    }
    if (*closed)
        trace[way * (ptrdiff_t)count++] = trace[0];
    return count - 1;
}

static void enter(struct search *s, size_t number) {
    const point p = s->lines->points[number];
    size_t *first = &s->first[(size_t)(p.y / s->spacing) * (size_t)s->columns + (size_t)(p.x / s->spacing)];
    s->next[number] = *first;
    *first = number;
}

/* The line through a point, where there is room for it; *found: whether there is. */
static int add_line(struct search *s, point seed, bool *found) {
    point *middle = s->trace + s->trace_most + 1, direction;
    bool closed, ignored;
    *found = false;
    if (!direction_at(s, seed, &direction) || !is_free(s, seed, s->spacing))
        return 0;
    middle[0] = seed;
    const size_t after = follow(s, middle, 1, 0, &closed),
                 before = closed ? 0 : follow(s, middle, -1, after, &ignored), count = before + 1 + after;
    if ((double)(count - 1) * s->step < shortest * s->spacing)
        return 0;
    WEIR_TRY(make_room(s, count));
    struct weir_streamlines *lines = s->lines;
    const size_t begin = lines->begin[lines->count];
    memcpy(lines->points + begin, middle - before, count * sizeof *lines->points);
    lines->begin[++lines->count] = begin + count;
    for (size_t k = begin; k < begin + count; k++)
        enter(s, k);
    *found = true;
    return 0;
}

/* ---- all
 * ---------------------------------------------------------------------------------------------------- */

/* Tries on both sides of each point of a line. */
static int add_beside(struct search *s, int line) {
    for (size_t k = s->lines->begin[line]; k < s->lines->begin[line + 1]; k++) {
        const point p = s->lines->points[k];
        point along;
        bool found;
        if (!direction_at(s, p, &along))
            continue;
        /* A little more than the spacing, which rounding may take off. */
        const point across = {-along.y, along.x};
        WEIR_TRY(add_line(s, moved(p, 1.001 * s->spacing, across), &found));
        WEIR_TRY(add_line(s, moved(p, -1.001 * s->spacing, across), &found));
    }
    return 0;
}

/* The line through a point, and all that follow from it. */
static int add_family(struct search *s, point seed) {
    bool found;
    int line = s->lines->count;
    WEIR_TRY(add_line(s, seed, &found));
    for (; line < s->lines->count; line++)
        WEIR_TRY(add_beside(s, line));
    return 0;
}

/* The centre of the fastest cell, of equals the first; and what is slow beside it. */
static point find_fastest(struct search *s) {
    const struct weir_plane_flow *flow = s->flow;
    const size_t cells = (size_t)flow->width * (size_t)flow->height;
    size_t best = 0;
    double greatest = 0;
    for (size_t k = 0; k < cells; k++) {
        const double square = flow->across[k] * flow->across[k] + flow->up[k] * flow->up[k];
        if (square > greatest) {
            greatest = square;
            best = k;
        }
    }
    s->slowest = least_speed * least_speed * greatest;
    return (point){(double)(best % (size_t)flow->width) + 0.5, (double)(best / (size_t)flow->width) + 0.5};
}

/* From the fastest cell, and then wherever there is room left: behind bodies, and in chambers. */
static int fill(struct search *s) {
    WEIR_TRY(add_family(s, find_fastest(s)));
    for (double y = 0.5 * s->spacing; y < s->flow->height; y += s->spacing)
        for (double x = 0.5 * s->spacing; x < s->flow->width; x += s->spacing)
            WEIR_TRY(add_family(s, (point){x, y}));
    return 0;
}

static int prepare(struct search *s) {
    const double longest = 4.0 * (s->flow->width + s->flow->height); /* of a line, either way */
    s->step = fmin(1, s->spacing / 8);
    s->columns = (int)(s->flow->width / s->spacing) + 1;
    s->rows = (int)(s->flow->height / s->spacing) + 1;
    s->trace_most = (size_t)(longest / s->step) + 1;
    const size_t squares = (size_t)s->columns * (size_t)s->rows;
    s->first = malloc(squares * sizeof *s->first);
    s->trace = malloc((2 * s->trace_most + 3) * sizeof *s->trace);
    s->lines->begin = calloc(1, sizeof *s->lines->begin);
    s->line_room = 1;
    if (!s->first || !s->trace || !s->lines->begin)
        return out_of_memory();
    for (size_t k = 0; k < squares; k++)
        s->first[k] = END;
    return 0;
}

int weir_streamlines_find(const struct weir_plane_flow *flow, double spacing,
                          struct weir_streamlines *lines) {
    struct search s = {.flow = flow, .spacing = spacing, .lines = lines};
    *lines = (struct weir_streamlines){.count = 0};
    int error = prepare(&s);
    if (error == 0)
        error = fill(&s);
    free(s.first);
    free(s.next);
    free(s.trace);
    if (error < 0)
        weir_streamlines_release(lines);
    return error;
}

void weir_streamlines_release(struct weir_streamlines *lines) {
    free(lines->begin);
    free(lines->points);
    *lines = (struct weir_streamlines){.count = 0};
}
