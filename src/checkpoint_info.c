#include "src/checkpoint_info.h"

#include "graph/base/error.h"
#include "src/output/checkpoint_file.h"

#include <stdio.h>

static const char *word(const json_t *about, const char *key) {
    const char *text = json_string_value(json_object_get(about, key));
    return text ? text : "?";
}

static void print(const char *path, const json_t *about) {
    int cells[3] = {0, 0, 0}, first = 1;
    size_t k;
    const json_t *set;
    (void)json_unpack((json_t *)about, "{s:[iii]}", "cells", &cells[0], &cells[1], &cells[2]);
    printf("%s: checkpoint of %s, whole\n", path, word(about, "name"));
    printf("  step          %lld\n", (long long)json_integer_value(json_object_get(about, "step")));
    printf("  time          %g %s\n", json_number_value(json_object_get(about, "time")),
           word(about, "units")[0] == 's' ? "s" : "steps");
    printf("  lattice       %s, %s, %s precision, storage %s\n", word(about, "lattice"),
           word(about, "collision"), word(about, "precision"), word(about, "storage"));
    printf("  relaxation    tau %.9g\n", json_number_value(json_object_get(about, "relaxation_time")));
    printf("  domain        %d x %d x %d cells, %lld of them fluid\n", cells[0], cells[1], cells[2],
           (long long)json_integer_value(json_object_get(about, "fluid_cells")));
    printf("  populations   ");
    json_array_foreach((json_t *)json_object_get(about, "sets"), k, set) {
        printf("%s%s (%d of %d bytes)", first ? "" : ", ", word(set, "name"),
               (int)json_integer_value(json_object_get(set, "populations")),
               (int)json_integer_value(json_object_get(set, "bytes")));
        first = 0;
    }
    printf("\n  digest        %s\n", word(about, "digest"));
    printf("  written by    Weir %s\n", word(about, "version"));
    printf("  go on         weir run CASE --resume %s\n", path);
}

int weir_checkpoint_info(const char *path) {
    struct weir_checkpoint_file *file;
    WEIR_TRY(weir_checkpoint_file_open(path, &file));
    const int error = weir_checkpoint_file_verify(file, 0, 1);
    if (error == 0)
        print(path, weir_checkpoint_file_about(file));
    weir_checkpoint_file_close(file);
    return error;
}
