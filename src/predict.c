#include "src/predict.h"

#include "graph/base/error.h"
#include "graph/problem/solid_blocks.h"
#include "graph/simulation.h"
#include "src/case/case_options.h"
#include "src/common/output_files.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_SIZE = 104 };

static const char *const kind_words[] = {"GPU", "team", "core"};
static const char *const bound_names[] = {"compute", "memory_link", "gpu_link", "submission", "round_trip"};

void weir_predict_bound(const struct weir_machine *machine, const struct weir_prediction *p,
                        char text[WEIR_BOUND_TEXT]) {
    const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, p->bound_group)];
    switch (p->bound) {
    case WEIR_BOUND_COMPUTE:
        snprintf(text, WEIR_BOUND_TEXT, "computing on %s %s", kind->count > 1 ? "a" : "the",
                 kind_words[kind->kind]);
        break;
    case WEIR_BOUND_MEMORY_LINK:
        snprintf(text, WEIR_BOUND_TEXT, "messages between main memory and %s GPU",
                 kind->count > 1 ? "a" : "the");
        break;
    case WEIR_BOUND_GPU_LINK:
        snprintf(text, WEIR_BOUND_TEXT, "messages between GPUs");
        break;
    case WEIR_BOUND_SUBMISSION:
        snprintf(text, WEIR_BOUND_TEXT, "submitting tasks");
        break;
    case WEIR_BOUND_ROUND_TRIP:
        snprintf(text, WEIR_BOUND_TEXT, "neighbouring blocks that wait for each other");
        break;
    }
}

void weir_predict_kind(const struct weir_machine_kind *kind, char text[WEIR_KIND_TEXT]) {
    if (kind->kind == WEIR_WORKER_GROUP_TEAM)
        snprintf(text, WEIR_KIND_TEXT, "%d team%s of %d cores", kind->count, kind->count > 1 ? "s" : "",
                 kind->cores);
    else
        snprintf(text, WEIR_KIND_TEXT, "%d %s%s", kind->count, kind_words[kind->kind],
                 kind->count > 1 ? "s" : "");
}

static void print_kind(const struct weir_machine *machine, const struct weir_prediction *p, int kind,
                       int first) {
    const struct weir_machine_kind *k = &machine->kinds[kind];
    int least = p->group[first].blocks, most = least;
    double cells = 0, all = 0, busy = 0;
    for (int group = 0; group < p->group_count; group++)
        all += p->group[group].fluid_cells;
    for (int group = first; group < first + k->count; group++) {
        const struct weir_worker_group_load *load = &p->group[group];
        least = load->blocks < least ? load->blocks : least;
        most = load->blocks > most ? load->blocks : most;
        cells += load->fluid_cells;
        busy += load->seconds / k->count;
    }
    char blocks[32], words[WEIR_KIND_TEXT];
    if (least == most)
        snprintf(blocks, sizeof blocks, "%d", most);
    else
        snprintf(blocks, sizeof blocks, "%d to %d", least, most);
    weir_predict_kind(k, words);
    printf("  %-20s  %12s  %12.4g %%  %6.0f %%\n", words, blocks, all > 0 ? 100 * cells / all : 0,
           p->step_seconds > 0 ? 100 * busy / p->step_seconds : 0);
}

void weir_predict_print(const struct weir_machine *machine, const struct weir_prediction *p) {
    char bound[WEIR_BOUND_TEXT];
    weir_predict_bound(machine, p, bound);
    printf("  parts                  blocks each  of fluid cells     busy\n");
    for (int kind = 0, first = 0; kind < machine->kind_count; first += machine->kinds[kind++].count)
        if (machine->kinds[kind].count > 0)
            print_kind(machine, p, kind, first);
    printf("  step          %.4g ms, bound by %s\n", 1e3 * p->step_seconds, bound);
    printf("    computing   %.4g ms\n", 1e3 * p->compute_seconds);
    if (p->memory_link_seconds > 0)
        printf("    messages    %.4g ms between main memory and GPU\n", 1e3 * p->memory_link_seconds);
    if (p->gpu_link_seconds > 0)
        printf("    messages    %.4g ms between GPUs\n", 1e3 * p->gpu_link_seconds);
    printf("    submission  %.4g ms\n", 1e3 * p->submit_seconds);
    if (p->unhidden_seconds > 0)
        printf("    not hidden  %.4g ms of messages there and back\n", 1e3 * p->unhidden_seconds);
    printf("  speed         %.5g MLUPS\n", 1e-6 * p->updates_per_second);
}

void weir_predict_print_trust(const struct weir_case *c, const struct weir_machine_trust *trust) {
    char text[WEIR_TRUST_TEXT];
    weir_machine_trust_text(trust, text);
    if (text[0])
        printf("  warning: of the measurement that this rests on, %s; weir calibrate %s measures again\n",
               text, c->file);
}

int weir_predict_case(const struct weir_case *c, const struct weir_machine *machine,
                      const struct weir_block_grid *grid, int **group_of, struct weir_split *split) {
    struct weir_decomposition *decomposition = NULL;
    WEIR_TRY(weir_decomposition_create(&c->problem, grid, NULL, NULL, &decomposition));
    int *groups = malloc(sizeof *groups * (size_t)grid->total);
    int error = groups ? weir_best_split(machine, decomposition, groups, split)
                       : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                                   grid->total);
    weir_decomposition_destroy(decomposition);
    if (error == 0 && group_of)
        *group_of = groups;
    else
        free(groups);
    return error;
}

static json_t *group_list(const struct weir_machine *machine, const struct weir_prediction *p) {
    json_t *list = json_array();
    for (int group = 0; group < p->group_count; group++) {
        const struct weir_worker_group_load *load = &p->group[group];
        const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, group)];
        json_array_append_new(list, json_pack("{s:s, s:i, s:f, s:f, s:f}", "kind",
                                              weir_machine_kind_names[kind->kind], "blocks", load->blocks,
                                              "fluid_cells", load->fluid_cells, "solid_cells",
                                              load->solid_cells, "seconds", load->seconds));
    }
    return list;
}

static int write_json(const char *path, const struct weir_case *c, const char *name,
                      const struct weir_machine *machine, const struct weir_block_grid *grid,
                      const struct weir_prediction *p) {
    json_t *root = json_pack(
        "{s:s, s:s, s:i, s:i, s:[i,i,i], s:f, s:f, s:s, s:{s:f, s:f, s:f, s:f, s:f}, s:o}", "case", c->name,
        "machine", name, "blocks", grid->total, "solid_blocks",
        grid->total - weir_block_grid_fluid_blocks(grid), "block_cells", grid->block_cells[0],
        grid->block_cells[1], grid->block_cells[2], "step_seconds", p->step_seconds, "mlups",
        1e-6 * p->updates_per_second, "bound", bound_names[p->bound], "terms", "compute", p->compute_seconds,
        "memory_link", p->memory_link_seconds, "gpu_link", p->gpu_link_seconds, "submission",
        p->submit_seconds, "not_hidden", p->unhidden_seconds, "parts", group_list(machine, p));
    struct weir_output_file *file = NULL;
    int error = weir_output_file_create_anywhere(path, &file);
    if (error == 0) {
        json_dumpf(root, weir_output_file_stream(file), JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        fputc('\n', weir_output_file_stream(file));
        error = weir_output_file_finish(file);
    }
    json_decref(root);
    return error;
}

/* Workers of a described machine, for the choice of a block size. */
static struct weir_step_workers workers_of(const struct weir_machine_file *file) {
    struct weir_step_workers workers = {0};
    for (int k = 0; k < file->group_count; k++) {
        const struct weir_machine_kind *kind = &file->groups[k].kind;
        if (kind->kind == WEIR_WORKER_GROUP_GPU)
            workers.gpus += kind->count;
        else
            workers.cpus += kind->count * (kind->cores > 0 ? kind->cores : 1);
        if (kind->kind == WEIR_WORKER_GROUP_TEAM)
            workers.teams += kind->count;
    }
    return workers;
}

/* The machine, its name and the cut of the case there, for a machine file. */
static int describe_file(const struct weir_case *c, const char *path, struct weir_machine *machine,
                         struct weir_block_grid *grid, char name[NAME_SIZE]) {
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    struct weir_machine_file *file = NULL;
    WEIR_TRY(weir_machine_file_read(path, &file));
    const struct weir_step_workers workers = workers_of(file);
    int block_cells[3];
    weir_simulation_block_cells(&c->problem, &options, &workers, block_cells);
    int error = weir_block_grid_create(&c->problem, block_cells, grid);
    if (error == 0)
        error = weir_machine_file_select(file, path, &c->problem, grid->block_cells, machine);
    snprintf(name, NAME_SIZE, "%s", file->name);
    weir_machine_file_destroy(file);
    return error;
}

int weir_predict_knows(const struct weir_case *c, const struct weir_step_workers *workers) {
    if (workers->slab_memory <= 0)
        return 0;
    return weir_fail(
        WEIR_USAGE,
        "%s: the domain has no room where it is computed and is taken slab by slab, whose speed is "
        "not predicted; weir check %s says what to expect",
        c->file, c->file);
}

int weir_predict_measured(const struct weir_case *c, const struct weir_step_workers *workers,
                          struct weir_machine *machine, struct weir_machine_trust *trust,
                          struct weir_block_grid *grid, bool *found, char note[WEIR_MACHINE_NOTE]) {
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    int block_cells[3];
    weir_simulation_block_cells(&c->problem, &options, workers, block_cells);
    WEIR_TRY(weir_block_grid_create(&c->problem, block_cells, grid));
    const struct weir_machine_key key = {&c->problem, grid->block_cells, *workers};
    return weir_machine_store_read(&key, machine, trust, found, note);
}

/* The same for this machine, as it was measured. */
static int describe_here(const struct weir_case *c, struct weir_machine *machine,
                         struct weir_machine_trust *trust, struct weir_block_grid *grid,
                         char name[NAME_SIZE]) {
    struct weir_runtime_options runtime_options;
    struct weir_step_workers workers;
    char note[WEIR_MACHINE_NOTE];
    bool found;
    WEIR_TRY(weir_case_runtime_options(c, &runtime_options));
    WEIR_TRY(weir_runtime_expect(&runtime_options, &workers));
    WEIR_TRY(weir_predict_knows(c, &workers));
    WEIR_TRY(weir_predict_measured(c, &workers, machine, trust, grid, &found, note));
    snprintf(name, NAME_SIZE, "this machine");
    if (found)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "predict: %s%sthis case's blocks have not been measured here; run weir calibrate %s, or "
                     "describe a machine with --machine FILE, such as configs/machines/h100-15-cores.json",
                     note, note[0] ? "; " : "", c->file);
}

void weir_predict_print_blocks(const struct weir_block_grid *grid) {
    const int solid = grid->total - weir_block_grid_fluid_blocks(grid);
    printf("  blocks        %d of %d x %d x %d", grid->total, grid->block_cells[0], grid->block_cells[1],
           grid->block_cells[2]);
    if (solid > 0)
        printf(", %d of them without fluid", solid);
    printf("\n");
}

/* What is said of a case on a machine. */
static int predict(const struct weir_case *c, const struct weir_predict_options *options, const char *name,
                   const struct weir_machine *machine, const struct weir_machine_trust *trust,
                   const struct weir_block_grid *grid) {
    struct weir_split split;
    WEIR_TRY(weir_predict_case(c, machine, grid, NULL, &split));
    printf("%s: %s on %s\n", c->file, c->name, name);
    weir_predict_print_blocks(grid);
    weir_predict_print(machine, &split.prediction);
    weir_predict_print_trust(c, trust);
    return options->json ? write_json(options->json, c, name, machine, grid, &split.prediction) : 0;
}

int weir_predict(const struct weir_case *c, const struct weir_predict_options *options) {
    struct weir_machine machine;
    struct weir_machine_trust trust = {.quality = {NAN, NAN}};
    struct weir_block_grid grid;
    char name[NAME_SIZE];
    bool *solid;
    if (options->machine)
        WEIR_TRY(describe_file(c, options->machine, &machine, &grid, name));
    else
        WEIR_TRY(describe_here(c, &machine, &trust, &grid, name));
    WEIR_TRY(weir_solid_blocks_find(&c->problem, &grid, &solid));
    const int error = predict(c, options, name, &machine, &trust, &grid);
    free(solid);
    return error;
}
