/* Triangles from files of many formats: STL, OBJ, PLY and what else Assimp knows. */
#ifndef WEIR_SRC_GEOMETRY_MESH_FILE_H
#define WEIR_SRC_GEOMETRY_MESH_FILE_H

#include "src/geometry/triangles.h"

/* Reads the triangles of a file, those of the parts (objects, solids) called `part` where that is not NULL;
 * polygons are cut into triangles. triangles->corners are the caller's (weir_triangles_free). Errors:
 * -WEIR_USAGE with the file and what is wrong; -WEIR_UNAVAILABLE where this build has no Assimp; -WEIR_FAILED
 * when memory is short. */
int weir_mesh_file_read(const char *path, const char *part, struct weir_triangles *triangles);

#endif
