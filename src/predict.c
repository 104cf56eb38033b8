#include "src/predict.h"

#include "graph/error.h"
#include "graph/simulation.h"
#include "src/output_files.h"
#include "src/workers.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kind_words[] = {"GPU", "team", "core"};
static const char *const bound_names[] = {"compute", "memory_link", "gpu_link", "submission", "round_trip"};

void weir_predict_bound(const struct weir_machine *machine, const struct weir_prediction *p,
                        char text[WEIR_BOUND_TEXT]) {
    const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, p->bound_part)];
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

static void print_kind(const struct weir_machine *machine, const struct weir_prediction *p, int kind,
                       int first) {
    const struct weir_machine_kind *k = &machine->kinds[kind];
    int least = p->part[first].blocks, most = least;
    double cells = 0, all = 0, busy = 0;
    for (int part = 0; part < p->part_count; part++)
        all += p->part[part].fluid_cells;
    for (int part = first; part < first + k->count; part++) {
        const struct weir_part_load *load = &p->part[part];
        least = load->blocks < least ? load->blocks : least;
        most = load->blocks > most ? load->blocks : most;
        cells += load->fluid_cells;
        busy += load->seconds / k->count;
    }
    char blocks[32], words[48];
    if (least == most)
        snprintf(blocks, sizeof blocks, "%d", most);
    else
        snprintf(blocks, sizeof blocks, "%d to %d", least, most);
    if (k->kind == WEIR_PART_TEAM)
        snprintf(words, sizeof words, "%d team%s of %d cores", k->count, k->count > 1 ? "s" : "", k->cores);
    else
        snprintf(words, sizeof words, "%d %s%s", k->count, kind_words[k->kind], k->count > 1 ? "s" : "");
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

int weir_predict_case(const struct weir_case *c, const struct weir_machine *machine,
                      const struct weir_block_grid *grid, int **part_of, struct weir_split *split) {
    struct weir_cut *cut = NULL;
    WEIR_TRY(weir_cut_create(&c->problem, grid, NULL, &cut));
    int *parts = malloc(sizeof *parts * (size_t)grid->total);
    int error = parts ? weir_best_split(machine, cut, parts, split)
                      : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                                  grid->total);
    weir_cut_destroy(cut);
    if (error == 0 && part_of)
        *part_of = parts;
    else
        free(parts);
    return error;
}

static json_t *part_list(const struct weir_machine *machine, const struct weir_prediction *p) {
    json_t *list = json_array();
    for (int part = 0; part < p->part_count; part++) {
        const struct weir_part_load *load = &p->part[part];
        const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, part)];
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
        "{s:s, s:s, s:i, s:[i,i,i], s:f, s:f, s:s, s:{s:f, s:f, s:f, s:f, s:f}, s:o}", "case", c->name,
        "machine", name, "blocks", grid->total, "block_cells", grid->block_cells[0], grid->block_cells[1],
        grid->block_cells[2], "step_seconds", p->step_seconds, "mlups", 1e-6 * p->updates_per_second, "bound",
        bound_names[p->bound], "terms", "compute", p->compute_seconds, "memory_link", p->memory_link_seconds,
        "gpu_link", p->gpu_link_seconds, "submission", p->submit_seconds, "not_hidden", p->unhidden_seconds,
        "parts", part_list(machine, p));
    struct weir_output_file *file = NULL;
    int error = weir_output_file_create(path, &file);
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
    struct weir_step_workers workers = {0, 0};
    for (int k = 0; k < file->part_count; k++) {
        const struct weir_machine_kind *kind = &file->parts[k].kind;
        if (kind->kind == WEIR_PART_GPU)
            workers.gpus += kind->count;
        else
            workers.cpus += kind->count * (kind->cores > 0 ? kind->cores : 1);
    }
    return workers;
}

static int predict(const struct weir_case *c, const struct weir_predict_options *options,
                   const struct weir_machine_file *file) {
    const struct weir_simulation_options simulation = weir_simulation_options_of_case(c);
    const struct weir_step_workers workers = workers_of(file);
    struct weir_machine machine;
    struct weir_block_grid grid;
    struct weir_split split;
    int block_cells[3];
    weir_simulation_block_cells(&c->problem, &simulation, &workers, block_cells);
    WEIR_TRY(weir_block_grid_create(&c->problem, block_cells, &grid));
    WEIR_TRY(weir_machine_file_select(file, options->machine, &c->problem, grid.block_cells, &machine));
    WEIR_TRY(weir_predict_case(c, &machine, &grid, NULL, &split));
    printf("%s: %s on %s\n", c->file, c->name, file->name);
    printf("  blocks        %d of %d x %d x %d\n", grid.total, grid.block_cells[0], grid.block_cells[1],
           grid.block_cells[2]);
    weir_predict_print(&machine, &split.prediction);
    if (options->json)
        WEIR_TRY(write_json(options->json, c, file->name, &machine, &grid, &split.prediction));
    return 0;
}

int weir_predict(const struct weir_case *c, const struct weir_predict_options *options) {
    struct weir_machine_file *file = NULL;
    if (!options->machine)
        return weir_fail(WEIR_USAGE, "predict: which machine? Give --machine FILE, such as "
                                     "configs/machines/h100-15-cores.json");
    WEIR_TRY(weir_machine_file_read(options->machine, &file));
    const int error = predict(c, options, file);
    weir_machine_file_destroy(file);
    return error;
}
