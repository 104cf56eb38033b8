/* Amounts of bytes as people read them. */
#ifndef WEIR_SRC_COMMON_BYTES_TEXT_H
#define WEIR_SRC_COMMON_BYTES_TEXT_H

enum { WEIR_BYTES_TEXT = 32 };

/* Writes an amount of bytes with three digits, such as "1.25 MB"; decimal prefixes. Returns `text`. */
const char *weir_bytes_text(double bytes, char text[WEIR_BYTES_TEXT]);

#endif
