/* Bytes that may be no UTF-8 as a JSON string: names of files are whatever their owner typed. */
#ifndef WEIR_SRC_COMMON_JSON_TEXT_H
#define WEIR_SRC_COMMON_JSON_TEXT_H

#include <jansson.h>

/* A new string, in which U+FFFD stands for every byte that is part of no character; JSON's null for NULL. */
json_t *weir_json_text(const char *bytes);

#endif
