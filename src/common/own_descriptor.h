/* Paths that stand for what this process has open. */
#ifndef WEIR_SRC_COMMON_OWN_DESCRIPTOR_H
#define WEIR_SRC_COMMON_OWN_DESCRIPTOR_H

/* The descriptor that a path such as /dev/stdout or /dev/fd/3 stands for, also through symbolic links; -1:
 * none. Opening such a path would begin a file anew that somebody is writing to, and renaming to it would
 * replace the name. */
int weir_own_descriptor(const char *path);

#endif
