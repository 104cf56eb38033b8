/* Solids that are neither ball, box nor cylinder: formulas, heaps of balls, volumes and meshes from files.
 * graph/ knows no more of them than that they can be asked about a place; who makes one embeds this struct as
 * its first member. */
#ifndef WEIR_GRAPH_PROBLEM_REGION_H
#define WEIR_GRAPH_PROBLEM_REGION_H

#include <stdbool.h>
#include <stdint.h>

/* What of a region is near a place, by numbers of its own. */
enum { WEIR_REGION_PART_MOST = 64 };
struct weir_region_part {
    int count;
    int32_t item[WEIR_REGION_PART_MOST];
};

struct weir_region {
    double low[3], high[3]; /* no point outside belongs to it; cell widths */

    /* Whether the centre of a cell of the domain belongs to it: the same answer for the same point wherever
     * it is asked. Called from several threads at once. It repeats itself along periodic axes where it is to
     * be repeated. */
    bool (*contains)(const struct weir_region *region, const double point[3]);

    /* The same of many cells of the domain: every `step`-th along each axis, `count` of them, from the one on
     * that has its centre there; inside[count z][y][x]. NULL: each is asked. */
    void (*contains_box)(const struct weir_region *region, const double first[3], int step,
                         const int count[3], bool *inside);

    /* For who asks about many points of the domain that are no further than a distance from one: finds what
     * they have to be compared with; false: that is more than a part has room for. Then the same as
     * `contains` of each such point. NULL, both: there is nothing quicker than that. */
    bool (*find_part)(const struct weir_region *region, const double point[3], double distance,
                      struct weir_region_part *part);
    bool (*part_contains)(const struct weir_region *region, const struct weir_region_part *part,
                          const double point[3]);

    /* The share of the way from a point outside to one inside, 0 to 1, after which the surface is met; NULL:
     * found by asking `contains` on the way, which then answers for any point. */
    double (*share_outside)(const struct weir_region *region, const double outside[3],
                            const double inside[3]);

    /* Of what is inside of a surface of triangles: these, [triangle_count][corner][axis], as long as it
     * lives.
     */
    const double (*triangles)[3][3];
    int64_t triangle_count; /* 0: it is not given by triangles */

    void (*destroy)(struct weir_region *region);
};

#endif
