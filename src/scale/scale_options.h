/* The command line of weir scale. */
#ifndef WEIR_SRC_SCALE_SCALE_OPTIONS_H
#define WEIR_SRC_SCALE_SCALE_OPTIONS_H

#include "src/scale/scaling.h"

struct weir_scale_options {
    const char *case_file;
    const char **sets; /* values of --set, in order */
    int set_count;
    bool weak, strong;                              /* exactly one */
    int ranks[WEIR_SCALING_POINTS_MAX], rank_count; /* rising; none: chosen */
    int cores;                                      /* of each rank; 0: chosen */
    bool all_cores;                                 /* the ranks share all cores, however many they are */
    const char *launcher;                           /* with {ranks} in it; NULL: mpirun on this host */
    bool oversubscribe;
    int64_t steps; /* of each run, 0: chosen */
    int repeat;
    const char *json; /* file, NULL: none */
    const char *out;  /* folder, NULL: out/NAME_scale */
    bool force, quiet;
};

/* Reads the words after "weir": argv[0] is "scale". Exits with 0 for --help. Returns 0 or -WEIR_USAGE; the
 * options are to be released in any case. */
int weir_scale_options_read(int argc, char **argv, struct weir_scale_options *options);

void weir_scale_options_release(struct weir_scale_options *options);

#endif
