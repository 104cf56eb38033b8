#include "src/output/output_fields.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/common/hdf5_access.h"
#include "src/common/hdf5_attributes.h"
#include "src/common/output_files.h"
#include "src/output/cell_values.h"
#include "src/output/formats/field_arrays.h"
#include "src/output/formats/field_grid.h"
#include "src/output/formats/packed_chunk.h"
#include "src/output/formats/vtkhdf.h"
#include "src/output/formats/xdmf.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells per axis of a chunk: 64 make 1 MiB of single precision scalars. */
enum { CHUNK_LEAST = 16, CHUNK_MOST = 64 };
/* Of one. HDF5 takes less than 4 GiB; a run keeps one in memory per output. */
static const double CHUNK_BYTES_MOST = 64 << 20;

struct weir_output_fields {
    const struct weir_case *c;
    const struct weir_output *output;
    char *directory;
    struct weir_field_grid grid;
    bool in_part;     /* the file has not all cells of the domain: chunks are shared by blocks */
    hsize_t chunk[3]; /* z, y, x */
    struct weir_writer *writer;
    struct weir_xdmf *xdmf; /* the table of contents, which the writer's thread has; NULL: */
    struct weir_vtkhdf *vtkhdf;
    struct weir_agreeing who; /* write together */
    int rank;                 /* among them */

    /* of the step begun */
    int64_t step;
    struct weir_output_file *file;
    hid_t hdf5;
    hid_t datasets[WEIR_FIELD_ARRAYS]; /* negative: not asked for. They close with the file */

    void *values; /* one chunk of one quantity, as it goes to the file */
};

static bool is_shared(const struct weir_output_fields *fields) {
    return fields->who.ranks != MPI_COMM_NULL;
}

/* A part of a block, so that no chunk is shared by blocks: of those that are neither large nor small, the one
 * whose chunks reach least beyond the domain, and among equals the largest. A block that has no such part
 * stays whole along this axis. */
static int chunk_edge(int block, int domain_cells) {
    int best = block, least = INT_MAX;
    for (int parts = (block + CHUNK_MOST - 1) / CHUNK_MOST; block / parts >= CHUNK_LEAST; parts++) {
        int edge = block / parts, covered = (domain_cells + edge - 1) / edge * edge;
        if (block % parts == 0 && covered < least) {
            best = edge;
            least = covered;
        }
    }
    return best;
}

static int next_smaller_part(int block, int edge) {
    do
        edge--;
    while (block % edge != 0);
    return edge;
}

void weir_output_fields_chunk(const int block_cells[3], const int domain_cells[3], int chunk[3]) {
    int block[3];
    for (int axis = 0; axis < 3; axis++) {
        block[axis] = block_cells[axis] < domain_cells[axis] ? block_cells[axis] : domain_cells[axis];
        chunk[axis] = chunk_edge(block[axis], domain_cells[axis]);
    }
    /* Blocks whose edges are large primes, say: thinner chunks, of whole rows as long as possible. */
    for (int axis = 2; axis >= 0; axis--)
        while (chunk[axis] > 1 &&
               3 * sizeof(double) * (double)chunk[0] * chunk[1] * chunk[2] > CHUNK_BYTES_MOST)
            chunk[axis] = next_smaller_part(block[axis], chunk[axis]);
}

static size_t value_bytes(const struct weir_output_fields *fields, int dataset) {
    return weir_field_array_value_bytes(fields->c, dataset);
}

static bool wanted(const struct weir_output_fields *fields, int dataset) {
    return weir_field_array_wanted(fields->c, fields->output, dataset);
}

static size_t chunk_cells(const struct weir_output_fields *fields) {
    return (size_t)(fields->chunk[0] * fields->chunk[1] * fields->chunk[2]);
}

static size_t chunk_bytes(const struct weir_output_fields *fields, int dataset) {
    return chunk_cells(fields) * (size_t)weir_field_array_components(dataset) * value_bytes(fields, dataset);
}

static bool describe_step(const struct weir_output_fields *fields) {
    const struct weir_case *c = fields->c;
    hid_t file = fields->hdf5;
    double time = (double)fields->step * c->units.time;
    double origin[3];
    for (int axis = 0; axis < 3; axis++)
        origin[axis] = c->units.length * weir_field_grid_begin(&fields->grid, axis);
    return weir_hdf5_attribute(file, "step", H5T_NATIVE_INT64, 1, &fields->step) &&
           weir_hdf5_attribute(file, "time", H5T_NATIVE_DOUBLE, 1, &time) &&
           weir_hdf5_attribute(file, "cell_size", H5T_NATIVE_DOUBLE, 1, &c->units.length) &&
           weir_hdf5_attribute(file, "origin", H5T_NATIVE_DOUBLE, 3, origin) &&
           weir_hdf5_attribute(file, "stride", H5T_NATIVE_INT, 3, fields->grid.stride) &&
           weir_hdf5_text_attribute(file, "units", c->units.si ? "si" : "lattice") &&
           weir_hdf5_text_attribute(file, "lattice", weir_lattice_names[c->problem.lattice]) &&
           weir_hdf5_text_attribute(file, "case", c->name) &&
           weir_hdf5_text_attribute(file, "weir_version", WEIR_VERSION);
}

/* Whether a dataset is kept in chunks. Those of the whole domain follow the blocks; those of a part of it do
 * not, and are there for compression only. */
static bool is_chunked(const struct weir_output_fields *fields) {
    return !fields->in_part || fields->output->compressed;
}

/* Space in the file is taken at once and not filled first, as every cell is going to be written. Chunks that
 * follow the blocks bypass the library's cache: none is touched twice. */
static bool lay_out(const struct weir_output_fields *fields, int rank, const hsize_t chunk[4], hid_t creation,
                    hid_t access) {
    return H5Pset_obj_track_times(creation, false) >= 0 &&
           H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
           H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
           (!is_chunked(fields) || H5Pset_chunk(creation, rank, chunk) >= 0) &&
           (fields->in_part || H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0) &&
           (!fields->output->compressed || weir_packed_chunks(creation));
}

static bool create_dataset(struct weir_output_fields *fields, int dataset) {
    const int *cells = fields->grid.count;
    const hsize_t count = (hsize_t)weir_field_array_components(dataset);
    hsize_t size[4] = {(hsize_t)cells[2], (hsize_t)cells[1], (hsize_t)cells[0], count}, chunk[4];
    for (int i = 0; i < 3; i++) /* the library has none that are larger than the whole */
        chunk[i] = size[i] < fields->chunk[i] ? size[i] : fields->chunk[i];
    chunk[3] = count;
    int rank = count > 1 ? 4 : 3;
    const char *name = weir_field_array_name(dataset), *unit = weir_field_array_unit(fields->c, dataset);
    hid_t type = weir_field_array_type(fields->c, dataset);

    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    bool good = lay_out(fields, rank, chunk, creation, access);
    fields->datasets[dataset] = H5Dcreate2(fields->hdf5, name, type, space, H5P_DEFAULT, creation, access);
    good = good && fields->datasets[dataset] >= 0 &&
           weir_hdf5_text_attribute(fields->datasets[dataset], "units", unit);
    H5Pclose(access);
    H5Pclose(creation);
    H5Sclose(space);
    return good;
}

/* Bytes the file will have at most: whole chunks of every dataset, where it has chunks, and their index. */
static uint64_t file_bytes(const struct weir_output_fields *fields) {
    uint64_t bytes = 64 * 1024;
    for (int dataset = 0; dataset < WEIR_FIELD_ARRAYS; dataset++) {
        if (!wanted(fields, dataset))
            continue;
        uint64_t chunks = 1, all = 1;
        for (int i = 0; i < 3; i++) {
            uint64_t cells = (uint64_t)fields->grid.count[2 - i];
            chunks *= (cells + fields->chunk[i] - 1) / fields->chunk[i];
            all *= cells;
        }
        bytes += is_chunked(fields)
                     ? chunks * (chunk_bytes(fields, dataset) + 128)
                     : all * (uint64_t)weir_field_array_components(dataset) * value_bytes(fields, dataset);
    }
    return bytes;
}

static hid_t create_hdf5(const struct weir_output_fields *fields) {
    const hid_t access = weir_hdf5_file_access(fields->who.ranks);
    if (access < 0)
        return H5I_INVALID_HID;
    const hid_t file = H5Fcreate(weir_output_file_part(fields->file), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

/* Removes the step's file. A shared one is left open, for the run ends:
 * closing it flushes what the library still holds, which fails on some rank as writing did, and from then on
 * that rank makes other collective calls inside HDF5 than the rest: none would come back. */
static void abandon(struct weir_output_fields *fields) {
    weir_hdf5_lock();
    if (fields->hdf5 >= 0 && !is_shared(fields))
        H5Fclose(fields->hdf5);
    fields->hdf5 = H5I_INVALID_HID;
    weir_hdf5_unlock();
    weir_output_file_discard(fields->file);
    fields->file = NULL;
}

/* Turns the failure of an HDF5 call into an error. */
static int fail_hdf5(const struct weir_output_fields *fields) {
    return weir_hdf5_fail("write", weir_output_file_path(fields->file));
}

/* By rank 0, and then by the others: who does not find it would be waited for in vain by HDF5. */
static int open_file(struct weir_output_fields *fields) {
    char *path = NULL;
    int error = weir_output_path(fields->directory, fields->output->name, fields->step, ".h5", &path);
    if (error == 0 && fields->rank == 0)
        error = weir_output_file_create(path, &fields->file);
    error = weir_agreement(&fields->who, error, false);
    if (error == 0 && fields->rank > 0)
        error = weir_output_file_join(path, &fields->file);
    free(path);
    return weir_agreement(&fields->who, error, false);
}

static bool fill_in(struct weir_output_fields *fields) {
    bool good = describe_step(fields);
    for (int dataset = 0; dataset < WEIR_FIELD_ARRAYS; dataset++)
        if (wanted(fields, dataset))
            good = good && create_dataset(fields, dataset);
    return good;
}

static int open_hdf5(struct weir_output_fields *fields) {
    fields->hdf5 = create_hdf5(fields);
    int error = weir_agreement(&fields->who, fields->hdf5 < 0 ? fail_hdf5(fields) : 0, false);
    if (error < 0) {
        fields->hdf5 = H5I_INVALID_HID; /* where one rank has it not open, the others cannot close it */
        return error;
    }
    if (fields->rank == 0)
        error = weir_output_file_reserve(fields->file, file_bytes(fields));
    WEIR_TRY(weir_agreement(&fields->who, error, false));
    return weir_agreement(&fields->who, fill_in(fields) ? 0 : fail_hdf5(fields), false);
}

static int begin(void *context, int64_t step) {
    struct weir_output_fields *fields = context;
    fields->step = step;
    int error = open_file(fields);
    if (error == 0) {
        weir_hdf5_lock();
        error = open_hdf5(fields);
        weir_hdf5_unlock();
    }
    if (error < 0)
        abandon(fields);
    return error;
}

/* What is told of a solid cell: at rest, of the reference density. fifth: its own, where it conducts a
 * scalar, else NaN. */
static struct weir_cell_values solid_cell(const struct weir_output_fields *fields,
                                          const struct weir_observation *observation, const int place[3],
                                          double fifth, int dataset) {
    const struct weir_problem *problem = &fields->c->problem;
    const int *origin = observation->box.origin;
    const int in_domain[3] = {place[0] + origin[0], place[1] + origin[1], place[2] + origin[2]};
    return (struct weir_cell_values){
        .phases = problem->phases.present ? &problem->phases : NULL,
        .density = problem->reference_density,
        .fifth = isnan(fifth) ? 0 : fifth,
        .wall = dataset == WEIR_CELL_TYPE ? weir_geometry_solid(problem, in_domain) : 1};
}

/* Fills fields->values with one dataset's values of a part of the file's cells, all of which are observed, as
 * the file holds them: a chunk, which is zero where it goes beyond the domain, or in files of a part of the
 * domain just these cells. walls: of the observed box, for datasets that are of walls. */
static void convert(struct weir_output_fields *fields, const struct weir_observation *observation,
                    const struct weir_wall_planes *walls, const struct weir_box *part, int dataset) {
    const struct weir_case *c = fields->c;
    uint8_t *bytes = fields->values;
    float *singles = fields->values;
    double *doubles = fields->values;
    const size_t count = (size_t)weir_field_array_components(dataset);
    const bool single = value_bytes(fields, dataset) == sizeof(float);
    const bool gradient =
        dataset != WEIR_SOLID_ARRAY && weir_quantity_row((enum weir_quantity)dataset)->of_gradient;
    const bool of_wall =
        dataset != WEIR_SOLID_ARRAY && weir_quantity_row((enum weir_quantity)dataset)->of_wall;
    struct weir_cell_values fluid = weir_cell_values_begin(c), solid;
    double scale =
        dataset == WEIR_SOLID_ARRAY ? 1.0 : weir_quantity_scale((enum weir_quantity)dataset, &c->units);
    const size_t rows = fields->in_part ? (size_t)part->extent[1] : (size_t)fields->chunk[1],
                 columns = fields->in_part ? (size_t)part->extent[0] : (size_t)fields->chunk[2];
    if (!fields->in_part && (size_t)weir_box_cells(part) < chunk_cells(fields))
        memset(fields->values, 0, chunk_bytes(fields, dataset));
    for (int z = 0; z < part->extent[2]; z++)
        for (int y = 0; y < part->extent[1]; y++) {
            size_t to = ((size_t)z * rows + (size_t)y) * columns;
            for (int x = 0; x < part->extent[0]; x++, to++) {
                const int number[3] = {part->origin[0] + x, part->origin[1] + y, part->origin[2] + z};
                int place[3];
                for (int axis = 0; axis < 3; axis++)
                    place[axis] = weir_field_grid_cell(&fields->grid, axis, number[axis]) -
                                  observation->box.origin[axis];
                weir_cell_values_turn(&fluid, observation, place, gradient);
                fluid.beside_wall = of_wall && weir_wall_plane(walls, place, &fluid.wall_plane);
                const bool is_solid = isnan(fluid.density);
                if (dataset == WEIR_SOLID_ARRAY) {
                    bytes[to] = is_solid;
                    continue;
                }
                if (is_solid)
                    solid = solid_cell(fields, observation, place, fluid.fifth, dataset);
                const struct weir_cell_values *cell = is_solid ? &solid : &fluid;
                for (size_t i = 0; i < count; i++) {
                    const double value =
                        scale * weir_quantity_value((enum weir_quantity)dataset, (int)i, cell);
                    if (single)
                        singles[to * count + i] = (float)value;
                    else
                        doubles[to * count + i] = value;
                }
            }
        }
}

/* Cells of a file that has a part of the domain: its chunks, if any, are shared by blocks. */
static bool write_box(const struct weir_output_fields *fields, const hsize_t place[], const hsize_t size[],
                      int rank, int dataset) {
    weir_hdf5_lock();
    const hid_t memory = H5Screate_simple(rank, size, NULL), file = H5Dget_space(fields->datasets[dataset]);
    const bool good = H5Sselect_hyperslab(file, H5S_SELECT_SET, place, NULL, size, NULL) >= 0 &&
                      H5Dwrite(fields->datasets[dataset], weir_field_array_type(fields->c, dataset), memory,
                               file, H5P_DEFAULT, fields->values) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    weir_hdf5_unlock();
    return good;
}

static int write_part(struct weir_output_fields *fields, const struct weir_box *part, int dataset) {
    const hsize_t place[] = {(hsize_t)part->origin[2], (hsize_t)part->origin[1], (hsize_t)part->origin[0], 0},
                  size[] = {(hsize_t)part->extent[2], (hsize_t)part->extent[1], (hsize_t)part->extent[0],
                            (hsize_t)weir_field_array_components(dataset)};
    const bool good =
        fields->in_part
            ? write_box(fields, place, size, size[3] > 1 ? 4 : 3, dataset)
            : weir_chunk_write(fields->datasets[dataset], place, fields->values, chunk_bytes(fields, dataset),
                               value_bytes(fields, dataset), fields->output->compressed);
    const int result = good ? 0 : fail_hdf5(fields);
    if (result < 0 && !is_shared(fields))
        abandon(fields); /* a shared one is closed by all ranks in finish */
    return result;
}

/* Those of the file's cells whose values are in a box; false: there is none. */
static bool find_cells(const struct weir_field_grid *grid, const struct weir_box *box,
                       struct weir_box *found) {
    for (int axis = 0; axis < 3; axis++) {
        /* From the first cell that the file has to the box's ends. */
        const int stride = grid->stride[axis], low = box->origin[axis] - weir_field_grid_cell(grid, axis, 0),
                  high = low + box->extent[axis], begin = low > 0 ? (low + stride - 1) / stride : 0,
                  behind = high > 0 ? (high + stride - 1) / stride : 0,
                  end = behind < grid->count[axis] ? behind : grid->count[axis];
        found->origin[axis] = begin;
        found->extent[axis] = end - begin;
        if (end <= begin)
            return false;
    }
    return true;
}

/* Chunk by chunk, each with one write: as boxes, the library would write every row by itself. Parts of the
 * domain are written as boxes, of a chunk's size at most. */
static int put_cells(struct weir_output_fields *fields, const struct weir_observation *observation,
                     const struct weir_wall_planes *walls) {
    const int edge[3] = {(int)fields->chunk[2], (int)fields->chunk[1], (int)fields->chunk[0]};
    struct weir_box box, chunk = {.extent = {edge[0], edge[1], edge[2]}}, part;
    if (!find_cells(&fields->grid, &observation->box, &box))
        return 0;
    for (int z = 0; z < box.extent[2]; z += edge[2])
        for (int y = 0; y < box.extent[1]; y += edge[1])
            for (int x = 0; x < box.extent[0]; x += edge[0]) {
                chunk.origin[0] = box.origin[0] + x;
                chunk.origin[1] = box.origin[1] + y;
                chunk.origin[2] = box.origin[2] + z;
                if (!weir_box_intersect(&box, &chunk, &part))
                    continue;
                for (int dataset = 0; dataset < WEIR_FIELD_ARRAYS; dataset++)
                    if (wanted(fields, dataset)) {
                        convert(fields, observation, walls, &part, dataset);
                        WEIR_TRY(write_part(fields, &part, dataset));
                    }
            }
    return 0;
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_fields *fields = context;
    struct weir_wall_planes *walls = NULL;
    if (weir_quantities_of_wall(fields->output->quantities))
        WEIR_TRY(weir_wall_planes_create(&fields->c->problem, &observation->box, &walls));
    const int result = put_cells(fields, observation, walls);
    weir_wall_planes_destroy(walls);
    return result;
}

/* Closes the step's file, and tells how long it is. Whatever fails, it is not open any more. */
static int close_hdf5(struct weir_output_fields *fields, hsize_t *bytes) {
    const hid_t file = fields->hdf5;
    fields->hdf5 = H5I_INVALID_HID;
    /* Where ranks share it, the library does not know the length until it sets it, when it flushes. */
    const bool good = is_shared(fields) || (H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && /* chunks in its cache */
                                            H5Fget_filesize(file, bytes) >= 0);
    weir_hdf5_enter(&fields->who, weir_output_file_path(fields->file));
    const bool closed = H5Fclose(file) >= 0;
    weir_hdf5_leave(&fields->who);
    return closed && good ? 0 : fail_hdf5(fields);
}

/* Job of the writer, on rank 0: brings a step's file to the disk, and the step into the table. */
struct publication {
    const struct weir_output_fields *fields;
    struct weir_output_file *file;
    int64_t step;
};

static int publish(void *context) {
    struct publication *publication = context;
    struct weir_output_file *file = publication->file;
    publication->file = NULL;
    WEIR_TRY(weir_output_file_finish(file));
    const struct weir_output_fields *fields = publication->fields;
    return fields->vtkhdf ? weir_vtkhdf_add(fields->vtkhdf, publication->step)
                          : weir_xdmf_add(fields->xdmf, publication->step);
}

static void release_publication(void *context) {
    struct publication *publication = context;
    weir_output_file_discard(publication->file);
    free(publication);
}

static int hand_over(struct weir_output_fields *fields) {
    struct publication *publication = malloc(sizeof *publication);
    if (!publication)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", fields->output->name);
    *publication = (struct publication){fields, fields->file, fields->step};
    fields->file = NULL;
    return weir_writer_add(
        fields->writer,
        &(struct weir_job){.run = publish, .release = release_publication, .context = publication});
}

static int complete(struct weir_output_fields *fields) {
    hsize_t bytes;
    weir_hdf5_lock();
    int error = close_hdf5(fields, &bytes);
    weir_hdf5_unlock();
    if (error == 0 && !is_shared(fields))
        error = weir_output_file_trim(fields->file, bytes);
    if (error == 0 && fields->rank > 0) {
        struct weir_output_file *file = fields->file;
        fields->file = NULL;
        error = weir_output_file_leave(file);
    }
    WEIR_TRY(weir_agreement(&fields->who, error, false));
    return fields->rank > 0 ? 0 : hand_over(fields);
}

static int finish(void *context, bool sound) {
    struct weir_output_fields *fields = context;
    const int error = sound ? complete(fields) : 0;
    if (error < 0 || !sound)
        abandon(fields);
    return error;
}

int weir_output_fields_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, const int block_cells[3], struct weir_writer *writer,
                              struct weir_output_fields **result) {
    struct weir_output_fields *fields = calloc(1, sizeof *fields);
    if (!fields || !(fields->directory = strdup(directory))) {
        free(fields);
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    }
    fields->c = c;
    fields->output = output;
    fields->writer = writer;
    fields->grid = weir_field_grid(output);
    fields->in_part = memcmp(fields->grid.count, c->problem.cells, sizeof fields->grid.count) != 0;
    fields->hdf5 = H5I_INVALID_HID;
    fields->who = (struct weir_agreeing){.ranks = MPI_COMM_NULL};
    int chunk[3];
    weir_output_fields_chunk(block_cells, c->problem.cells, chunk);
    for (int i = 0; i < 3; i++)
        fields->chunk[i] = (hsize_t)chunk[2 - i];
    fields->values = malloc(WEIR_COMPONENTS_MAX * sizeof(double) * chunk_cells(fields));
    int error =
        fields->values ? 0 : weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    if (error == 0)
        error = output->format == WEIR_VTKHDF ? weir_vtkhdf_create(c, output, directory, &fields->vtkhdf)
                                              : weir_xdmf_create(c, output, directory, &fields->xdmf);
    if (error < 0) {
        weir_output_fields_destroy(fields);
        return error;
    }
    *result = fields;
    return 0;
}

void weir_output_fields_share(struct weir_output_fields *fields, const struct weir_agreeing *who) {
    fields->who = *who;
    MPI_Comm_rank(who->ranks, &fields->rank);
}

int weir_output_fields_continue(struct weir_output_fields *fields, int64_t first) {
    return fields->vtkhdf ? weir_vtkhdf_continue(fields->vtkhdf, fields->directory, first)
                          : weir_xdmf_continue(fields->xdmf, fields->directory, first);
}

void weir_output_fields_destroy(struct weir_output_fields *fields) {
    if (!fields)
        return;
    abandon(fields);
    weir_vtkhdf_destroy(fields->vtkhdf);
    weir_xdmf_destroy(fields->xdmf);
    free(fields->directory);
    free(fields->values);
    free(fields);
}

struct weir_sink weir_output_fields_sink(struct weir_output_fields *fields) {
    return (struct weir_sink){
        .context = fields,
        .region = fields->output->region,
        .gradients = weir_quantities_of_gradient(fields->output->quantities),
        .begin = begin,
        .put = put,
        .finish = finish,
        .everywhere = is_shared(fields),
    };
}
