#include "src/case/bare_case.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"

json_t *weir_bare_case_object(json_t *root, const char *key) {
    json_t *object = json_object_get(root, key);
    if (!object) {
        object = json_object();
        json_object_set_new(root, key, object);
    }
    return object;
}

json_t *weir_bare_case(const struct weir_case *c, const int block_cells[3]) {
    json_t *root = json_loads(c->text, 0, NULL);
    if (!root)
        return NULL;
    json_t *cells = json_array();
    for (int axis = 0; axis < weir_lattice_dimensions(c->problem.lattice); axis++)
        json_array_append_new(cells, json_integer(block_cells[axis]));
    json_object_set_new(weir_bare_case_object(root, "blocks"), "cells", cells);
    json_object_set_new(root, "name", json_string(c->name));
    json_object_set_new(root, "output", json_array());
    /* Only the end is checked. */
    json_object_set_new(weir_bare_case_object(root, "run"), "check_every", json_real(1e12));
    json_object_del(weir_bare_case_object(root, "run"), "stop_when");
    json_object_del(root, "$schema");
    return root;
}

int weir_bare_case_write(const json_t *root, const char *path) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    json_dumpf(root, weir_output_file_stream(file), JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    return weir_output_file_finish(file);
}
