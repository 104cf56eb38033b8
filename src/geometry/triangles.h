/* A surface as a list of triangles, and where it does not close. */
#ifndef WEIR_SRC_GEOMETRY_TRIANGLES_H
#define WEIR_SRC_GEOMETRY_TRIANGLES_H

#include <stdbool.h>
#include <stdint.h>

struct weir_triangles {
    double (*corners)[3][3]; /* [count][corner][axis] */
    int64_t count;
};

struct weir_triangle_edges {
    int64_t edges, open; /* of open ones an odd number of triangles meets */
    double place[3];     /* the middle of an open one, where there is any */
    bool oriented;       /* all edges are passed as often either way: triangles have one outside */
};

/* Gives all corners at the same coordinates the number, 3 * triangle + corner, of the first of them:
 * number[3 * count]. Errors as below. */
int weir_triangles_number(const struct weir_triangles *triangles, int32_t *number);

/* Finds the edges of a surface; corners at the same coordinates are one. Error: -WEIR_FAILED when memory is
 * short, -WEIR_USAGE for more than 700 million triangles. */
int weir_triangles_edges(const struct weir_triangles *triangles, struct weir_triangle_edges *edges);

/* The box around all corners. */
void weir_triangles_bounds(const struct weir_triangles *triangles, double low[3], double high[3]);

void weir_triangles_free(struct weir_triangles *triangles);

#endif
