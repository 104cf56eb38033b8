#include "src/surface/key_table.h"

#include "graph/base/error.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct weir_key_table *table, int64_t key) {
    size_t slot = (size_t)(((uint64_t)key * 0x9e3779b97f4a7c15u) >> 20) & (table->slot_count - 1);
    while (table->slots[slot] >= 0 && table->keys[table->slots[slot]] != key)
        slot = (slot + 1) & (table->slot_count - 1);
    return slot;
}

static int grow(struct weir_key_table *table) {
    const size_t slot_count = table->slot_count ? 2 * table->slot_count : 1024;
    int64_t *keys = realloc(table->keys, slot_count / 2 * sizeof *keys);
    int32_t *slots = malloc(slot_count * sizeof *slots);
    if (keys)
        table->keys = keys;
    if (!keys || !slots) {
        free(slots);
        return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    memset(slots, -1, slot_count * sizeof *slots);
    for (int32_t number = 0; number < table->count; number++)
        slots[slot_of(table, keys[number])] = number;
    return 0;
}

int32_t weir_key_table_find(const struct weir_key_table *table, int64_t key) {
    return table->slot_count ? table->slots[slot_of(table, key)] : -1;
}

int32_t weir_key_table_add(struct weir_key_table *table, int64_t key) {
    if ((size_t)table->count >= table->slot_count / 2)
        WEIR_TRY(grow(table));
    const size_t slot = slot_of(table, key);
    if (table->slots[slot] < 0) {
        table->keys[table->count] = key;
        table->slots[slot] = table->count++;
    }
    return table->slots[slot];
}

void weir_key_table_free(struct weir_key_table *table) {
    free(table->keys);
    free(table->slots);
    *table = (struct weir_key_table){.count = 0};
}
