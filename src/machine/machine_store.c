#include "src/machine/machine_store.h"

#include "codelets/kernels/demand/find.h"
#include "codelets/task_kind.h"
#include "graph/base/error.h"
#include "graph/problem/forms.h"
#include "graph/tune.h"
#include "src/common/output_files.h"
#include "src/machine/machine_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a measurement holds for. */
static void identify(const struct weir_machine_key *key, struct weir_measured_on *on) {
    memset(on, 0, sizeof *on);
    if (gethostname(on->host, sizeof on->host - 1) != 0 || on->host[0] == '\0')
        strcpy(on->host, "unnamed");
    on->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    on->kernel_version = WEIR_KERNEL_VERSION;
    snprintf(on->instruction_set, sizeof on->instruction_set, "%s", weir_instruction_set(0)->name);
    on->gpu_count = key->workers.gpus < WEIR_MACHINE_GPUS_MAX ? key->workers.gpus : WEIR_MACHINE_GPUS_MAX;
    for (int gpu = 0; gpu < on->gpu_count; gpu++)
        weir_runtime_gpu_name(gpu, on->gpus[gpu], sizeof on->gpus[gpu]);
}

static bool same(const struct weir_measured_on *a, const struct weir_measured_on *b) {
    bool gpus = a->gpu_count == b->gpu_count;
    for (int gpu = 0; gpus && gpu < a->gpu_count; gpu++)
        gpus = strcmp(a->gpus[gpu], b->gpus[gpu]) == 0;
    return gpus && a->cores == b->cores && a->kernel_version == b->kernel_version &&
           strcmp(a->host, b->host) == 0 && strcmp(a->instruction_set, b->instruction_set) == 0;
}

enum { NAME_SIZE = 160 };

/* A name for the file, without folder and ending. */
static void name_of(const struct weir_machine_key *key, char name[NAME_SIZE]) {
    struct weir_measured_on on;
    identify(key, &on);
    on.host[40] = '\0';
    for (char *letter = on.host; *letter; letter++)
        if (!isalnum((unsigned char)*letter) && (letter == on.host || !strchr(".-", *letter)))
            *letter = letter == on.host ? 'x' : '_';
    const struct weir_problem *p = key->problem;
    snprintf(name, NAME_SIZE, "%s-%s-%s-%s%s%s%s%s%s%s%s%s%s-%dx%dx%d-%dg%dt%dc", on.host,
             weir_lattice_names[p->lattice], weir_collision_names[p->collision],
             weir_precision_names[p->precision], weir_problem_is_forced(p) ? "-force" : "",
             p->scalar.present ? "-scalar" : "", p->conductor_count > 0 ? "-conductors" : "",
             weir_phases_are_components(&p->phases) ? "-components"
             : p->phases.present                    ? "-phases"
                                                    : "",
             p->surface.present ? "-surface" : "",
             p->surface.present && p->surface.tension > 0 ? "-tension" : "", p->turbulence.present ? "-" : "",
             p->turbulence.present ? weir_turbulence_names[p->turbulence.model] : "",
             weir_cells_possible(p, WEIR_LIST) ? "-lists" : "", key->block_cells[0], key->block_cells[1],
             key->block_cells[2], key->workers.gpus, key->workers.teams, key->workers.cpus);
}

/* *folder and *path are the caller's. */
static int locate(const struct weir_machine_key *key, char **folder, char **path) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char name[NAME_SIZE];
    name_of(key, name);
    *folder = *path = NULL;
    const bool absolute = cache && cache[0] == '/'; /* others are to be ignored, says the XDG specification */
    if (asprintf(folder, "%s%s/weir/machines",
                 absolute ? cache
                 : home   ? home
                          : ".",
                 absolute ? "" : "/.cache") < 0)
        *folder = NULL;
    if (!*folder || asprintf(path, "%s/%s.json", *folder, name) < 0) {
        free(*folder);
        *folder = *path = NULL;
        return weir_fail(WEIR_FAILED, "out of memory while looking for measurements of this machine");
    }
    return 0;
}

/* Whether the file describes as many worker groups as will be used. */
static bool same_groups(const struct weir_machine_file *file, const struct weir_step_workers *workers) {
    int gpus = 0, teams = 0, cores = 0;
    for (int k = 0; k < file->group_count; k++) {
        const struct weir_machine_kind *kind = &file->groups[k].kind;
        gpus += kind->kind == WEIR_WORKER_GROUP_GPU ? kind->count : 0;
        teams += kind->kind == WEIR_WORKER_GROUP_TEAM ? kind->count : 0;
        cores += kind->kind == WEIR_WORKER_GROUP_GPU ? 0 : kind->count * kind->cores;
    }
    return gpus == workers->gpus && teams == workers->teams && cores == workers->cpus;
}

/* *result: the caller's to destroy, NULL where there is none that counts. */
static int read_file(const char *path, const struct weir_machine_key *key, struct weir_machine_file **result,
                     char note[WEIR_MACHINE_NOTE]) {
    *result = NULL;
    if (access(path, F_OK) != 0)
        return 0;
    struct weir_machine_file *file = NULL;
    struct weir_measured_on here;
    identify(key, &here);
    const int error = weir_machine_file_read(path, &file);
    if (error == -WEIR_USAGE) {
        snprintf(note, WEIR_MACHINE_NOTE, "%.400s; the measurement is not used", weir_error_text());
        return 0;
    }
    WEIR_TRY(error);
    if (!file->has_measured_on || !same(&file->measured_on, &here) || !same_groups(file, &key->workers)) {
        snprintf(note, WEIR_MACHINE_NOTE,
                 "%.400s: measured by another program or on another machine; not used", path);
        weir_machine_file_destroy(file);
        return 0;
    }
    *result = file;
    return 0;
}

static int read_from(const char *path, const struct weir_machine_key *key, struct weir_machine *machine,
                     struct weir_machine_trust *trust, bool *found, char note[WEIR_MACHINE_NOTE]) {
    struct weir_machine_file *file;
    WEIR_TRY(read_file(path, key, &file, note));
    if (!file)
        return 0;
    *trust = file->trust;
    if (weir_machine_file_select(file, path, key->problem, key->block_cells, machine) < 0)
        snprintf(note, WEIR_MACHINE_NOTE, "%.400s; the measurement is not used", weir_error_text());
    else
        *found = true;
    weir_machine_file_destroy(file);
    return 0;
}

int weir_machine_store_read(const struct weir_machine_key *key, struct weir_machine *machine,
                            struct weir_machine_trust *trust, bool *found, char note[WEIR_MACHINE_NOTE]) {
    char *folder, *path;
    note[0] = '\0';
    *found = false;
    WEIR_TRY(locate(key, &folder, &path));
    const int error = read_from(path, key, machine, trust, found, note);
    free(folder);
    free(path);
    return error;
}

int weir_machine_store_judge(const struct weir_machine_key *key, double ratio, double lost,
                             struct weir_machine_trust *trust, bool *found) {
    struct weir_machine_file *file = NULL;
    char *folder, *path, note[WEIR_MACHINE_NOTE];
    WEIR_TRY(locate(key, &folder, &path));
    int error = read_file(path, key, &file, note);
    *found = file != NULL;
    if (file && weir_machine_trust_judge(&file->trust, ratio, lost))
        error = weir_machine_file_write(path, file);
    if (file)
        *trust = file->trust;
    weir_machine_file_destroy(file);
    free(folder);
    free(path);
    return error;
}

int weir_machine_store_write(const struct weir_machine_key *key, const struct weir_machine *machine,
                             const struct weir_machine_trust *trust, char **result) {
    char *folder, *path;
    struct weir_machine_file_group groups[WEIR_MACHINE_KINDS_MAX];
    const struct weir_problem *p = key->problem;
    struct weir_machine_file file = {.has_measured_on = true,
                                     .trust = *trust,
                                     .group_count = machine->kind_count,
                                     .groups = groups,
                                     .has_memory_link = machine->memory_link.byte_seconds > 0,
                                     .memory_link = machine->memory_link,
                                     .has_gpu_link = machine->has_gpu_link,
                                     .gpu_link = machine->gpu_link,
                                     .submit_seconds = machine->submit_seconds,
                                     .description = "Measured by Weir on this machine"};
    for (int k = 0; k < machine->kind_count; k++) {
        groups[k].kind = machine->kinds[k];
        groups[k].rates_count = 1;
        groups[k].rates[0] =
            (struct weir_machine_rates){p->lattice,
                                        p->collision,
                                        p->precision,
                                        p->scalar.present,
                                        {key->block_cells[0], key->block_cells[1], key->block_cells[2]},
                                        machine->kinds[k].rates,
                                        machine->kinds[k].cached_cells,
                                        machine->kinds[k].cached_fluid_cell_seconds};
    }
    identify(key, &file.measured_on);
    char name[NAME_SIZE];
    name_of(key, name);
    snprintf(file.name, sizeof file.name, "%.100s", name);
    WEIR_TRY(locate(key, &folder, &path));
    int error = weir_output_folder_create(folder);
    if (error == 0)
        error = weir_machine_file_write(path, &file);
    free(folder);
    if (error == 0 && result)
        *result = path;
    else
        free(path);
    return error;
}

int weir_machine_store_measure(struct weir_runtime *runtime, const struct weir_problem *problem,
                               const int block_cells[3], bool quiet, struct weir_machine *machine,
                               struct weir_tune_quality *quality) {
    struct weir_machine second;
    struct weir_tune_quality of_second;
    char text[WEIR_TRUST_TEXT];
    WEIR_TRY(weir_tune(runtime, problem, block_cells, machine, quality));
    if (!weir_tune_is_disturbed(quality))
        return 0;
    weir_tune_quality_text(quality, text);
    if (!quiet)
        fprintf(stderr, "something else uses this machine (%s): measuring once more\n", text);
    WEIR_TRY(weir_tune(runtime, problem, block_cells, &second, &of_second));
    if (weir_tune_is_calmer(&of_second, quality)) {
        *machine = second;
        *quality = of_second;
    }
    return 0;
}

/* Why to measure, in words; NULL: there is no reason to. */
static const char *why_measure(bool found, const struct weir_machine_trust *trust, bool wanted) {
    if (found && weir_machine_trust_is_lost(trust))
        return "runs were far off what the measurement of this machine predicts: measuring again";
    if (found && wanted && weir_tune_is_disturbed(&trust->quality))
        return "this machine was measured while something else used it: measuring again";
    return !found && wanted ? "measuring how fast each part of this machine is, once" : NULL;
}

int weir_machine_store_get(struct weir_runtime *runtime, const struct weir_problem *problem,
                           const int block_cells[3], bool worth, bool quiet, struct weir_machine *machine,
                           bool *found) {
    const struct weir_machine_key key = {problem, block_cells, weir_runtime_step_workers(runtime)};
    const enum weir_policy policy = weir_runtime_policy(runtime);
    struct weir_machine_trust trust = {.quality = {NAN, NAN}};
    struct weir_machine measured;
    struct weir_tune_quality quality;
    char note[WEIR_MACHINE_NOTE];
    WEIR_TRY(weir_machine_store_read(&key, machine, &trust, found, note));
    if (note[0] && !quiet)
        fprintf(stderr, "%s\n", note);
    /* Worker groups that are alike get equal shares whatever their speed. */
    const bool needed = policy != WEIR_POLICY_STARPU && key.workers.gpus > 0 && key.workers.cpus > 0;
    const char *why = why_measure(*found, &trust, needed && worth);
    if (!why)
        return 0;
    if (!quiet)
        fprintf(stderr, "%s\n", why);
    WEIR_TRY(weir_machine_store_measure(runtime, problem, block_cells, quiet, &measured, &quality));
    const double ratio = *found ? weir_machine_speed(&measured) / weir_machine_speed(machine) : 1;
    if (weir_machine_trust_renew(&trust, &quality, ratio))
        *machine = measured;
    *found = true;
    if (weir_machine_store_write(&key, machine, &trust, NULL) < 0 && !quiet)
        fprintf(stderr, "%s; the measurement is good for this run only\n", weir_error_text());
    return 0;
}
