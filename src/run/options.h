/* The command line: weir COMMAND CASE [OPTION...]. */
#ifndef WEIR_SRC_RUN_OPTIONS_H
#define WEIR_SRC_RUN_OPTIONS_H

#include "graph/ranks/host_share.h"
#include "src/run/disturbance.h"
#include "src/run/traced_run.h"

#include <stdbool.h>

struct weir_options {
    const char *command;   /* "run", "check", "predict", "info" */
    const char *case_file; /* NULL where the command has none */
    const char **sets;     /* values of --set, in order; --steps is among them */
    int set_count;
    char *resumed_case;  /* of weir resume: that of the folder */
    char *steps_set;     /* the one that --steps made */
    const char *out;     /* NULL: out/NAME */
    const char *summary; /* NULL: only the one in the output folder */
    const char *machine; /* predict: NULL: this machine */
    const char *json;    /* predict: NULL: none */
    int ranks;           /* check: 0: not asked for */
    const char *draw;    /* check: folder for cuts, NULL: none are drawn */
    const char *record;  /* NULL: nothing is recorded */
    bool disturbed;      /* by what follows */
    struct weir_disturbance_options disturbance;
    struct weir_set_up_notice *notice; /* set by main: NULL: nobody is told what a run waits for */
    struct weir_traced_run *traced;    /* set by weir trace, not by words: NULL: nothing is traced */
    struct weir_world *world;          /* set by main, not by words: NULL: this process alone */
    struct weir_host_share share;      /* set by main: what this rank got of its host, of several ranks */
    const char *resume;                /* a checkpoint to go on from; NULL: none, or the newest with: */
    bool resumes;                      /* goes on in the folder `out`, whose results stay */
    bool force, quiet, poison;
};

/* Reads the command line; exits with 0 for --help and --version. Returns 0, or -WEIR_USAGE. */
int weir_options_read(int argc, char **argv, struct weir_options *options);

void weir_options_release(struct weir_options *options);

#endif
