#include "graph/problem/phases.h"

#include <math.h>

const char *const weir_equation_names[] = {"shan_chen",     "shan_chen_1994", "carnahan_starling",
                                           "peng_robinson", "two_components", NULL};

/* Critical temperatures in units of a / b, at R = 1, and critical densities in those of 1 / b. */
#define CRITICAL_CARNAHAN_STARLING 0.37731477614459
#define CRITICAL_PENG_ROBINSON 0.17014442007035

struct weir_phases weir_phases_default(enum weir_equation equation) {
    struct weir_phases phases = {.present = true, .equation = equation, .mixing = 1};
    switch (equation) {
    case WEIR_SHAN_CHEN:
        phases.strength = -5;
        break;
    case WEIR_SHAN_CHEN_1994:
        phases.strength = -9;
        break;
    case WEIR_CARNAHAN_STARLING:
        phases.temperature = 0.8;
        phases.attraction = 0.25;
        phases.covolume = 1;
        phases.mixing = 1.8;
        break;
    case WEIR_PENG_ROBINSON:
        phases.temperature = 0.8;
        phases.attraction = 0.2;
        phases.covolume = 0.5;
        phases.acentric_factor = 0.344;
        phases.mixing = 1.83;
        break;
    case WEIR_TWO_COMPONENTS:
        phases.repulsion = 3;
    }
    return phases;
}

bool weir_equation_has_strength(enum weir_equation equation) {
    return equation == WEIR_SHAN_CHEN || equation == WEIR_SHAN_CHEN_1994;
}

bool weir_phases_are_components(const struct weir_phases *phases) {
    return phases->present && phases->equation == WEIR_TWO_COMPONENTS;
}

/* R T. */
static double temperature_of(const struct weir_phases *phases) {
    const double critical =
        phases->equation == WEIR_PENG_ROBINSON ? CRITICAL_PENG_ROBINSON : CRITICAL_CARNAHAN_STARLING;
    return phases->temperature * critical * phases->attraction / phases->covolume;
}

/* a, of Peng and Robinson with what it becomes at the temperature. */
static double attraction_of(const struct weir_phases *phases) {
    const double w = phases->acentric_factor;
    if (phases->equation != WEIR_PENG_ROBINSON)
        return phases->attraction;
    const double root = 1 + (0.37464 + 1.54226 * w - 0.26992 * w * w) * (1 - sqrt(phases->temperature));
    return phases->attraction * root * root;
}

struct weir_interaction weir_phases_interaction(const struct weir_phases *phases) {
    if (weir_phases_are_components(phases))
        return (struct weir_interaction){.equation = WEIR_TWO_COMPONENTS, .pairs = -phases->repulsion};
    const bool strong = weir_equation_has_strength(phases->equation);
    const double strength = strong ? phases->strength : -1; /* psi has the rest */
    struct weir_interaction interaction = {.equation = (int)phases->equation,
                                           .pairs = -strength * phases->mixing,
                                           .squares = -strength * (1 - phases->mixing) / 2};
    if (!strong) {
        interaction.temperature = temperature_of(phases);
        interaction.attraction = attraction_of(phases);
        interaction.covolume = phases->covolume;
    }
    return interaction;
}

double weir_phases_pressure(const struct weir_phases *phases, double density) {
    const double t = temperature_of(phases), a = attraction_of(phases), filled = phases->covolume * density;
    const double psi = phases->equation == WEIR_SHAN_CHEN ? 1 - exp(-density) : exp(-1 / density);
    switch (phases->equation) {
    case WEIR_CARNAHAN_STARLING: {
        const double n = filled / 4;
        return density * t * (1 + n + n * n - n * n * n) / pow(1 - n, 3) - a * density * density;
    }
    case WEIR_PENG_ROBINSON:
        return density * t / (1 - filled) - a * density * density / (1 + 2 * filled - filled * filled);
    default:
        return density / 3 + phases->strength / 6 * psi * psi;
    }
}

double weir_phases_densest(const struct weir_phases *phases) {
    return phases->equation == WEIR_CARNAHAN_STARLING ? 3.9 / phases->covolume
           : phases->equation == WEIR_PENG_ROBINSON   ? 0.995 / phases->covolume
                                                      : 20;
}

enum { DENSITIES = 20000, HALVINGS = 100 };
#define LEAST_DENSITY 1e-8

/* Density number k of a row in equal ratios. */
static double density_at(const struct weir_phases *phases, int k) {
    return LEAST_DENSITY * pow(weir_phases_densest(phases) / LEAST_DENSITY, (double)k / DENSITIES);
}

/* Between two densities, where the pressure passes through a value. */
static double density_with(const struct weir_phases *phases, double pressure, double low, double high) {
    const bool rises = weir_phases_pressure(phases, high) > weir_phases_pressure(phases, low);
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if ((weir_phases_pressure(phases, middle) < pressure) == rises)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Chemical potential of the liquid above that of the vapour at the same pressure, but for a sign: the
 * integral of (p0 - p) / rho^2 between the two densities, by Simpson's rule in the density's logarithm. */
static double excess_at(const struct weir_phases *phases, double pressure,
                        const struct weir_coexistence *found) {
    enum { PARTS = 2000 };
    const double step = log(found->liquid / found->vapour) / PARTS;
    double sum = 0;
    for (int k = 0; k <= PARTS; k++) {
        const double density = found->vapour * exp(k * step);
        const double weight = k == 0 || k == PARTS ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * (pressure - weir_phases_pressure(phases, density)) / density;
    }
    return sum * step / 3;
}

bool weir_phases_coexistence(const struct weir_phases *phases, struct weir_coexistence *coexistence) {
    /* Where the pressure stops rising, and rises again. */
    double spinodal[2] = {0, 0}, before = 0;
    int found = 0;
    for (int k = 0; k < DENSITIES && found < 2; k++) {
        const double density = density_at(phases, k), pressure = weir_phases_pressure(phases, density);
        if (k > 0 && (pressure < before) == (found == 0))
            spinodal[found++] = density_at(phases, k - 1);
        before = pressure;
    }
    if (found < 2)
        return false;
    double low = fmax(weir_phases_pressure(phases, spinodal[1]), weir_phases_pressure(phases, LEAST_DENSITY)),
           high = weir_phases_pressure(phases, spinodal[0]);
    for (int k = 0; k < HALVINGS; k++) {
        const double pressure = 0.5 * (low + high);
        coexistence->vapour = density_with(phases, pressure, LEAST_DENSITY, spinodal[0]);
        coexistence->liquid = density_with(phases, pressure, spinodal[1], weir_phases_densest(phases));
        if (excess_at(phases, pressure, coexistence) < 0)
            low = pressure;
        else
            high = pressure;
    }
    return true;
}

double weir_components_pressure(const struct weir_phases *phases, double density, double second) {
    return (density + phases->repulsion * (density - second) * second) / 3;
}

void weir_components_share(const struct weir_phases *phases, double *scale, double *offset) {
    *scale = 1 / (1 - 2 * phases->dissolved);
    *offset = -phases->dissolved * *scale;
}

double weir_components_viscosity(const struct weir_phases *phases, double first_viscosity, double density,
                                 double second) {
    double scale, offset;
    weir_components_share(phases, &scale, &offset);
    const double share = fmin(fmax(second / density * scale + offset, 0), 1);
    return phases->second_viscosity > 0
               ? first_viscosity + share * (phases->second_viscosity - first_viscosity)
               : first_viscosity;
}

/* Beside each other both components have the same chemical potential on either side, ln rho_1 + G rho_2 and
 * the reverse, and by symmetry the densities change places: ln(more / less) = G (more - less). */
bool weir_components_dissolved(const struct weir_phases *phases, double density, double *dissolved) {
    double low = 0, high = 1; /* of (more - less) / density */
    *dissolved = 0;
    if (phases->repulsion * density <= 2)
        return false;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (2 * atanh(middle) < phases->repulsion * density * middle)
            low = middle;
        else
            high = middle;
    }
    *dissolved = 0.5 * density * (1 - low);
    return true;
}
