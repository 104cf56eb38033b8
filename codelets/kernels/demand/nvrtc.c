#include "codelets/kernels/demand/nvrtc.h"

#include "codelets/kernels/demand/sha256.h"
#include "codelets/kernels/demand/texts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char weir_nvrtc_system_header[] = "codelets/kernels/cuda/system.cuh";

/* Those that the texts include. */
static const char *const system_headers[] = {"math.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"};
enum { SYSTEM_HEADERS = sizeof system_headers / sizeof *system_headers, OPTIONS_MAX = 64 };

/* NVRTC's functions, as nvrtc.h declares them; all return 0 where they succeed. */
typedef struct program *program_t;
static struct {
    int (*version)(int *major, int *minor);
    int (*create)(program_t *program, const char *text, const char *name, int headers,
                  const char *const *header_texts, const char *const *header_names);
    int (*destroy)(program_t *program);
    int (*compile)(program_t program, int count, const char *const *options);
    int (*log_size)(program_t program, size_t *size);
    int (*log)(program_t program, char *log);
    int (*cubin_size)(program_t program, size_t *size);
    int (*cubin)(program_t program, char *cubin);
    int (*ptx_size)(program_t program, size_t *size);
    int (*ptx)(program_t program, char *ptx);
    int (*architecture_count)(int *count);
    int (*architectures)(int *list);
} nvrtc;

static const struct {
    const char *symbol;
    void *function; /* where its address goes */
} symbols[] = {
    {"nvrtcVersion", &nvrtc.version},
    {"nvrtcCreateProgram", &nvrtc.create},
    {"nvrtcDestroyProgram", &nvrtc.destroy},
    {"nvrtcCompileProgram", &nvrtc.compile},
    {"nvrtcGetProgramLogSize", &nvrtc.log_size},
    {"nvrtcGetProgramLog", &nvrtc.log},
    {"nvrtcGetCUBINSize", &nvrtc.cubin_size},
    {"nvrtcGetCUBIN", &nvrtc.cubin},
    {"nvrtcGetPTXSize", &nvrtc.ptx_size},
    {"nvrtcGetPTX", &nvrtc.ptx},
    {"nvrtcGetNumSupportedArchs", &nvrtc.architecture_count},
    {"nvrtcGetSupportedArchs", &nvrtc.architectures},
};

static struct weir_nvrtc found;

static bool take(const char *path) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int major, minor;
    if (!library)
        return false;
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        void *const function = dlsym(library, symbols[k].symbol);
        if (!function)
            return false;
        memcpy(symbols[k].function, &function, sizeof function);
    }
    if (nvrtc.version(&major, &minor) != 0)
        return false;
    struct weir_sha256 s;
    char hex[WEIR_SHA256_HEX_SIZE];
    snprintf(found.version, sizeof found.version, "NVRTC %d.%d", major, minor);
    weir_sha256_begin(&s);
    weir_sha256_add_string(&s, found.version);
    weir_sha256_end(&s, hex);
    snprintf(found.key, sizeof found.key, "%.8s", hex);
    return true;
}

/* The toolkit that the user names, the one of the system's search path, the one that Weir was built with. The
 * same major version as the CUDA runtime's: drivers know what that compiles. */
static void find(void) {
    const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), NULL, WEIR_CUDA_ROOT};
    static const char *const folders[] = {"lib64/", "lib/", "targets/x86_64-linux/lib/"};
    const char *const names[] = {"libnvrtc.so." WEIR_CUDA_MAJOR, "libnvrtc.so"};
    for (size_t root = 0; root < sizeof roots / sizeof *roots; root++)
        for (size_t name = 0; name < sizeof names / sizeof *names; name++)
            for (size_t folder = 0; folder < sizeof folders / sizeof *folders; folder++) {
                char path[4096];
                if (roots[root] && !roots[root][0])
                    continue;
                snprintf(path, sizeof path, "%s%s%s%s", roots[root] ? roots[root] : "",
                         roots[root] ? "/" : "", roots[root] ? folders[folder] : "", names[name]);
                if (take(path))
                    return;
            }
}

const struct weir_nvrtc *weir_nvrtc(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return &found;
}

/* The architecture asked for, or, where NVRTC is older than that, PTX for the newest it knows, from which the
 * driver makes the rest. */
static void choose_architecture(const char *wanted, char option[64], bool *ptx) {
    int count = 0, newest = 0, list[256];
    const int number = atoi(wanted + strcspn(wanted, "0123456789"));
    if (nvrtc.architecture_count(&count) == 0 && count > 0 && count <= 256 && nvrtc.architectures(list) == 0)
        for (int k = 0; k < count; k++)
            newest = list[k] > newest ? list[k] : newest;
    *ptx = newest > 0 && number > newest;
    if (*ptx)
        snprintf(option, 64, "--gpu-architecture=compute_%d", newest);
    else
        snprintf(option, 64, "--gpu-architecture=%s", wanted);
}

static char *text_of(program_t program, int (*size_of)(program_t, size_t *), int (*get)(program_t, char *),
                     size_t *size) {
    char *text = NULL;
    if (size_of(program, size) == 0 && (text = malloc(*size + 1)) && get(program, text) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

int weir_nvrtc_compile(int text, const char *architecture, const char *const *options,
                       struct weir_nvrtc_result *result) {
    const char *texts[WEIR_TEXTS_MAX + SYSTEM_HEADERS], *names[WEIR_TEXTS_MAX + SYSTEM_HEADERS];
    const char *all[OPTIONS_MAX];
    const char *const system = weir_texts[weir_text_find(weir_nvrtc_system_header)].text;
    char architecture_option[64];
    program_t program;
    int count = 0, headers = 0;
    bool ptx;
    *result = (struct weir_nvrtc_result){NULL, 0, NULL};
    for (int k = 0; k < weir_text_count; k++) {
        texts[headers] = weir_texts[k].text;
        names[headers++] = weir_texts[k].path;
    }
    for (int k = 0; k < SYSTEM_HEADERS; k++) {
        texts[headers] = system;
        names[headers++] = system_headers[k];
    }
    choose_architecture(architecture, architecture_option, &ptx);
    all[count++] = architecture_option;
    while (*options && count < OPTIONS_MAX)
        all[count++] = *options++;
    if (nvrtc.create(&program, weir_texts[text].text, weir_texts[text].path, headers, texts, names) != 0)
        return -1;
    const bool compiled = nvrtc.compile(program, count, all) == 0;
    size_t log_size;
    result->log = text_of(program, nvrtc.log_size, nvrtc.log, &log_size);
    if (compiled)
        result->object = ptx ? text_of(program, nvrtc.ptx_size, nvrtc.ptx, &result->size)
                             : text_of(program, nvrtc.cubin_size, nvrtc.cubin, &result->size);
    nvrtc.destroy(&program);
    return result->object ? 0 : -1;
}
