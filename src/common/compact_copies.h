/* Domains that grow with the number of ranks. */
#ifndef WEIR_SRC_COMMON_COMPACT_COPIES_H
#define WEIR_SRC_COMMON_COMPACT_COPIES_H

/* How often a domain stands side by side along each axis so that each of `ranks` has as many cells as one has
 * of the domain as it is: factors whose product is `ranks`, and which leave the whole as compact as they can.
 * dimensions: axes that may grow. */
void weir_compact_copies(const int cells[3], int dimensions, int ranks, int times[3]);

#endif
