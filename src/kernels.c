#include "src/kernels.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/demand/compiler.h"
#include "codelets/kernels/demand/find.h"
#include "codelets/kernels/demand/nvrtc.h"
#include "codelets/kernels/demand/nvrtc_apart.h"
#include "graph/base/error.h"
#include "graph/plan/common_constants.h"
#include "graph/problem/forms.h"
#include "graph/problem/problem_kernels.h"
#include "src/case/case.h"
#include "src/case/case_blocks.h"
#include "src/common/command_line.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TARGETS_MAX = 16 };

enum action { LIST, BUILD, CLEAR };
static const char *const action_names[] = {"list", "build", "clear", NULL};

struct kernels_options {
    bool has_action;
    enum action action;
    const char **cases;
    int case_count;
    const char **sets;
    int set_count;
    bool all, prune, quiet;
    char architectures[TARGETS_MAX][16];
    int architecture_count;
    const struct weir_instruction_set *instruction_sets[TARGETS_MAX];
    int instruction_set_count;
    bool target_named;
    const char *out;
};

static const char description[] =
    "Kernels are compiled when a run needs them, and kept. These are found first in\n"
    "the folder that WEIR_KERNELS names, beside the program or where it is installed,\n"
    "then in the user's cache: $WEIR_KERNEL_CACHE, or ~/.cache/weir/kernels.\n"
    "\n"
    "  weir kernels list           what there is, and by which compilers\n"
    "  weir kernels build CASE...  compiles what these cases need\n"
    "  weir kernels clear          empties the user's cache\n"
    "\n"
    "Options of build:\v"
    "Without --arch and --cpu, kernels are built for this machine. For another:\n"
    "  weir kernels build CASE --arch sm_90 --cpu x86-64-v4 --out FOLDER\n"
    "there, WEIR_KERNELS=FOLDER; no compiler is needed then.";

/* ---- command line ----------------------------------------------------------------------------------------
 */

static int take_architecture(void *context, const char *word) {
    struct kernels_options *options = context;
    if (strncmp(word, "sm_", 3) != 0 || strspn(word + 3, "0123456789") + 3 != strlen(word) ||
        strlen(word) < 5 || strlen(word) > 8)
        return weir_fail(WEIR_USAGE, "--arch: \"%s\" is no GPU architecture; give one such as sm_90", word);
    if (options->architecture_count == TARGETS_MAX)
        return weir_fail(WEIR_USAGE, "--arch: more than %d architectures", TARGETS_MAX);
    snprintf(options->architectures[options->architecture_count++], sizeof *options->architectures, "%s",
             word);
    return 0;
}

static int read_architectures(void *context, const char *list) {
    struct kernels_options *options = context;
    options->target_named = true;
    return weir_command_line_split(list, take_architecture, options);
}

static int add_instruction_set(struct kernels_options *options, const struct weir_instruction_set *set) {
    if (options->instruction_set_count < TARGETS_MAX)
        options->instruction_sets[options->instruction_set_count++] = set;
    return 0;
}

static int take_instruction_set(void *context, const char *word) {
    const struct weir_instruction_set *set = weir_instruction_set_named(word);
    char known[256] = "";
    if (set)
        return add_instruction_set(context, set);
    for (int k = 0; (set = weir_instruction_set_known(k)); k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s, ",
                 set->machine[0] ? set->machine : set->name);
    return weir_fail(WEIR_USAGE, "--cpu: this build knows no \"%s\"; give %sthis or all", word, known);
}

static int read_instruction_sets(void *context, const char *list) {
    struct kernels_options *options = context;
    const struct weir_instruction_set *set;
    options->target_named = true;
    if (strcmp(list, "this") == 0)
        return add_instruction_set(options, weir_instruction_set(0));
    if (strcmp(list, "all") != 0)
        return weir_command_line_split(list, take_instruction_set, options);
    for (int k = 0; (set = weir_instruction_set_known(k)); k++)
        add_instruction_set(options, set);
    return 0;
}

static int take_word(void *context, const char *word, int number) {
    struct kernels_options *options = context;
    if (number > 0)
        return weir_command_line_add(word, &options->cases, &options->case_count);
    for (int k = 0; action_names[k]; k++)
        if (strcmp(word, action_names[k]) == 0) {
            options->has_action = true;
            options->action = (enum action)k;
            return 0;
        }
    return weir_command_line_unknown("kernels", word, action_names);
}

static const struct weir_option options_of_kernels[] = {
    {.name = "arch",
     .argument = "LIST",
     .help = "For GPUs of these architectures, such as sm_80,sm_90",
     .type = WEIR_OPTION_READ,
     .read = read_architectures},
    {.name = "cpu",
     .argument = "LIST",
     .help = "For processors of these kinds, such as x86-64-v3,x86-64-v4; this one; or all",
     .type = WEIR_OPTION_READ,
     .read = read_instruction_sets},
    {.name = "out",
     .argument = "FOLDER",
     .help = "Put them there (default: the user's cache)",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct kernels_options, out)},
    {.name = "prune",
     .help = "Remove other kernels, of the same kind of processor, from the folder",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct kernels_options, prune)},
    {.name = "all",
     .help = "Every lattice with every collision and precision, instead of cases",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct kernels_options, all)},
    WEIR_OPTION_SET(struct kernels_options, "Set a key of the cases (repeatable)"),
    WEIR_OPTION_QUIET(struct kernels_options, "Print errors only"),
    {.name = NULL},
};

static int check(struct kernels_options *options) {
    if (!options->has_action)
        return weir_fail(WEIR_USAGE, "kernels: what to do is missing; give list, build CASE... or clear");
    if (options->action == BUILD && options->case_count == 0 && !options->all)
        return weir_fail(WEIR_USAGE, "kernels build: a case file is missing; give one or more, or --all");
    if (options->action == BUILD && options->case_count > 0 && options->all)
        return weir_fail(WEIR_USAGE, "kernels build: --all takes no cases; leave out one or the other");
    if (options->action != BUILD && options->case_count > 0)
        return weir_fail(WEIR_USAGE, "kernels %s takes no \"%s\"", action_names[options->action],
                         options->cases[0]);
    if (options->prune && !options->out)
        return weir_fail(WEIR_USAGE, "kernels build: --prune is for a folder of its own; name it with --out");
    if (options->action != BUILD &&
        (options->target_named || options->out || options->all || options->set_count))
        return weir_fail(WEIR_USAGE, "kernels %s: --arch, --cpu, --out, --all and --set are options of build",
                         action_names[options->action]);
    if (!options->target_named) {
        add_instruction_set(options, weir_instruction_set(0));
        options->architecture_count = weir_cuda_architectures(options->architectures, TARGETS_MAX);
    }
    return 0;
}

/* ---- list and clear --------------------------------------------------------------------------------------
 */

static bool ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static int is_kernel(const struct dirent *entry) {
    return ends_in(entry->d_name, ".kernel") || ends_in(entry->d_name, ".cubin");
}

/* The file's name without digests, and who compiled it. */
static void print_kernel(const struct weir_kernel_folder *folder, const char *name) {
    enum { DIGEST = 32 };
    struct weir_kept_file file;
    char id[256], date[32] = "";
    struct stat s;
    struct tm local;
    snprintf(id, sizeof id, "%s", name);
    char *digest = strrchr(id, '.');
    *digest = '\0';
    while (digest > id && !(*digest == '-' && strspn(digest + 1, "0123456789abcdef") >= DIGEST))
        digest--;
    if (digest > id && strlen(digest) > DIGEST + 1)
        digest[DIGEST + 1] = '\0'; /* a compiler's key follows */
    if (fstatat(folder->descriptor, name, &s, 0) == 0 && localtime_r(&s.st_mtime, &local))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
    if (digest == id || !weir_kept_file_read(folder, name, id, &file)) {
        printf("  %-44s  %s  broken, or not to be trusted: compiled anew when needed\n", name, date);
        return;
    }
    *digest = '\0';
    const char *const by = strstr(file.about, " by ");
    printf("  %-44s %6zu kB  %s  %.*s\n", id, (file.size + 999) / 1000, date,
           by ? (int)strcspn(by + 4, "\n") : 0, by ? by + 4 : "");
    weir_kept_file_release(&file);
}

static void list_folder(const struct weir_kernel_folder *folder, const char *what) {
    struct dirent **entries = NULL;
    char inside[64];
    if (folder->descriptor < 0) {
        printf("%s: %s%s%s%s\n", what, folder->path, folder->path[0] ? ": " : "",
               folder->reason[0] ? "not used: " : "not there", folder->reason);
        return;
    }
    snprintf(inside, sizeof inside, "/proc/self/fd/%d", folder->descriptor);
    const int count = scandir(inside, &entries, is_kernel, alphasort);
    printf("%s: %s, %d kernel%s\n", what, folder->path, count > 0 ? count : 0, count == 1 ? "" : "s");
    for (int k = 0; k < count; k++) {
        print_kernel(folder, entries[k]->d_name);
        free(entries[k]);
    }
    free(entries);
}

static int list(void) {
    const struct weir_kernel_folder *folder;
    const char *const c = weir_compiler()->version, *const cuda = weir_nvrtc()->version;
    printf("compilers: for CPUs %s%s%s%s; for GPUs %s\n", c[0] ? weir_compiler()->name : "none",
           c[0] ? " (" : "", c, c[0] ? ")" : "", cuda[0] ? cuda : "none");
    for (int k = 0; (folder = weir_kernel_installed(k)); k++)
        list_folder(folder, "with the program");
    list_folder(weir_kernel_cache(), "cache");
    return 0;
}

static int clear(bool quiet) {
    static const char *const endings[] = {".kernel", ".cubin", ".log", ".lock"};
    const struct weir_kernel_folder *const folder = weir_kernel_cache();
    int removed = 0;
    if (folder->descriptor < 0)
        return weir_fail(WEIR_FAILED, "kernels clear: %s", folder->reason);
    char inside[64];
    snprintf(inside, sizeof inside, "/proc/self/fd/%d", folder->descriptor);
    DIR *const entries = opendir(inside);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        bool ours = strncmp(entry->d_name, ".new-", 5) == 0;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            ours = ours || ends_in(entry->d_name, endings[k]);
        if (ours && unlinkat(folder->descriptor, entry->d_name, 0) == 0)
            removed += is_kernel(entry);
    }
    if (entries)
        closedir(entries);
    if (!quiet)
        printf("removed %d kernel%s from %s\n", removed, removed == 1 ? "" : "s", folder->path);
    return 0;
}

/* ---- build -----------------------------------------------------------------------------------------------
 */

struct wanted {
    struct weir_kernel_object *objects;
    int count;
};

static int want(struct wanted *wanted, const struct kernels_options *options,
                const struct weir_kernel_specification *specification) {
    int error = 0;
    for (int k = 0; k < options->instruction_set_count && error == 0; k++)
        error = weir_kernel_objects_of(specification, options->instruction_sets[k], NULL, &wanted->objects,
                                       &wanted->count);
    for (int k = 0; k < options->architecture_count && error == 0; k++)
        error = weir_kernel_objects_of(specification, NULL, options->architectures[k], &wanted->objects,
                                       &wanted->count);
    return error == 0 ? 0 : weir_fail(WEIR_FAILED, "out of memory while listing kernels");
}

/* How the case will be cut into blocks: as it says itself, or, for the GPUs of this machine, as runs here do
 * it. false: that cannot be known. */
static bool find_blocks(const struct kernels_options *options, const struct weir_case *c,
                        struct weir_block_grid *grid) {
    if (c->block_cells[0] > 0)
        return weir_block_grid_create(&c->problem, c->block_cells, grid) == 0;
    return !options->target_named && weir_case_blocks(c, false, grid) == 0;
}

/* Steps for the case's own blocks, on GPUs. */
static int want_constants(struct wanted *wanted, const struct kernels_options *options,
                          const struct weir_case *c) {
    const struct weir_kernel_specification specification =
        weir_problem_specification(&c->problem, WEIR_BRICK);
    struct weir_common_constants common;
    struct weir_block_grid grid;
    int error = 0;
    if (options->architecture_count == 0 || !find_blocks(options, c, &grid))
        return 0;
    weir_common_constants_of_grid(&c->problem, &grid, &common);
    for (int kind = 0; kind < common.count; kind++)
        for (int k = 0; k < options->architecture_count && error == 0; k++)
            error =
                weir_kernel_special_objects_of(&specification, &common.kind[kind].constants,
                                               options->architectures[k], &wanted->objects, &wanted->count);
    return error == 0 ? 0 : weir_fail(WEIR_FAILED, "out of memory while listing kernels");
}

static int want_case(struct wanted *wanted, const struct kernels_options *options, const char *file) {
    struct weir_case *c = NULL;
    WEIR_TRY(weir_case_read(file, options->sets, options->set_count, &c));
    int error = 0;
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT && error == 0; kind++) {
        const struct weir_kernel_specification specification =
            weir_problem_specification(&c->problem, (enum weir_cell_kind)kind);
        if (weir_cells_possible(&c->problem, (enum weir_cell_kind)kind))
            error = want(wanted, options, &specification);
    }
    if (error == 0)
        error = want_constants(wanted, options, c);
    weir_case_destroy(c);
    return error;
}

/* Whether all GPUs asked for have the shared memory that steps of moments need. */
static bool may_keep_moments(const struct kernels_options *options) {
    bool all = true;
    for (int k = 0; k < options->architecture_count; k++) {
        const int number = atoi(options->architectures[k] + strlen("sm_"));
        all = all && number >= WEIR_TILE_CAPABILITY_FROM && number < WEIR_TILE_CAPABILITY_BELOW;
    }
    return all;
}

static int want_all(struct wanted *wanted, const struct kernels_options *options) {
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++)
        for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
            for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++) {
                const struct weir_kernel_specification specification =
                    weir_kernel_specification((enum weir_lattice)lattice, (enum weir_collision)collision,
                                              (enum weir_precision)precision);
                if (weir_collision_on(specification.collision, specification.lattice) &&
                    weir_collision_keeps(specification.collision, specification.precision) &&
                    (!weir_precision_row(specification.precision)->moments || may_keep_moments(options)))
                    WEIR_TRY(want(wanted, options, &specification));
            }
    return 0;
}

/* Removes kernels that are not among those wanted, of earlier texts, say; those of CPUs where such were
 * built, those of GPUs likewise. */
static void prune(const struct weir_kernel_folder *folder, const struct kernels_options *options,
                  const struct wanted *wanted) {
    char inside[64], name[NAME_MAX];
    snprintf(inside, sizeof inside, "/proc/self/fd/%d", folder->descriptor);
    DIR *const entries = opendir(inside);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const bool built = ends_in(entry->d_name, ".cubin") ? options->architecture_count > 0
                                                            : options->instruction_set_count > 0;
        bool stays = !is_kernel(entry) || !built;
        for (int k = 0; k < wanted->count && !stays; k++) {
            weir_kernel_object_file(&wanted->objects[k], name);
            stays = strcmp(name, entry->d_name) == 0;
        }
        if (!stays)
            unlinkat(folder->descriptor, entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

static int provide(struct wanted *wanted, const struct kernels_options *options) {
    struct weir_kernel_folder out = {.descriptor = -1};
    struct weir_kernel_news news;
    if (options->out) {
        weir_kernel_folder_open(&out, options->out, true, true);
        if (out.descriptor < 0)
            return weir_fail(WEIR_FAILED, "kernels build: --out: %s", out.reason);
    }
    const int result =
        weir_kernel_objects_provide(wanted->objects, wanted->count, options->out ? &out : NULL, &news);
    if (result == 0 && options->prune)
        prune(&out, options, wanted);
    weir_kernel_folder_close(&out);
    if (result != 0)
        return weir_fail_for_kernels(&news);
    if (news.not_kept[0])
        return weir_fail(WEIR_FAILED, "kernels build: %s", news.not_kept);
    const char *const folder = options->out ? options->out : weir_kernel_cache()->path;
    if (!options->quiet && news.compiled + news.waited == 0)
        printf("all %d objects were there already\n", wanted->count);
    else if (!options->quiet)
        printf("compiled %d of %d objects in %.1f s, into %s\n", news.compiled, wanted->count, news.seconds,
               folder);
    return 0;
}

static int build(const struct kernels_options *options) {
    struct wanted wanted = {NULL, 0};
    int error = options->all ? want_all(&wanted, options) : 0;
    for (int k = 0; k < options->case_count && error == 0; k++)
        error = want_case(&wanted, options, options->cases[k]);
    if (error == 0)
        error = provide(&wanted, options);
    for (int k = 0; k < wanted.count; k++)
        weir_kept_file_release(&wanted.objects[k].file);
    free(wanted.objects);
    return error;
}

int weir_kernels_command(int argc, char **argv) {
    static const struct weir_command command = {.name = "weir kernels",
                                                .words = "list|build CASE...|clear",
                                                .description = description,
                                                .options = options_of_kernels,
                                                .word = take_word};
    if (argc > 1 && strcmp(argv[1], "nvrtc") == 0) /* a run's own child */
        return weir_nvrtc_apart_main(argc - 2, argv + 2) == EXIT_SUCCESS
                   ? 0
                   : weir_fail(WEIR_FAILED, "kernels nvrtc: a text is not compiled");
    struct kernels_options options = {.action = LIST};
    int error = weir_command_line_read(&command, argc, argv, &options);
    if (error == 0)
        error = check(&options);
    if (error == 0)
        error = options.action == LIST    ? list()
                : options.action == CLEAR ? clear(options.quiet)
                                          : build(&options);
    free(options.cases);
    free(options.sets);
    return error;
}
