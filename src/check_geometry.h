/* What weir check tells of a case's solids, and the cuts that it draws of them. */
#ifndef WEIR_SRC_CHECK_GEOMETRY_H
#define WEIR_SRC_CHECK_GEOMETRY_H

#include "src/case/case.h"

/* Prints the porosity, how many pieces of fluid there are, and a warning where no fluid leads from one open
 * face to another; nothing for a case without solids. In domains of more than some 67 million cells pieces
 * are not looked for. Error: -WEIR_FAILED when memory is short. */
int weir_check_geometry(const struct weir_case *c);

/* Writes pictures of cuts through the middle of the domain, cut_x.png, cut_y.png and cut_z.png (in two
 * dimensions the last alone), into a folder, which is made where it is missing. Error: -WEIR_FAILED with path
 * and reason. */
int weir_check_draw(const struct weir_case *c, const char *folder);

#endif
