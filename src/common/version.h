/* Version and features of this build. */
#ifndef WEIR_SRC_COMMON_VERSION_H
#define WEIR_SRC_COMMON_VERSION_H

#include <stdio.h>

/* "0.1.0" */
extern const char weir_version[];

/* Prints name, version, and what is compiled in. */
void weir_version_print(FILE *stream);

#endif
