/* weir scale: the same case on several numbers of ranks. */
#ifndef WEIR_SRC_SCALE_SCALE_H
#define WEIR_SRC_SCALE_SCALE_H

/* Reads the words after "weir" (argv[0] is "scale") and does what they say. Errors as weir_fail says. */
int weir_scale(int argc, char **argv);

#endif
