#include "src/output/formats/xdmf.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/outputs/quantity.h"
#include "src/common/output_files.h"
#include "src/output/formats/field_grid.h"
#include "src/output/formats/step_list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rewriting the table for every step would take ever longer. So it ends with room for more: a processing
 * instruction, which readers of XML skip whatever is in it. A step is written into the room first, behind it
 * where the rest of the room begins, and then shown with one write of eight bytes, which blank out where the
 * room began:
 *
 *     <Grid> .. </Grid>    <?weir                                      ?> </Grid></Domain></Xdmf>
 *     <Grid> .. </Grid>    <?weir     <Grid> .. </Grid> <?weir         ?> </Grid></Domain></Xdmf>
 *     <Grid> .. </Grid>               <Grid> .. </Grid> <?weir         ?> </Grid></Domain></Xdmf>
 *
 * At any moment, also after a crash, the file is whole, with or without the step. Only when the room is used
 * up is the table written anew, with as much room as it has steps: in all, a few times its final length. */
static const char room_begins[] = "<?weir  ", blank[] = "        ";
enum {
    MARK = 8,               /* characters in each of these. At a multiple of it in the file, they lie in one
                               page of memory and one sector of a disk */
    LEAST_ROOM = 16 * 1024, /* some ten steps */
};

struct weir_xdmf {
    const struct weir_case *c;
    const struct weir_output *output;
    char *path;
    struct weir_step_list steps;  /* complete so far */
    off_t room, room_end, length; /* of the file: where its room begins and ends, and its end */
};

int weir_xdmf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                     struct weir_xdmf **result) {
    struct weir_xdmf *xdmf = calloc(1, sizeof *xdmf);
    if (!xdmf)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    xdmf->c = c;
    xdmf->output = output;
    const int error = weir_output_path(directory, output->name, -1, ".xmf", &xdmf->path);
    if (error < 0) {
        weir_xdmf_destroy(xdmf);
        return error;
    }
    *result = xdmf;
    return 0;
}

void weir_xdmf_destroy(struct weir_xdmf *xdmf) {
    if (!xdmf)
        return;
    free(xdmf->path);
    weir_step_list_free(&xdmf->steps);
    free(xdmf);
}

static void write_escaped(FILE *stream, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
        }
    }
}

/* One value per cell: `components` numbers of `type` (an XDMF number type with its precision) in dataset
 * `name` of `file`. */
static void write_attribute(FILE *stream, const struct weir_xdmf *xdmf, const char *file, const char *name,
                            int components, const char *type) {
    const struct weir_field_grid grid = weir_field_grid(xdmf->output);
    char count[16] = "";
    if (components > 1)
        snprintf(count, sizeof count, " %d", components);
    fprintf(stream,
            "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Cell\">\n"
            "          <DataItem Dimensions=\"%d %d %d%s\" %s Format=\"HDF\">",
            name,
            components == 1   ? "Scalar"
            : components == 3 ? "Vector"
                              : "Tensor6",
            grid.count[2], grid.count[1], grid.count[0], count, type);
    write_escaped(stream, file);
    fprintf(stream, ":/%s</DataItem>\n        </Attribute>\n", name);
}

/* Nodes are counted per axis, z first; a plane of D2Q9 is one cell thick. */
static int write_step(FILE *stream, const struct weir_xdmf *xdmf, int64_t step) {
    const struct weir_problem *problem = &xdmf->c->problem;
    const struct weir_units *units = &xdmf->c->units;
    const struct weir_field_grid grid = weir_field_grid(xdmf->output);
    double begin[3], width[3];
    char *path;
    for (int axis = 0; axis < 3; axis++) {
        begin[axis] = units->length * weir_field_grid_begin(&grid, axis);
        width[axis] = units->length * grid.stride[axis];
    }
    WEIR_TRY(weir_output_path("", xdmf->output->name, step, ".h5", &path));
    const char *file = path + 1; /* past the "/", as it lies in the same folder */
    fprintf(stream,
            "      <Grid Name=\"step %" PRId64 "\" GridType=\"Uniform\">\n"
            "        <Time Value=\"%.17g\"/>\n"
            "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%d %d %d\"/>\n"
            "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
            "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">%.17g "
            "%.17g "
            "%.17g</DataItem>\n"
            "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
            "%.17g %.17g %.17g</DataItem>\n"
            "        </Geometry>\n",
            step, (double)step * units->time, grid.count[2] + 1, grid.count[1] + 1, grid.count[0] + 1,
            begin[2], begin[1], begin[0], width[2], width[1], width[0]);
    char type[48];
    snprintf(type, sizeof type, "NumberType=\"Float\" Precision=\"%zu\"",
             weir_precision_row(problem->precision)->real_bytes);
    for (int quantity = 0; quantity < WEIR_QUANTITY_COUNT; quantity++)
        if (xdmf->output->quantities & 1u << quantity)
            write_attribute(stream, xdmf, file, weir_quantity_row((enum weir_quantity)quantity)->name,
                            weir_quantity_components((enum weir_quantity)quantity), type);
    if (weir_problem_has_solids(problem))
        write_attribute(stream, xdmf, file, "solid", 1, "NumberType=\"UChar\" Precision=\"1\"");
    fputs("      </Grid>\n", stream);
    free(path);
    return 0;
}

static void fill(FILE *stream, size_t count) {
    while (count-- > 0)
        fputc(' ', stream);
}

/* Blanks up to where a mark may lie. start: where in the file the stream begins. */
static void align(FILE *stream, off_t start) {
    fill(stream, (size_t)((MARK - (start + ftello(stream)) % MARK) % MARK));
}

/* The whole table, with room, and where that lies. */
static int write_table(FILE *stream, struct weir_xdmf *xdmf) {
    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
          "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
          "<Xdmf Version=\"2.0\">\n"
          "  <Domain>\n"
          "    <Grid Name=\"",
          stream);
    write_escaped(stream, xdmf->c->name);
    fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", stream);
    for (size_t i = 0; i < xdmf->steps.count; i++)
        WEIR_TRY(write_step(stream, xdmf, xdmf->steps.steps[i]));
    align(stream, 0);
    xdmf->room = ftello(stream);
    fputs(room_begins, stream);
    fill(stream, xdmf->room > LEAST_ROOM ? (size_t)xdmf->room : LEAST_ROOM);
    xdmf->room_end = ftello(stream);
    fputs("?>\n"
          "    </Grid>\n"
          "  </Domain>\n"
          "</Xdmf>\n",
          stream);
    xdmf->length = ftello(stream);
    return 0;
}

static int out_of_memory(const struct weir_xdmf *xdmf) {
    return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", xdmf->output->name);
}

/* Ends what was printed into memory; error: of printing it. */
static int close_text(FILE *stream, const struct weir_xdmf *xdmf, int error) {
    return fclose(stream) == 0 || error < 0 ? error : out_of_memory(xdmf);
}

/* In memory, as its length is not known before. *text is the caller's. */
static int print_table(struct weir_xdmf *xdmf, char **text, size_t *length) {
    FILE *stream = open_memstream(text, length);
    if (!stream)
        return out_of_memory(xdmf);
    const int error = write_table(stream, xdmf);
    return close_text(stream, xdmf, error);
}

static int write_anew(struct weir_xdmf *xdmf) {
    char *text = NULL;
    size_t length;
    struct weir_output_file *file = NULL;
    int error = print_table(xdmf, &text, &length);
    if (error == 0)
        error = weir_output_file_create(xdmf->path, &file);
    if (error == 0) {
        fwrite(text, 1, length, weir_output_file_stream(file));
        error = weir_output_file_finish(file);
    }
    free(text);
    return error;
}

/* The newest step as it goes into the room behind the mark, up to the mark that follows. */
static int print_addition(const struct weir_xdmf *xdmf, char **text, size_t *length) {
    FILE *stream = open_memstream(text, length);
    if (!stream)
        return out_of_memory(xdmf);
    fputc('\n', stream);
    const int error = write_step(stream, xdmf, xdmf->steps.steps[xdmf->steps.count - 1]);
    align(stream, xdmf->room + MARK);
    fputs(room_begins, stream);
    return close_text(stream, xdmf, error);
}

/* Whether the file is the one that was written last, and not one that somebody has put in its place. */
static bool is_ours(const struct weir_xdmf *xdmf, int descriptor) {
    struct stat status;
    char mark[MARK];
    return fstat(descriptor, &status) == 0 && status.st_size == xdmf->length &&
           pread(descriptor, mark, MARK, xdmf->room) == MARK && memcmp(mark, room_begins, MARK) == 0;
}

static bool overwrite(int descriptor, const char *text, size_t length, off_t place) {
    while (length > 0) {
        const ssize_t written = pwrite(descriptor, text, length, place);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
            place += written;
        }
    }
    return fdatasync(descriptor) == 0;
}

/* Writes the addition, where there is room for it; *fits tells. */
static int add_to(struct weir_xdmf *xdmf, int descriptor, const char *text, size_t length, bool *fits) {
    const off_t next = xdmf->room + (off_t)length; /* its last eight bytes are the next mark */
    *fits = next + MARK <= xdmf->room_end && is_ours(xdmf, descriptor);
    if (!*fits)
        return 0;
    if (!overwrite(descriptor, text, length, xdmf->room + MARK) ||
        !overwrite(descriptor, blank, MARK, xdmf->room))
        return weir_output_error("write", xdmf->path, errno);
    xdmf->room = next;
    return 0;
}

static int add_in_place(struct weir_xdmf *xdmf, bool *fits) {
    char *text = NULL;
    size_t length;
    *fits = false;
    const int descriptor = xdmf->length > 0 ? open(xdmf->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (descriptor < 0)
        return 0;
    int error = print_addition(xdmf, &text, &length);
    if (error == 0)
        error = add_to(xdmf, descriptor, text, length, fits);
    free(text);
    close(descriptor);
    return error;
}

int weir_xdmf_continue(struct weir_xdmf *xdmf, const char *directory, int64_t first) {
    return weir_step_list_add_earlier(&xdmf->steps, directory, xdmf->output->name, ".h5", first);
}

int weir_xdmf_add(struct weir_xdmf *xdmf, int64_t step) {
    bool fits;
    WEIR_TRY(weir_step_list_add(&xdmf->steps, xdmf->output->name, step));
    WEIR_TRY(add_in_place(xdmf, &fits));
    return fits ? 0 : write_anew(xdmf);
}
