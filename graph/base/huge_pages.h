/* Pages of megabytes for memory of blocks: fewer look-ups of addresses in a step, fewer faults at the first
 * touch. */
#ifndef WEIR_GRAPH_BASE_HUGE_PAGES_H
#define WEIR_GRAPH_BASE_HUGE_PAGES_H

#include <stddef.h>

/* Asks the kernel for huge pages behind memory that nobody has touched yet: a wish, where the kernel does
 * without (transparent_hugepage "never") nothing changes. Memory remains its owner's. Linux: madvise(2). */
void weir_ask_huge_pages(void *memory, size_t bytes);

#endif
