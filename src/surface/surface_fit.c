#include "src/surface/surface_fit.h"

#include "graph/base/error.h"

#include <math.h>

enum { QUADRATIC = 10, LINEAR = 4 };

static const double RADIUS = 3.6; /* of the ball of cells, in cells */
static const double NEAR = 1.5; /* nearer to the wall cells count less: they feel how it is cut into links */
static const double AT_WALL = 1e-3; /* weight of the velocity at the wall, where cells do not say: in gaps */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Axes at a point of the wall: the normal, and two along the wall. */
struct frame {
    double axes[3][3];
};

static struct frame frame_of(const double normal[3]) {
    struct frame frame;
    int least = 0;
    double length;
    for (int axis = 0; axis < 3; axis++) {
        frame.axes[0][axis] = normal[axis];
        if (fabs(normal[axis]) < fabs(normal[least]))
            least = axis;
    }
    for (int axis = 0; axis < 3; axis++)
        frame.axes[1][axis] = (axis == least) - normal[least] * normal[axis];
    length = sqrt(dot(frame.axes[1], frame.axes[1]));
    for (int axis = 0; axis < 3; axis++)
        frame.axes[1][axis] /= length;
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        frame.axes[2][axis] = normal[p] * frame.axes[1][q] - normal[q] * frame.axes[1][p];
    }
    return frame;
}

/* Terms of the polynomial in units of RADIUS: 1, normal, along, across, and their products. */
static void terms_of(const struct frame *frame, const double way[3], double terms[QUADRATIC]) {
    int next = LINEAR;
    terms[0] = 1;
    for (int k = 0; k < 3; k++)
        terms[k + 1] = dot(frame->axes[k], way) / RADIUS;
    for (int a = 1; a < LINEAR; a++)
        for (int b = a; b < LINEAR; b++)
            terms[next++] = terms[a] * terms[b];
}

/* Of a cell that is so far away, and so far in front of the wall: falls to 0 at the ball's rim, and at the
 * wall. */
static double weight_of(double square, double height) {
    const double rest = 1 - square / (RADIUS * RADIUS),
                 near = height < NEAR ? height * height / (NEAR * NEAR) : 1;
    return rest > 0 ? rest * rest * near * near : 0;
}

/* Adds a cell to the lower half of a matrix of so many terms. */
static void add(double matrix[QUADRATIC][QUADRATIC], int size, const double terms[QUADRATIC], double weight) {
    for (int a = 0; a < size; a++)
        for (int b = 0; b <= a; b++)
            matrix[a][b] += weight * terms[a] * terms[b];
}

/* Row `row` of the inverse of a symmetric matrix of which the lower half is given; where it is singular, as
 * in a gap one cell wide, of the one beside it. Cholesky. */
static void inverse_row(double matrix[QUADRATIC][QUADRATIC], int size, int row, double *result) {
    const double singular = 1e-9;
    double trace = 0;
    for (int a = 0; a < size; a++)
        trace += matrix[a][a];
    for (int a = 0; a < size; a++)
        for (int b = 0; b <= a; b++) {
            double rest = matrix[a][b] + (a == b ? singular * trace : 0);
            for (int k = 0; k < b; k++)
                rest -= matrix[a][k] * matrix[b][k];
            matrix[a][b] = a == b ? sqrt(fmax(rest, singular * trace)) : rest / matrix[b][b];
        }
    for (int a = 0; a < size; a++) {
        result[a] = a == row;
        for (int k = 0; k < a; k++)
            result[a] -= matrix[a][k] * result[k];
        result[a] /= matrix[a][a];
    }
    for (int a = size - 1; a >= 0; a--) {
        for (int k = a + 1; k < size; k++)
            result[a] -= matrix[k][a] * result[k];
        result[a] /= matrix[a][a];
    }
}

/* Cells that are weighed at once: loops over them are vectors' work. */
enum { AT_ONCE = 96 };

/* Their terms, as terms_of has them. */
static void terms_of_cells(const struct frame *frame, const double (*ways)[3], int count,
                           double terms[QUADRATIC][AT_ONCE]) {
    int next = LINEAR;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < count; k++)
            terms[i + 1][k] = dot(frame->axes[i], ways[k]) / RADIUS;
    for (int a = 1; a < LINEAR; a++)
        for (int b = a; b < LINEAR; b++, next++)
            for (int k = 0; k < count; k++)
                terms[next][k] = terms[a][k] * terms[b][k];
}

static void weigh(const struct weir_surface_polynomial *p, const struct frame *frame, const double (*ways)[3],
                  int count, struct weir_surface_weight *weights) {
    double terms[QUADRATIC][AT_ONCE], weight[AT_ONCE], slope[AT_ONCE] = {0}, value[AT_ONCE] = {0};
    for (int k = 0; k < count; k++) {
        weight[k] = weight_of(dot(ways[k], ways[k]), dot(ways[k], frame->axes[0]));
        terms[0][k] = 1;
    }
    terms_of_cells(frame, ways, count, terms);
    for (int a = 0; a < QUADRATIC; a++)
        for (int k = 0; k < count; k++)
            slope[k] += weight[k] * p->slope[a] * terms[a][k] / RADIUS;
    for (int a = 0; a < LINEAR; a++)
        for (int k = 0; k < count; k++)
            value[k] += weight[k] * p->value[a] * terms[a][k];
    for (int k = 0; k < count; k++)
        weights[k] = (struct weir_surface_weight){slope[k], value[k]};
}

void weir_surface_fit_weights(const struct weir_surface_polynomial *polynomial, const double normal[3],
                              const double (*ways)[3], int count, struct weir_surface_weight *weights) {
    const struct frame frame = frame_of(normal);
    for (int done = 0; done < count; done += AT_ONCE)
        weigh(polynomial, &frame, ways + done, count - done < AT_ONCE ? count - done : AT_ONCE,
              weights + done);
}

/* The cells around a sample: of each axis, where their centres are as seen from it, and which cells of the
 * domain they are; -1 beyond. */
enum { REACH = 4, WIDTH = 2 * REACH + 1 };

struct around {
    double way[3][WIDTH];
    int cell[3][WIDTH];
};

static struct around around_sample(const struct weir_problem *problem, const struct weir_box *box,
                                   const struct weir_surface_sample *sample) {
    struct around around;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < WIDTH; k++) {
            const int n = problem->cells[axis], cell = box->origin[axis] + k;
            around.way[axis][k] = cell + 0.5 - sample->place[axis];
            around.cell[axis][k] = problem->periodic[axis] ? (cell % n + n) % n
                                   : cell >= 0 && cell < n ? cell
                                                           : -1;
        }
    return around;
}

/* Sums over the cells in front of the wall. */
struct sums {
    const struct weir_problem *problem;
    const struct weir_cell_walls *walls;
    const double *normal;
    struct frame frame;
    double slopes[QUADRATIC][QUADRATIC], values[QUADRATIC][QUADRATIC];
};

static void add_cell(struct sums *sums, const int cell[3], const double way[3],
                     struct weir_surface_fit *fit) {
    const double height = dot(way, sums->normal), weight = weight_of(dot(way, way), height);
    double terms[QUADRATIC];
    if (weight == 0 || height <= 0 || cell[0] < 0 || cell[1] < 0 || cell[2] < 0 ||
        weir_cell_walls_inside(sums->walls, cell) != 0)
        return;
    fit->cells[fit->count++] =
        (struct weir_fit_cell){.key = weir_cell_key(sums->problem, cell), .way = {way[0], way[1], way[2]}};
    terms_of(&sums->frame, way, terms);
    add(sums->slopes, QUADRATIC, terms, weight);
    add(sums->values, LINEAR, terms, weight);
}

/* Of the cells of a fit whose polynomial is there. */
static void fill_weights(const double normal[3], struct weir_surface_fit *fit) {
    double ways[WEIR_FIT_CELLS][3];
    struct weir_surface_weight weights[WEIR_FIT_CELLS];
    for (int k = 0; k < fit->count; k++)
        for (int axis = 0; axis < 3; axis++)
            ways[k][axis] = fit->cells[k].way[axis];
    weir_surface_fit_weights(&fit->polynomial, normal, (const double(*)[3])ways, fit->count, weights);
    for (int k = 0; k < fit->count; k++) {
        fit->cells[k].slope = weights[k].slope;
        fit->cells[k].value = weights[k].value;
    }
}

struct weir_box weir_surface_fit_box(const double place[3]) {
    struct weir_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.origin[axis] = (int)floor(place[axis]) - REACH;
        box.extent[axis] = WIDTH;
    }
    return box;
}

int weir_surface_fit(const struct weir_problem *problem, struct weir_cell_walls *walls,
                     const struct weir_surface_sample *sample, struct weir_surface_fit *fit) {
    struct sums sums = {.problem = problem,
                        .walls = walls,
                        .normal = sample->normal,
                        .frame = frame_of(sample->normal),
                        .slopes = {{AT_WALL}}};
    const struct weir_box box = weir_surface_fit_box(sample->place);
    WEIR_TRY(weir_cell_walls_load(walls, &box));
    const struct around around = around_sample(problem, &box, sample);
    fit->count = 0;
    for (int z = 0; z < WIDTH; z++)
        for (int y = 0; y < WIDTH; y++) {
            const double y_way = around.way[1][y], z_way = around.way[2][z];
            if (y_way * y_way + z_way * z_way >= RADIUS * RADIUS) /* none of the row is in the ball */
                continue;
            for (int x = 0; x < WIDTH; x++) {
                const int cell[3] = {around.cell[0][x], around.cell[1][y], around.cell[2][z]};
                const double way[3] = {around.way[0][x], y_way, z_way};
                add_cell(&sums, cell, way, fit);
            }
        }
    inverse_row(sums.slopes, QUADRATIC, 1, fit->polynomial.slope);
    inverse_row(sums.values, LINEAR, 0, fit->polynomial.value);
    fill_weights(sample->normal, fit);
    return 0;
}
