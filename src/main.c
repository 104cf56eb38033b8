/* The program weir: reads the command line and does what it says. Errors are told once, here. */
#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/ranks/host_share.h"
#include "graph/ranks/world.h"
#include "src/bench/bench.h"
#include "src/calibrate.h"
#include "src/case/case.h"
#include "src/check.h"
#include "src/checkpoint_info.h"
#include "src/common/set_up_notice.h"
#include "src/common/standard_streams.h"
#include "src/common/version.h"
#include "src/compare/compare.h"
#include "src/info.h"
#include "src/kernels.h"
#include "src/permeability.h"
#include "src/predict.h"
#include "src/run/options.h"
#include "src/run/run.h"
#include "src/scale/scale.h"
#include "src/schema.h"
#include "src/show/show.h"
#include "src/trace/trace.h"
#include "src/trace/trace_options.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the case, and runs or checks it; a user who waits for that is told what for. */
static int read_and_do(struct weir_options *options, struct weir_world *world) {
    const double first = 5, longest = 60; /* seconds between lines */
    const bool checks = strcmp(options->command, "check") == 0;
    struct weir_set_up_notice notice = {.is_there = false};
    struct weir_case *c;
    if (!options->quiet)
        weir_set_up_notice_begin(&notice, checks ? "checking" : "setting up", "reading the case", first,
                                 longest);
    options->notice = &notice;
    int error =
        weir_case_read_together(world, options->case_file, options->sets, options->set_count, &notice, &c);
    if (error == 0) {
        error = checks ? weir_check(c, options->ranks, options->draw, world) : weir_run(c, options);
        weir_case_destroy(c);
    }
    weir_set_up_notice_end(&notice);
    return error;
}

static int with_case(struct weir_options *options, struct weir_world *world) {
    struct weir_case *c;
    int error;
    if (strcmp(options->command, "run") == 0 || options->resumes || strcmp(options->command, "check") == 0)
        return read_and_do(options, world);
    WEIR_TRY(weir_case_read_together(world, options->case_file, options->sets, options->set_count, NULL, &c));
    if (!weir_world_speaks(world)) /* nothing to do */
        error = 0;
    else if (strcmp(options->command, "calibrate") == 0)
        error = weir_calibrate(c);
    else
        error = weir_predict(c, &(struct weir_predict_options){options->machine, options->json});
    weir_case_destroy(c);
    return error;
}

/* Of the commands, these know what to do with several ranks. */
static int check_ranks(const char *command, const struct weir_world *world) {
    const bool known = strcmp(command, "run") == 0 || strcmp(command, "resume") == 0 ||
                       strcmp(command, "info") == 0 || strcmp(command, "check") == 0 ||
                       strcmp(command, "trace") == 0;
    if (known || weir_world_size(world) == 1)
        return 0;
    return weir_fail(WEIR_USAGE, "%s works in one process, and %d were started; start it without mpirun",
                     command, weir_world_size(world));
}

/* Whoever leaves most of a host unused should know. */
static void warn_of_unused_cores(const struct weir_world *world, const struct weir_host_share *share) {
    if (weir_world_speaks(world) && share->ranks_cores < share->host_cores / 2)
        fprintf(
            stderr,
            "weir: warning: the ranks on %s were started on %d of its %d cores; mpirun --bind-to none lets "
            "them use all\n",
            weir_world_host(world, 0), share->ranks_cores, share->host_cores);
}

static int execute(struct weir_options *options, struct weir_world *world) {
    WEIR_TRY(weir_world_same(world, "the program's version", weir_version, strlen(weir_version)));
    WEIR_TRY(weir_world_same(world, "the command", options->command, strlen(options->command)));
    WEIR_TRY(check_ranks(options->command, world));
    options->world = world;
    options->quiet = options->quiet || !weir_world_speaks(world);
    if (options->quiet)
        weir_kernels_tell(NULL);
    if (strcmp(options->command, "check") != 0) {
        WEIR_TRY(weir_host_share(world, &options->share));
        if (!options->quiet)
            warn_of_unused_cores(world, &options->share);
    } else if (options->ranks == 0 && weir_world_size(world) > 1) {
        options->ranks = weir_world_size(world);
    }
    if (strcmp(options->command, "info") != 0)
        return with_case(options, world);
    if (!options->case_file)
        return weir_info(world, &options->share);
    return weir_world_speaks(world) ? weir_checkpoint_info(options->case_file) : 0;
}

/* What argp says of a wrong option, it says on standard error itself: one rank is enough. Returns what
 * show_errors takes; -1: nothing is hidden. */
static int hide_errors(const struct weir_world *world) {
    if (weir_world_speaks(world))
        return -1;
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    return kept >= 0 && freopen("/dev/null", "w", stderr) ? kept : -1;
}

static void show_errors(int kept) {
    fflush(stderr);
    if (kept < 0)
        return;
    dup2(kept, STDERR_FILENO);
    close(kept);
}

static int read_options(int argc, char **argv, const struct weir_world *world, struct weir_options *options) {
    const int kept = hide_errors(world);
    const int error = weir_options_read(argc, argv, options);
    show_errors(kept);
    return error;
}

static int with_options(int argc, char **argv, struct weir_world *world) {
    struct weir_options options = {0};
    int error = weir_world_agree(world, read_options(argc, argv, world, &options));
    if (error == 0)
        error = execute(&options, world);
    weir_options_release(&options);
    return error;
}

static int with_trace(int argc, char **argv, struct weir_world *world) {
    struct weir_trace_options options = {0};
    struct weir_host_share share;
    const int kept = hide_errors(world);
    int error = weir_trace_options_read(argc, argv, &options);
    show_errors(kept);
    error = weir_world_agree(world, error);
    if (error == 0)
        error = weir_world_same(world, "the program's version", weir_version, strlen(weir_version));
    if (error == 0)
        error = weir_host_share(world, &share);
    if (error == 0)
        error = weir_trace(&options, world, &share);
    weir_trace_options_release(&options);
    return error;
}

/* The options of these and of trace have little in common with those of the other commands. */
static int dispatch(int argc, char **argv, struct weir_world *world) {
    static const struct {
        const char *name;
        int (*function)(int argc, char **argv);
    } own[] = {{"bench", weir_bench}, {"compare", weir_compare}, {"permeability", weir_permeability},
               {"scale", weir_scale}, {"schema", weir_schema},   {"show", weir_show}};
    if (argc > 1 && strcmp(argv[1], "trace") == 0)
        return with_trace(argc - 1, argv + 1, world);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (argc > 1 && strcmp(argv[1], own[k].name) == 0) {
            WEIR_TRY(check_ranks(own[k].name, world));
            return own[k].function(argc - 1, argv + 1);
        }
    return with_options(argc, argv, world);
}

/* What has been compiled; options->quiet of commands that read their own command lines ends it. */
static void tell_compiled(const char *line) {
    fprintf(stderr, "weir: %s\n", line);
}

/* A command that has to do with files only starts no MPI: it works where that does not, as while Weir is
 * built. */
static int without_world(int argc, char **argv) {
    int error = weir_kernels_command(argc, argv);
    if (error == 0)
        error = weir_standard_output_finish();
    if (error != 0)
        fprintf(stderr, "weir: %s\n", weir_error_text());
    return -error;
}

int main(int argc, char **argv) {
    struct weir_world *world;
    weir_standard_streams_prepare();
    signal(SIGXFSZ,
           SIG_IGN); /* a file that grows too large is an error that is told, not the end of the program */
    if (argc > 1 && strcmp(argv[1], "kernels") == 0)
        return without_world(argc - 1, argv + 1);
    int error = weir_world_join(&world);
    if (error == 0 && weir_world_speaks(world))
        weir_kernels_tell(tell_compiled);
    if (error == 0)
        error = dispatch(argc, argv, world);
    if (error == 0)
        error = weir_standard_output_finish();
    error = weir_world_agree(world, error);
    if (error != 0)
        weir_world_tell(world);
    weir_world_leave(world);
    return -error;
}
