#include "src/report/page.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The templates and what they share, from page_data.S. */
extern const char weir_page_compare[], weir_page_compare_end[];
extern const char weir_page_trace[], weir_page_trace_end[];
extern const char weir_page_scale[], weir_page_scale_end[];
extern const char weir_page_show[], weir_page_show_end[];
extern const char weir_page_style[], weir_page_style_end[];
extern const char weir_page_script[], weir_page_script_end[];

/* Texts of the document may hold what ends a script in HTML ("</script>", "<!--"): without "<" they cannot,
 * and in JSON it stands in texts only, where it may be written so. */
static void put_document(const char *json, FILE *stream) {
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", stream);
        else
            fputc(*json, stream);
}

static bool starts_with(const char *text, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0;
}

/* Copies the template; what stands between @ and @ in capitals is replaced. */
static void fill(const char *text, const char *end, const char *json, FILE *stream) {
    while (text < end) {
        const char *at = memchr(text, '@', (size_t)(end - text));
        const char *stop = at ? at : end;
        fwrite(text, 1, (size_t)(stop - text), stream);
        text = stop;
        if (text == end)
            break;
        if (starts_with(text, end, "@DOCUMENT@")) {
            put_document(json, stream);
            text += strlen("@DOCUMENT@");
        } else if (starts_with(text, end, "@STYLE@")) {
            fwrite(weir_page_style, 1, (size_t)(weir_page_style_end - weir_page_style), stream);
            text += strlen("@STYLE@");
        } else if (starts_with(text, end, "@SCRIPT@")) {
            fwrite(weir_page_script, 1, (size_t)(weir_page_script_end - weir_page_script), stream);
            text += strlen("@SCRIPT@");
        } else {
            fputc(*text++, stream);
        }
    }
}

int weir_page_write(const char *path, enum weir_page page, const json_t *document) {
    char *json = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(10));
    struct weir_output_file *file = NULL;
    if (!json)
        return weir_fail(WEIR_FAILED, "out of memory for the page '%s'", path);
    const int error = weir_output_file_create(path, &file);
    const struct {
        const char *text, *end;
    } templates[] = {
        [WEIR_COMPARE_PAGE] = {weir_page_compare, weir_page_compare_end},
        [WEIR_TRACE_PAGE] = {weir_page_trace, weir_page_trace_end},
        [WEIR_SCALE_PAGE] = {weir_page_scale, weir_page_scale_end},
        [WEIR_SHOW_PAGE] = {weir_page_show, weir_page_show_end},
    };
    if (error == 0)
        fill(templates[page].text, templates[page].end, json, weir_output_file_stream(file));
    free(json);
    return error == 0 ? weir_output_file_finish(file) : error;
}
