/* weir info: what this machine has, and what Weir makes of it. */
#ifndef WEIR_SRC_INFO_H
#define WEIR_SRC_INFO_H

/* Starts all workers, measures bandwidths, prints to standard output. Errors: those of the runtime. */
int weir_info(void);

#endif
