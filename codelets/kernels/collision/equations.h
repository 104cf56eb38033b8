/* Equations of state of fluids with phases, and of those with two components; their names in case files:
 * graph/problem/phases.c. */
#ifndef WEIR_KERNELS_EQUATIONS_H
#define WEIR_KERNELS_EQUATIONS_H

enum weir_equation {
    WEIR_SHAN_CHEN,      /* psi = 1 - exp(-rho) (Shan, Chen, Phys. Rev. E 47 (1993) 1815) */
    WEIR_SHAN_CHEN_1994, /* psi = exp(-1 / rho) (Shan, Chen, Phys. Rev. E 49 (1994) 2941) */
    WEIR_CARNAHAN_STARLING,
    WEIR_PENG_ROBINSON,
    WEIR_TWO_COMPONENTS /* which repel each other: no equation of its own (kernels: WEIR_COMPONENTS) */
};

#endif
