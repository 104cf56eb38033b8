/* weir show: a page of what a run has written, to look at in a browser. */
#ifndef WEIR_SRC_SHOW_SHOW_H
#define WEIR_SRC_SHOW_SHOW_H

/* argv[0] is "show". Writes report.html into the folder of a run. Errors: -WEIR_USAGE for a wrong command
 * line, a folder that is none of a run, and one in which a run writes now; -WEIR_FAILED with path and reason.
 */
int weir_show(int argc, char **argv);

#endif
