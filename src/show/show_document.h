/* What the page of weir show is drawn from. */
#ifndef WEIR_SRC_SHOW_SHOW_DOCUMENT_H
#define WEIR_SRC_SHOW_SHOW_DOCUMENT_H

#include <jansson.h>

/* Gathers what is in the folder of a run: case and summary as they are there, pictures (base64), tables with
 * the spectra of those over time, and names of files that are too large for a page. *document is a new
 * reference. Errors: -WEIR_FAILED with path and reason. */
int weir_show_document(const char *folder, json_t **document);

#endif
