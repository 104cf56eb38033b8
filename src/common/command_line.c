#include "src/common/command_line.h"

#include "graph/base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

error_t weir_command_line_answer(int result) {
    return result == 0 ? 0 : result < 0 ? EINVAL : ARGP_ERR_UNKNOWN;
}

int weir_command_line_read(const struct argp *argp, const char *name, int argc, char **argv, void *options) {
    if (name)
        argv[0] = (char *)name; /* argp only reads it */
    argp_err_exit_status = WEIR_USAGE;
    const error_t error = argp_parse(argp, argc, argv, 0, NULL, options);
    if (error == EINVAL && weir_error_text()[0] != '\0')
        return -WEIR_USAGE;
    if (error != 0)
        return weir_fail(WEIR_USAGE, "the command line cannot be read: %s", strerror(error));
    return 0;
}

int weir_command_line_case(const char *argument, const char **case_file) {
    if (*case_file)
        return weir_fail(WEIR_USAGE, "\"%s\": one case at a time; quote file names with spaces", argument);
    *case_file = argument;
    return 0;
}

int weir_command_line_add(const char *text, const char ***list, int *count) {
    const char **longer = realloc(*list, sizeof **list * (size_t)(*count + 1));
    if (!longer)
        return weir_fail(WEIR_FAILED, "out of memory");
    *list = longer;
    longer[(*count)++] = text;
    return 0;
}
