#include "src/compare_page.h"

#include "graph/error.h"
#include "src/output_files.h"

#include <stdlib.h>
#include <string.h>

/* The template, from compare_page.S. */
extern const char weir_compare_page_data[], weir_compare_page_end[];

/* Where the document goes. */
static const char place[] = "@COMPARISON@";

/* Texts of the document may hold what ends a script in HTML ("</script>", "<!--"): without "<" they cannot,
 * and in JSON it stands in texts only, where it may be written so. */
static void put_document(const char *json, FILE *stream) {
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", stream);
        else
            fputc(*json, stream);
}

int weir_compare_page_write(const char *path, const json_t *document) {
    const size_t size = (size_t)(weir_compare_page_end - weir_compare_page_data);
    const char *at = memmem(weir_compare_page_data, size, place, strlen(place));
    char *json = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(10));
    struct weir_output_file *file = NULL;
    if (!json || !at) {
        free(json);
        return weir_fail(WEIR_FAILED, "out of memory for the page '%s'", path);
    }
    const int error = weir_output_file_create(path, &file);
    if (error == 0) {
        FILE *stream = weir_output_file_stream(file);
        const char *rest = at + strlen(place);
        fwrite(weir_compare_page_data, 1, (size_t)(at - weir_compare_page_data), stream);
        put_document(json, stream);
        fwrite(rest, 1, (size_t)(weir_compare_page_end - rest), stream);
    }
    free(json);
    return error == 0 ? weir_output_file_finish(file) : error;
}
