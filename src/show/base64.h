/* Files as text (RFC 4648), so that a page can hold pictures. */
#ifndef WEIR_SRC_SHOW_BASE64_H
#define WEIR_SRC_SHOW_BASE64_H

/* *text is the caller's, to be freed. Error: -WEIR_FAILED with path and reason. */
int weir_base64_of_file(const char *path, char **text);

#endif
