/* Checkpoints: a file as Weir writes it, but of any sizes, types and words, whose checksums are right; then
 * some of it is changed. What is opened and found whole is resumed by a small case, as a run does it.
 *
 * An input: sizes (struct sizes), how many bytes of edits follow, these, and the text of "about"; where that
 * is left out, the one that belongs to the sizes. */
#include "graph/problem/box.h"
#include "src/common/checksum.h"
#include "src/common/hdf5_access.h"
#include "src/output/checkpoint_file.h"
#include "src/output/formats/checkpoint_format.h"
#include "src/output/formats/packed_chunk.h"
#include "src/run/checkpoints.h"
#include "src/run/resume.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hdf5_edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 6, NY = 4, SUMS = WEIR_SUMS_OF_AVERAGES - 1 };

static struct weir_case *resumed;

/* As the file has them. */
struct sizes {
    int populations, cells[3], chunk[3];
    size_t value_size;
    bool compressed, averages;
};

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static const char text[] = "{\"lattice\": \"D2Q9\", \"precision\": \"double\", \"domain\": {\"cells\": "
                               "[6, 4], \"periodic\": [true, true]},"
                               " \"fluid\": {\"tau\": 0.8}, \"run\": {\"steps\": 10},"
                               " \"output\": [{\"type\": \"averages\", \"name\": \"mean\", \"every\": 1}]}";
    char path[FUZZ_PATH];
    (void)count;
    (void)arguments;
    fuzz_hush();
    fuzz_write("case.json", text, sizeof text - 1, path);
    if (weir_case_read(path, NULL, 0, &resumed) != 0)
        abort();
    return 0;
}

/* Those of the case where a byte is 0. */
static struct sizes take_sizes(struct fuzz_bytes *bytes) {
    static const size_t widths[] = {8, 4, 2};
    static const int cells[3] = {NX, NY, 1}, chunk[3] = {3, NY, 1};
    const unsigned flags = fuzz_byte(bytes);
    struct sizes sizes = {.populations = 1 + (int)(fuzz_byte(bytes) + 8) % 40,
                          .value_size = widths[(flags >> 2) % 3],
                          .compressed = flags & 1,
                          .averages = !(flags & 2)};
    for (int axis = 0; axis < 3; axis++) {
        sizes.cells[axis] = 1 + (int)(fuzz_byte(bytes) + (unsigned)cells[axis] - 1) % 16;
        sizes.chunk[axis] = 1 + (int)(fuzz_byte(bytes) + (unsigned)chunk[axis] - 1) % sizes.cells[axis];
    }
    return sizes;
}

/* What a checkpoint of these sizes says of itself; to be freed. */
static char *about_of(const struct sizes *sizes) {
    char *text = NULL;
    if (asprintf(
            &text,
            "{\"format\": 1, \"version\": \"0\", \"step\": 5, \"digest\": \"0\", \"cells\": [%d, %d, %d],"
            " \"periodic\": [true, true, true], \"fluid_cells\": 24, \"name\": \"case\", \"time\": 5.0,"
            " \"units\": \"lattice\", \"lattice\": \"D2Q9\", \"collision\": \"trt\", \"precision\": "
            "\"double\","
            " \"storage\": \"full\", \"scalar\": false, \"relaxation_time\": 0.8,"
            " \"sets\": [{\"name\": \"flow\", \"populations\": %d, \"bytes\": %d}],"
            " \"run\": {\"first_mass\": 24.0, \"greatest_speed\": 0.1, \"mass_passed\": 0.0, "
            "\"tested_step\": -1,"
            " \"steady\": false, \"boundaries\": {}}, \"averages\": [%s], \"case\": \"{}\"}",
            sizes->cells[0], sizes->cells[1], sizes->cells[2], sizes->populations, (int)sizes->value_size,
            sizes->averages ? "{\"name\": \"mean\", \"start\": 0, \"every\": 1}" : "") < 0)
        abort();
    return text;
}

static void put_about(hid_t file, const char *text) {
    const hsize_t length = strlen(text);
    const uint64_t checksum = weir_checksum(text, length);
    const hid_t space = H5Screate_simple(1, &length, NULL), one = H5Screate(H5S_SCALAR),
                dataset = H5Dcreate2(file, WEIR_CHECKPOINT_ABOUT, H5T_NATIVE_UINT8, space, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                attribute = H5Acreate2(dataset, WEIR_CHECKPOINT_CHECKSUM, H5T_NATIVE_UINT64, one, H5P_DEFAULT,
                                       H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    H5Awrite(attribute, H5T_NATIVE_UINT64, &checksum);
    H5Aclose(attribute);
    H5Dclose(dataset);
    H5Sclose(one);
    H5Sclose(space);
}

/* The populations, all zero, and the checksums of their chunks. */
static void put_set(hid_t file, const struct sizes *s) {
    hsize_t size[4] = {(hsize_t)s->populations}, chunk[4] = {size[0]}, chunks[3];
    size_t bytes = (size_t)s->populations * s->value_size;
    for (int axis = 0; axis < 3; axis++) {
        size[3 - axis] = (hsize_t)s->cells[axis];
        chunk[3 - axis] = (hsize_t)s->chunk[axis];
        chunks[2 - axis] = (hsize_t)weir_checkpoint_chunks(s->cells[axis], s->chunk[axis]);
        bytes *= (size_t)s->chunk[axis];
    }
    const size_t count = (size_t)(chunks[0] * chunks[1] * chunks[2]);
    const struct weir_checkpoint_set set = {.value_size = s->value_size};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(4, size, NULL),
                number = H5Screate_simple(3, chunks, NULL);
    H5Pset_chunk(creation, 4, chunk);
    if (s->compressed)
        (void)weir_packed_chunks(creation);
    const hid_t values = H5Dcreate2(file, "flow", weir_checkpoint_type(&set), space, H5P_DEFAULT, creation,
                                    H5P_DEFAULT),
                checksums = H5Dcreate2(file, "flow checksums", H5T_NATIVE_UINT64, number, H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT);
    uint64_t *sums = malloc(count * sizeof *sums);
    void *zeros = calloc(bytes, 1);
    if (!sums || !zeros)
        abort();
    for (size_t k = 0; k < count; k++) {
        const hsize_t place[4] = {0, k / chunks[2] / chunks[1] * chunk[1],
                                  k / chunks[2] % chunks[1] * chunk[2], k % chunks[2] * chunk[3]};
        sums[k] = weir_checksum(zeros, bytes);
        (void)weir_chunk_write(values, place, zeros, bytes, s->value_size, s->compressed);
    }
    H5Dwrite(checksums, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sums);
    free(zeros);
    free(sums);
    H5Dclose(checksums);
    H5Dclose(values);
    H5Sclose(number);
    H5Sclose(space);
    H5Pclose(creation);
}

static void put_averages(hid_t file, const struct sizes *s) {
    struct weir_averages_state state = {
        .name = "mean", .count = SUMS, .samples = 5, .cells = {s->cells[0], s->cells[1], s->cells[2]}};
    state.sums = calloc((size_t)SUMS * (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2],
                        sizeof *state.sums);
    if (!state.sums)
        abort();
    (void)weir_checkpoint_averages_write(file, &state);
    free(state.sums);
}

static void put_file(const char *path, const struct sizes *sizes, const char *about) {
    char *words = about[0] ? NULL : about_of(sizes);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        abort();
    put_about(file, words ? words : about);
    put_set(file, sizes);
    if (sizes->averages)
        put_averages(file, sizes);
    H5Fclose(file);
    free(words);
}

/* Reads what the case needs, into memory of the case's size. */
static void resume(struct weir_checkpoint_file *file) {
    static const int origin[3] = {-1, -1, 0}, extent[3] = {NX + 2, NY + 2, 1};
    const struct weir_box all = {.extent = {NX, NY, 1}};
    struct weir_warnings warnings = {.quiet = true};
    struct weir_run_sums sums;
    struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS];
    const int count = weir_checkpoint_sets(&resumed->problem, sets);
    size_t bytes = 0;
    for (int k = 0; k < count; k++)
        bytes += (size_t)sets[k].populations * sets[k].value_size;
    const int fits = fuzz_judge(weir_resume_check(resumed, file, &warnings));
    weir_warnings_release(&warnings);
    if (!fits)
        return;
    (void)weir_run_sums_read(resumed, weir_checkpoint_file_about(file), &sums);
    char *populations = malloc((NX + 2) * (NY + 2) * bytes);
    double *values = malloc(NX * NY * sizeof *values);
    int64_t samples;
    if (!populations || !values)
        abort();
    (void)fuzz_judge(weir_checkpoint_file_read(file, origin, extent, populations));
    const struct weir_output *output = &resumed->outputs[0];
    if (weir_checkpoint_file_has_averages(file, output, weir_case_sums_of_averages(resumed)) &&
        fuzz_judge(weir_checkpoint_file_samples(file, output->name, &samples)))
        for (int k = 0; k < weir_case_sums_of_averages(resumed); k++)
            (void)fuzz_judge(weir_checkpoint_file_sum(file, output->name, k, &all, values));
    free(values);
    free(populations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const datasets[] = {"about",
                                           "flow",
                                           "flow checksums",
                                           "averages mean",
                                           "averages mean samples",
                                           "averages mean checksums",
                                           NULL},
                             *const attributes[] = {"checksum", NULL};
    struct fuzz_bytes bytes = {data, data + size};
    const struct sizes sizes = take_sizes(&bytes);
    const size_t length = fuzz_byte(&bytes), left = (size_t)(bytes.end - bytes.at);
    struct fuzz_bytes edits = {bytes.at, bytes.at + (length < left ? length : left)};
    char path[FUZZ_PATH], *about = fuzz_text(edits.end, (size_t)(bytes.end - edits.end));
    struct weir_checkpoint_file *file = NULL;
    fuzz_path("checkpoint.h5", path);
    put_file(path, &sizes, about);
    free(about);
    fuzz_edit_hdf5(path, datasets, "about", attributes, &edits);
    if (fuzz_judge(weir_checkpoint_file_open(path, &file)) &&
        fuzz_judge(weir_checkpoint_file_verify(file, 0, 1)))
        resume(file);
    weir_checkpoint_file_close(file);
    return 0;
}
