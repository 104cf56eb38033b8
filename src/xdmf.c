#include "src/xdmf.h"

#include "graph/error.h"
#include "src/output_files.h"
#include "src/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct weir_xdmf {
    const struct weir_case *c;
    const struct weir_output *output;
    char *directory;
    int64_t *steps; /* complete so far */
    size_t count, capacity;
};

int weir_xdmf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                     struct weir_xdmf **result) {
    struct weir_xdmf *xdmf = calloc(1, sizeof *xdmf);
    if (!xdmf || !(xdmf->directory = strdup(directory))) {
        free(xdmf);
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    }
    xdmf->c = c;
    xdmf->output = output;
    *result = xdmf;
    return 0;
}

void weir_xdmf_destroy(struct weir_xdmf *xdmf) {
    if (!xdmf)
        return;
    free(xdmf->directory);
    free(xdmf->steps);
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
    const int *cells = xdmf->c->problem.cells;
    fprintf(stream,
            "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Cell\">\n"
            "          <DataItem Dimensions=\"%d %d %d%s\" %s Format=\"HDF\">",
            name, components == 3 ? "Vector" : "Scalar", cells[2], cells[1], cells[0],
            components == 3 ? " 3" : "", type);
    write_escaped(stream, file);
    fprintf(stream, ":/%s</DataItem>\n        </Attribute>\n", name);
}

/* Nodes are counted per axis, z first; a plane of D2Q9 is one cell thick. */
static void write_step(FILE *stream, const struct weir_xdmf *xdmf, int64_t step, const char *file) {
    const struct weir_problem *problem = &xdmf->c->problem;
    const struct weir_units *units = &xdmf->c->units;
    fprintf(stream,
            "      <Grid Name=\"step %" PRId64 "\" GridType=\"Uniform\">\n"
            "        <Time Value=\"%.17g\"/>\n"
            "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%d %d %d\"/>\n"
            "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
            "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">0 0 "
            "0</DataItem>\n"
            "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
            "%.17g %.17g %.17g</DataItem>\n"
            "        </Geometry>\n",
            step, (double)step * units->time, problem->cells[2] + 1, problem->cells[1] + 1,
            problem->cells[0] + 1, units->length, units->length, units->length);
    const char *type = problem->precision != WEIR_DOUBLE ? "NumberType=\"Float\" Precision=\"4\""
                                                         : "NumberType=\"Float\" Precision=\"8\"";
    for (int quantity = 0; quantity < WEIR_QUANTITY_COUNT; quantity++)
        if (xdmf->output->quantities & 1u << quantity)
            write_attribute(stream, xdmf, file, weir_quantity_names[quantity],
                            weir_quantity_components(quantity), type);
    if (problem->shape_count > 0)
        write_attribute(stream, xdmf, file, "solid", 1, "NumberType=\"UChar\" Precision=\"1\"");
    fputs("      </Grid>\n", stream);
}

static int write_table(FILE *stream, const struct weir_xdmf *xdmf) {
    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
          "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
          "<Xdmf Version=\"2.0\">\n"
          "  <Domain>\n"
          "    <Grid Name=\"",
          stream);
    write_escaped(stream, xdmf->c->name);
    fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", stream);
    for (size_t i = 0; i < xdmf->count; i++) {
        char *file;
        WEIR_TRY(weir_output_path("", xdmf->output->name, xdmf->steps[i], ".h5", &file));
        write_step(stream, xdmf, xdmf->steps[i], file + 1); /* past the "/", as it lies in the same folder */
        free(file);
    }
    fputs("    </Grid>\n"
          "  </Domain>\n"
          "</Xdmf>\n",
          stream);
    return 0;
}

int weir_xdmf_add(struct weir_xdmf *xdmf, int64_t step) {
    if (xdmf->count == xdmf->capacity) {
        size_t capacity = 2 * xdmf->capacity + 16;
        int64_t *steps = realloc(xdmf->steps, capacity * sizeof *steps);
        if (!steps)
            return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", xdmf->output->name);
        xdmf->steps = steps;
        xdmf->capacity = capacity;
    }
    xdmf->steps[xdmf->count++] = step;

    char *path;
    struct weir_output_file *file;
    WEIR_TRY(weir_output_path(xdmf->directory, xdmf->output->name, -1, ".xmf", &path));
    int result = weir_output_file_create(path, &file);
    free(path);
    WEIR_TRY(result);
    result = write_table(weir_output_file_stream(file), xdmf);
    if (result < 0) {
        weir_output_file_discard(file);
        return result;
    }
    return weir_output_file_finish(file);
}
