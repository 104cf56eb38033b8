#include "src/output/formats/polydata.h"

#include "graph/base/error.h"

#include <inttypes.h>
#include <stdlib.h>

struct weir_polydata {
    bool single;
    int64_t points, triangles;
    double (*places)[3];   /* [points] */
    int64_t (*corners)[3]; /* [triangles], numbers of points */
};

static int make(struct weir_polydata *polydata, const struct weir_triangles *triangles, double scale) {
    const size_t count = 3 * (size_t)triangles->count;
    int32_t *first = malloc((count + 1) * sizeof *first);
    int64_t *number = malloc((count + 1) * sizeof *number);
    polydata->places = malloc((count + 1) * sizeof *polydata->places);
    polydata->corners = malloc((count + 1) / 3 * sizeof *polydata->corners + 1);
    int error = first && number && polydata->places && polydata->corners
                    ? weir_triangles_number(triangles, first)
                    : weir_fail(WEIR_FAILED, "no memory left for a surface of triangles");
    for (int64_t k = 0; error == 0 && k < (int64_t)count; k++) {
        if (first[k] == k) {
            for (int axis = 0; axis < 3; axis++)
                polydata->places[polydata->points][axis] = scale * triangles->corners[k / 3][k % 3][axis];
            number[k] = polydata->points++;
        }
        polydata->corners[k / 3][k % 3] = number[first[k]];
    }
    free(first);
    free(number);
    return error;
}

int weir_polydata_create(const struct weir_triangles *triangles, double scale, bool single,
                         struct weir_polydata **result) {
    struct weir_polydata *polydata = calloc(1, sizeof *polydata);
    if (!polydata)
        return weir_fail(WEIR_FAILED, "no memory left for a surface of triangles");
    polydata->single = single;
    polydata->triangles = triangles->count;
    const int error = make(polydata, triangles, scale);
    if (error < 0) {
        weir_polydata_destroy(polydata);
        return error;
    }
    *result = polydata;
    return 0;
}

void weir_polydata_destroy(struct weir_polydata *polydata) {
    if (!polydata)
        return;
    free(polydata->places);
    free(polydata->corners);
    free(polydata);
}

static uint64_t bytes_of(const struct weir_polydata *polydata, int64_t numbers) {
    return (uint64_t)numbers * (polydata->single ? sizeof(float) : sizeof(double));
}

/* Declares an array that lies at *offset behind the text, and moves that on. */
static void declare(FILE *stream, const char *type, const char *name, int components, uint64_t bytes,
                    uint64_t *offset) {
    fprintf(stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            type, name, components, *offset);
    *offset += sizeof bytes + bytes;
}

static void write_numbers(const struct weir_polydata *polydata, const double *values, int64_t count,
                          FILE *stream) {
    const uint64_t bytes = bytes_of(polydata, count);
    fwrite(&bytes, sizeof bytes, 1, stream);
    for (int64_t k = 0; k < count; k++) {
        const float single = (float)values[k];
        if (polydata->single)
            fwrite(&single, sizeof single, 1, stream);
        else
            fwrite(&values[k], sizeof values[k], 1, stream);
    }
}

static void write_topology(const struct weir_polydata *polydata, FILE *stream) {
    const uint64_t corners = 3 * sizeof(int64_t) * (uint64_t)polydata->triangles,
                   ends = sizeof(int64_t) * (uint64_t)polydata->triangles;
    fwrite(&corners, sizeof corners, 1, stream);
    fwrite(polydata->corners, 1, corners, stream);
    fwrite(&ends, sizeof ends, 1, stream);
    for (int64_t k = 1; k <= polydata->triangles; k++) {
        const int64_t end = 3 * k;
        fwrite(&end, sizeof end, 1, stream);
    }
}

void weir_polydata_write(const struct weir_polydata *polydata, double time,
                         const struct weir_polydata_array *arrays, int count, FILE *stream) {
    const char *real = polydata->single ? "Float32" : "Float64";
    uint64_t offset = 0;
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n"
            "<PolyData>\n"
            "<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray>\n"
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64 "\">\n"
            "<CellData>\n",
            time, polydata->points, polydata->triangles);
    for (int k = 0; k < count; k++)
        declare(stream, real, arrays[k].name, arrays[k].components,
                bytes_of(polydata, arrays[k].components * polydata->triangles), &offset);
    fputs("</CellData>\n<Points>\n", stream);
    declare(stream, real, "Points", 3, bytes_of(polydata, 3 * polydata->points), &offset);
    fputs("</Points>\n<Polys>\n", stream);
    declare(stream, "Int64", "connectivity", 1, 3 * sizeof(int64_t) * (uint64_t)polydata->triangles, &offset);
    declare(stream, "Int64", "offsets", 1, sizeof(int64_t) * (uint64_t)polydata->triangles, &offset);
    fputs("</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", stream);
    for (int k = 0; k < count; k++)
        write_numbers(polydata, arrays[k].values, arrays[k].components * polydata->triangles, stream);
    write_numbers(polydata, polydata->places[0], 3 * polydata->points, stream);
    write_topology(polydata, stream);
    fputs("\n</AppendedData>\n</VTKFile>\n", stream);
}
