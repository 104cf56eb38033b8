/* The folder of a report, and in it one for the runs behind it, which is gone when they are done. */
#ifndef WEIR_SRC_REPORT_REPORT_FOLDER_H
#define WEIR_SRC_REPORT_REPORT_FOLDER_H

#include "src/common/results_folder.h"

struct weir_report_folder {
    char *path;                          /* of the folder */
    char *page;                          /* the report's file in it */
    char *work;                          /* folder of the runs; NULL before it was created */
    struct weir_results_folder *results; /* the folder, open; NULL before it was created */
    const struct weir_report_use *use;
};

/* What a report is of. */
struct weir_report_use {
    const char *command; /* "compare": its page is COMMAND.html */
    const char *results; /* "the report of an earlier comparison", for messages */
    bool force;
    bool (*writes)(const void *context,
                   const char *name); /* what it writes besides its page; NULL: nothing */
    const void *context;
};

/* Text of a path in a folder; *path is the caller's. -WEIR_FAILED when memory is short. */
int weir_path_join(const char *folder, const char *name, char **path);

/* Where a report goes: `out`, or out/NAME_COMMAND where that is NULL. Creates nothing. Errors: those of
 * weir_results_folder_check. `use` must outlive the folder, which is to be released in any case. */
int weir_report_folder_choose(const char *out, const char *name, const struct weir_report_use *use,
                              struct weir_report_folder *folder);

/* Creates it with its folder of runs. An earlier report stays until it is replaced. Errors: those of
 * weir_results_folder_open. */
int weir_report_folder_create(struct weir_report_folder *folder);

/* Puts the page on the folder's list: it is going to be written. Error: -WEIR_FAILED with path and reason. */
int weir_report_folder_begin_page(struct weir_report_folder *folder);

/* Removes the folder of runs, and the folder where it was made for nothing. */
void weir_report_folder_release(struct weir_report_folder *folder);

#endif
