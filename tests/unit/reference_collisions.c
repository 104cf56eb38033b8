#include "tests/unit/reference_collisions.h"

#include <math.h>
#include <string.h>

enum { Q = WEIR_POPULATIONS_MAX };

static double dot(const int c[3], const double v[3]) {
    return c[0] * v[0] + c[1] * v[1] + c[2] * v[2];
}

static double scalar_product(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double reference_inertia(const struct weir_problem *problem, double density) {
    return problem->equilibrium == WEIR_INCOMPRESSIBLE ? 1 : density;
}

/* With density cs^2 delta_ab + inertia u_a u_b as flux of momentum, of which the seven even sums follow:
 * t_n + Pi_ab of a pair in the plane of a and b, across n (d'Humieres, Bouzidi, Lallemand 2001). */
static double equilibrium_of_d3q13(int i, double density, double inertia, const double u[3]) {
    const int *c = weir_lattice_table(WEIR_D3Q13)->velocity[i];
    double sum = 0, flux[3], momentum = 0;
    for (int axis = 0; axis < 3; axis++) {
        flux[axis] = density / 3 + inertia * u[axis] * u[axis];
        sum += 0.5 * flux[axis];
        momentum += c[axis] * inertia * u[axis];
    }
    if (i == 0)
        return density - sum;
    const int n = c[0] == 0 ? 0 : c[1] == 0 ? 1 : 2, a = (n + 1) % 3, b = (n + 2) % 3;
    return (sum - flux[n] + c[a] * c[b] * inertia * u[a] * u[b]) / 4 + momentum / 8;
}

double reference_equilibrium(const struct weir_problem *problem, int i, double density,
                             const double velocity[3]) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const double cu = dot(lattice->velocity[i], velocity), uu = scalar_product(velocity, velocity);
    if (problem->lattice == WEIR_D3Q13)
        return equilibrium_of_d3q13(i, density, reference_inertia(problem, density), velocity);
    return lattice->weight[i] *
           (density + reference_inertia(problem, density) * (3 * cu + 4.5 * cu * cu - 1.5 * uu));
}

/* Guo's source term, without the factor of the relaxation. */
static double source(const struct weir_lattice_table *lattice, int i, const double velocity[3],
                     const double force[3]) {
    const int *c = lattice->velocity[i];
    if (lattice->populations == 13) { /* what a change of the momentum by F changes the equilibrium by */
        double ahead[3], behind[3];
        for (int axis = 0; axis < 3; axis++) {
            ahead[axis] = velocity[axis] + 0.5 * force[axis];
            behind[axis] = velocity[axis] - 0.5 * force[axis];
        }
        return equilibrium_of_d3q13(i, 1, 1, ahead) - equilibrium_of_d3q13(i, 1, 1, behind);
    }
    return lattice->weight[i] *
           (3 * (dot(c, force) - scalar_product(velocity, force)) + 9 * dot(c, velocity) * dot(c, force));
}

static double source_of(const struct reference_cell *cell, int i) {
    return source(cell->lattice, i, cell->velocity, cell->force);
}

static double equilibrium_of(const struct reference_cell *cell, int i) {
    return reference_equilibrium(cell->problem, i, cell->density, cell->velocity);
}

/* Stress beyond equilibrium, half of the force's share taken off (Guo et al. 2002): - 2/3 rho tau S. */
static void stress_of(const struct reference_cell *cell, double stress[3][3]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            stress[a][b] = 0.5 * (cell->velocity[a] * cell->force[b] + cell->velocity[b] * cell->force[a]);
            for (int i = 0; i < cell->lattice->populations; i++)
                stress[a][b] += cell->lattice->velocity[i][a] * cell->lattice->velocity[i][b] *
                                (cell->f[i] - equilibrium_of(cell, i));
        }
}

/* By what the eddy viscosity is C^2 times: |S| = sqrt(2 S:S), or r / q of S without its trace, r = - det S
 * and q = S:S / 2. */
static double norm_of(enum weir_turbulence_model model, const double stress[3][3], int dimensions,
                      double factor) {
    double s[3][3], square = 0, trace = 0;
    for (int a = 0; a < 3; a++)
        trace += stress[a][a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            s[a][b] = factor * (stress[a][b] - (model == WEIR_QR && a == b ? trace / 3 : 0));
            square += a < dimensions && b < dimensions ? s[a][b] * s[a][b] : 0;
        }
    if (model == WEIR_SMAGORINSKY)
        return sqrt(2 * square);
    double determinant = 0;
    for (int k = 0; k < 3; k++)
        determinant +=
            s[0][k] * (s[1][(k + 1) % 3] * s[2][(k + 2) % 3] - s[1][(k + 2) % 3] * s[2][(k + 1) % 3]);
    return determinant < 0 ? -determinant / (square / 2) : 0;
}

/* The relaxation time with an eddy viscosity (C |S|)... by iteration: nu = nu_0 + C^2 |S|, |S| = sqrt(2 S S),
 * where S follows from the stress by the relaxation time itself. */
double reference_relaxation_time(const struct reference_cell *cell) {
    const struct weir_problem *p = cell->problem;
    double stress[3][3], tau = p->relaxation_time;
    if (!p->turbulence.present)
        return tau;
    stress_of(cell, stress);
    for (int round = 0; round < 200; round++) {
        const double factor = -1.5 / (reference_inertia(p, cell->density) * tau); /* strain of stress */
        const double norm = norm_of(p->turbulence.model, stress, cell->lattice->dimensions, factor);
        const double next = p->relaxation_time + 3 * p->turbulence.constant * p->turbulence.constant * norm;
        tau = 0.5 * (tau + next);
    }
    return tau;
}

/* ---- one and two relaxation times -----------------------------------------------------------------------
 */

static void relax_halves(const struct reference_cell *cell, double tau_even, double tau_odd, double *after) {
    const double *f = cell->f;
    for (int i = 0; i < cell->lattice->populations; i++) {
        const int o = cell->lattice->opposite[i];
        const double e_i = equilibrium_of(cell, i), e_o = equilibrium_of(cell, o);
        const double s_i = source_of(cell, i), s_o = source_of(cell, o);
        after[i] = f[i] - 0.5 * ((f[i] + f[o]) - (e_i + e_o)) / tau_even -
                   0.5 * ((f[i] - f[o]) - (e_i - e_o)) / tau_odd + (1 - 0.5 / tau_even) * 0.5 * (s_i + s_o) +
                   (1 - 0.5 / tau_odd) * 0.5 * (s_i - s_o);
    }
}

static void bgk(const struct reference_cell *cell, double tau, double *after) {
    relax_halves(cell, tau, tau, after);
}

static void trt(const struct reference_cell *cell, double tau, double *after) {
    relax_halves(cell, tau, 0.5 + cell->problem->parameters[0] / (tau - 0.5), after);
}

/* ---- multiple: a matrix whose rows are polynomials made orthogonal one after the other, in the order of the
 * articles (d'Humieres et al. 2002) -----------------------------------------------------------------------
 */

enum shape { ONE, X, Y, Z, XX, WW, XY, YZ, XZ, M_X, M_Y, M_Z, XYZ };
enum rate { KEPT = -4, VISCOUS, DIAGONAL, SIDE, E, EPSILON, FLUX, PI, M }; /* from E on: parameters */

struct row {
    enum shape shape;
    int squares; /* times (c^2) to this power */
    enum rate rate;
};

static const struct row d2q9[] = {{ONE, 0, KEPT}, {ONE, 1, E},      {ONE, 2, EPSILON},
                                  {X, 0, KEPT},   {X, 1, FLUX},     {Y, 0, KEPT},
                                  {Y, 1, FLUX},   {XX, 0, VISCOUS}, {XY, 0, VISCOUS}};
static const struct row d3q13[] = {{ONE, 0, KEPT}, {ONE, 1, E},       {X, 0, KEPT},      {Y, 0, KEPT},
                                   {Z, 0, KEPT},   {XX, 0, DIAGONAL}, {WW, 0, DIAGONAL}, {XY, 0, SIDE},
                                   {YZ, 0, SIDE},  {XZ, 0, SIDE},     {M_X, 0, M},       {M_Y, 0, M},
                                   {M_Z, 0, M}};
static const struct row d3q15[] = {{ONE, 0, KEPT},   {ONE, 1, E},      {ONE, 2, EPSILON}, {X, 0, KEPT},
                                   {X, 1, FLUX},     {Y, 0, KEPT},     {Y, 1, FLUX},      {Z, 0, KEPT},
                                   {Z, 1, FLUX},     {XX, 0, VISCOUS}, {WW, 0, VISCOUS},  {XY, 0, VISCOUS},
                                   {YZ, 0, VISCOUS}, {XZ, 0, VISCOUS}, {XYZ, 0, M}};
static const struct row d3q19[] = {{ONE, 0, KEPT}, {ONE, 1, E},      {ONE, 2, EPSILON}, {X, 0, KEPT},
                                   {X, 1, FLUX},   {Y, 0, KEPT},     {Y, 1, FLUX},      {Z, 0, KEPT},
                                   {Z, 1, FLUX},   {XX, 0, VISCOUS}, {XX, 1, PI},       {WW, 0, VISCOUS},
                                   {WW, 1, PI},    {XY, 0, VISCOUS}, {YZ, 0, VISCOUS},  {XZ, 0, VISCOUS},
                                   {M_X, 0, M},    {M_Y, 0, M},      {M_Z, 0, M}};

static double shape_of(enum shape shape, const int c[3]) {
    const double x = c[0], y = c[1], z = c[2],
                 values[] = {[ONE] = 1,
                             [X] = x,
                             [Y] = y,
                             [Z] = z,
                             [XX] = 2 * x * x - y * y - z * z,
                             [WW] = y * y - z * z,
                             [XY] = x * y,
                             [YZ] = y * z,
                             [XZ] = x * z,
                             [M_X] = x * (y * y - z * z),
                             [M_Y] = y * (z * z - x * x),
                             [M_Z] = z * (x * x - y * y),
                             [XYZ] = x * y * z};
    return values[shape];
}

static double product(const double *a, const double *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void orthogonal_rows(const struct weir_lattice_table *lattice, const struct row *rows,
                            double matrix[Q][Q]) {
    const int q = lattice->populations;
    for (int k = 0; k < q; k++) {
        for (int i = 0; i < q; i++) {
            const int *c = lattice->velocity[i];
            matrix[k][i] =
                shape_of(rows[k].shape, c) * pow(c[0] * c[0] + c[1] * c[1] + c[2] * c[2], rows[k].squares);
        }
        for (int earlier = 0; earlier < k; earlier++) {
            const double share =
                product(matrix[k], matrix[earlier], q) / product(matrix[earlier], matrix[earlier], q);
            for (int i = 0; i < q; i++)
                matrix[k][i] -= share * matrix[earlier][i];
        }
    }
}

/* D3Q13: nu = (1/s - 1/2) / 4 of the diagonal, (1/s - 1/2) / 2 of the sides. */
static double rate_of(const struct weir_problem *problem, enum rate rate, double tau) {
    const double nu = (tau - 0.5) / 3;
    return rate == KEPT       ? 0
           : rate == VISCOUS  ? 1 / tau
           : rate == DIAGONAL ? 1 / (4 * nu + 0.5)
           : rate == SIDE     ? 1 / (2 * nu + 0.5)
                              : problem->parameters[rate];
}

static void mrt(const struct reference_cell *cell, double tau, double *after) {
    const int q = cell->lattice->populations;
    const struct row *rows = q == 9 ? d2q9 : q == 13 ? d3q13 : q == 15 ? d3q15 : d3q19;
    double matrix[Q][Q], beyond[Q], sources[Q];
    orthogonal_rows(cell->lattice, rows, matrix);
    for (int i = 0; i < q; i++) {
        after[i] = cell->f[i];
        beyond[i] = cell->f[i] - equilibrium_of(cell, i);
        sources[i] = source_of(cell, i);
    }
    for (int k = 0; k < q; k++) {
        const double rate = rate_of(cell->problem, rows[k].rate, tau);
        /* The momentum takes all of the force: its source is what u has not of it. */
        const double source = product(matrix[k], sources, q), change = product(matrix[k], beyond, q);
        const double added = (1 - rate / 2) * source - rate * change;
        for (int i = 0; i < q; i++)
            after[i] += added * matrix[k][i] / product(matrix[k], matrix[k], q);
    }
}

/* ---- regularised: projections on Hermite polynomials -----------------------------------------------------
 */

/* H_n of one component. */
static double hermite(int n, int c) {
    return n == 0 ? 1 : n == 1 ? c : c * c - 1.0 / 3;
}

static void regularised(const struct reference_cell *cell, double tau, double *after) {
    const struct weir_lattice_table *lattice = cell->lattice;
    double first[3] = {0, 0, 0}, second[3][3] = {{0}};
    for (int i = 0; i < lattice->populations; i++) {
        const double beyond = cell->f[i] - equilibrium_of(cell, i);
        for (int a = 0; a < 3; a++) {
            first[a] += lattice->velocity[i][a] * beyond;
            for (int b = 0; b < 3; b++)
                second[a][b] += (lattice->velocity[i][a] * lattice->velocity[i][b] - (a == b) / 3.0) * beyond;
        }
    }
    for (int i = 0; i < lattice->populations; i++) {
        double kept = 3 * dot(lattice->velocity[i], first);
        for (int a = 0; a < lattice->dimensions; a++)
            for (int b = 0; b < lattice->dimensions; b++)
                kept +=
                    4.5 * (lattice->velocity[i][a] * lattice->velocity[i][b] - (a == b) / 3.0) * second[a][b];
        after[i] = equilibrium_of(cell, i) + (1 - 1 / tau) * lattice->weight[i] * kept +
                   (1 - 0.5 / tau) * source_of(cell, i);
    }
}

/* ---- recursive regularised, and cumulants: moments of a Gaussian -----------------------------------------
 */

/* Mean velocity of what leaves, and covariance of its velocities, or what that has beyond equilibrium's. */
struct gaussian {
    double density, mean[3], covariance[3][3];
    bool linear; /* in the covariance */
};

/* E[product of the velocity's components along `axes`], by Isserlis' theorem: the first is by itself, or goes
 * with one of the others. pairs: there may be. */
static double expectation(const struct gaussian *g, const int *axes, int count, bool pairs) {
    if (count == 0)
        return 1;
    double sum = g->mean[axes[0]] * expectation(g, axes + 1, count - 1, pairs);
    for (int k = 1; pairs && k < count; k++) {
        int others[6], left = 0;
        for (int j = 1; j < count; j++)
            if (j != k)
                others[left++] = axes[j];
        sum += g->covariance[axes[0]][axes[k]] * expectation(g, others, left, !g->linear);
    }
    return sum;
}

/* E[x^powers[0] y^powers[1] z^powers[2]], times the density. */
static double moment(const struct gaussian *g, const int powers[3]) {
    int axes[6], count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < powers[axis]; k++)
            axes[count++] = axis;
    return g->density * expectation(g, axes, count, true);
}

/* Of what leaves a cell whose stress has relaxed: about the mean of what arrived, which has none of the force
 * yet. */
static void arriving_covariance(const struct reference_cell *cell, double stress[3][3]) {
    const struct weir_lattice_table *lattice = cell->lattice;
    double mean[3];
    for (int a = 0; a < 3; a++)
        mean[a] = cell->velocity[a] - 0.5 * cell->force[a] / cell->density;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            stress[a][b] = a == b ? -cell->density / 3 : 0;
            for (int i = 0; i < lattice->populations; i++)
                stress[a][b] +=
                    (lattice->velocity[i][a] - mean[a]) * (lattice->velocity[i][b] - mean[b]) * cell->f[i];
        }
}

static struct gaussian leaving_gaussian(const struct reference_cell *cell, double stress[3][3]) {
    struct gaussian g = {.density = cell->density};
    for (int a = 0; a < 3; a++) {
        g.mean[a] = cell->velocity[a] + 0.5 * cell->force[a] / cell->density;
        for (int b = 0; b < 3; b++)
            g.covariance[a][b] = stress[a][b] / cell->density;
    }
    return g;
}

/* Coefficient and polynomial of a product, with what normalises it: 1/n! / c_s^2n. */
static double term(const struct gaussian *g, const int c[3], const int powers[3]) {
    double value = moment(g, powers);
    for (int axis = 0; axis < 3; axis++)
        value *= hermite(powers[axis], c[axis]) * pow(3, powers[axis]) / (powers[axis] == 2 ? 2 : 1);
    return value;
}

/* D3Q19, third order: sums and differences of polynomials, which are orthogonal there (Jacob et al. 2018). */
static double third_order_of_d3q19(const struct gaussian *g, const int c[3]) {
    static const int pairs[3][2][3] = {
        {{2, 1, 0}, {0, 1, 2}}, {{1, 0, 2}, {1, 2, 0}}, {{0, 2, 1}, {2, 0, 1}}};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double a[2], h[2];
        for (int j = 0; j < 2; j++) {
            const int *powers = pairs[k][j];
            a[j] = moment(g, powers);
            h[j] = hermite(powers[0], c[0]) * hermite(powers[1], c[1]) * hermite(powers[2], c[2]);
        }
        sum += 3 * (h[0] + h[1]) * (a[0] + a[1]) + (h[0] - h[1]) * (a[0] - a[1]);
    }
    return 4.5 * sum;
}

static void recursive(const struct reference_cell *cell, double tau, double *after) {
    const struct weir_lattice_table *lattice = cell->lattice;
    double stress[3][3];
    arriving_covariance(cell, stress);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            stress[a][b] *= 1 - 1 / tau;
    struct gaussian g = leaving_gaussian(cell, stress);
    g.linear = true;
    const bool products = lattice->populations != 19;
    for (int i = 0; i < lattice->populations; i++) {
        const int *c = lattice->velocity[i];
        double sum = products ? 0 : third_order_of_d3q19(&g, c);
        for (int z = 0; z <= (lattice->dimensions == 3 ? 2 : 0); z++)
            for (int y = 0; y <= 2; y++)
                for (int x = 0; x <= 2; x++)
                    if (products || x + y + z <= 2)
                        sum += term(&g, c, (const int[3]){x, y, z});
        after[i] = lattice->weight[i] * sum;
    }
}

/* A quantity for each x^i y^j z^k with i, j, k up to 2: a moment, or a cumulant. */
typedef double powers_up_to_two[3][3][3];

/* Whether the moment of these powers has a lower one by an axis, and which: the first that is not 0. */
static int first_axis(const int powers[3]) {
    return powers[0] ? 0 : powers[1] ? 1 : 2;
}

/* What cumulants of lower orders make of a moment (per density), from M' = K' M, with M the function that
 * generates moments and K = log M: m_(n + e) = sum over k of binomial(n, k) kappa_(k + e) m_(n - k). */
static double lower_cumulants(powers_up_to_two moments, powers_up_to_two cumulants, const int powers[3]) {
    static const double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};
    const int axis = first_axis(powers);
    int n[3] = {powers[0], powers[1], powers[2]};
    n[axis]--;
    double sum = 0;
    for (int x = 0; x <= n[0]; x++)
        for (int y = 0; y <= n[1]; y++)
            for (int z = 0; z <= n[2]; z++) {
                const int k[3] = {x + (axis == 0), y + (axis == 1), z + (axis == 2)};
                if (x != n[0] || y != n[1] || z != n[2])
                    sum += binomial[n[0]][x] * binomial[n[1]][y] * binomial[n[2]][z] *
                           cumulants[k[0]][k[1]][k[2]] * moments[n[0] - x][n[1] - y][n[2] - z];
            }
    return sum;
}

/* moments: per density. One of the two follows from the other, in order of the powers. */
static void moments_and_cumulants(powers_up_to_two moments, powers_up_to_two cumulants, bool to_cumulants) {
    for (int n = 1; n < 27; n++) {
        const int powers[3] = {n % 3, n / 3 % 3, n / 9};
        double *const moment = &moments[powers[0]][powers[1]][powers[2]];
        double *const cumulant = &cumulants[powers[0]][powers[1]][powers[2]];
        const double lower = lower_cumulants(moments, cumulants, powers);
        if (to_cumulants)
            *cumulant = *moment - lower;
        else
            *moment = *cumulant + lower;
    }
}

static void cumulants_of(const struct reference_cell *cell, powers_up_to_two cumulants) {
    powers_up_to_two moments = {{{0}}};
    for (int i = 0; i < cell->lattice->populations; i++)
        for (int n = 0; n < 27; n++) {
            const int *c = cell->lattice->velocity[i];
            moments[n % 3][n / 3 % 3][n / 9] +=
                pow(c[0], n % 3) * pow(c[1], n / 3 % 3) * pow(c[2], n / 9) * cell->f[i] / cell->density;
        }
    moments_and_cumulants(moments, cumulants, true);
}

/* Populations from moments: along each axis f(+-1) = (m_2 +- m_1) / 2 and f(0) = m_0 - m_2. */
static void populations_with(const struct reference_cell *cell, powers_up_to_two cumulants, double *after) {
    powers_up_to_two moments = {{{1}}};
    moments_and_cumulants(moments, cumulants, false);
    for (int i = 0; i < cell->lattice->populations; i++) {
        const int *c = cell->lattice->velocity[i];
        after[i] = 0;
        for (int n = 0; n < 27; n++) {
            const int powers[3] = {n % 3, n / 3 % 3, n / 9};
            double share = cell->density;
            for (int axis = 0; axis < 3; axis++) {
                const double moving[3] = {0, 0.5 * c[axis], 0.5}, resting[3] = {1, 0, -1};
                share *= (c[axis] ? moving : resting)[powers[axis]];
            }
            after[i] += share * moments[powers[0]][powers[1]][powers[2]];
        }
    }
}

/* Sums and differences relax. */
static void relax_pair(double *a, double *b, double sum_rate, double difference_rate) {
    const double sum = (1 - sum_rate) * (*a + *b), difference = (1 - difference_rate) * (*a - *b);
    *a = (sum + difference) / 2;
    *b = (sum - difference) / 2;
}

enum { BULK, THIRD_SUMS, THIRD_DIFFERENCES, THIRD, FOURTH_DIFFERENCES, FOURTH_SUM, FOURTH, FIFTH, SIXTH };

static void relax_higher_cumulants(powers_up_to_two k, const double *rate) {
    relax_pair(&k[1][2][0], &k[1][0][2], rate[THIRD_SUMS], rate[THIRD_DIFFERENCES]);
    relax_pair(&k[2][1][0], &k[0][1][2], rate[THIRD_SUMS], rate[THIRD_DIFFERENCES]);
    relax_pair(&k[2][0][1], &k[0][2][1], rate[THIRD_SUMS], rate[THIRD_DIFFERENCES]);
    k[1][1][1] *= 1 - rate[THIRD];
    const double one = (1 - rate[FOURTH_DIFFERENCES]) * (k[2][2][0] - 2 * k[2][0][2] + k[0][2][2]),
                 two = (1 - rate[FOURTH_DIFFERENCES]) * (k[2][2][0] + k[2][0][2] - 2 * k[0][2][2]),
                 all = (1 - rate[FOURTH_SUM]) * (k[2][2][0] + k[2][0][2] + k[0][2][2]);
    k[2][2][0] = (one + two + all) / 3;
    k[2][0][2] = (all - one) / 3;
    k[0][2][2] = (all - two) / 3;
    k[2][1][1] *= 1 - rate[FOURTH];
    k[1][2][1] *= 1 - rate[FOURTH];
    k[1][1][2] *= 1 - rate[FOURTH];
    k[2][2][1] *= 1 - rate[FIFTH];
    k[2][1][2] *= 1 - rate[FIFTH];
    k[1][2][2] *= 1 - rate[FIFTH];
    k[2][2][2] *= 1 - rate[SIXTH];
}

/* The five, as functions of both rates of the stress. */
void reference_cumulant_rates(double relaxation_time, double rates[5]) {
    const double w = 1 / relaxation_time, b = 1;
    rates[0] = 8 * (w - 2) * (b * (3 * w - 1) - 5 * w) / (8 * (5 - 2 * w) * w + b * (8 + w * (9 * w - 26)));
    rates[1] = 8 * (w - 2) * (w + b * (3 * w - 7)) / (b * (56 - 42 * w + 9 * w * w) - 8 * w);
    rates[2] = 24 * (w - 2) * (4 * w * w + w * b * (18 - 13 * w) + b * b * (2 + w * (6 * w - 11))) /
               (16 * w * w * (w - 6) - 2 * w * b * (216 + 5 * w * (9 * w - 46)) +
                b * b * (w * (3 * w - 10) * (15 * w - 28) - 48));
    const double common = (w - b) * (b * (2 + 3 * w) - 8 * w);
    rates[3] = (1 / w - 0.5) * (4 * w * w + 2 * w * b * (w - 6) + b * b * (w * (10 - 3 * w) - 4)) / common;
    rates[4] = (1 - w / 2) * (4 * w * b * (9 * w - 16) - 4 * w * w - 2 * b * b * (2 + 9 * w * (w - 2))) /
               (3 * common);
}

/* The same rates with the limiter of the second part, which looks at each cumulant or sum or difference of
 * two; those of the fourth order relax to what the derivatives of the velocity make them. */
static void relax_by_viscosity(const struct reference_cell *cell, double omega, double stress[3][3],
                               const double derivative[3], powers_up_to_two k) {
    double rates[5], limited[2];
    const double limit = cell->problem->parameters[0];
    static const int thirds[3][2][3] = {
        {{1, 2, 0}, {1, 0, 2}}, {{2, 1, 0}, {0, 1, 2}}, {{2, 0, 1}, {0, 2, 1}}};
    reference_cumulant_rates(1 / omega, rates);
    for (int pair = 0; pair < 3; pair++) {
        double *const a = &k[thirds[pair][0][0]][thirds[pair][0][1]][thirds[pair][0][2]];
        double *const b = &k[thirds[pair][1][0]][thirds[pair][1][1]][thirds[pair][1][2]];
        for (int n = 0; n < 2; n++) {
            const double size = fabs(n ? *a - *b : *a + *b);
            limited[n] = rates[n] + (1 - rates[n]) * size / (limit + size);
        }
        relax_pair(a, b, limited[0], limited[1]);
    }
    const double size = fabs(k[1][1][1]);
    k[1][1][1] *= 1 - (rates[2] + (1 - rates[2]) * size / (limit + size));
    const double *d = derivative, even = -2.0 / 3 * rates[3];
    k[2][2][0] = even * (d[0] + d[1]);
    k[2][0][2] = even * (d[0] + d[2]);
    k[0][2][2] = even * (d[1] + d[2]);
    /* - B / 3 (1/omega - 1/2) times -3 omega of the covariance */
    k[2][1][1] = rates[4] * stress[1][2] / cell->density;
    k[1][2][1] = rates[4] * stress[0][2] / cell->density;
    k[1][1][2] = rates[4] * stress[0][1] / cell->density;
    k[2][2][1] = k[2][1][2] = k[1][2][2] = k[2][2][2] = 0;
}

/* Geier et al. 2015, with their correction of the diagonal, or their parametrisation of 2017. */
static void cumulant(const struct reference_cell *cell, double tau, double *after) {
    const bool parametrised = cell->problem->collision == WEIR_PARAMETRISED_CUMULANT;
    const double omega = 1 / tau, rho = cell->density;
    const double bulk = parametrised ? 1 : cell->problem->parameters[BULK];
    const double *u = cell->velocity;
    double k[3][3], derivative[3];
    arriving_covariance(cell, k); /* less rho / 3 */
    const double trace = k[0][0] + k[1][1] + k[2][2];
    derivative[0] = -omega / (2 * rho) * (2 * k[0][0] - k[1][1] - k[2][2]) - bulk / (2 * rho) * trace;
    derivative[1] = derivative[0] + 1.5 * omega / rho * (k[0][0] - k[1][1]);
    derivative[2] = derivative[0] + 1.5 * omega / rho * (k[0][0] - k[2][2]);
    double square[3];
    for (int a = 0; a < 3; a++)
        square[a] = u[a] * u[a] * derivative[a];
    const double xy = (1 - omega) * (k[0][0] - k[1][1]) - 3 * rho * (1 - omega / 2) * (square[0] - square[1]);
    const double xz = (1 - omega) * (k[0][0] - k[2][2]) - 3 * rho * (1 - omega / 2) * (square[0] - square[2]);
    const double sum = (1 - bulk) * trace - 3 * rho * (1 - bulk / 2) * (square[0] + square[1] + square[2]);
    powers_up_to_two cumulants = {{{0}}};
    cumulants_of(cell, cumulants);
    for (int axis = 0; axis < 3; axis++) /* the rest of the force */
        cumulants[axis == 0][axis == 1][axis == 2] += cell->force[axis] / rho;
    cumulants[2][0][0] = (xy + xz + sum) / 3 / rho + 1.0 / 3;
    cumulants[0][2][0] = (-2 * xy + xz + sum) / 3 / rho + 1.0 / 3;
    cumulants[0][0][2] = (xy - 2 * xz + sum) / 3 / rho + 1.0 / 3;
    cumulants[1][1][0] *= 1 - omega;
    cumulants[1][0][1] *= 1 - omega;
    cumulants[0][1][1] *= 1 - omega;
    if (parametrised)
        relax_by_viscosity(cell, omega, k, derivative, cumulants);
    else
        relax_higher_cumulants(cumulants, cell->problem->parameters);
    populations_with(cell, cumulants, after);
}

void reference_collide(const struct reference_cell *cell, double *after) {
    static void (*const collisions[])(const struct reference_cell *cell, double tau,
                                      double *after) = {[WEIR_BGK] = bgk,
                                                        [WEIR_TRT] = trt,
                                                        [WEIR_MRT] = mrt,
                                                        [WEIR_REGULARISED] = regularised,
                                                        [WEIR_RECURSIVE] = recursive,
                                                        [WEIR_CUMULANT] = cumulant,
                                                        [WEIR_PARAMETRISED_CUMULANT] = cumulant};
    collisions[cell->problem->collision](cell, reference_relaxation_time(cell), after);
}
