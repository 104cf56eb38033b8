#include "tests/unit/output_fixture.h"
#include "tests/unit/temporary.h"

#include "graph/base/error.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

int make_folder(void **state) {
    char *folder = malloc(TEMPORARY_PATH);
    *state = folder;
    return folder && make_temporary_folder(folder) ? 0 : -1;
}

const char *in_folder(const char *folder, const char *name) {
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Calls visit for every entry of a folder, and returns how many there are. */
static int for_each_entry(const char *folder, void (*visit)(const char *path)) {
    DIR *directory = opendir(folder);
    int count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (visit)
            visit(in_folder(folder, entry->d_name));
    }
    if (directory)
        closedir(directory);
    return count;
}

static void delete_entry(const char *path) {
    if (unlink(path) < 0 && rmdir(path) < 0)
        abort();
}

int remove_folder(void **state) {
    char *folder = *state;
    for_each_entry(folder, delete_entry);
    while (umount(folder) == 0)
        for_each_entry(folder, delete_entry);
    int result = rmdir(folder);
    free(folder);
    return result;
}

int count_files(const char *folder) {
    return for_each_entry(folder, NULL);
}

char *read_text(const char *path) {
    FILE *stream = fopen(path, "r");
    if (!stream)
        return NULL;
    char *text = calloc(1, 1 << 20);
    if (!text || fread(text, 1, (1 << 20) - 1, stream) == 0)
        abort();
    fclose(stream);
    return text;
}

bool mount_small(const char *folder, size_t bytes) {
    static bool apart; /* from the mounts of other processes */
    char options[64];
    if (!apart && (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0))
        return false;
    apart = true;
    snprintf(options, sizeof options, "size=%zu", bytes);
    return mount("none", folder, "tmpfs", 0, options) == 0;
}

void limit_file_size(size_t bytes) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes == SIZE_MAX ? limit.rlim_max : bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

void fill_case(struct weir_case *c, int nx, int ny, int nz, bool solids) {
    static struct weir_shape sphere = {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY};
    static char name[] = "fixture";
    memset(c, 0, sizeof *c);
    weir_problem_default(&c->problem);
    c->name = name;
    c->units = weir_units_lattice();
    c->problem.lattice = nz == 1 ? WEIR_D2Q9 : WEIR_D3Q19;
    c->problem.cells[0] = nx;
    c->problem.cells[1] = ny;
    c->problem.cells[2] = nz;
    c->problem.reference_density = 1.25;
    if (solids) {
        for (int axis = 0; axis < 3; axis++)
            sphere.sphere.center[axis] = 0.5 * c->problem.cells[axis];
        sphere.sphere.radius = 0.3 * ny;
        c->problem.shapes = &sphere;
        c->problem.shape_count = 1;
        strcpy(c->problem.walls[WEIR_FIRST_BODY].name, "ball");
        c->problem.wall_count = WEIR_FIRST_BODY + 1;
    }
}

struct weir_output fields_output(const struct weir_case *c, unsigned quantities) {
    const int *cells = c->problem.cells;
    return (struct weir_output){.type = WEIR_OUTPUT_FIELDS,
                                .name = "fields",
                                .quantities = quantities,
                                .region = {.extent = {cells[0], cells[1], cells[2]}},
                                .stride = 1};
}

bool solid_at(const struct weir_case *c, int x, int y, int z) {
    if (c->problem.shape_count == 0)
        return false;
    const double *center = c->problem.shapes[0].sphere.center;
    double dx = x + 0.5 - center[0], dy = y + 0.5 - center[1], dz = z + 0.5 - center[2];
    return sqrt(dx * dx + dy * dy + dz * dz) <= c->problem.shapes[0].sphere.radius;
}

double density_at(int x, int y, int z) {
    return 1.0 + 0.001 * (x + 0.5) - 0.002 * (y + 0.5) + 0.003 * (z + 0.5);
}

double velocity_at(int axis, int x, int y, int z) {
    return 0.01 * (axis + 1) + 0.0001 * (x + 0.5) + 0.0002 * (axis + 1) * (y + 0.5) - 0.0003 * (z + 0.5);
}

/* Velocity of the cells of a box, [component][cells], NaN in solids; the caller frees. */
static double *velocities_of(const struct weir_case *c, const struct weir_box *box) {
    const size_t cells = (size_t)weir_box_cells(box);
    double *values = malloc(3 * cells * sizeof *values);
    size_t cell = 0;
    if (!values)
        abort();
    for (int z = box->origin[2]; z < box->origin[2] + box->extent[2]; z++)
        for (int y = box->origin[1]; y < box->origin[1] + box->extent[1]; y++)
            for (int x = box->origin[0]; x < box->origin[0] + box->extent[0]; x++, cell++)
                for (int axis = 0; axis < 3; axis++)
                    values[(size_t)axis * cells + cell] =
                        solid_at(c, x, y, z) ? NAN : velocity_at(axis, x, y, z);
    return values;
}

/* The layer of cells beside a face of a box; NULL where the domain ends. */
static double *beside(const struct weir_case *c, const struct weir_box *box, int face) {
    struct weir_box layer = *box;
    const int axis = face / 2;
    layer.origin[axis] += face % 2 ? box->extent[axis] : -1;
    layer.extent[axis] = 1;
    if (layer.origin[axis] < 0 || layer.origin[axis] >= c->problem.cells[axis])
        return NULL;
    return velocities_of(c, &layer);
}

static int put_box(const struct weir_sink *sink, const struct weir_case *c, const struct weir_box *box) {
    const size_t cells = (size_t)weir_box_cells(box);
    double *density = malloc(cells * sizeof *density), *velocity = velocities_of(c, box), *layers[6] = {NULL};
    size_t cell = 0;
    if (!density)
        abort();
    for (int z = box->origin[2]; z < box->origin[2] + box->extent[2]; z++)
        for (int y = box->origin[1]; y < box->origin[1] + box->extent[1]; y++)
            for (int x = box->origin[0]; x < box->origin[0] + box->extent[0]; x++, cell++)
                density[cell] = solid_at(c, x, y, z) ? NAN : density_at(x, y, z);
    struct weir_observation observation = {
        .box = *box, .density = density, .velocity = {velocity, velocity + cells, velocity + 2 * cells}};
    for (int face = 0; sink->gradients && face < 6; face++)
        observation.beside[face] = layers[face] = beside(c, box, face);
    int result = sink->put(sink->context, &observation);
    for (int face = 0; face < 6; face++)
        free(layers[face]);
    free(velocity);
    free(density);
    return result;
}

int feed(const struct weir_sink *sink, const struct weir_case *c, int edge) {
    int blocks[3], count = 1;
    for (int axis = 0; axis < 3; axis++) {
        blocks[axis] = (c->problem.cells[axis] + edge - 1) / edge;
        count *= blocks[axis];
    }
    static const int primes[] = {7, 11, 13, 17, 19};
    int prime = 0; /* one that does not divide the count: steps of it meet every block once */
    while (count % primes[prime] == 0)
        prime++;
    for (int i = 0, number = count / 2; i < count; i++, number = (number + primes[prime]) % count) {
        struct weir_box box,
            block = {.origin = {number % blocks[0] * edge, number / blocks[0] % blocks[1] * edge,
                                number / blocks[0] / blocks[1] * edge},
                     .extent = {edge, edge, edge}};
        if (weir_box_intersect(&sink->region, &block, &box))
            WEIR_TRY(put_box(sink, c, &box));
    }
    return 0;
}

static void ignore(void *context, const char *text) {
    (void)context;
    (void)text; /* weir_writer_wait tells it */
}

struct weir_writer *start_writer(void) {
    struct weir_writer *writer;
    if (weir_writer_create(ignore, NULL, &writer) < 0)
        abort();
    return writer;
}

int observe(struct weir_writer *writer, const struct weir_sink *sink, const struct weir_case *c, int64_t step,
            int edge, bool sound) {
    WEIR_TRY(sink->begin(sink->context, step));
    WEIR_TRY(feed(sink, c, edge));
    WEIR_TRY(sink->finish(sink->context, sound));
    return weir_writer_wait(writer);
}
