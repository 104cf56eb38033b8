/* Where observed flow quantities go: the graph hands boxes of cells to a sink, from tasks, while steps go on.
 * The graph calls one sink's functions one after the other (never two at once), in the order begin, put ...
 * put, finish, once per observed step. The boxes of a step lie in the sink's region and cover it once. After
 * a failure of begin or put only finish(false) may follow.
 *
 * Where there are several ranks, the sink of rank 0 gets all boxes and those of other ranks are not called,
 * unless it is one that is called everywhere. */
#ifndef WEIR_GRAPH_SINK_H
#define WEIR_GRAPH_SINK_H

#include "graph/problem/box.h"

#include <stdbool.h>
#include <stdint.h>

/* What put() receives: what is seen of the cells of a box in lattice units, double precision
 * whatever the run's; x fastest. Solid cells hold NaN in all of them. Valid during the call only. */
struct weir_observation {
    struct weir_box box;
    const double *density;
    const double *velocity[3];
    const double *fifth;          /* scalar, temperature or fill level; NULL: the problem has none of them */
    const double *eddy_viscosity; /* of the collision that comes next; NULL: there are no eddies */
    /* Where the sink wants gradients: the velocity in the layers of cells beside the box's faces (x-, x+, y-,
     * ...), [component][cells of the layer], around periodic axes; NULL where the domain ends. */
    const double *beside[6];
    /* Covariances of velocity components (xx, yy, zz, xy, yz, xz), where a sink hands averages over time on
     * to another; NULL in what the graph hands over. */
    const double *covariance[6];

    /* Of a sink that wants populations, which gets whole blocks and nothing of the above: stored [q of all
     * sets][nz][ny][nx], natural arrangement, zeros in solid cells; and the box's part of the digest. */
    const void *populations;
    const uint64_t *digest; /* [2] */

    /* Of a sink that wants sums over time, which gets whole blocks and nothing else: those of the cells
     * [weir_problem_time_sums][cells], NaN in solid ones. */
    const double *time_sums;
};

/* Gradient of the velocity in cell `place` of the box, counted from its corner: gradient[a][b] = du_a / dx_b,
 * per cell width. Central differences; one-sided where the cell on one side is solid or beyond the domain, 0
 * where both are, and along the axis that a flat lattice does not have. NaN in solid cells. */
void weir_observation_gradient(const struct weir_observation *observation, const int place[3],
                               double gradient[3][3]);

struct weir_sink {
    void *context;
    struct weir_box region; /* the cells this sink wants to see, inside the domain */

    bool gradients; /* put receives what weir_observation_gradient needs */

    /* It gets populations, or sums over time, of the whole domain. So that they do not take as much memory as
     * what they are copies of, `at_once` blocks at most are copied and not written yet, 1 or more; others
     * wait with their next step. Of other sinks it is 0. */
    bool populations;
    int time_sums; /* 1 and the number of the sums; 0: it does not get any */
    int at_once;

    /* On every rank alike: begin and finish are called on all ranks, and put for the boxes of each rank's own
     * blocks. Then begin and finish may make collective calls on the ranks given (observation.h): no two such
     * sinks are between their calls at once, and all ranks have them in the same order. begin returns the
     * same on all ranks, and `sound` is the same on all. put makes no collective call: ranks have different
     * numbers of boxes. */
    bool everywhere;

    /* Each returns 0 or a negative error (weir_fail): the run then stops with that message. */
    int (*begin)(void *context, int64_t step);
    int (*put)(void *context, const struct weir_observation *observation);
    /* sound: the flow was checked at this step and is finite and below the lattice's speed limit; otherwise
     * what begin and put wrote is thrown away, so that the last good output stays. */
    int (*finish)(void *context, bool sound);
};

#endif
