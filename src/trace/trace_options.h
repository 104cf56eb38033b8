/* The command line of weir trace. */
#ifndef WEIR_SRC_TRACE_TRACE_OPTIONS_H
#define WEIR_SRC_TRACE_TRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct weir_trace_options {
    const char *case_file;
    const char **sets; /* values of --set, in order */
    int set_count;
    int64_t from;    /* first step recorded, -1: chosen */
    int64_t steps;   /* recorded, 0: chosen */
    const char *out; /* folder, NULL: out/NAME_trace */
    bool perfetto;   /* write that format too */
    bool force, quiet;
};

/* Reads the words after "weir": argv[0] is "trace". Exits with 0 for --help. Returns 0 or -WEIR_USAGE; the
 * options are to be released in any case. */
int weir_trace_options_read(int argc, char **argv, struct weir_trace_options *options);

void weir_trace_options_release(struct weir_trace_options *options);

#endif
