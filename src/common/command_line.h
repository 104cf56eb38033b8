/* What the command lines of all commands have in common: argp asked to read them, with Weir's own messages.
 */
#ifndef WEIR_SRC_COMMON_COMMAND_LINE_H
#define WEIR_SRC_COMMON_COMMAND_LINE_H

#include <argp.h>

/* What argp's parser function answers for 0, a negative error whose text is kept (weir_fail), or a positive
 * number: a key that is not known. */
error_t weir_command_line_answer(int result);

/* Reads a command line into `options`, which is the parser's input. name: what argp's own messages begin
 * with, such as "weir bench"; NULL: argv[0] as it is. -WEIR_USAGE; argp itself ends the program where it has
 * told what is wrong. */
int weir_command_line_read(const struct argp *argp, const char *name, int argc, char **argv, void *options);

/* Takes an argument that names the case; *case_file: NULL so far. -WEIR_USAGE when there is one already. */
int weir_command_line_case(const char *argument, const char **case_file);

/* Appends a text, which is not copied, to a list; *list is to be freed. -WEIR_FAILED when memory is short. */
int weir_command_line_add(const char *text, const char ***list, int *count);

#endif
