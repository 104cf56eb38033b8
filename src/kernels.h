/* weir kernels: lists compiled kernels, compiles those of cases ahead of time, for this machine or another,
 * and empties the user's cache. */
#ifndef WEIR_SRC_KERNELS_H
#define WEIR_SRC_KERNELS_H

/* Reads the words after "weir": argv[0] is "kernels". Exits with 0 for --help. Starts neither StarPU nor MPI.
 * Returns 0; -WEIR_USAGE; -WEIR_UNAVAILABLE where there is no compiler; -WEIR_FAILED. */
int weir_kernels_command(int argc, char **argv);

#endif
