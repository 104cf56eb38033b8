/* A folder that results go to. All that Weir writes there is on a list in the folder (file_list.h), and
 * nothing else is ever removed or replaced: a folder that has other things in it and no such list is refused.
 * One process at a time writes to it. */
#ifndef WEIR_SRC_COMMON_RESULTS_FOLDER_H
#define WEIR_SRC_COMMON_RESULTS_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

struct weir_results_folder;

/* What a folder is wanted for. */
struct weir_results_use {
    const char *command; /* whose results: those of another command are not replaced */
    const char *results; /* "the results of an earlier run", for messages */
    bool force;          /* earlier results may be replaced */
    bool keep;           /* they stay until each is replaced; else all go when the folder is opened */
    bool (*writes)(const void *context, const char *name); /* whether a file of this name would be written */
    const void *context;                                   /* of `writes` */
};

/* Looks whether results may go there. Nothing is created or changed. Errors: -WEIR_USAGE, with what to do,
 * for a file; a folder with other things in it and no list; earlier results, without `force`, or of another
 * command; things of others where results would be written; and while another process writes there. */
int weir_results_folder_check(const char *path, const struct weir_results_use *use);

/* Makes the folder where it is missing, keeps other processes out, and removes earlier results (or with
 * `keep` only what a killed process left of its temporary folders). *folder is the caller's, to be closed.
 * Errors: those of the check, and -WEIR_FAILED with path and reason. */
int weir_results_folder_open(const char *path, const struct weir_results_use *use,
                             struct weir_results_folder **folder);

/* A folder, made or not, whose list is another process's to keep: files are called the same there, and none
 * is put on a list. Error: -WEIR_FAILED (no memory). */
int weir_results_folder_join(const char *path, struct weir_results_folder **folder);

/* Its path; belongs to the folder. */
const char *weir_results_folder_path(const struct weir_results_folder *folder);

/* Puts a file that is going to be written on the list: NAME_000005000SUFFIX, or NAMESUFFIX when step is
 * negative. *path is the caller's, to be freed. From any thread. Errors: -WEIR_FAILED with path and reason,
 * also where somebody else's file has come to be there. */
int weir_results_folder_file(struct weir_results_folder *folder, const char *name, int64_t step,
                             const char *suffix, char **path);

/* The same for a folder that has a list of its own, when it comes to be there. */
int weir_results_folder_subfolder(struct weir_results_folder *folder, const char *name, char **path);

/* Makes a folder in which all is Weir's. *path is the caller's, to be freed. Error: -WEIR_FAILED with path
 * and reason. */
int weir_results_folder_temporary(struct weir_results_folder *folder, const char *name, char **path);

/* Removes a temporary folder with all that is in it, as far as that goes. */
void weir_results_folder_remove_temporary(const char *path);

/* Looks whether the folder `name` in a folder can be removed with all that is in it: whether its list, and
 * those of folders in it, name everything. Error: -WEIR_USAGE with what else is there, or who writes there.
 */
int weir_results_folder_check_removal(const char *path, const char *name);

/* Removes a folder with a list of its own, where it is there, and the files on its list. Where something else
 * is in it, that stays. Error: -WEIR_USAGE while another process writes there. */
int weir_results_folder_remove(struct weir_results_folder *folder, const char *name);

/* Removes what was being written: nobody may write there any more. From any thread. */
void weir_results_folder_sweep(struct weir_results_folder *folder);

/* Lets other processes in. A list that names nothing that is there goes, and so does then a folder that was
 * made by the opening. NULL is allowed. */
void weir_results_folder_close(struct weir_results_folder *folder);

#endif
