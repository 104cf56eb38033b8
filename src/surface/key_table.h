/* Numbers for keys, in the order in which the keys come. */
#ifndef WEIR_SRC_SURFACE_KEY_TABLE_H
#define WEIR_SRC_SURFACE_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct weir_key_table {
    int64_t *keys; /* [count], by number; 0 or more each */
    int32_t count;
    int32_t *slots; /* [slot_count] */
    size_t slot_count;
};

/* The number of a key; -1: it has none. */
int32_t weir_key_table_find(const struct weir_key_table *table, int64_t key);

/* The number of a key, which gets the next one where it has none. A table begins as zeros and is the caller's
 * (weir_key_table_free). Error: -WEIR_FAILED when memory is short. */
int32_t weir_key_table_add(struct weir_key_table *table, int64_t key);

void weir_key_table_free(struct weir_key_table *table);

#endif
