/* The folder of a report, and in it one for the runs behind it, which is gone when they are done. */
#ifndef WEIR_SRC_REPORT_FOLDER_H
#define WEIR_SRC_REPORT_FOLDER_H

#include <stdbool.h>

struct weir_report_folder {
    char *path; /* of the folder */
    char *page; /* the report's file in it */
    char *work; /* folder of the runs; NULL before it was created */
    bool made;  /* by us */
};

/* Text of a path in a folder; *path is the caller's. -WEIR_FAILED when memory is short. */
int weir_path_join(const char *folder, const char *name, char **path);

/* Where a report goes: `out`, or out/NAME_KIND where that is NULL; its page is KIND.html. Creates nothing.
 * -WEIR_USAGE when there is an earlier page and it is not to be replaced (`force`). The folder is to be
 * released in any case. */
int weir_report_folder_choose(const char *out, const char *name, const char *kind, bool force,
                              struct weir_report_folder *folder);

/* Creates it with its folder of runs. Error: -WEIR_FAILED with path and reason. */
int weir_report_folder_create(struct weir_report_folder *folder);

/* Removes the folder of runs, and the folder where it was made for nothing. */
void weir_report_folder_release(struct weir_report_folder *folder);

#endif
