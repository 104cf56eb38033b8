#include "codelets/kernels/demand/object.h"

#include "codelets/kernels/demand/compiler.h"
#include "codelets/kernels/demand/constants.h"
#include "codelets/kernels/demand/nvrtc.h"
#include "codelets/kernels/demand/nvrtc_apart.h"
#include "codelets/kernels/demand/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same bits from every compiler: no contraction, no fast-math. What WEIR_KERNEL_FLAGS adds is that of
 * this build (sanitizers, warnings). */
static const char cpu_flags[] = "-std=gnu11 -shared -fPIC -ffp-contract=off -fno-math-errno "
                                "-fno-trapping-math -D_GNU_SOURCE";
static const char build_flags[] = WEIR_KERNEL_FLAGS;
static const char gpu_flags[] =
    "--std=c++17 --fmad=false --device-as-default-execution-space " WEIR_NVRTC_FLAGS;

#if defined __x86_64__
static const char machine[] = "x86_64";
#elif defined __aarch64__
static const char machine[] = "aarch64";
#else
static const char machine[] = WEIR_MACHINE;
#endif

/* Lattice, collision and precision first, as people say it; then the others. */
static void name_variant(const struct weir_definitions *definitions, char *name, size_t size) {
    static const char *const first[] = {"WEIR_LATTICE", "WEIR_COLLISION", "WEIR_PRECISION"};
    char blocks[WEIR_CONSTANTS_TEXT];
    size_t length = 0;
    name[0] = '\0';
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        const char *const value = weir_definition(definitions, first[k]);
        if (value && length < size)
            length += (size_t)snprintf(name + length, size - length, "%s%s", length ? "_" : "", value);
    }
    for (int k = 0; k < definitions->count && length < size; k++) {
        const struct weir_definition *d = &definitions->definition[k];
        bool named = false;
        for (size_t f = 0; f < sizeof first / sizeof *first; f++)
            named = named || strcmp(d->name, first[f]) == 0;
        if (!named && !weir_constants_have(d->name))
            length += (size_t)snprintf(name + length, size - length, "%s%s%s", length ? "_" : "",
                                       d->name + strlen("WEIR_"), d->value);
    }
    weir_constants_name(definitions, blocks);
    if (blocks[0] && length < size)
        snprintf(name + length, size - length, "_%s", blocks);
    for (char *c = name; *c; c++)
        if (*c == '/' || *c == '"' || *c == ' ')
            *c = '-';
}

static void identify(struct weir_kernel_object *object, const char *flags, const char *target) {
    const char *const path = weir_texts[object->text].path, *const base = strrchr(path, '/') + 1;
    char variant[64], hex[WEIR_SHA256_HEX_SIZE];
    struct weir_sha256 s;
    weir_sha256_begin(&s);
    weir_sha256_add_string(&s, path);
    weir_sha256_add_string(&s, flags);
    weir_sha256_add_string(&s, target);
    if (object->set) {
        weir_sha256_add_string(&s, machine);
        weir_sha256_add_string(&s, object->optimisation);
        weir_sha256_add_string(&s, object->set->flags);
        weir_sha256_add_string(&s, build_flags);
        weir_sha256_add_string(&s, weir_instruction_set_processor(object->set));
    }
    for (int k = 0; k < object->definitions.count; k++) {
        weir_sha256_add_string(&s, object->definitions.definition[k].name);
        weir_sha256_add_string(&s, object->definitions.definition[k].value);
    }
    for (int k = 0; k < weir_text_count; k++)
        if (object->closure.member[k]) {
            weir_sha256_add_string(&s, weir_texts[k].path);
            weir_sha256_add_string(&s, weir_texts[k].text);
        }
    weir_sha256_end(&s, hex);
    name_variant(&object->definitions, variant, sizeof variant);
    snprintf(object->name, sizeof object->name, "%.*s%s%s.%s", (int)strcspn(base, "."), base,
             variant[0] ? "." : "", variant, target);
    snprintf(object->id, sizeof object->id, "%s-%.32s", object->name, hex);
}

static void take_text(struct weir_kernel_object *object, const char *path,
                      const struct weir_definitions *definitions) {
    memset(object, 0, sizeof *object);
    object->text = weir_text_find(path);
    if (object->text < 0)
        abort(); /* texts and this program are built together */
    weir_text_close(object->text, definitions, &object->closure);
    for (int k = 0; k < definitions->count; k++)
        if (object->closure.defined[k]) {
            object->definitions.definition[object->definitions.count++] = definitions->definition[k];
            object->for_some_blocks =
                object->for_some_blocks || weir_constants_have(definitions->definition[k].name);
        }
}

void weir_kernel_object_for_cpu(struct weir_kernel_object *object, const char *path, const char *optimisation,
                                const struct weir_instruction_set *set,
                                const struct weir_definitions *definitions) {
    take_text(object, path, definitions);
    object->set = set;
    object->optimisation = optimisation;
    identify(object, cpu_flags, set->name);
}

void weir_kernel_object_for_gpu(struct weir_kernel_object *object, const char *path, const char *architecture,
                                const struct weir_definitions *definitions) {
    take_text(object, path, definitions);
    object->closure.member[weir_text_find(weir_nvrtc_system_header)] = true;
    snprintf(object->architecture, sizeof object->architecture, "%s", architecture);
    identify(object, gpu_flags, object->architecture);
}

const char weir_kernel_some_blocks_ending[] = ".blocks.cubin";

static const char *ending(const struct weir_kernel_object *object) {
    if (object->for_some_blocks)
        return weir_kernel_some_blocks_ending;
    /* No name by which packagers know a library: they would strip it, and the checksum with it. */
    return object->set ? ".kernel" : ".cubin";
}

void weir_kernel_object_file(const struct weir_kernel_object *object, char name[NAME_MAX]) {
    snprintf(name, NAME_MAX, "%s%s", object->id, ending(object));
}

void weir_kernel_object_own_file(const struct weir_kernel_object *object, char name[NAME_MAX]) {
    const char *const key = object->set ? weir_compiler()->key : weir_nvrtc()->key;
    snprintf(name, NAME_MAX, "%s-%s%s", object->id, key, ending(object));
}

const char *weir_kernel_object_compiler(const struct weir_kernel_object *object) {
    return object->set ? weir_compiler()->version : weir_nvrtc()->version;
}

/* ---- compiling -------------------------------------------------------------------------------------------
 */

enum { WORDS_MAX = 64, ROOM = 4096 };

/* Words of a command line, in memory of their own. */
struct words {
    const char *word[WORDS_MAX + 1];
    int count;
    char room[ROOM];
    size_t used;
};

static void add_word(struct words *w, const char *format, const char *a, const char *b) {
    char *const word = w->room + w->used;
    if (w->count == WORDS_MAX || w->used >= ROOM)
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    w->used += (size_t)snprintf(word, ROOM - w->used, format, a, b) + 1;
#pragma GCC diagnostic pop
    w->word[w->count++] = word;
    w->word[w->count] = NULL;
}

static void add_words(struct words *w, const char *text) {
    while (*text) {
        char word[256];
        text += strspn(text, " ");
        const size_t length = strcspn(text, " ");
        if (length > 0 && length < sizeof word) {
            memcpy(word, text, length);
            word[length] = '\0';
            add_word(w, "%s", word, NULL);
        }
        text += length;
    }
}

static void add_definitions(struct words *w, const struct weir_definitions *definitions) {
    for (int k = 0; k < definitions->count; k++)
        add_word(w, "-D%s=%s", definitions->definition[k].name, definitions->definition[k].value);
}

static int take_file(struct weir_kernel_object *object, const char *path) {
    FILE *file = fopen(path, "re");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0) {
        rewind(file);
        object->file.data = malloc((size_t)size);
        object->file.size = (size_t)size;
        if (object->file.data && fread(object->file.data, 1, (size_t)size, file) != (size_t)size) {
            free(object->file.data);
            object->file.data = NULL;
        }
    }
    if (file)
        fclose(file);
    return object->file.data ? 0 : -1;
}

static int compile_for_cpu(struct weir_kernel_object *object, const char *work, const char *log) {
    char made[PATH_MAX];
    struct words w = {.count = 0};
    snprintf(made, sizeof made, "%s/%.128s.so", work, object->name);
    add_words(&w, cpu_flags);
    add_words(&w, object->optimisation);
    add_words(&w, object->set->flags);
    add_words(&w, build_flags);
    add_word(&w, "-I%s", work, NULL);
    add_definitions(&w, &object->definitions);
    add_word(&w, "-o", NULL, NULL);
    add_word(&w, "%s", made, NULL);
    add_word(&w, "%s/%s", work, weir_texts[object->text].path);
    add_word(&w, "-lm", NULL, NULL);
    const int status = weir_compiler_run(w.word, log);
    if (status != 0)
        return status;
    const int result = take_file(object, made);
    unlink(made);
    return result;
}

/* Where others are not to wait for it. */
static int compile_apart(struct weir_kernel_object *object, const char *const *options, const char *work,
                         const char *log, const atomic_bool *given_up) {
    char made[PATH_MAX];
    snprintf(made, sizeof made, "%s/%.128s.cubin", work, object->name);
    const int status = weir_nvrtc_apart_compile(weir_texts[object->text].path, object->architecture, options,
                                                made, log, given_up);
    const int result = status == 0 ? take_file(object, made) : status;
    unlink(made);
    return result;
}

static int compile_for_gpu(struct weir_kernel_object *object, const char *work, const char *log,
                           const atomic_bool *given_up) {
    struct words w = {.count = 0};
    struct weir_nvrtc_result result;
    add_words(&w, gpu_flags);
    add_definitions(&w, &object->definitions);
    if (given_up)
        return compile_apart(object, w.word, work, log, given_up);
    const int status = weir_nvrtc_compile(object->text, object->architecture, w.word, &result);
    FILE *file = fopen(log, "we");
    if (file) {
        fputs(result.log ? result.log : "", file);
        fclose(file);
    }
    free(result.log);
    object->file.data = (unsigned char *)result.object;
    object->file.size = result.size;
    return status == 0 ? 0 : 1;
}

int weir_kernel_object_compile(struct weir_kernel_object *object, const char *work, const char *log,
                               const atomic_bool *given_up) {
    return object->set ? compile_for_cpu(object, work, log) : compile_for_gpu(object, work, log, given_up);
}
