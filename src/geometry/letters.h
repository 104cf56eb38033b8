/* The letters of a text as a solid, in the font that is built into the program: bars along z, discs of their
 * shape in two dimensions. */
#ifndef WEIR_SRC_GEOMETRY_LETTERS_H
#define WEIR_SRC_GEOMETRY_LETTERS_H

#include "graph/problem/region.h"

struct weir_letters_options {
    const char *text; /* UTF-8, one line */
    double height;    /* of a capital H, cell widths */
    bool centred;     /* in the middle of the domain, as a whole */
    double origin[2]; /* else where the line that letters stand on begins */
    int cells[3];     /* the domain */
};

/* Outlines are those of the font, in its own whole numbers, whose curves are cut into eight straight pieces
 * each: the same on any machine. *region is the caller's, to be destroyed by its own function. Errors:
 * -WEIR_USAGE where the font lacks a character or nothing of the text is to be seen; -WEIR_FAILED when memory
 * is short. */
int weir_letters_create(const struct weir_letters_options *options, struct weir_region **region);

#endif
