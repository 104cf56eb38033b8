#include "src/show/show.h"

#include "graph/base/error.h"
#include "src/common/child.h"
#include "src/common/command_line.h"
#include "src/common/results_folder.h"
#include "src/report/page.h"
#include "src/show/isosurface.h"
#include "src/show/show_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct show_options {
    const char *folder;
    bool quiet;
    struct weir_isosurface isosurface;
};

static int read_isosurface(void *options, const char *text) {
    return weir_isosurface_read(&((struct show_options *)options)->isosurface, text);
}

static const char description[] =
    "Makes a page of what a run has written, report.html in its folder: images, series, probes, profiles,\n"
    "spectra, what the summary says, and where time went. It is one file that needs nothing but a browser.\n"
    "\n"
    "Options:";

static const struct weir_option options_of_show[] = {
    {.name = "isosurface",
     .argument = "Q=LEVEL",
     .help = "Draw where quantity Q of the last fields has this level, as a picture of the page: with "
             "q_criterion=1e-5,colour=speed where it is 1e-5, coloured by the speed. Takes VTK's Python",
     .type = WEIR_OPTION_READ,
     .read = read_isosurface},
    WEIR_OPTION_QUIET(struct show_options, "Do not print where the page is"),
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct show_options *options = context;
    if (number > 0)
        return weir_fail(WEIR_USAGE, "\"%s\": one folder at a time; give that of a run, such as out/cavity3d",
                         word);
    options->folder = word;
    return 0;
}

static int read_options(int argc, char **argv, struct show_options *options) {
    static const struct weir_command command = {.name = "weir show",
                                                .words = "DIR",
                                                .description = description,
                                                .options = options_of_show,
                                                .word = take_word};
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    return options->folder
               ? 0
               : weir_fail(WEIR_USAGE, "no folder; give that of a run, such as weir show out/cavity3d");
}

static bool is_page(const void *context, const char *name) {
    (void)context;
    return strcmp(name, "report.html") == 0 || weir_isosurface_is_picture(name);
}

/* Opening a folder of results would make it. */
static int check_run(const char *folder) {
    char *path;
    if (asprintf(&path, "%s/case.json", folder) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    const bool there = access(path, R_OK) == 0;
    free(path);
    return there ? 0
                 : weir_fail(WEIR_USAGE,
                             "\"%s\" is no folder of a run: there is no case.json to be read; give one that "
                             "weir run wrote",
                             folder);
}

static int write_page(struct weir_results_folder *folder, bool quiet) {
    json_t *document = NULL;
    char *path = NULL;
    WEIR_TRY(weir_show_document(weir_results_folder_path(folder), &document));
    int error = weir_results_folder_file(folder, "report", -1, ".html", &path);
    if (error == 0)
        error = weir_page_write(path, WEIR_SHOW_PAGE, document);
    if (error == 0 && !quiet)
        printf("page in %s\n", path);
    free(path);
    json_decref(document);
    return error;
}

int weir_show(int argc, char **argv) {
    struct show_options options = {.folder = NULL};
    struct weir_results_folder *folder;
    const struct weir_results_use use = {
        .command = "run", .results = "an earlier page", .force = true, .keep = true, .writes = is_page};
    WEIR_TRY(read_options(argc, argv, &options));
    WEIR_TRY(check_run(options.folder));
    WEIR_TRY(weir_results_folder_open(options.folder, &use, &folder));
    int error = 0;
    if (options.isosurface.quantity[0]) {
        weir_child_hold_signals();
        error = weir_isosurface_draw(&options.isosurface, folder);
    }
    if (error == 0)
        error = write_page(folder, options.quiet);
    weir_results_folder_close(folder);
    return error;
}
