/* NVIDIA's run-time compiler, loaded when it is first asked for: the program starts where there is none. */
#ifndef WEIR_KERNELS_NVRTC_H
#define WEIR_KERNELS_NVRTC_H

#include <stddef.h>

struct weir_nvrtc {
    char version[64]; /* "NVRTC 13.0"; "": there is none */
    char key[9];      /* changes with it */
};

const struct weir_nvrtc *weir_nvrtc(void);

/* What stands in for the system's headers, which NVRTC has not: one text for all of them. */
extern const char weir_nvrtc_system_header[];

struct weir_nvrtc_result {
    char *object; /* a cubin, or PTX where NVRTC is older than the architecture; free it. NULL: failed */
    size_t size;
    char *log; /* free it; may be NULL */
};

/* Compiles text number `text` for an architecture such as "sm_90". options: closed by NULL. Returns 0 or -1.
 */
int weir_nvrtc_compile(int text, const char *architecture, const char *const *options,
                       struct weir_nvrtc_result *result);

#endif
