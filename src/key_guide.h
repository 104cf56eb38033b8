/* The tables of docs/, made from the rows of keys, quantities and collisions. */
#ifndef WEIR_SRC_KEY_GUIDE_H
#define WEIR_SRC_KEY_GUIDE_H

#include <stdio.h>

/* Writes all tables as Markdown, each between lines "<!-- table NAME ... -->" and "<!-- end of table -->". */
void weir_key_guide_print(FILE *stream);

#endif
