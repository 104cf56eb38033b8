/* Differences of observed velocities. */
#include "graph/sink.h"

#include <math.h>
#include <stddef.h>

/* Number of a cell of a box of these extents. */
static size_t number_of(const int extent[3], const int place[3]) {
    return ((size_t)place[2] * (size_t)extent[1] + (size_t)place[1]) * (size_t)extent[0] + (size_t)place[0];
}

/* A component of the velocity one cell beside `place`, through a face; NaN: there is none. */
static double velocity_beside(const struct weir_observation *observation, int component, const int place[3],
                              int face) {
    const int axis = face / 2, *extent = observation->box.extent;
    int there[3] = {place[0], place[1], place[2]}, layer[3] = {extent[0], extent[1], extent[2]};
    there[axis] += face % 2 ? 1 : -1;
    if (there[axis] >= 0 && there[axis] < extent[axis])
        return observation->velocity[component][number_of(extent, there)];
    if (!observation->beside[face])
        return NAN;
    there[axis] = 0;
    layer[axis] = 1;
    const size_t cells = (size_t)layer[0] * (size_t)layer[1] * (size_t)layer[2];
    return observation->beside[face][(size_t)component * cells + number_of(layer, there)];
}

void weir_observation_gradient(const struct weir_observation *observation, const int place[3],
                               double gradient[3][3]) {
    const size_t cell = number_of(observation->box.extent, place);
    for (int component = 0; component < 3; component++)
        for (int axis = 0; axis < 3; axis++) {
            const double here = observation->velocity[component][cell],
                         before = velocity_beside(observation, component, place, 2 * axis),
                         after = velocity_beside(observation, component, place, 2 * axis + 1);
            const int sides = !isnan(before) + !isnan(after);
            const double difference = (isnan(after) ? here : after) - (isnan(before) ? here : before);
            gradient[component][axis] = isnan(here) || sides == 0 ? here * 0.0 : difference / sides;
        }
}
