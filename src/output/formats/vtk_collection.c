#include "src/output/formats/vtk_collection.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "src/output/formats/step_list.h"

#include <inttypes.h>
#include <stdlib.h>

struct weir_vtk_collection {
    char *path;
    const char *name, *suffix;
    double step_time;
    struct weir_step_list steps;
};

int weir_vtk_collection_create(const char *directory, const char *name, const char *suffix, double step_time,
                               int64_t first, struct weir_vtk_collection **result) {
    struct weir_vtk_collection *collection = calloc(1, sizeof *collection);
    if (!collection)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", name);
    collection->name = name;
    collection->suffix = suffix;
    collection->step_time = step_time;
    int error = weir_output_path(directory, name, -1, ".pvd", &collection->path);
    if (error == 0 && first > 0)
        error = weir_step_list_add_earlier(&collection->steps, directory, name, suffix, first);
    if (error < 0) {
        weir_vtk_collection_destroy(collection);
        return error;
    }
    *result = collection;
    return 0;
}

void weir_vtk_collection_destroy(struct weir_vtk_collection *collection) {
    if (!collection)
        return;
    free(collection->path);
    weir_step_list_free(&collection->steps);
    free(collection);
}

/* Names of outputs are fit for files, and so for XML. */
static void write_list(const struct weir_vtk_collection *collection, FILE *stream) {
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
          "<Collection>\n",
          stream);
    for (size_t k = 0; k < collection->steps.count; k++)
        fprintf(stream, "<DataSet timestep=\"%.10g\" part=\"0\" file=\"%s_%09" PRId64 "%s\"/>\n",
                (double)collection->steps.steps[k] * collection->step_time, collection->name,
                collection->steps.steps[k], collection->suffix);
    fputs("</Collection>\n</VTKFile>\n", stream);
}

int weir_vtk_collection_add(struct weir_vtk_collection *collection, int64_t step) {
    struct weir_output_file *file;
    WEIR_TRY(weir_step_list_add(&collection->steps, collection->name, step));
    WEIR_TRY(weir_output_file_create(collection->path, &file));
    write_list(collection, weir_output_file_stream(file));
    return weir_output_file_finish(file);
}
