/* weir trace: some steps of a case, recorded and explained. */
#ifndef WEIR_SRC_TRACE_H
#define WEIR_SRC_TRACE_H

/* Reads the words after "weir" (argv[0] is "trace") and does what they say. Errors as weir_fail says. */
int weir_trace(int argc, char **argv);

#endif
