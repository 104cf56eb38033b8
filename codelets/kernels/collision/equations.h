/* Equations of state of fluids with phases; their names in case files: graph/problem/phases.c. */
#ifndef WEIR_KERNELS_EQUATIONS_H
#define WEIR_KERNELS_EQUATIONS_H

enum weir_equation {
    WEIR_SHAN_CHEN,      /* psi = 1 - exp(-rho) (Shan, Chen, Phys. Rev. E 47 (1993) 1815) */
    WEIR_SHAN_CHEN_1994, /* psi = exp(-1 / rho) (Shan, Chen, Phys. Rev. E 49 (1994) 2941) */
    WEIR_CARNAHAN_STARLING,
    WEIR_PENG_ROBINSON
};

#endif
