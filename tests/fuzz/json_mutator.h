/* Changes JSON texts in ways that make sense: inputs stay JSON, most of their keys stay known, and values are
 * at their limits more often than not. */
#ifndef WEIR_TESTS_JSON_MUTATOR_H
#define WEIR_TESTS_JSON_MUTATOR_H

#include "src/case/key.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Random numbers; the same for the same seed. */
struct fuzz_random {
    uint64_t state;
};

/* One from 0 to `below` - 1. */
size_t fuzz_random_below(struct fuzz_random *random, size_t below);

/* Changes a tree in some places. keys: the rows of its keys, NULL where there are none. */
void fuzz_mutate_tree(json_t *root, struct fuzz_random *random, const struct weir_key *keys);

/* The same of a text, in place: as LLVMFuzzerCustomMutator. What is no JSON object becomes {}. */
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed, const struct weir_key *keys);

#endif
