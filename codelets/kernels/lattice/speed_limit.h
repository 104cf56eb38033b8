/* The speed beyond which no lattice Boltzmann flow means anything: its speed of sound, 1/sqrt(3) cell widths
 * per step. */
#ifndef WEIR_KERNELS_SPEED_LIMIT_H
#define WEIR_KERNELS_SPEED_LIMIT_H

#define WEIR_SPEED_LIMIT 0.577
#define WEIR_SPEED_LIMIT_TEXT "0.577 cell widths per step, the lattice's speed of sound"

#endif
