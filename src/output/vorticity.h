/* How fast the fluid of a plane turns: the component of the vorticity normal to it. */
#ifndef WEIR_SRC_OUTPUT_VORTICITY_H
#define WEIR_SRC_OUTPUT_VORTICITY_H

/* Fills vorticity[height][width] with sign * (d up / dx - d across / dy) from the velocities along the
 * plane's axes, all per cell width and from the lower left corner; NaN: solid. Differences are central, and
 * one-sided beside solids and at the edges of the plane (also where the domain is periodic); where a cell has
 * no fluid neighbour on an axis, that difference is 0. sign: 1, or -1 where across, up and the normal are
 * left-handed. */
void weir_vorticity(const double *across, const double *up, int width, int height, double sign,
                    double *vorticity);

#endif
