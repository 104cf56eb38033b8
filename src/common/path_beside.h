/* Paths that a file names, as seen from its own folder. */
#ifndef WEIR_SRC_COMMON_PATH_BESIDE_H
#define WEIR_SRC_COMMON_PATH_BESIDE_H

/* The path as the process sees it; the caller's. NULL when memory is short. */
char *weir_path_beside(const char *file, const char *path);

#endif
