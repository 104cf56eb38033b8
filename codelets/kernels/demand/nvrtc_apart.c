#include "codelets/kernels/demand/nvrtc_apart.h"

#include "codelets/kernels/demand/compiler.h"
#include "codelets/kernels/demand/nvrtc.h"
#include "codelets/kernels/demand/texts.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { PATH_WORD, ARCHITECTURE_WORD, MADE_WORD, FIRST_OPTION };

int weir_nvrtc_apart_compile(const char *path, const char *architecture, const char *const *options,
                             const char *made, const char *log, const atomic_bool *given_up) {
    const char *words[WEIR_COMPILER_WORDS_MAX] = {"/proc/self/exe", "kernels", "nvrtc", path,
                                                  architecture,     made};
    int count = 3 + FIRST_OPTION;
    while (*options && count < WEIR_COMPILER_WORDS_MAX - 1)
        words[count++] = *options++;
    words[count] = NULL;
    return weir_compiler_run_program(words, log, given_up);
}

static int write_object(const char *path, const struct weir_nvrtc_result *result) {
    FILE *const file = fopen(path, "we");
    if (!file)
        return -1;
    const size_t written = fwrite(result->object, 1, result->size, file);
    return fclose(file) == 0 && written == result->size ? 0 : -1;
}

int weir_nvrtc_apart_main(int count, char **words) {
    const struct sched_param none = {.sched_priority = 0};
    struct weir_nvrtc_result result;
    const int text = count > MADE_WORD ? weir_text_find(words[PATH_WORD]) : -1;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would take what it makes */
    sched_setscheduler(0, SCHED_IDLE, &none);
    if (text < 0 || weir_nvrtc()->version[0] == '\0') {
        fprintf(stderr, "weir kernels nvrtc: %s\n", text < 0 ? "no such text" : "there is no NVRTC");
        return EXIT_FAILURE;
    }
    int error = weir_nvrtc_compile(text, words[ARCHITECTURE_WORD], (const char *const *)words + FIRST_OPTION,
                                   &result);
    fputs(result.log ? result.log : "", stderr);
    if (error == 0 && (error = write_object(words[MADE_WORD], &result)) != 0)
        perror(words[MADE_WORD]);
    free(result.log);
    free(result.object);
    return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
