#include "src/machine/machine_file.h"

#include "graph/base/error.h"
#include "src/common/json_reader.h"
#include "src/common/output_files.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct weir_json_keys known_keys[] = {
    {"", KEYS("$schema", "name", "description", "source", "measured_on", "quality", "agreement", "parts",
              "links", "submission")},
    {"measured_on", KEYS("host", "cores", "instruction_set", "kernel_version", "gpus")},
    {"quality", KEYS("spread", "lost")},
    {"agreement", KEYS("runs_off", "ratio", "confirmed")},
    {"parts[]", KEYS("kind", "count", "cores", "tasks_at_once", "rates")},
    {"parts[].rates[]",
     KEYS("lattice", "collision", "precision", "scalar", "block_cells", "fluid_cell_seconds",
          "wall_cell_seconds", "solid_cell_seconds", "task_seconds", "cached", "lists")},
    {"parts[].rates[].cached", KEYS("cells", "fluid_cell_seconds")},
    {"parts[].rates[].lists", KEYS("fluid_cell_seconds", "wall_cell_seconds", "solid_cell_seconds")},
    {"links", KEYS("memory_gpu", "gpu_gpu")},
    {"links.memory_gpu", KEYS("message_seconds", "bytes_per_second")},
    {"links.gpu_gpu", KEYS("message_seconds", "bytes_per_second")},
    {"submission", KEYS("task_seconds")},
    {NULL, NULL},
};

/* A time that is needed: at least 0, and not a year. */
static int read_seconds(const struct weir_json *object, const char *key, const char *wanted,
                        double *seconds) {
    const struct weir_json json = weir_json_member(object, key);
    if (!weir_json_present(&json))
        return weir_json_fail_missing(&json, wanted);
    WEIR_TRY(weir_json_number(&json, wanted, seconds));
    if (*seconds < 0 || *seconds > 1e6)
        return weir_json_fail_type(&json, "a time in seconds", wanted);
    return 0;
}

static int read_count(const struct weir_json *object, const char *key, const char *wanted, int least,
                      int most, int *count) {
    const struct weir_json json = weir_json_member(object, key);
    int64_t number = *count;
    if (weir_json_present(&json))
        WEIR_TRY(weir_json_integer(&json, wanted, least, most, &number));
    *count = (int)number;
    return 0;
}

static int read_choice(const struct weir_json *object, const char *key, const char *what,
                       const char *const *names, int *choice) {
    const struct weir_json json = weir_json_member(object, key);
    if (!weir_json_present(&json))
        return weir_json_fail_missing(&json, what);
    return weir_json_choice(&json, what, names, choice);
}

/* A text of at most size - 1 bytes. */
static int read_text(const struct weir_json *json, const char *wanted, char *text, size_t size) {
    const char *value;
    WEIR_TRY(weir_json_string(json, wanted, &value));
    if (strlen(value) >= size)
        return weir_json_fail(json, "is longer than %zu bytes; give %s", size - 1, wanted);
    strcpy(text, value);
    return 0;
}

/* Seconds per fluid cell, which may not be 0, what one beside a solid takes more, and per solid one, which
 * may be missing. */
static int read_cell_seconds(const struct weir_json *json, struct weir_cell_seconds *seconds) {
    const struct weir_json fluid = weir_json_member(json, "fluid_cell_seconds"),
                           wall = weir_json_member(json, "wall_cell_seconds"),
                           solid = weir_json_member(json, "solid_cell_seconds");
    WEIR_TRY(read_seconds(json, "fluid_cell_seconds", "seconds per update of a fluid cell, such as 5.6e-11",
                          &seconds->fluid));
    if (seconds->fluid == 0)
        return weir_json_fail(&fluid,
                              "0 is no time; give seconds per update of a fluid cell, such as 5.6e-11");
    seconds->solid = seconds->fluid;
    if (weir_json_present(&wall))
        WEIR_TRY(read_seconds(json, "wall_cell_seconds",
                              "what an update of a cell beside a solid takes more, such as 2e-10",
                              &seconds->wall));
    return weir_json_present(&solid) ? read_seconds(json, "solid_cell_seconds",
                                                    "seconds per solid cell, such as 1e-11", &seconds->solid)
                                     : 0;
}

static int read_cached(const struct weir_json *json, struct weir_machine_rates *rates) {
    const struct weir_json cells = weir_json_member(json, "cells");
    const char *wanted = "the number of cells of a part that stay in its cache";
    WEIR_TRY(weir_json_object(json, "an object with cells and fluid_cell_seconds"));
    if (!weir_json_present(&cells))
        return weir_json_fail_missing(&cells, wanted);
    WEIR_TRY(weir_json_number(&cells, wanted, &rates->cached_cells));
    if (rates->cached_cells < 0)
        return weir_json_fail_type(&cells, "a number of cells", wanted);
    return read_seconds(json, "fluid_cell_seconds",
                        "seconds per update of a fluid cell in the cache, such as 5e-10",
                        &rates->cached_fluid_cell_seconds);
}

static int read_rates(const struct weir_json *json, struct weir_machine_rates *rates) {
    const char *wanted = "cells of a block along x, y and z, such as [128, 128, 128]";
    int choice = 0, count;
    WEIR_TRY(weir_json_object(json, "an object with lattice, collision, precision, block_cells and seconds"));
    WEIR_TRY(read_choice(json, "lattice", "a lattice", weir_lattice_names, &choice));
    rates->lattice = (enum weir_lattice)choice;
    WEIR_TRY(read_choice(json, "collision", "a collision", weir_collision_names, &choice));
    rates->collision = (enum weir_collision)choice;
    WEIR_TRY(read_choice(json, "precision", "a precision", weir_precision_names, &choice));
    rates->precision = (enum weir_precision)choice;
    const struct weir_json scalar = weir_json_member(json, "scalar");
    if (weir_json_present(&scalar))
        WEIR_TRY(weir_json_boolean(&scalar, "true where these are with a scalar", &rates->scalar));
    const struct weir_json cells = weir_json_member(json, "block_cells");
    if (!weir_json_present(&cells))
        return weir_json_fail_missing(&cells, wanted);
    WEIR_TRY(weir_json_array(&cells, wanted, 3, 3, &count));
    for (int axis = 0; axis < 3; axis++) {
        const struct weir_json item = weir_json_item(&cells, axis);
        int64_t number;
        WEIR_TRY(weir_json_integer(&item, wanted, 1, INT_MAX, &number));
        rates->block_cells[axis] = (int)number;
    }
    struct weir_cell_seconds bricks = {0};
    WEIR_TRY(read_cell_seconds(json, &bricks));
    rates->rates.fluid_cell_seconds = bricks.fluid;
    rates->rates.wall_cell_seconds = bricks.wall;
    rates->rates.solid_cell_seconds = bricks.solid;
    const struct weir_json cached = weir_json_member(json, "cached"), lists = weir_json_member(json, "lists");
    if (weir_json_present(&cached))
        WEIR_TRY(read_cached(&cached, rates));
    if (weir_json_present(&lists)) {
        WEIR_TRY(weir_json_object(&lists, "an object with fluid_cell_seconds and solid_cell_seconds"));
        WEIR_TRY(read_cell_seconds(&lists, &rates->rates.lists));
    }
    return read_seconds(json, "task_seconds", "seconds that a task costs beyond its cells, such as 2e-5",
                        &rates->rates.task_seconds);
}

static int read_group(const struct weir_json *json, struct weir_machine_file_group *group) {
    int kind = 0;
    WEIR_TRY(weir_json_object(json, "an object with kind, count and rates"));
    WEIR_TRY(read_choice(json, "kind", "a kind of part", weir_machine_kind_names, &kind));
    group->kind =
        (struct weir_machine_kind){.kind = (enum weir_worker_group_kind)kind, .count = 1, .tasks_at_once = 1};
    group->kind.cores = kind == WEIR_WORKER_GROUP_GPU ? 0 : 1;
    WEIR_TRY(read_count(json, "count", "how many there are, at most 256", 0, WEIR_WORKER_GROUPS_MAX,
                        &group->kind.count));
    WEIR_TRY(read_count(json, "cores", "the cores of each", 0, 65536, &group->kind.cores));
    WEIR_TRY(read_count(json, "tasks_at_once",
                        "how many tasks each works on at once, such as 4 for a GPU's streams", 1, 64,
                        &group->kind.tasks_at_once));
    const struct weir_json rates = weir_json_member(json, "rates");
    const char *wanted = "a list of 1 to 64 entries, one per kernel variant and block size";
    if (!weir_json_present(&rates))
        return weir_json_fail_missing(&rates, wanted);
    WEIR_TRY(weir_json_array(&rates, wanted, 1, WEIR_MACHINE_RATES_MAX, &group->rates_count));
    for (int k = 0; k < group->rates_count; k++) {
        const struct weir_json item = weir_json_item(&rates, k);
        WEIR_TRY(read_rates(&item, &group->rates[k]));
    }
    return 0;
}

static int read_groups(const struct weir_json *root, struct weir_machine_file *machine) {
    const char *wanted = "a list of 1 to 8 kinds of parts";
    const struct weir_json groups = weir_json_member(root, "parts");
    int count, sum = 0;
    if (!weir_json_present(&groups))
        return weir_json_fail_missing(&groups, wanted);
    WEIR_TRY(weir_json_array(&groups, wanted, 1, WEIR_MACHINE_KINDS_MAX, &count));
    machine->groups = calloc((size_t)count, sizeof *machine->groups);
    if (!machine->groups)
        return weir_fail(WEIR_FAILED, "no memory left for the machine");
    machine->group_count = count;
    for (int k = 0; k < count; k++) {
        const struct weir_json item = weir_json_item(&groups, k);
        WEIR_TRY(read_group(&item, &machine->groups[k]));
        sum += machine->groups[k].kind.count;
    }
    if (sum < 1 || sum > WEIR_WORKER_GROUPS_MAX)
        return weir_json_fail(&groups, "describes %d parts; give counts whose sum is 1 to %d", sum,
                              WEIR_WORKER_GROUPS_MAX);
    return 0;
}

static int read_link(const struct weir_json *links, const char *key, bool *has, struct weir_link *link) {
    const struct weir_json json = weir_json_member(links, key);
    *has = weir_json_present(&json);
    if (!*has)
        return 0;
    double rate;
    WEIR_TRY(weir_json_object(&json, "an object with message_seconds and bytes_per_second"));
    WEIR_TRY(
        read_seconds(&json, "message_seconds", "seconds per message, such as 1e-5", &link->message_seconds));
    const struct weir_json bytes = weir_json_member(&json, "bytes_per_second");
    const char *wanted = "bytes per second in one direction, such as 5e10";
    if (!weir_json_present(&bytes))
        return weir_json_fail_missing(&bytes, wanted);
    WEIR_TRY(weir_json_number(&bytes, wanted, &rate));
    if (!(rate > 0))
        return weir_json_fail_type(&bytes, "a bandwidth", wanted);
    link->byte_seconds = 1 / rate;
    return 0;
}

static int read_links(const struct weir_json *root, struct weir_machine_file *machine) {
    const struct weir_json links = weir_json_member(root, "links");
    int gpus = 0, others = 0;
    for (int k = 0; k < machine->group_count; k++)
        *(machine->groups[k].kind.kind == WEIR_WORKER_GROUP_GPU ? &gpus : &others) +=
            machine->groups[k].kind.count;
    if (weir_json_present(&links)) {
        WEIR_TRY(weir_json_object(&links, "an object with memory_gpu and gpu_gpu"));
        WEIR_TRY(read_link(&links, "memory_gpu", &machine->has_memory_link, &machine->memory_link));
        WEIR_TRY(read_link(&links, "gpu_gpu", &machine->has_gpu_link, &machine->gpu_link));
    }
    const struct weir_json memory = weir_json_member(&links, "memory_gpu");
    if (!machine->has_memory_link && gpus > 0 && (others > 0 || (gpus > 1 && !machine->has_gpu_link)))
        return weir_json_fail_missing(&memory,
                                      "message_seconds and bytes_per_second of the link between main "
                                      "memory and a GPU: messages cross it");
    return 0;
}

static int read_measured_on(const struct weir_json *root, struct weir_machine_file *machine) {
    struct weir_measured_on *on = &machine->measured_on;
    const struct weir_json json = weir_json_member(root, "measured_on");
    machine->has_measured_on = weir_json_present(&json);
    if (!machine->has_measured_on)
        return 0;
    WEIR_TRY(weir_json_object(&json, "an object; weir calibrate writes it"));
    const struct weir_json host = weir_json_member(&json, "host"),
                           set = weir_json_member(&json, "instruction_set"),
                           gpus = weir_json_member(&json, "gpus");
    if (weir_json_present(&host))
        WEIR_TRY(read_text(&host, "the machine's name", on->host, sizeof on->host));
    if (weir_json_present(&set))
        WEIR_TRY(read_text(&set, "the instruction set of the kernels", on->instruction_set,
                           sizeof on->instruction_set));
    WEIR_TRY(read_count(&json, "cores", "a number of cores", 0, INT_MAX, &on->cores));
    WEIR_TRY(
        read_count(&json, "kernel_version", "the version of the kernels", 0, INT_MAX, &on->kernel_version));
    if (weir_json_present(&gpus)) {
        WEIR_TRY(weir_json_array(&gpus, "a list of the names of at most 32 GPUs", 0, WEIR_MACHINE_GPUS_MAX,
                                 &on->gpu_count));
        for (int k = 0; k < on->gpu_count; k++) {
            const struct weir_json item = weir_json_item(&gpus, k);
            WEIR_TRY(read_text(&item, "the name of a GPU", on->gpus[k], sizeof on->gpus[k]));
        }
    }
    return 0;
}

/* A part of something, NaN where it is not told. */
static int read_part_of(const struct weir_json *object, const char *key, double most, const char *wanted,
                        double *fraction) {
    const struct weir_json json = weir_json_member(object, key);
    *fraction = NAN;
    if (!weir_json_present(&json))
        return 0;
    WEIR_TRY(weir_json_number(&json, wanted, fraction));
    return *fraction >= 0 && *fraction <= most ? 0 : weir_json_fail_type(&json, "a fraction", wanted);
}

/* Both are written by weir calibrate and weir run. */
static int read_trust(const struct weir_json *root, struct weir_machine_trust *trust) {
    enum { RUNS_OFF_MOST = 1000000 };
    const double spread_most = 1e6, ratio_most = 1e9;
    const struct weir_json quality = weir_json_member(root, "quality"),
                           agreement = weir_json_member(root, "agreement");
    *trust = (struct weir_machine_trust){.quality = {NAN, NAN}};
    if (weir_json_present(&quality)) {
        WEIR_TRY(weir_json_object(&quality, "an object with spread and lost"));
        WEIR_TRY(read_part_of(&quality, "spread", spread_most, "the spread of repetitions, such as 0.03",
                              &trust->quality.spread));
        WEIR_TRY(read_part_of(&quality, "lost", 1,
                              "the part of the cores' time that others took, such as 0.02",
                              &trust->quality.lost));
    }
    if (!weir_json_present(&agreement))
        return 0;
    WEIR_TRY(weir_json_object(&agreement, "an object with runs_off, ratio and confirmed"));
    WEIR_TRY(read_count(&agreement, "runs_off", "how many runs in a row were far off", 0, RUNS_OFF_MOST,
                        &trust->runs_off));
    const struct weir_json ratio = weir_json_member(&agreement, "ratio"),
                           confirmed = weir_json_member(&agreement, "confirmed");
    if (weir_json_present(&ratio)) {
        const char *wanted = "measured by predicted speed, such as 1.3";
        WEIR_TRY(weir_json_number(&ratio, wanted, &trust->ratio));
        if (!(trust->ratio >= 0 && trust->ratio <= ratio_most))
            return weir_json_fail_type(&ratio, "a ratio of speeds", wanted);
    }
    return weir_json_present(&confirmed)
               ? weir_json_boolean(&confirmed, "true or false: measured again and found the same",
                                   &trust->confirmed)
               : 0;
}

static int copy_text(const struct weir_json *root, const char *key, char **text) {
    const struct weir_json json = weir_json_member(root, key);
    const char *value;
    if (!weir_json_present(&json))
        return 0;
    WEIR_TRY(weir_json_string(&json, "a sentence in quotes", &value));
    *text = strdup(value);
    return *text ? 0 : weir_fail(WEIR_FAILED, "no memory left for the machine");
}

static int read_tree(const struct weir_json *root, struct weir_machine_file *machine) {
    const struct weir_json name = weir_json_member(root, "name"),
                           submission = weir_json_member(root, "submission"),
                           schema = weir_json_member(root, "$schema");
    const char *text;
    WEIR_TRY(weir_json_object(root, "an object"));
    if (weir_json_present(&schema)) /* for editors only */
        WEIR_TRY(weir_json_string(&schema, "the path of configs/machines/schema.json in quotes", &text));
    if (!weir_json_present(&name))
        return weir_json_fail_missing(&name, "the machine's name, such as \"h100-15-cores\"");
    WEIR_TRY(weir_json_name(&name, sizeof machine->name - 1, &text));
    strcpy(machine->name, text);
    WEIR_TRY(copy_text(root, "description", &machine->description));
    WEIR_TRY(copy_text(root, "source", &machine->source));
    WEIR_TRY(read_measured_on(root, machine));
    WEIR_TRY(read_trust(root, &machine->trust));
    WEIR_TRY(read_groups(root, machine));
    WEIR_TRY(read_links(root, machine));
    if (!weir_json_present(&submission))
        return weir_json_fail_missing(&submission, "an object such as {\"task_seconds\": 1.4e-5}");
    WEIR_TRY(weir_json_object(&submission, "an object such as {\"task_seconds\": 1.4e-5}"));
    return read_seconds(&submission, "task_seconds", "seconds to submit a task, such as 1.4e-5",
                        &machine->submit_seconds);
}

int weir_machine_file_read(const char *path, struct weir_machine_file **result) {
    const struct weir_json_source source = {.file = path, .known = known_keys};
    json_t *root = NULL;
    WEIR_TRY(weir_json_load(path, "machine", &root));
    struct weir_machine_file *machine = calloc(1, sizeof *machine);
    const struct weir_json json = weir_json_root(&source, root);
    const int error =
        machine ? read_tree(&json, machine) : weir_fail(WEIR_FAILED, "no memory left for the machine");
    json_decref(root);
    if (error < 0) {
        weir_machine_file_destroy(machine);
        return error;
    }
    *result = machine;
    return 0;
}

static json_t *link_tree(const struct weir_link *link) {
    return json_pack("{s:f, s:f}", "message_seconds", link->message_seconds, "bytes_per_second",
                     1 / link->byte_seconds);
}

static json_t *group_tree(const struct weir_machine_file_group *group) {
    json_t *rates = json_array();
    for (int k = 0; k < group->rates_count; k++) {
        const struct weir_machine_rates *r = &group->rates[k];
        json_t *entry = json_pack(
            "{s:s, s:s, s:s, s:[i,i,i], s:f, s:f, s:f}", "lattice", weir_lattice_names[r->lattice],
            "collision", weir_collision_names[r->collision], "precision", weir_precision_names[r->precision],
            "block_cells", r->block_cells[0], r->block_cells[1], r->block_cells[2], "fluid_cell_seconds",
            r->rates.fluid_cell_seconds, "solid_cell_seconds", r->rates.solid_cell_seconds, "task_seconds",
            r->rates.task_seconds);
        if (r->scalar)
            json_object_set_new(entry, "scalar", json_true());
        if (r->rates.wall_cell_seconds > 0)
            json_object_set_new(entry, "wall_cell_seconds", json_real(r->rates.wall_cell_seconds));
        if (r->cached_cells > 0)
            json_object_set_new(entry, "cached",
                                json_pack("{s:f, s:f}", "cells", r->cached_cells, "fluid_cell_seconds",
                                          r->cached_fluid_cell_seconds));
        if (r->rates.lists.fluid > 0)
            json_object_set_new(entry, "lists",
                                json_pack("{s:f, s:f, s:f}", "fluid_cell_seconds", r->rates.lists.fluid,
                                          "wall_cell_seconds", r->rates.lists.wall, "solid_cell_seconds",
                                          r->rates.lists.solid));
        json_array_append_new(rates, entry);
    }
    return json_pack("{s:s, s:i, s:i, s:i, s:o}", "kind", weir_machine_kind_names[group->kind.kind], "count",
                     group->kind.count, "cores", group->kind.cores, "tasks_at_once",
                     group->kind.tasks_at_once, "rates", rates);
}

static json_t *quality_tree(const struct weir_tune_quality *quality) {
    json_t *tree = json_object();
    if (isfinite(quality->spread))
        json_object_set_new(tree, "spread", json_real(quality->spread));
    if (isfinite(quality->lost))
        json_object_set_new(tree, "lost", json_real(quality->lost));
    return tree;
}

static json_t *tree_of(const struct weir_machine_file *machine) {
    json_t *root = json_object(), *groups = json_array(), *links = json_object();
    json_object_set_new(root, "name", json_string(machine->name));
    if (machine->description)
        json_object_set_new(root, "description", json_string(machine->description));
    if (machine->source)
        json_object_set_new(root, "source", json_string(machine->source));
    if (machine->has_measured_on) {
        const struct weir_measured_on *on = &machine->measured_on;
        json_t *gpus = json_array();
        for (int k = 0; k < on->gpu_count; k++)
            json_array_append_new(gpus, json_string(on->gpus[k]));
        json_object_set_new(root, "measured_on",
                            json_pack("{s:s, s:i, s:s, s:i, s:o}", "host", on->host, "cores", on->cores,
                                      "instruction_set", on->instruction_set, "kernel_version",
                                      on->kernel_version, "gpus", gpus));
    }
    const struct weir_machine_trust *trust = &machine->trust;
    if (machine->has_measured_on) {
        json_object_set_new(root, "quality", quality_tree(&trust->quality));
        json_object_set_new(root, "agreement",
                            json_pack("{s:i, s:f, s:b}", "runs_off", trust->runs_off, "ratio", trust->ratio,
                                      "confirmed", trust->confirmed));
    }
    for (int k = 0; k < machine->group_count; k++)
        json_array_append_new(groups, group_tree(&machine->groups[k]));
    json_object_set_new(root, "parts", groups);
    if (machine->has_memory_link)
        json_object_set_new(links, "memory_gpu", link_tree(&machine->memory_link));
    if (machine->has_gpu_link)
        json_object_set_new(links, "gpu_gpu", link_tree(&machine->gpu_link));
    json_object_set_new(root, "links", links);
    json_object_set_new(root, "submission", json_pack("{s:f}", "task_seconds", machine->submit_seconds));
    return root;
}

int weir_machine_file_write(const char *path, const struct weir_machine_file *machine) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    json_t *root = tree_of(machine);
    json_dumpf(root, weir_output_file_stream(file), JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', weir_output_file_stream(file));
    json_decref(root);
    return weir_output_file_finish(file);
}

void weir_machine_file_destroy(struct weir_machine_file *machine) {
    if (!machine)
        return;
    free(machine->groups);
    free(machine->source);
    free(machine->description);
    free(machine);
}

/* How far rates are from what is asked for, in factors of cells per block; another collision is further than
 * any size. Infinite where they say nothing about it. */
static double distance(const struct weir_machine_rates *rates, const struct weir_problem *problem,
                       const int block_cells[3]) {
    enum { OTHER_COLLISION = 1000 };
    if (rates->lattice != problem->lattice || rates->precision != problem->precision ||
        rates->scalar != problem->scalar.present)
        return HUGE_VAL;
    double factor = 1;
    for (int axis = 0; axis < 3; axis++)
        factor *= (double)rates->block_cells[axis] / block_cells[axis];
    return fabs(log(factor)) + (rates->collision == problem->collision ? 0 : OTHER_COLLISION);
}

int weir_machine_file_select(const struct weir_machine_file *file, const char *path,
                             const struct weir_problem *problem, const int block_cells[3],
                             struct weir_machine *machine) {
    *machine = (struct weir_machine){.kind_count = file->group_count,
                                     .memory_link = file->memory_link,
                                     .has_gpu_link = file->has_gpu_link,
                                     .gpu_link = file->gpu_link,
                                     .submit_seconds = file->submit_seconds};
    for (int k = 0; k < file->group_count; k++) {
        const struct weir_machine_file_group *group = &file->groups[k];
        const struct weir_machine_rates *best = NULL;
        double least = HUGE_VAL;
        for (int r = 0; r < group->rates_count; r++) {
            const double d = distance(&group->rates[r], problem, block_cells);
            if (d < least) {
                least = d;
                best = &group->rates[r];
            }
        }
        if (!best)
            return weir_fail(
                WEIR_USAGE,
                "%s: parts[%d].rates: has no entry for %s in %s precision%s; measure it with weir "
                "calibrate on that machine, and add it",
                path, k, weir_lattice_names[problem->lattice], weir_precision_names[problem->precision],
                problem->scalar.present ? " with a scalar" : "");
        machine->kinds[k] = group->kind;
        machine->kinds[k].rates = best->rates;
        machine->kinds[k].cached_cells = best->cached_cells;
        machine->kinds[k].cached_fluid_cell_seconds = best->cached_fluid_cell_seconds;
    }
    return 0;
}
