/* weir permeability: the tensor of a porous medium, from a run for each axis. */
#ifndef WEIR_SRC_PERMEABILITY_H
#define WEIR_SRC_PERMEABILITY_H

/* argv[0] is "permeability". Prints the tensor to standard output. Errors: -WEIR_USAGE for wrong words and
 * cases that have no permeability, and those of the runs. */
int weir_permeability(int argc, char **argv);

#endif
