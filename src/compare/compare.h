/* weir compare: the same case under each placement policy. */
#ifndef WEIR_SRC_COMPARE_COMPARE_H
#define WEIR_SRC_COMPARE_COMPARE_H

/* Reads the words after "weir" (argv[0] is "compare") and does what they say. Errors as weir_fail says. */
int weir_compare(int argc, char **argv);

#endif
