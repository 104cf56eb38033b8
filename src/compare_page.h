/* A comparison as one page that needs nothing but a browser. */
#ifndef WEIR_SRC_COMPARE_PAGE_H
#define WEIR_SRC_COMPARE_PAGE_H

#include <jansson.h>

/* Writes traces/compare.html, which is built into the program, with the document in its place; complete or
 * not at all. Error: -WEIR_FAILED. */
int weir_compare_page_write(const char *path, const json_t *document);

#endif
