/* weir info FILE.h5: what a checkpoint holds, and whether it is whole. */
#ifndef WEIR_SRC_CHECKPOINT_INFO_H
#define WEIR_SRC_CHECKPOINT_INFO_H

/* Prints it on standard output. Errors: those of weir_checkpoint_file_open and _verify. */
int weir_checkpoint_info(const char *path);

#endif
