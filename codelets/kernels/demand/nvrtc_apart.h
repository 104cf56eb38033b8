/* NVRTC in a process of its own, of this program: beside a run, which neither waits for it nor goes under
 * with it, and can end it at any moment. It takes what time others leave it. */
#ifndef WEIR_KERNELS_NVRTC_APART_H
#define WEIR_KERNELS_NVRTC_APART_H

#include <stdatomic.h>

/* Compiles a text (by its path) to the file `made`; options closed by NULL; what NVRTC says goes to the file
 * `log`. Returns 0, or an exit status: 128 and more where it was ended, as when given_up is set; -1 where it
 * did not start. For programs whose main hands `kernels nvrtc ...` on to weir_nvrtc_apart_main. */
int weir_nvrtc_apart_compile(const char *path, const char *architecture, const char *const *options,
                             const char *made, const char *log, const atomic_bool *given_up);

/* That process: count words after `kernels nvrtc`. Returns its exit status. */
int weir_nvrtc_apart_main(int count, char **words);

#endif
