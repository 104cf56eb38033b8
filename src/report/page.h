/* Reports as one file that needs nothing but a browser: a template with a document in it. */
#ifndef WEIR_SRC_REPORT_PAGE_H
#define WEIR_SRC_REPORT_PAGE_H

#include <jansson.h>

/* Pages whose templates are built into the program, from traces/. */
enum weir_page { WEIR_COMPARE_PAGE, WEIR_TRACE_PAGE, WEIR_SCALE_PAGE, WEIR_SHOW_PAGE };

/* Writes the page with the document in its place, and what all pages share in its own; complete or not at
 * all. Error: -WEIR_FAILED. */
int weir_page_write(const char *path, enum weir_page page, const json_t *document);

#endif
