/* What targets of fuzzing share. Each target is a file with LLVMFuzzerTestOneInput, the interface of
 * libFuzzer (https://llvm.org/docs/LibFuzzer.html), and reads any bytes as Weir would read a file that
 * somebody gave it. It is linked with libFuzzer, or with replay.c, which reads the inputs that are kept. */
#ifndef WEIR_TESTS_FUZZ_H
#define WEIR_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* A target: 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Before the first input; a target may have none. */
int LLVMFuzzerInitialize(int *count, char ***arguments);

/* Changes an input in place, by a target that knows what inputs look like; returns its new size, at most
 * `most`.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { FUZZ_PATH = 320 };

/* The path of a file of this name, which need not be there, in a folder of this process alone that goes when
 * the process ends. */
void fuzz_path(const char *name, char path[FUZZ_PATH]);

/* Writes such a file. */
void fuzz_write(const char *name, const void *bytes, size_t size, char path[FUZZ_PATH]);

/* What a function that reads must give back: 0 or more, or the negative of an exit code that there is, with
 * words about what is wrong. Ends the process where it is anything else; returns whether it is 0 or more. */
int fuzz_judge(int result);

/* What a target prints is not looked at. */
void fuzz_hush(void);

/* A copy of the bytes as text, closed by '\0'; to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Bytes that are taken off an input one after the other. */
struct fuzz_bytes {
    const uint8_t *at, *end;
};

/* The next byte; 0 where there is none left. */
unsigned fuzz_byte(struct fuzz_bytes *bytes);

/* A size, of those at which something changes: none, few, powers of two and what is beside them. */
uint64_t fuzz_size(struct fuzz_bytes *bytes);

/* The next `size` bytes, zeros where there are none left. */
void fuzz_take(struct fuzz_bytes *bytes, void *to, size_t size);

#endif
