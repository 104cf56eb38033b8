/* The command line of weir permeability. */
#ifndef WEIR_SRC_PERMEABILITY_OPTIONS_H
#define WEIR_SRC_PERMEABILITY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct weir_permeability_options {
    const char *case_file;
    const char **sets; /* values of --set, in order */
    int set_count;
    int64_t steps;    /* of each run at most, 0: the case's */
    const char *json; /* file, NULL: none but that in the folder */
    const char *out;  /* folder, NULL: out/NAME_permeability */
    bool force, quiet;
};

/* Reads the words after "weir": argv[0] is "permeability". Exits with 0 for --help. Returns 0 or -WEIR_USAGE;
 * the options are to be released in any case. */
int weir_permeability_options_read(int argc, char **argv, struct weir_permeability_options *options);

void weir_permeability_options_release(struct weir_permeability_options *options);

#endif
