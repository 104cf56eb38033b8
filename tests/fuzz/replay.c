/* Gives a target of fuzzing the inputs that are kept, for builds without libFuzzer: replay [--mutants N]
 * FILE|FOLDER... With N, and where the target has a mutator of its own, each input is also read in N
 * variants, which are the same in each run. Ends with "N inputs"; a defect ends the process, after the name
 * of the file and, where it was a variant, what it was (variant.NUMBER, in the current folder). */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((weak)) int LLVMFuzzerInitialize(int *count, char ***arguments);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { MOST = 1 << 20, PATH = 1024 };

static struct {
    const char *path; /* of what is read just now */
    int variant;      /* 0: as it is */
    uint8_t bytes[MOST];
    size_t size;
    long inputs;
    int mutants;
} run;

/* Says what was read, also where a sanitizer ends the process. */
static void tell(void) {
    if (run.path)
        fprintf(stderr, "replay: while reading '%s', variant %d\n", run.path, run.variant);
}

static void on_signal(int number) {
    tell();
    signal(number, SIG_DFL);
    raise(number);
}

static void read_once(int variant) {
    run.variant = variant;
    run.inputs++;
    /* A copy of just this size, so that a sanitizer sees what is read behind it. */
    uint8_t *copy = malloc(run.size > 0 ? run.size : 1);
    if (!copy)
        abort();
    memcpy(copy, run.bytes, run.size);
    LLVMFuzzerTestOneInput(copy, run.size);
    free(copy);
}

static bool load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    run.size = fread(run.bytes, 1, MOST, file);
    const bool good = !ferror(file);
    fclose(file);
    return good;
}

static bool replay_file(const char *path) {
    if (!load(path)) {
        perror(path);
        return false;
    }
    run.path = path;
    read_once(0);
    for (int k = 1; k <= run.mutants && LLVMFuzzerCustomMutator; k++) {
        if (!load(path))
            break;
        run.size = LLVMFuzzerCustomMutator(run.bytes, run.size, MOST, (unsigned)k);
        read_once(k);
    }
    run.path = NULL;
    return true;
}

static int no_dots(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static bool replay(const char *path) {
    struct stat status;
    struct dirent **list;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return replay_file(path);
    const int count = scandir(path, &list, no_dots, alphasort);
    bool good = count >= 0;
    for (int k = 0; k < count; k++) {
        char file[PATH];
        snprintf(file, sizeof file, "%s/%s", path, list[k]->d_name);
        good = replay_file(file) && good;
        free(list[k]);
    }
    if (count >= 0)
        free(list);
    return good;
}

int main(int count, char **arguments) {
    int first = 1;
    bool good = count > 1;
    if (count > 2 && strcmp(arguments[1], "--mutants") == 0) {
        run.mutants = atoi(arguments[2]);
        first = 3;
    }
    const int seen[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++)
        signal(seen[k], on_signal);
    atexit(tell);
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    for (int k = first; k < count; k++)
        good = replay(arguments[k]) && good;
    fprintf(stderr, "%ld inputs\n", run.inputs);
    return good && run.inputs > 0 ? 0 : 1;
}
