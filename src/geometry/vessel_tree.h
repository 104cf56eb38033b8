/* A tree of tubes that divide in two again and again, as arteries do; what lies around them is solid. */
#ifndef WEIR_SRC_GEOMETRY_VESSEL_TREE_H
#define WEIR_SRC_GEOMETRY_VESSEL_TREE_H

#include "graph/problem/region.h"

#include <stdint.h>

enum { WEIR_VESSEL_GENERATIONS_MOST = 6 };

struct weir_vessel_tree_options {
    int dimensions; /* 2: channels in a plane */
    int cells[3];   /* the domain, which the tree goes through from one face to the opposite one */
    int axis;       /* along which */
    int generations;
    bool planar;         /* all branches part along one axis, the next after `axis`, and stay in a plane */
    double radius;       /* of the stem, cell widths */
    double exponent;     /* radii: r^exponent is the sum of that of both branches (Murray's law: 3) */
    double asymmetry;    /* branches have (1 + asymmetry) / 2 and (1 - asymmetry) / 2 of that sum */
    double irregularity; /* 0: places are regular; 1: moved by up to half of what is between them */
    uint64_t seed;       /* which branch is the wider one, and where places are moved to */
};

/* The stem begins in the middle of the low face, one section long; there is one section for each generation,
 * in which branches go apart to where the next begin, along the other axes in turn or along one, by a quarter
 * of the domain, then an eighth ...; and one in which all go straight to the high face. Tubes have round ends
 * where they join. *region, the solid around them, is the caller's, to be destroyed by its own function.
 * Errors: -WEIR_USAGE where branches touch each other, or a side of the domain; -WEIR_FAILED when memory is
 * short. */
int weir_vessel_tree_create(const struct weir_vessel_tree_options *options, struct weir_region **region);

#endif
