#include "codelets/kernels/demand/compiler.h"

#include "codelets/kernels/demand/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Splits a command at blanks, in place. */
static int split(char *command, const char *words[], int most) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(command, " \t", &rest); word && count < most;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

/* Starts a program with both its outputs going to a descriptor, signals as a fresh process has them. */
static int start(const char *const *words, int output, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawnp(child, words[0], &actions, &attributes, (char *const *)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int await(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return exit_status(status);
}

/* Looks now and then whether to end it. */
static int await_or_end(pid_t child, const atomic_bool *given_up) {
    const struct timespec pause = {.tv_nsec = 20000000};
    for (;;) {
        int status;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return exit_status(status);
        if (ended < 0 && errno != EINTR)
            return -1;
        if (atomic_load(given_up))
            kill(child, SIGKILL);
        nanosleep(&pause, NULL);
    }
}

static struct weir_compiler compiler;

/* Takes a command for the compiler if it tells a version. */
static bool try(const char *name) {
    char command[sizeof compiler.name], said[4096];
    const char *words[WEIR_COMPILER_WORDS_MAX];
    int ends[2];
    pid_t child;
    snprintf(command, sizeof command, "%s", name);
    int count = split(command, words, WEIR_COMPILER_WORDS_MAX - 2);
    if (count == 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    words[count++] = "--version";
    words[count] = NULL;
    const int error = start(words, ends[1], &child);
    close(ends[1]);
    size_t length = 0;
    for (ssize_t part; error == 0 && (part = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)part;
    close(ends[0]);
    if (error != 0 || await(child) != 0 || length == 0)
        return false;
    said[length] = '\0';
    struct weir_sha256 s;
    char hex[WEIR_SHA256_HEX_SIZE];
    weir_sha256_begin(&s);
    weir_sha256_add_string(&s, name);
    weir_sha256_add_string(&s, said);
    weir_sha256_end(&s, hex);
    snprintf(compiler.key, sizeof compiler.key, "%.8s", hex);
    snprintf(compiler.name, sizeof compiler.name, "%s", name);
    said[strcspn(said, "\n")] = '\0';
    snprintf(compiler.version, sizeof compiler.version, "%.255s", said);
    return true;
}

static void find(void) {
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *const wanted = getenv("CC");
    if (wanted && *wanted) {
        try(wanted); /* who names one means no other */
        return;
    }
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (try(usual[k]))
            return;
}

const struct weir_compiler *weir_compiler(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return &compiler;
}

int weir_compiler_run(const char *const *more, const char *log) {
    char command[sizeof compiler.name];
    const char *words[WEIR_COMPILER_WORDS_MAX];
    snprintf(command, sizeof command, "%s", weir_compiler()->name);
    int count = split(command, words, WEIR_COMPILER_WORDS_MAX / 4);
    while (*more && count < WEIR_COMPILER_WORDS_MAX - 1)
        words[count++] = *more++;
    words[count] = NULL;
    return weir_compiler_run_program(words, log, NULL);
}

int weir_compiler_run_program(const char *const *words, const char *log, const atomic_bool *given_up) {
    pid_t child;
    const int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (output < 0)
        return -1;
    const int error = start(words, output, &child);
    close(output);
    return error != 0 ? -1 : given_up ? await_or_end(child, given_up) : await(child);
}
