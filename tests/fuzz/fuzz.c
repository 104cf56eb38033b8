#include "tests/fuzz/fuzz.h"

#include "graph/base/error.h"
#include "tests/unit/temporary.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options of sanitizers, which look for these functions: an allocation that is too large fails, as it does
 * on a machine without so much memory, so that what is said then is tried as well. Libraries that keep memory
 * until the process ends are not our leaks. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_suppressions(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=16";
}

const char *__ubsan_default_options(void) {
    return "halt_on_error=1:print_stacktrace=1";
}

const char *__lsan_default_suppressions(void) {
    return "leak:libassimp\nleak:libhwloc\nleak:libmpi\nleak:libopen-pal\nleak:libopen-rte\nleak:"
           "libpmix\nleak:libstarpu\n";
}

static char folder[TEMPORARY_PATH];

/* Files only: targets make no folders. */
static void remove_folder(void) {
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    rmdir(folder);
}

void fuzz_path(const char *name, char path[FUZZ_PATH]) {
    if (folder[0] == '\0') {
        if (!make_temporary_folder(folder)) {
            perror("no folder for files of fuzzing");
            exit(1);
        }
        atexit(remove_folder);
    }
    snprintf(path, FUZZ_PATH, "%s/%s", folder, name);
}

void fuzz_write(const char *name, const void *bytes, size_t size, char path[FUZZ_PATH]) {
    fuzz_path(name, path);
    FILE *file = fopen(path, "wb");
    const int good = file && (size == 0 || fwrite(bytes, size, 1, file) == 1);
    if (!file || fclose(file) != 0 || !good) {
        perror(path);
        exit(1);
    }
}

int fuzz_judge(int result) {
    if (result >= 0)
        return 1;
    if (result != -WEIR_FAILED && result != -WEIR_USAGE && result != -WEIR_UNAVAILABLE) {
        fprintf(stderr, "a function returned %d, which is no error code\n", result);
        abort();
    }
    if (weir_error_text()[0] == '\0') {
        fprintf(stderr, "a function failed with %d, and no words\n", result);
        abort();
    }
    return 0;
}

void fuzz_hush(void) {
    if (!freopen("/dev/null", "w", stdout)) {
        perror("/dev/null");
        exit(1);
    }
}

char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

unsigned fuzz_byte(struct fuzz_bytes *bytes) {
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

void fuzz_take(struct fuzz_bytes *bytes, void *to, size_t size) {
    const size_t there = (size_t)(bytes->end - bytes->at), count = size < there ? size : there;
    memset(to, 0, size);
    if (count > 0)
        memcpy(to, bytes->at, count);
    bytes->at += count;
}

uint64_t fuzz_size(struct fuzz_bytes *bytes) {
    const unsigned byte = fuzz_byte(bytes);
    if (byte < 192) /* small ones are most of what is read */
        return byte % 32;
    const uint64_t power = (uint64_t)1 << (byte - 192) % 64;
    const unsigned beside = fuzz_byte(bytes) % 3;
    return beside == 0 ? power - 1 : beside == 1 ? power : power + 1;
}
