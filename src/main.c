/* The program weir: reads the command line and does what it says. Errors are told once, here. */
#include "graph/error.h"
#include "src/bench.h"
#include "src/calibrate.h"
#include "src/case.h"
#include "src/case_keys.h"
#include "src/check.h"
#include "src/compare.h"
#include "src/info.h"
#include "src/options.h"
#include "src/predict.h"
#include "src/run.h"
#include "src/trace.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int with_case(const struct weir_options *options) {
    struct weir_case *c = NULL;
    WEIR_TRY(weir_case_read(options->case_file, options->sets, options->set_count, &c));
    int error;
    if (strcmp(options->command, "check") == 0)
        error = weir_check(c, options->ranks);
    else if (strcmp(options->command, "calibrate") == 0)
        error = weir_calibrate(c);
    else if (strcmp(options->command, "predict") == 0)
        error = weir_predict(c, &(struct weir_predict_options){options->machine, options->json});
    else
        error = weir_run(c, options);
    weir_case_destroy(c);
    return error;
}

static int execute(const struct weir_options *options) {
    if (strcmp(options->command, "info") == 0)
        return weir_info();
    if (options->print_keys) {
        weir_case_print_keys(stdout);
        return 0;
    }
    return with_case(options);
}

static int with_options(int argc, char **argv) {
    struct weir_options options;
    int error = weir_options_read(argc, argv, &options);
    if (error == 0)
        error = execute(&options);
    weir_options_release(&options);
    return error;
}

/* The options of bench, compare and trace have little in common with those of the other commands. */
static int dispatch(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "bench") == 0)
        return weir_bench(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "compare") == 0)
        return weir_compare(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "trace") == 0)
        return weir_trace(argc - 1, argv + 1);
    return with_options(argc, argv);
}

int main(int argc, char **argv) {
    signal(SIGXFSZ,
           SIG_IGN); /* a file that grows too large is an error that is told, not the end of the program */
    int error = dispatch(argc, argv);
    if (error == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        error = weir_fail(WEIR_FAILED, "standard output cannot be written");
    if (error != 0)
        fprintf(stderr, "weir: %s\n", weir_error_text());
    return -error;
}
