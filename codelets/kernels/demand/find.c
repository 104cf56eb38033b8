#include "codelets/kernels/demand/find.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/demand/compiler.h"
#include "codelets/kernels/demand/cuda_library.h"
#include "codelets/kernels/demand/shared_object.h"
#include "codelets/kernels/lattice/lattice.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The CPU texts of a variant, and which members of struct weir_kernels their functions are. */
static const struct cpu_text {
    const char *path, *optimisation;
    bool observes;    /* a block, without stepping it: with the set's kernels for that */
    const char *only; /* for specifications with this definition; NULL: for all */
    bool populations; /* for cells that keep populations; those that keep moments have others */
    struct weir_symbol symbols[10];
} cpu_texts[] = {
#define MEMBER(name) \
    { "weir_" #name, offsetof(struct weir_kernels, cpu.name) }
    {.path = "codelets/kernels/collide_stream.c",
     .optimisation = "-O3",
     .symbols = {MEMBER(collide_stream),
                 {"?weir_list_routes", offsetof(struct weir_kernels, cpu.list_routes)}}},
#define OUTSIDE_STEPS                                                                      \
    .optimisation = "-O2", .observes = true,                                               \
    .symbols = {MEMBER(clear),          MEMBER(initialise),      MEMBER(macroscopic),      \
                MEMBER(totals),         MEMBER(velocity_change), MEMBER(add_to_time_sums), \
                MEMBER(copy_time_sums), MEMBER(digest),          MEMBER(snapshot)}
    {.path = "codelets/kernels/outside_steps.c", OUTSIDE_STEPS, .populations = true},
    {.path = "codelets/kernels/outside_steps_of_moments.c", OUTSIDE_STEPS, .only = "WEIR_MOMENTS"},
#undef OUTSIDE_STEPS
    {.path = "codelets/kernels/pseudopotential.c",
     .optimisation = "-O3",
     .only = "WEIR_PHASES",
     .symbols = {MEMBER(pseudopotential)}},
    {.path = "codelets/kernels/gradients.c",
     .optimisation = "-O3",
     .only = "WEIR_GRADIENTS",
     .symbols = {MEMBER(velocity_field), MEMBER(velocity_gradient)}},
    {.path = "codelets/kernels/free_surface.c",
     .optimisation = "-O2",
     .only = "WEIR_SURFACE",
     .symbols = {MEMBER(surface_mass), MEMBER(surface_cells), MEMBER(surface_flags)}},
    {.path = "codelets/kernels/bubbles.c",
     .optimisation = "-O2",
     .only = "WEIR_BUBBLES",
     .symbols = {MEMBER(gas_pieces), MEMBER(gas_links), MEMBER(gas_spread)}},
    /* Copies are compiled as they are written, as those of streams. */
    {.path = "codelets/kernels/layouts.c",
     .optimisation = "-O3 -fno-tree-loop-distribute-patterns",
     .only = "WEIR_CLUSTER",
     .symbols = {{"weir_layout_propagate", offsetof(struct weir_kernels, cpu.layout[WEIR_LAYOUT_PROPAGATE])},
                 {"weir_layout_collide", offsetof(struct weir_kernels, cpu.layout[WEIR_LAYOUT_COLLIDE])},
                 {"weir_layout_fused", offsetof(struct weir_kernels, cpu.layout[WEIR_LAYOUT_FUSED])}}},
#undef MEMBER
};

/* Those of plain memory traffic. No call of memcpy may take a loop's place, which may choose other stores. */
static const struct plain_text {
    const char *path, *optimisation;
    enum weir_precision precision;
    struct weir_symbol symbols[7];
} stream_texts[] = {
#define UPDATES(precision)                                                                        \
    {                                                                                             \
        "codelets/kernels/stream_update.c", "-O3", precision, {                                   \
            {"weir_update_streams_vector",                                                        \
             offsetof(struct weir_stream_kernels, update[precision][WEIR_TURN_VECTOR])},          \
                {"weir_update_streams_64",                                                        \
                 offsetof(struct weir_stream_kernels, update[precision][WEIR_TURN_64])},          \
                {"weir_update_streams_256",                                                       \
                 offsetof(struct weir_stream_kernels, update[precision][WEIR_TURN_256])},         \
                {"weir_update_streams_1024",                                                      \
                 offsetof(struct weir_stream_kernels, update[precision][WEIR_TURN_1024])},        \
                {"weir_update_streams_4096",                                                      \
                 offsetof(struct weir_stream_kernels, update[precision][WEIR_TURN_4096])},        \
            {                                                                                     \
                "weir_update_stream", offsetof(struct weir_stream_kernels, update_one[precision]) \
            }                                                                                     \
        }                                                                                         \
    }
    UPDATES(WEIR_SINGLE),
    UPDATES(WEIR_DOUBLE),
#undef UPDATES
    {"codelets/kernels/stream_copy.c",
     "-O3 -fno-builtin -fno-tree-loop-distribute-patterns",
     WEIR_DOUBLE,
     {{"weir_copy_plain", offsetof(struct weir_stream_kernels, copy)},
      {"?weir_copy_nontemporal", offsetof(struct weir_stream_kernels, copy_nontemporal)}}},
};

/* Those of plain arithmetic, where compilers make one instruction of a product and a sum. */
static const struct plain_text arithmetic_texts[] = {
#define MULTIPLY_ADDS(precision)                                                                         \
    {                                                                                                    \
        "codelets/kernels/multiply_adds.c", "-O3 -ffp-contract=fast", precision, {                       \
            { "weir_multiply_adds", offsetof(struct weir_arithmetic_kernels, multiply_adds[precision]) } \
        }                                                                                                \
    }
    MULTIPLY_ADDS(WEIR_SINGLE),
    MULTIPLY_ADDS(WEIR_DOUBLE),
#undef MULTIPLY_ADDS
};

enum {
    CPU_TEXTS = sizeof cpu_texts / sizeof *cpu_texts,
    STREAM_TEXTS = sizeof stream_texts / sizeof *stream_texts,
    ARITHMETIC_TEXTS = sizeof arithmetic_texts / sizeof *arithmetic_texts
};

static void (*teller)(const char *line);

void weir_kernels_tell(void (*tell)(const char *line)) {
    teller = tell;
}

bool weir_kernels_with_cuda(void) {
    return WEIR_WITH_CUDA;
}

/* ---- which objects ---------------------------------------------------------------------------------------
 */

/* Which set an object is for where `set` is for steps. */
static const struct weir_instruction_set *set_of(const struct cpu_text *text,
                                                 const struct weir_instruction_set *set) {
    return text->observes ? weir_instruction_set_named(set->observing) : set;
}

/* Runs take kernels of the best set only. Those of the others take compilers longest: tests, which compare
 * all sets, may have them less optimised (WEIR_OTHER_SETS_OPTIMISATION, as -O1). */
static const char *optimisation_of(const struct cpu_text *text, const struct weir_instruction_set *set) {
    const char *const others = getenv("WEIR_OTHER_SETS_OPTIMISATION");
    const bool best = set_of(text, set) == set_of(text, weir_instruction_set(0));
    return others && *others && !best ? others : text->optimisation;
}

static void cpu_object(const struct cpu_text *text, const struct weir_kernel_specification *specification,
                       const struct weir_instruction_set *set, struct weir_kernel_object *object) {
    const struct weir_definitions definitions = weir_specification_definitions(specification);
    weir_kernel_object_for_cpu(object, text->path, optimisation_of(text, set), set_of(text, set),
                               &definitions);
}

static void plain_object(const struct plain_text *text, const struct weir_instruction_set *set,
                         struct weir_kernel_object *object) {
    struct weir_definitions definitions = {.count = 0};
    weir_define(&definitions, "WEIR_PRECISION", "%s", weir_precision_row(text->precision)->text);
    weir_kernel_object_for_cpu(object, text->path, text->optimisation, set, &definitions);
}

static void cuda_object(const struct weir_cuda_text *text,
                        const struct weir_kernel_specification *specification, const char *architecture,
                        struct weir_kernel_object *object) {
    struct weir_definitions definitions = {.count = 0};
    if (specification) {
        definitions = weir_specification_definitions(specification);
        if (weir_strip_cells(specification) == 1)
            weir_define(&definitions, "WEIR_STRIP_MOST", "1");
    }
    for (int k = 0; k < WEIR_TEXT_DEFINITIONS && text->definitions[k].name; k++)
        weir_define(&definitions, text->definitions[k].name, "%s", text->definitions[k].value);
    weir_kernel_object_for_gpu(object, text->path, architecture, &definitions);
}

/* Whether a variant has what a text is for, and keeps what it is for. */
static bool is_for(const char *only, bool populations,
                   const struct weir_kernel_specification *specification) {
    const struct weir_definitions all = weir_specification_definitions(specification);
    return (!only || weir_definition(&all, only)) &&
           !(populations && weir_precision_row(specification->precision)->moments);
}

/* Whether a variant has the object. Where there is none, as of plain traffic and arithmetic, each is there.
 */
static bool has_object(const struct weir_cuda_text *text,
                       const struct weir_kernel_specification *specification) {
    if (!specification)
        return true;
    if (text->open && !weir_definition(&specification->more, "WEIR_OPEN"))
        return false;
    if (!is_for(text->only, text->populations, specification))
        return false;
    if (text->first == WEIR_CUDA_STEP_OPEN && weir_precision_row(specification->precision)->moments &&
        weir_lattice_table((int)specification->lattice)->dimensions == 3)
        return false; /* they are stepped with their tiles (open_tiles.cuh) */
    if (text->wide && weir_definition(&specification->more, "WEIR_CELLS"))
        return false; /* strips are for bricks */
    return !text->wide || weir_strip_cells(specification) > 1;
}

/* Appends an object that is not there yet. */
static int append(const struct weir_kernel_object *object, struct weir_kernel_object **objects, int *count) {
    for (int k = 0; k < *count; k++)
        if (strcmp((*objects)[k].id, object->id) == 0)
            return 0;
    struct weir_kernel_object *const more = realloc(*objects, sizeof **objects * ((size_t)*count + 1));
    if (!more)
        return -1;
    *objects = more;
    more[(*count)++] = *object;
    return 0;
}

int weir_kernel_objects_of(const struct weir_kernel_specification *specification,
                           const struct weir_instruction_set *set, const char *architecture,
                           struct weir_kernel_object **objects, int *count) {
    struct weir_kernel_object object;
    int error = 0;
    for (int k = 0; set && k < CPU_TEXTS && error == 0; k++) {
        if (!is_for(cpu_texts[k].only, cpu_texts[k].populations, specification))
            continue;
        cpu_object(&cpu_texts[k], specification, set, &object);
        error = append(&object, objects, count);
    }
    for (int k = 0; set && k < STREAM_TEXTS + ARITHMETIC_TEXTS && error == 0; k++) {
        plain_object(k < STREAM_TEXTS ? &stream_texts[k] : &arithmetic_texts[k - STREAM_TEXTS], set, &object);
        error = append(&object, objects, count);
    }
    for (int k = 0; architecture && weir_cuda_texts[k].path && error == 0; k++) {
        if (!has_object(&weir_cuda_texts[k], specification))
            continue;
        cuda_object(&weir_cuda_texts[k], specification, architecture, &object);
        error = append(&object, objects, count);
    }
    static const struct weir_cuda_text *const plain[] = {weir_cuda_stream_texts, weir_cuda_arithmetic_texts};
    for (size_t of = 0; of < sizeof plain / sizeof *plain; of++)
        for (int k = 0; architecture && plain[of][k].path && error == 0; k++) {
            cuda_object(&plain[of][k], NULL, architecture, &object);
            error = append(&object, objects, count);
        }
    return error;
}

/* Steps for a block with these constants: of both parities. */
static bool is_step_for(const struct weir_cuda_text *text, const struct weir_kernel_specification *s,
                        const struct weir_constants *constants) {
    const int strip = weir_strip_cells(s);
    const bool bricks = weir_definition(&s->more, "WEIR_CELLS") == NULL;
    return !weir_precision_row(s->precision)->moments && text->first >= WEIR_CUDA_STEP &&
           text->first <= WEIR_CUDA_STEP_LAST && text->open == constants->open &&
           text->wide == weir_takes_strips(strip, constants->extent[0][1], bricks);
}

static struct weir_kernel_specification specification_with(const struct weir_kernel_specification *s,
                                                           const struct weir_constants *constants) {
    struct weir_kernel_specification special = *s;
    weir_constants_define(constants, &special.more);
    return special;
}

int weir_kernel_special_objects_of(const struct weir_kernel_specification *specification,
                                   const struct weir_constants *constants, const char *architecture,
                                   struct weir_kernel_object **objects, int *count) {
    const struct weir_kernel_specification special = specification_with(specification, constants);
    struct weir_kernel_object object;
    int error = 0;
    for (int k = 0; weir_cuda_texts[k].path && error == 0; k++)
        if (is_step_for(&weir_cuda_texts[k], specification, constants)) {
            cuda_object(&weir_cuda_texts[k], &special, architecture, &object);
            error = append(&object, objects, count);
        }
    return error;
}

/* ---- getting them ----------------------------------------------------------------------------------------
 */

static void release(struct weir_kernel_object *objects, int count) {
    for (int k = 0; k < count; k++)
        weir_kept_file_release(&objects[k].file);
    free(objects);
}

static void tell(const struct weir_kernel_news *news, const char *name, const char *target) {
    char line[WEIR_REASON_SIZE + PATH_MAX + 512];
    if (!teller || news->compiled + news->waited == 0)
        return;
    if (news->compiled == 0)
        snprintf(line, sizeof line, "waited %.1f s for kernels of %s for %s that another process compiled",
                 news->seconds, name, target);
    else
        snprintf(line, sizeof line, "compiled kernels of %s for %s in %.1f s (%d object%s), %s %s", name,
                 target, news->seconds, news->compiled, news->compiled > 1 ? "s" : "",
                 news->not_kept[0] ? "not kept:" : "kept in",
                 news->not_kept[0] ? news->not_kept : weir_kernel_cache()->path);
    teller(line);
}

static int out_of_memory(struct weir_kernel_news *news) {
    news->code = 1;
    snprintf(news->error, sizeof news->error, "out of memory while loading kernels");
    return -1;
}

/* Provides the objects and tells of it. */
static int provide(struct weir_kernel_object *objects, int count, const char *name, const char *target,
                   struct weir_kernel_news *news) {
    const int error = weir_kernel_objects_provide(objects, count, NULL, news);
    if (error == 0)
        tell(news, name, target);
    return error;
}

/* Takes the functions of an object into a struct. */
static int link_symbols(const struct weir_kernel_object *object, const struct weir_symbol *symbols,
                        void *members, struct weir_kernel_news *news) {
    char reason[1024];
    if (weir_shared_object_open(&object->file, symbols, members, reason, sizeof reason) == 0)
        return 0;
    news->code = 1;
    snprintf(
        news->error, sizeof news->error,
        "kernel %s cannot be loaded: %s; where programs may not be run from a file system, name a folder "
        "on another in WEIR_KERNEL_CACHE",
        object->name, reason);
    return -1;
}

static int load_on_cpu(struct weir_kernels *kernels, const struct weir_instruction_set *set,
                       struct weir_kernel_news *news) {
    struct weir_kernel_object *const objects = calloc(CPU_TEXTS, sizeof *objects);
    const struct cpu_text *text_of[CPU_TEXTS];
    int count = 0;
    if (!objects)
        return out_of_memory(news);
    for (int k = 0; k < CPU_TEXTS; k++)
        if (is_for(cpu_texts[k].only, cpu_texts[k].populations, &kernels->specification)) {
            text_of[count] = &cpu_texts[k];
            cpu_object(&cpu_texts[k], &kernels->specification, set, &objects[count++]);
        }
    int error =
        provide(objects, count, kernels->name, set->machine[0] ? set->machine : "this processor", news);
    for (int k = 0; k < count && error == 0; k++)
        error = link_symbols(&objects[k], text_of[k]->symbols, kernels, news);
    release(objects, count);
    return error;
}

static int count_texts(const struct weir_cuda_text *texts) {
    int count = 0;
    while (texts[count].path)
        count++;
    return count;
}

enum { TEXTS_MAX = 24 };

/* The kernels of some texts for one architecture. specification: NULL where they depend on none. */
static int load_for_architecture(const struct weir_cuda_text *texts,
                                 const struct weir_kernel_specification *specification, const char *name,
                                 const char *architecture, const struct weir_kernel_patience *patience,
                                 struct weir_cuda_set *loaded, struct weir_kernel_news *news) {
    struct weir_kernel_object *const objects = calloc((size_t)count_texts(texts), sizeof *objects);
    const struct weir_cuda_text *text_of[TEXTS_MAX];
    int count = 0;
    if (!objects)
        return out_of_memory(news);
    for (int k = 0; texts[k].path; k++)
        if (has_object(&texts[k], specification)) {
            text_of[count] = &texts[k];
            cuda_object(&texts[k], specification, architecture, &objects[count++]);
        }
    int error = patience ? weir_kernel_objects_provide_in_time(objects, count, patience, news)
                         : provide(objects, count, name, architecture, news);
    for (int k = 0; k < count && error == 0; k++) {
        const int cuda_error = weir_cuda_library_load(&objects[k], text_of[k], loaded);
        if (cuda_error == 0)
            continue;
        error = -1;
        news->code = 1;
        snprintf(
            news->error, sizeof news->error,
            "kernel %s cannot be loaded: CUDA error %d; is the driver older than the compiler (nvidia-smi "
            "tells both)?",
            objects[k].name, cuda_error);
    }
    release(objects, count);
    return error;
}

/* Sets of GPUs alike are one. */
static void drop_sets(struct weir_cuda_kernels *kernels, int devices) {
    for (int device = 0; device < devices; device++) {
        int first = 0;
        while (kernels->of_device[first] != kernels->of_device[device])
            first++;
        if (first == device)
            free((void *)kernels->of_device[device]);
    }
    free(kernels);
}

/* For all GPUs; those alike share a set. What is loaded stays until the process ends. patience: NULL, or
 * nobody waits for it, and 1 is returned as weir_kernel_objects_provide_in_time does. */
static int load_on_cuda(const struct weir_cuda_text *texts,
                        const struct weir_kernel_specification *specification, const char *name,
                        const struct weir_kernel_patience *patience, const struct weir_cuda_kernels **result,
                        struct weir_kernel_news *news) {
    char architectures[WEIR_CUDA_DEVICES_MAX][16];
    const int devices = weir_cuda_devices(architectures);
    struct weir_cuda_kernels *const kernels = calloc(1, sizeof *kernels);
    if (!kernels)
        return out_of_memory(news);
    if (specification) {
        kernels->forced = weir_definition(&specification->more, "WEIR_FORCED") != NULL;
        kernels->strip = weir_strip_cells(specification);
    }
    for (int device = 0; device < devices; device++) {
        int alike = 0;
        while (strcmp(architectures[alike], architectures[device]) != 0)
            alike++;
        if (alike < device) {
            kernels->of_device[device] = kernels->of_device[alike];
            continue;
        }
        struct weir_cuda_set *const loaded = calloc(1, sizeof *loaded);
        const int error = loaded ? load_for_architecture(texts, specification, name, architectures[device],
                                                         patience, loaded, news)
                                 : out_of_memory(news);
        if (error != 0) {
            free(loaded);
            drop_sets(kernels, device);
            return error;
        }
        kernels->of_device[device] = loaded;
    }
    *result = kernels;
    return 0;
}

int weir_cuda_architectures(char architectures[][16], int most) {
    char all[WEIR_CUDA_DEVICES_MAX][16];
    const int devices = weir_cuda_devices(all);
    int count = 0;
    for (int device = 0; device < devices && count < most; device++) {
        int k = 0;
        while (k < count && strcmp(architectures[k], all[device]) != 0)
            k++;
        if (k == count)
            memcpy(architectures[count++], all[device], sizeof all[device]);
    }
    return count;
}

/* ---- what this process has
 * ---------------------------------------------------------------------------------
 */

/* Functions stay loaded until the process ends, and so does the list of them. */
struct entry {
    struct weir_kernels kernels;
    struct weir_special_list special;
    const struct weir_instruction_set *set;
    struct entry *next;
};

static struct entry *entries;
static struct plain_kernels {
    const char *name;
    const struct plain_text *texts;
    int count;
    size_t size;  /* of the struct that has their functions */
    void *loaded; /* that; NULL: not yet */
} streams = {"memory traffic", stream_texts, STREAM_TEXTS, sizeof(struct weir_stream_kernels), NULL},
  arithmetic = {"arithmetic", arithmetic_texts, ARITHMETIC_TEXTS, sizeof(struct weir_arithmetic_kernels),
                NULL};
static const struct weir_cuda_kernels *cuda_streams, *cuda_arithmetic;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *entry_of(const struct weir_kernel_specification *specification,
                              const struct weir_instruction_set *set) {
    struct entry *entry = entries;
    while (entry && (entry->set != set ||
                     memcmp(&entry->kernels.specification, specification, sizeof *specification) != 0))
        entry = entry->next;
    if (entry || !(entry = calloc(1, sizeof *entry)))
        return entry;
    struct weir_kernels *const kernels = &entry->kernels;
    memcpy(&kernels->specification, specification, sizeof *specification);
    kernels->real_size = weir_precision_row(specification->precision)->real_bytes;
    kernels->stored_size = weir_precision_row(specification->precision)->stored_bytes;
    weir_specification_name(specification, kernels->name);
    kernels->instruction_set = set->name;
    kernels->special = &entry->special;
    kernels->cpu.pack = weir_pack_of_size(kernels->stored_size);
    kernels->cpu.unpack = weir_unpack_of_size(kernels->stored_size);
    entry->set = set;
    entry->next = entries;
    entries = entry;
    return entry;
}

static const struct weir_kernels *find(const struct weir_kernel_specification *specification,
                                       const struct weir_instruction_set *set, unsigned where,
                                       struct weir_kernel_news *news) {
    memset(news, 0, sizeof *news);
    pthread_mutex_lock(&lock);
    struct entry *const entry = entry_of(specification, set);
    struct weir_kernels *const kernels = entry ? &entry->kernels : NULL;
    int error = entry ? 0 : out_of_memory(news);
    if (error == 0 && where & WEIR_KERNELS_CPU && !kernels->cpu.collide_stream)
        error = load_on_cpu(kernels, set, news);
    if (error == 0 && where & WEIR_KERNELS_CUDA && !kernels->cuda)
        error = load_on_cuda(weir_cuda_texts, specification, kernels->name, NULL, &kernels->cuda, news);
    pthread_mutex_unlock(&lock);
    return error == 0 ? kernels : NULL;
}

const struct weir_kernels *weir_kernels_find(const struct weir_kernel_specification *specification,
                                             unsigned where, struct weir_kernel_news *news) {
    return find(specification, weir_instruction_set(0), where, news);
}

const struct weir_kernels *weir_kernels_choice(const struct weir_kernel_specification *specification,
                                               int choice, struct weir_kernel_news *news) {
    return find(specification, weir_instruction_set(choice), WEIR_KERNELS_CPU, news);
}

int weir_kernels_specialise(const struct weir_kernels *kernels, const struct weir_constants *constants,
                            const struct weir_kernel_patience *patience, struct weir_kernel_news *news) {
    const struct weir_kernel_specification special = specification_with(&kernels->specification, constants);
    struct weir_cuda_text texts[TEXTS_MAX];
    struct weir_special_steps *const steps = calloc(1, sizeof *steps);
    int count = 0;
    memset(news, 0, sizeof *news);
    if (!steps)
        return out_of_memory(news);
    for (int k = 0; weir_cuda_texts[k].path; k++)
        if (is_step_for(&weir_cuda_texts[k], &kernels->specification, constants))
            texts[count++] = weir_cuda_texts[k];
    texts[count].path = NULL;
    const int error = load_on_cuda(texts, &special, kernels->name, patience, &steps->cuda, news);
    if (error != 0) {
        free(steps);
        return error;
    }
    steps->constants = *constants;
    steps->next = atomic_load(&kernels->special->first);
    while (!atomic_compare_exchange_weak(&kernels->special->first, &steps->next, steps))
        ;
    return 0;
}

const struct weir_special_steps *weir_special_steps_for(const struct weir_kernels *kernels,
                                                        const struct weir_block_view *view,
                                                        const struct weir_fluid *fluid) {
    const struct weir_special_steps *steps = atomic_load(&kernels->special->first);
    while (steps && !weir_constants_fit(&steps->constants, view, fluid))
        steps = steps->next;
    return steps;
}

static int load_plain(const struct plain_kernels *plain, void *kernels, struct weir_kernel_news *news) {
    const struct weir_instruction_set *const set = weir_instruction_set(0);
    struct weir_kernel_object *const objects = calloc((size_t)plain->count, sizeof *objects);
    if (!objects)
        return out_of_memory(news);
    for (int k = 0; k < plain->count; k++)
        plain_object(&plain->texts[k], set, &objects[k]);
    int error =
        provide(objects, plain->count, plain->name, set->machine[0] ? set->machine : "this processor", news);
    for (int k = 0; k < plain->count && error == 0; k++)
        error = link_symbols(&objects[k], plain->texts[k].symbols, kernels, news);
    release(objects, plain->count);
    return error;
}

static const void *find_plain(struct plain_kernels *plain, struct weir_kernel_news *news) {
    memset(news, 0, sizeof *news);
    pthread_mutex_lock(&lock);
    if (!plain->loaded) {
        void *const kernels = calloc(1, plain->size);
        if (!kernels)
            out_of_memory(news);
        else if (load_plain(plain, kernels, news) == 0)
            plain->loaded = kernels;
        else
            free(kernels);
    }
    const void *const result = plain->loaded;
    pthread_mutex_unlock(&lock);
    return result;
}

static const struct weir_cuda_kernels *find_plain_on_cuda(const struct weir_cuda_text *texts,
                                                          const char *name,
                                                          const struct weir_cuda_kernels **loaded,
                                                          struct weir_kernel_news *news) {
    memset(news, 0, sizeof *news);
    pthread_mutex_lock(&lock);
    if (!*loaded)
        load_on_cuda(texts, NULL, name, NULL, loaded, news);
    const struct weir_cuda_kernels *const result = *loaded;
    pthread_mutex_unlock(&lock);
    return result;
}

const struct weir_stream_kernels *weir_stream_kernels_find(struct weir_kernel_news *news) {
    return find_plain(&streams, news);
}

const struct weir_arithmetic_kernels *weir_arithmetic_kernels_find(struct weir_kernel_news *news) {
    return find_plain(&arithmetic, news);
}

const struct weir_cuda_kernels *weir_cuda_streams_find(struct weir_kernel_news *news) {
    return find_plain_on_cuda(weir_cuda_stream_texts, streams.name, &cuda_streams, news);
}

const struct weir_cuda_kernels *weir_cuda_arithmetic_find(struct weir_kernel_news *news) {
    return find_plain_on_cuda(weir_cuda_arithmetic_texts, arithmetic.name, &cuda_arithmetic, news);
}
