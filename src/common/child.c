#include "src/common/child.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that is asked to end writes what it reached first; one that takes longer is ended by force. */
static const double patience_seconds = 20;

static sigset_t held_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

void weir_child_hold_signals(void) {
    sigset_t set = held_signals();
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool weir_child_interrupted(void) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) || sigismember(&pending, SIGHUP);
}

/* This process's environment with some variables set otherwise; the list is the caller's, its texts are not.
 */
static char **mixed_environment(const char *const *changes) {
    size_t count = 0, extra = 0, used = 0;
    while (environ[count])
        count++;
    while (changes[extra])
        extra++;
    char **list = malloc(sizeof *list * (count + extra + 1));
    if (!list)
        return NULL;
    for (size_t k = 0; k < count; k++) {
        bool changed = false;
        for (size_t c = 0; c < extra; c++)
            changed = changed || strncmp(environ[k], changes[c], strcspn(changes[c], "=") + 1) == 0;
        if (!changed)
            list[used++] = environ[k];
    }
    for (size_t c = 0; c < extra; c++)
        list[used++] = (char *)changes[c];
    list[used] = NULL;
    return list;
}

enum { ARGUMENTS_MAX = 128 };

struct start {
    const char *program;
    char **arguments, **environment;
    pid_t parent;
    int nowhere, said; /* descriptors */
    int failure;       /* errno of what went wrong in the child, which shares this memory until it is another
                          program */
};

/* In the child. With signals as a program starts with. It is asked to end when its parent has died, however
 * that came; and it is in a process group of its own, so that Ctrl-C reaches the parent only, which then ends
 * the child in good order. */
static void become_program(struct start *start) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &usual, NULL); /* not possible for some */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == start->parent && setpgid(0, 0) == 0 &&
        dup2(start->nowhere, STDIN_FILENO) >= 0 && dup2(start->nowhere, STDOUT_FILENO) >= 0 &&
        dup2(start->said, STDERR_FILENO) >= 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0)
        (void)execve(start->program, start->arguments, start->environment);
    start->failure = errno;
    _exit(WEIR_FAILED);
}

/* No fork, whose copy of memory some networks of MPI do not stand; and posix_spawn knows nothing of a
 * parent's death. No signal may be handled in memory that both have. */
static pid_t start_child(struct start *start) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = vfork();
    if (child == 0)
        become_program(start);
    if (child < 0)
        start->failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0 && start->failure != 0)
        waitpid(child, NULL, 0);
    return child;
}

static int start(const char *program, const char *const *words, char **environment, const char *said,
                 pid_t *child) {
    char *arguments[ARGUMENTS_MAX] = {(char *)(program ? program : "weir")};
    int count = 1;
    while (words[count - 1] && count < ARGUMENTS_MAX - 1) {
        arguments[count] = (char *)words[count - 1];
        count++;
    }
    struct start start = {.program = program ? program : "/proc/self/exe",
                          .arguments = arguments,
                          .environment = environment,
                          .parent = getpid(),
                          .nowhere = open("/dev/null", O_RDWR | O_CLOEXEC),
                          .said = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (start.nowhere < 0 || start.said < 0)
        start.failure = errno;
    else
        *child = start_child(&start);
    if (start.nowhere >= 0)
        close(start.nowhere);
    if (start.said >= 0)
        close(start.said);
    return start.failure == 0 ? 0
                              : weir_fail(WEIR_FAILED, "%s cannot be started: %s",
                                          program ? program : "a run", strerror(start.failure));
}

/* Whether the child ends within this time; its status. */
static bool ends_within(pid_t child, double seconds, int *status) {
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    const double until = weir_seconds() + seconds;
    for (;;) {
        if (waitpid(child, status, WNOHANG) == child)
            return true;
        const struct timespec wait = {.tv_nsec = 100000000};
        if (weir_seconds() > until)
            return false;
        (void)sigtimedwait(&ended, NULL, &wait);
    }
}

/* Whether a line says nothing: launchers draw lines around what they say. */
static bool is_ruler(const char *line) {
    return line[strspn(line, "-=*# \t")] == '\0';
}

/* Adds a line to a text, from whose front lines go where it would become too long. */
static void add_line(char *text, size_t size, const char *line) {
    enum { LONGEST = 600 };
    while (text[0] && strlen(text) + strlen(line) + 2 > LONGEST) {
        const char *next = strchr(text, '\n');
        memmove(text, next ? next + 1 : "", strlen(next ? next + 1 : "") + 1);
    }
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? "\n" : "", line);
}

/* The child's last words that are an error of Weir's, else its last lines. */
static void last_words(const char *said, char *text, size_t size) {
    char line[1700];
    text[0] = '\0';
    FILE *file = fopen(said, "r");
    if (!file)
        return;
    bool ours = false;
    while (fgets(line, sizeof line, file)) {
        const bool error = strncmp(line, "weir: ", 6) == 0;
        line[strcspn(line, "\n")] = '\0';
        if (error)
            snprintf(text, size, "%s", line + 6);
        else if (!ours && !is_ruler(line))
            add_line(text, size, line);
        ours = ours || error;
    }
    fclose(file);
}

static int judge(int status, const char *said) {
    char text[1800];
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    last_words(said, text, sizeof text);
    if (WIFSIGNALED(status))
        return weir_fail(WEIR_FAILED, "the run was ended by signal %d (%s)%s%s", WTERMSIG(status),
                         strsignal(WTERMSIG(status)), text[0] ? ": " : "", text);
    const int code = WEXITSTATUS(status);
    return weir_fail(code == WEIR_USAGE || code == WEIR_UNAVAILABLE ? (enum weir_error_code)code
                                                                    : WEIR_FAILED,
                     "%s", text[0] ? text : "the run failed and did not say why");
}

int weir_child_run_program(const char *program, const char *const *words, const char *const *changes,
                           const char *said) {
    pid_t child;
    int status = 0;
    char **environment = mixed_environment(changes);
    if (!environment)
        return weir_fail(WEIR_FAILED, "out of memory while starting a run");
    const int error = start(program, words, environment, said, &child);
    free(environment);
    WEIR_TRY(error);
    while (!weir_child_interrupted())
        if (ends_within(child, 0.2, &status))
            return judge(status, said);
    kill(child, SIGTERM);
    if (!ends_within(child, patience_seconds, &status)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    return weir_fail(WEIR_FAILED, "interrupted; nothing was written");
}

int weir_child_run(const char *const *words, const char *const *environment, const char *said) {
    return weir_child_run_program(NULL, words, environment, said);
}
