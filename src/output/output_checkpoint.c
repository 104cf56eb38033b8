#include "src/output/output_checkpoint.h"

#include "graph/base/error.h"
#include "src/case/outputs/output_names.h"
#include "src/common/checksum.h"
#include "src/common/hdf5_access.h"
#include "src/common/output_files.h"
#include "src/output/formats/checkpoint_format.h"
#include "src/output/formats/packed_chunk.h"
#include "src/output/output_fields.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Memory for a chunk of any set. The pages of one that is used again are there already. */
struct buffer {
    struct buffer *next; /* while it is spare */
    _Alignas(WEIR_DIRECT_ALIGNMENT) char values[];
};

struct weir_output_checkpoint {
    const struct weir_case *c;
    const char *directory;
    struct weir_writer *writer;
    struct weir_checkpoint_keeper keeper;
    struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS];
    int set_count;
    int chunk[3], chunks[3];  /* x, y, z: cells of one; how many there are */
    size_t buffer_bytes;      /* of the largest chunk */
    struct weir_agreeing who; /* write together */
    int rank;                 /* among them */

    /* of the step begun */
    int64_t step;
    struct weir_output_file *file;
    hid_t hdf5;
    hid_t datasets[WEIR_CHECKPOINT_SETS]; /* close with the file */
    uint64_t *checksums;                  /* [sets][chunks z][y][x]; 0: another rank's */
    uint64_t digest[2];                   /* of the blocks put so far */
    char *text;                           /* what it says of itself, when all is put */
    bool sound;                           /* it is to have its name in the end */

    pthread_mutex_t lock; /* of what follows */
    struct buffer *spare; /* of chunks, for the next of them */
    int awaited;          /* calls before the step can be ended: finish, and one for each part from others */
    struct weir_averages_state *averages; /* [averages_count] */
    int averages_count;
};

static bool is_shared(const struct weir_output_checkpoint *w) {
    return w->who.ranks != MPI_COMM_NULL;
}

static size_t chunk_count(const struct weir_output_checkpoint *w) {
    return (size_t)w->chunks[0] * (size_t)w->chunks[1] * (size_t)w->chunks[2];
}

static size_t chunk_cells(const struct weir_output_checkpoint *w) {
    return (size_t)w->chunk[0] * (size_t)w->chunk[1] * (size_t)w->chunk[2];
}

static size_t chunk_bytes(const struct weir_output_checkpoint *w, int set) {
    return chunk_cells(w) * (size_t)w->sets[set].populations * w->sets[set].value_size;
}

static struct buffer *take_buffer(struct weir_output_checkpoint *w) {
    pthread_mutex_lock(&w->lock);
    struct buffer *buffer = w->spare;
    if (buffer)
        w->spare = buffer->next;
    pthread_mutex_unlock(&w->lock);
    const size_t size = sizeof *buffer + w->buffer_bytes;
    return buffer ? buffer : aligned_alloc(_Alignof(struct buffer), weir_checkpoint_aligned(size));
}

static void give_back(struct weir_output_checkpoint *w, struct buffer *buffer) {
    pthread_mutex_lock(&w->lock);
    buffer->next = w->spare;
    w->spare = buffer;
    pthread_mutex_unlock(&w->lock);
}

/* Those that jobs of a writer that has failed still give back are released with the next ones. */
static void release_buffers(struct weir_output_checkpoint *w) {
    pthread_mutex_lock(&w->lock);
    struct buffer *left = w->spare;
    w->spare = NULL;
    pthread_mutex_unlock(&w->lock);
    while (left) {
        struct buffer *const buffer = left;
        left = buffer->next;
        free(buffer);
    }
}

/* Turns the failure of an HDF5 call into an error. */
static int fail_hdf5(const struct weir_output_checkpoint *w) {
    return weir_hdf5_fail("write", weir_output_file_path(w->file));
}

/* A shared file is left open: see abandon() in output_fields.c. */
static void abandon(struct weir_output_checkpoint *w) {
    weir_hdf5_lock();
    if (w->hdf5 >= 0 && !is_shared(w))
        H5Fclose(w->hdf5);
    w->hdf5 = H5I_INVALID_HID;
    struct weir_output_file *const file = w->file;
    w->file = NULL;
    weir_hdf5_unlock();
    weir_output_file_discard(file);
}

/* By rank 0, and then by the others: who does not find it would be waited for in vain by HDF5. */
static int open_file(struct weir_output_checkpoint *w) {
    char *path = NULL;
    int error = weir_output_path(w->directory, WEIR_CHECKPOINT_NAME, w->step, WEIR_CHECKPOINT_SUFFIX, &path);
    if (error == 0 && w->rank == 0)
        error = weir_output_file_create(path, &w->file);
    error = weir_agreement(&w->who, error, false);
    if (error == 0 && w->rank > 0)
        error = weir_output_file_join(path, &w->file);
    free(path);
    return weir_agreement(&w->who, error, false);
}

/* In the newest form that the library has, whose structures have checksums. Large chunks begin where they can
 * be written past the system's cache. */
static hid_t create_hdf5(const struct weir_output_checkpoint *w) {
    const hid_t access = weir_hdf5_file_access(w->who.ranks);
    hid_t file = H5I_INVALID_HID;
    if (access < 0)
        return file;
    if (H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
        H5Pset_alignment(access, WEIR_CHECKPOINT_LARGE_CHUNK, WEIR_DIRECT_ALIGNMENT) >= 0)
        file = H5Fcreate(weir_output_file_part(w->file), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

/* Space is taken at once and not filled first, and chunks bypass the library's cache, as each is written once
 * as a whole. */
static bool create_set(struct weir_output_checkpoint *w, int number) {
    const struct weir_checkpoint_set *set = &w->sets[number];
    const int *cells = w->c->problem.cells;
    const hsize_t size[4] = {(hsize_t)set->populations, (hsize_t)cells[2], (hsize_t)cells[1],
                             (hsize_t)cells[0]},
                  chunk[4] = {(hsize_t)set->populations, (hsize_t)w->chunk[2], (hsize_t)w->chunk[1],
                              (hsize_t)w->chunk[0]};
    hid_t space = H5Screate_simple(4, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE),
          access = H5Pcreate(H5P_DATASET_ACCESS);
    const bool good = H5Pset_chunk(creation, 4, chunk) >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
                      H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
                      H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
                      H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0 &&
                      (!w->c->checkpoint.compressed || weir_packed_chunks(creation));
    w->datasets[number] =
        H5Dcreate2(w->hdf5, set->name, weir_checkpoint_type(set), space, H5P_DEFAULT, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    H5Sclose(space);
    return good && w->datasets[number] >= 0;
}

static bool create_sets(struct weir_output_checkpoint *w) {
    bool good = true;
    for (int k = 0; k < w->set_count; k++)
        good = good && create_set(w, k);
    return good;
}

static int open_hdf5(struct weir_output_checkpoint *w) {
    w->hdf5 = create_hdf5(w);
    int error = weir_agreement(&w->who, w->hdf5 < 0 ? fail_hdf5(w) : 0, false);
    if (error < 0) {
        w->hdf5 = H5I_INVALID_HID; /* where one rank has it not open, the others cannot close it */
        return error;
    }
    if (w->rank == 0)
        error = weir_output_file_reserve(w->file, (uint64_t)weir_checkpoint_bytes(w->c, w->chunk));
    WEIR_TRY(weir_agreement(&w->who, error, false));
    return weir_agreement(&w->who, create_sets(w) ? 0 : fail_hdf5(w), false);
}

static int begin(void *context, int64_t step) {
    struct weir_output_checkpoint *w = context;
    w->step = step;
    w->digest[0] = w->digest[1] = 0;
    memset(w->checksums, 0, (size_t)w->set_count * chunk_count(w) * sizeof *w->checksums);
    int error = open_file(w);
    if (error == 0) {
        weir_hdf5_lock();
        error = open_hdf5(w);
        weir_hdf5_unlock();
    }
    if (error < 0)
        abandon(w);
    return error;
}

/* Brings the part of a box that is in a chunk into the order of the file; what is beyond the domain is zero.
 */
static void gather(const struct weir_output_checkpoint *w, const struct weir_observation *observation,
                   const struct weir_box *part, int number, char *values) {
    const struct weir_checkpoint_set *set = &w->sets[number];
    const struct weir_box *box = &observation->box;
    const size_t size = set->value_size, all = (size_t)weir_box_cells(box), cells = chunk_cells(w);
    const char *from = (const char *)observation->populations + set->cell_bytes_before * all;
    if ((size_t)weir_box_cells(part) < cells)
        memset(values, 0, chunk_bytes(w, number));
    for (size_t i = 0; i < (size_t)set->populations; i++)
        for (int z = 0; z < part->extent[2]; z++)
            for (int y = 0; y < part->extent[1]; y++) {
                const size_t source =
                                 ((size_t)(part->origin[2] - box->origin[2] + z) * (size_t)box->extent[1] +
                                  (size_t)(part->origin[1] - box->origin[1] + y)) *
                                     (size_t)box->extent[0] +
                                 (size_t)(part->origin[0] - box->origin[0]),
                             target = ((size_t)z * (size_t)w->chunk[1] + (size_t)y) * (size_t)w->chunk[0];
                memcpy(values + (i * cells + target) * size, from + (i * all + source) * size,
                       (size_t)part->extent[0] * size);
            }
}

/* A chunk on its way into the file. */
struct chunk {
    struct weir_output_checkpoint *w;
    int set;
    hsize_t place[4];
    struct buffer *buffer;
};

/* To its place in the file, past the library, which would copy it into the system's cache. */
static int write_directly(const struct chunk *chunk) {
    struct weir_output_checkpoint *w = chunk->w;
    uint64_t address;
    if (!weir_chunk_address(w->datasets[chunk->set], chunk->place, &address))
        return fail_hdf5(w);
    weir_hdf5_lock(); /* the step may be abandoned meanwhile, and its file with it */
    const int error = w->file ? weir_output_file_write_at(w->file, address, chunk->buffer->values,
                                                          chunk_bytes(w, chunk->set))
                              : 0;
    weir_hdf5_unlock();
    return error;
}

static int write_by_library(const struct chunk *chunk) {
    struct weir_output_checkpoint *w = chunk->w;
    if (!weir_chunk_write(w->datasets[chunk->set], chunk->place, chunk->buffer->values,
                          chunk_bytes(w, chunk->set), w->sets[chunk->set].value_size,
                          w->c->checkpoint.compressed))
        return fail_hdf5(w);
    weir_hdf5_lock();
    if (w->file)
        weir_output_file_hasten(w->file);
    weir_hdf5_unlock();
    return 0;
}

static int write_chunk(void *context) {
    const struct chunk *chunk = context;
    const struct weir_output_checkpoint *w = chunk->w;
    const bool directly = !is_shared(w) && !w->c->checkpoint.compressed &&
                          chunk_bytes(w, chunk->set) >= WEIR_CHECKPOINT_LARGE_CHUNK;
    return directly ? write_directly(chunk) : write_by_library(chunk);
}

static void release_chunk(void *context) {
    struct chunk *chunk = context;
    give_back(chunk->w, chunk->buffer);
    free(chunk);
}

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for a checkpoint");
}

/* Number of a chunk in the arrays of checksums. */
static size_t number_of(const struct weir_output_checkpoint *w, const struct weir_box *part) {
    return ((size_t)(part->origin[2] / w->chunk[2]) * (size_t)w->chunks[1] +
            (size_t)(part->origin[1] / w->chunk[1])) *
               (size_t)w->chunks[0] +
           (size_t)(part->origin[0] / w->chunk[0]);
}

/* The writer takes chunks to the file, so that workers go back to their steps; but where ranks share the
 * file, whose writing is MPI's. */
static int put_chunk(struct weir_output_checkpoint *w, const struct weir_observation *observation,
                     const struct weir_box *part, int set) {
    struct chunk *chunk = malloc(sizeof *chunk);
    struct buffer *buffer = take_buffer(w);
    if (!chunk || !buffer) {
        free(chunk);
        free(buffer);
        return fail_memory();
    }
    *chunk = (struct chunk){
        w, set, {0, (hsize_t)part->origin[2], (hsize_t)part->origin[1], (hsize_t)part->origin[0]}, buffer};
    gather(w, observation, part, set, buffer->values);
    w->checksums[(size_t)set * chunk_count(w) + number_of(w, part)] =
        weir_checksum(buffer->values, chunk_bytes(w, set));
    if (!is_shared(w))
        return weir_writer_add(w->writer, &(struct weir_job){.run = write_chunk,
                                                             .release = release_chunk,
                                                             .context = chunk,
                                                             .bytes = w->buffer_bytes,
                                                             .room = weir_checkpoint_room(w->c)});
    const int error = write_chunk(chunk);
    release_chunk(chunk);
    return error;
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_checkpoint *w = context;
    const struct weir_box *box = &observation->box;
    struct weir_box chunk = {.extent = {w->chunk[0], w->chunk[1], w->chunk[2]}}, part;
    for (int s = 0; s < 2; s++)
        w->digest[s] += observation->digest[s];
    for (int z = 0; z < box->extent[2]; z += w->chunk[2])
        for (int y = 0; y < box->extent[1]; y += w->chunk[1])
            for (int x = 0; x < box->extent[0]; x += w->chunk[0]) {
                chunk.origin[0] = box->origin[0] + x;
                chunk.origin[1] = box->origin[1] + y;
                chunk.origin[2] = box->origin[2] + z;
                if (!weir_box_intersect(box, &chunk, &part))
                    continue;
                for (int k = 0; k < w->set_count; k++)
                    WEIR_TRY(put_chunk(w, observation, &part, k));
            }
    return 0;
}

/* What all ranks have put, on each. */
static void add_up(struct weir_output_checkpoint *w) {
    const int count = w->set_count * (int)chunk_count(w);
    if (!is_shared(w))
        return;
    weir_agreeing_enter(&w->who);
    MPI_Allreduce(MPI_IN_PLACE, w->digest, 2, MPI_UINT64_T, MPI_SUM, w->who.ranks);
    MPI_Allreduce(MPI_IN_PLACE, w->checksums, count, MPI_UINT64_T, MPI_BOR, w->who.ranks);
    weir_agreeing_leave(&w->who);
}

/* Made by all ranks together, and filled by the first. */
static hid_t write_dataset(struct weir_output_checkpoint *w, const char *name, hid_t type, int rank,
                           const hsize_t *size, const void *values) {
    hid_t space = H5Screate_simple(rank, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    hid_t dataset = H5Dcreate2(w->hdf5, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (dataset >= 0 && w->rank == 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        dataset = H5I_INVALID_HID;
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

static bool write_checksums(struct weir_output_checkpoint *w) {
    const hsize_t size[3] = {(hsize_t)w->chunks[2], (hsize_t)w->chunks[1], (hsize_t)w->chunks[0]};
    bool good = true;
    for (int k = 0; k < w->set_count; k++) {
        char name[64];
        snprintf(name, sizeof name, WEIR_CHECKPOINT_CHECKSUMS, w->sets[k].name);
        good = write_dataset(w, name, H5T_NATIVE_UINT64, 3, size,
                             w->checksums + (size_t)k * chunk_count(w)) >= 0 &&
               good;
    }
    return good;
}

static bool write_about(struct weir_output_checkpoint *w, const char *text) {
    const hsize_t length = strlen(text);
    const uint64_t checksum = weir_checksum(text, length);
    const hid_t dataset = write_dataset(w, WEIR_CHECKPOINT_ABOUT, H5T_NATIVE_UINT8, 1, &length, text);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute =
        H5Acreate2(dataset, WEIR_CHECKPOINT_CHECKSUM, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = dataset >= 0 && H5Awrite(attribute, H5T_NATIVE_UINT64, &checksum) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

static int close_hdf5(struct weir_output_checkpoint *w, hsize_t *bytes) {
    weir_hdf5_enter(&w->who, weir_output_file_path(w->file));
    const bool written = write_checksums(w) && write_about(w, w->text);
    const hid_t file = w->hdf5;
    w->hdf5 = H5I_INVALID_HID;
    /* Where ranks share it, the library does not know the length until it sets it, when it flushes. */
    const bool good = is_shared(w) || H5Fget_filesize(file, bytes) >= 0;
    const bool closed = H5Fclose(file) >= 0;
    weir_hdf5_leave(&w->who);
    return written && good && closed ? 0 : fail_hdf5(w);
}

/* So that the name is on the disk as well before another file goes. Not all file systems can do that for
 * folders, and say EINVAL. */
static int sync_folder(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return 0;
    const int result = fsync(folder) < 0 && errno != EINVAL ? weir_output_error("write", path, errno) : 0;
    close(folder);
    return result;
}

static int close_file(struct weir_output_checkpoint *w) {
    hsize_t bytes = 0;
    weir_hdf5_lock();
    const int error = close_hdf5(w, &bytes);
    weir_hdf5_unlock();
    return error == 0 && !is_shared(w) ? weir_output_file_trim(w->file, bytes) : error;
}

/* By the first rank alone, into the file that is closed: sums of averages are not spread over ranks. */
static int write_averages(struct weir_output_checkpoint *w) {
    if (w->averages_count == 0)
        return 0;
    weir_hdf5_lock();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good = H5Pset_fapl_sec2(access) >= 0 && H5Pset_file_locking(access, false, true) >= 0 &&
                H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0;
    const hid_t file = good ? H5Fopen(weir_output_file_part(w->file), H5F_ACC_RDWR, access) : H5I_INVALID_HID;
    good = file >= 0;
    for (int k = 0; k < w->averages_count && good; k++)
        good = weir_checkpoint_averages_write(file, &w->averages[k]);
    good = (file < 0 || H5Fclose(file) >= 0) && good;
    H5Pclose(access);
    const int error = good ? 0 : fail_hdf5(w);
    weir_hdf5_unlock();
    return error;
}

static void release_averages(struct weir_output_checkpoint *w) {
    for (int k = 0; k < w->averages_count; k++)
        free(w->averages[k].sums);
    w->averages_count = 0;
}

/* Job of the writer, on the first rank: what is left to do when all is put. */
static int publish(void *context) {
    struct weir_output_checkpoint *w = context;
    if (!w->sound)
        return 0;
    if (!is_shared(w))
        WEIR_TRY(close_file(w));
    WEIR_TRY(write_averages(w));
    struct weir_output_file *file = w->file;
    w->file = NULL;
    WEIR_TRY(weir_output_file_finish(file));
    WEIR_TRY(sync_folder(w->directory));
    return w->keeper.published(w->keeper.context, w->step);
}

/* Whatever became of the step: nothing of it is left, and the next may begin. */
static void end_step(void *context) {
    struct weir_output_checkpoint *w = context;
    abandon(w);
    release_averages(w);
    release_buffers(w);
    free(w->text);
    w->text = NULL;
    w->keeper.done(w->keeper.context);
}

/* Whoever comes last of finish and those that bring averages has the step ended. */
static int arrive(struct weir_output_checkpoint *w) {
    pthread_mutex_lock(&w->lock);
    const bool is_last = --w->awaited == 0;
    pthread_mutex_unlock(&w->lock);
    if (!is_last)
        return 0;
    return weir_writer_add(w->writer, &(struct weir_job){.run = publish,
                                                         .release = end_step,
                                                         .context = w,
                                                         .room = weir_checkpoint_room(w->c)});
}

/* Where ranks share the file, all close it. Other ranks than the first have nothing left to do then. */
static int close_together(struct weir_output_checkpoint *w) {
    int error = close_file(w);
    if (error == 0 && w->rank > 0) {
        struct weir_output_file *file = w->file;
        w->file = NULL;
        error = weir_output_file_leave(file);
    }
    return weir_agreement(&w->who, error, false);
}

static int complete(struct weir_output_checkpoint *w) {
    char digest[33];
    add_up(w);
    snprintf(digest, sizeof digest, "%016llx%016llx", (unsigned long long)w->digest[1],
             (unsigned long long)w->digest[0]);
    w->text = w->keeper.about(w->keeper.context, w->step, digest);
    const int error = weir_agreement(&w->who, w->text ? 0 : fail_memory(), false);
    return error == 0 && is_shared(w) ? close_together(w) : error;
}

static int finish(void *context, bool sound) {
    struct weir_output_checkpoint *w = context;
    const int error = sound ? complete(w) : 0;
    w->sound = sound && error == 0;
    if (w->rank > 0) {
        end_step(w);
        return error;
    }
    const int last = arrive(w);
    return error != 0 ? error : last;
}

int weir_output_checkpoint_expect(struct weir_output_checkpoint *w, int averages) {
    w->awaited = 1 + averages;
    if (averages > 0 && !w->averages)
        w->averages = calloc((size_t)w->c->output_count, sizeof *w->averages);
    return averages > 0 && !w->averages ? fail_memory() : 0;
}

int weir_output_checkpoint_add(struct weir_output_checkpoint *w, struct weir_averages_state *state) {
    pthread_mutex_lock(&w->lock);
    w->averages[w->averages_count++] = *state;
    pthread_mutex_unlock(&w->lock);
    return arrive(w);
}

int weir_output_checkpoint_create(const struct weir_case *c, const char *directory, const int block_cells[3],
                                  struct weir_writer *writer, const struct weir_checkpoint_keeper *keeper,
                                  struct weir_output_checkpoint **result) {
    struct weir_output_checkpoint *w = calloc(1, sizeof *w);
    if (!w)
        return fail_memory();
    w->c = c;
    w->directory = directory;
    w->writer = writer;
    w->keeper = *keeper;
    w->hdf5 = H5I_INVALID_HID;
    w->who = (struct weir_agreeing){.ranks = MPI_COMM_NULL};
    w->set_count = weir_checkpoint_sets(&c->problem, w->sets);
    weir_output_fields_chunk(block_cells, c->problem.cells, w->chunk);
    w->buffer_bytes = weir_checkpoint_chunk_bytes(c, w->chunk);
    for (int axis = 0; axis < 3; axis++)
        w->chunks[axis] = weir_checkpoint_chunks(c->problem.cells[axis], w->chunk[axis]);
    w->checksums = calloc((size_t)w->set_count * chunk_count(w), sizeof *w->checksums);
    pthread_mutex_init(&w->lock, NULL);
    if (!w->checksums) {
        weir_output_checkpoint_destroy(w);
        return fail_memory();
    }
    *result = w;
    return 0;
}

void weir_output_checkpoint_share(struct weir_output_checkpoint *w, const struct weir_agreeing *who) {
    w->who = *who;
    MPI_Comm_rank(who->ranks, &w->rank);
}

void weir_output_checkpoint_destroy(struct weir_output_checkpoint *w) {
    if (!w)
        return;
    (void)weir_writer_wait(w->writer); /* its jobs work on this */
    abandon(w);
    release_averages(w);
    release_buffers(w);
    pthread_mutex_destroy(&w->lock);
    free(w->averages);
    free(w->checksums);
    free(w->text);
    free(w);
}

struct weir_sink weir_output_checkpoint_sink(struct weir_output_checkpoint *w, int at_once) {
    const int *cells = w->c->problem.cells;
    return (struct weir_sink){
        .context = w,
        .region = {.extent = {cells[0], cells[1], cells[2]}},
        .populations = true,
        .at_once = at_once,
        .begin = begin,
        .put = put,
        .finish = finish,
        .everywhere = is_shared(w),
    };
}
