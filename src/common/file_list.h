/* The list of the files that Weir has written into a folder, kept there as .weir-files. Only what it names
 * may be removed when results are replaced. A name is added before its file is made, so that what a killed
 * process has left is known too. The list is also the lock of its folder: one process at a time writes there,
 * and the lock ends with that process, however it ends.
 *
 * Lines that begin with # say what wrote the files, and which process is or was at it; each other line is a
 * name: of a file, of a folder with a list of its own (NAME/), or of a temporary folder (NAME/ and a star),
 * in which everything is Weir's. */
#ifndef WEIR_SRC_COMMON_FILE_LIST_H
#define WEIR_SRC_COMMON_FILE_LIST_H

#include <stdbool.h>

#define WEIR_FILE_LIST_NAME ".weir-files"

struct weir_file_list;

/* Reads the list of a folder (an open descriptor; path is for messages) without changing anything. *list is
 * NULL where there is none, else the caller's. Errors: -WEIR_USAGE when a process writes to the folder now,
 * with who it is; -WEIR_FAILED when it cannot be read. */
int weir_file_list_read(int folder, const char *path, struct weir_file_list **list);

/* Reads it for writing, and keeps others out until it is closed. Where there is none, one is made that names
 * nothing. File systems without locks keep nobody out. Errors as above. */
int weir_file_list_hold(int folder, const char *path, struct weir_file_list **list);

/* What wrote the files, such as "run"; "" where the list has not been begun. */
const char *weir_file_list_kind(const struct weir_file_list *list);

int weir_file_list_count(const struct weir_file_list *list);
const char *weir_file_list_entry(const struct weir_file_list *list, int number);
bool weir_file_list_has(const struct weir_file_list *list, const char *entry);

/* Notes that this process writes from now on. keep: what is on the list stays there; else it is emptied.
 * Error: -WEIR_FAILED with path and reason. */
int weir_file_list_begin(struct weir_file_list *list, const char *kind, bool keep);

/* Adds an entry; what is there already is not added again. When this returns, the entry outlives the process.
 * Not from two threads at once. Error: -WEIR_FAILED with path and reason. */
int weir_file_list_add(struct weir_file_list *list, const char *entry);

/* Gives the lock back. NULL is allowed. */
void weir_file_list_close(struct weir_file_list *list);

#endif
