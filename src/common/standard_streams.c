#include "src/common/standard_streams.h"

#include "graph/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

void weir_standard_streams_prepare(void) {
    int opened;
    do /* the lowest that is free */
        opened = open("/dev/null", O_RDWR);
    while (opened >= 0 && opened <= STDERR_FILENO);
    if (opened > STDERR_FILENO)
        close(opened);
    signal(SIGPIPE, SIG_IGN);
}

static bool reader_has_left(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int weir_standard_output_finish(void) {
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_has_left())
        return 0;
    return weir_fail(WEIR_FAILED, "standard output cannot be written");
}
