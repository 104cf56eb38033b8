/* What weir check tells of a case's solids, and the cuts that it draws of them. */
#ifndef WEIR_SRC_CHECK_GEOMETRY_H
#define WEIR_SRC_CHECK_GEOMETRY_H

#include "src/case/case.h"

struct weir_fluid_pieces;
struct weir_world;

/* Finds what is printed of solids: *pieces. Collective, each rank looks at its part of the domain. *looked:
 * false for a case without solids, and in domains of more than some 4e9 cells, in which pieces are not looked
 * for. -WEIR_FAILED, agreed, when memory is short. */
int weir_check_look(const struct weir_case *c, struct weir_world *world, struct weir_fluid_pieces *pieces,
                    bool *looked);

/* Prints the porosity, how many pieces of fluid there are, and a warning where no fluid leads from one open
 * face to another; nothing for a case without solids. pieces: NULL where they were not looked for. */
void weir_check_geometry(const struct weir_case *c, const struct weir_fluid_pieces *pieces);

/* Writes pictures of cuts through the middle of the domain, cut_x.png, cut_y.png and cut_z.png (in two
 * dimensions the last alone), into a folder, which is made where it is missing. Error: -WEIR_FAILED with path
 * and reason. */
int weir_check_draw(const struct weir_case *c, const char *folder);

#endif
