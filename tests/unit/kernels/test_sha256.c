/* SHA-256 against the examples that NIST gives with FIPS 180-4. */
#include "codelets/kernels/demand/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The digest of a text that is given `times` times, in pieces of `piece` bytes. */
static void check(const char *text, int times, size_t piece, const char *expected) {
    struct weir_sha256 s;
    char hex[WEIR_SHA256_HEX_SIZE];
    weir_sha256_begin(&s);
    for (int k = 0; k < times; k++)
        for (size_t at = 0, left = strlen(text); left > 0;) {
            const size_t size = left < piece ? left : piece;
            weir_sha256_add(&s, text + at, size);
            at += size;
            left -= size;
        }
    weir_sha256_end(&s, hex);
    assert_string_equal(hex, expected);
}

static void test_examples(void **state) {
    (void)state;
    static const size_t pieces[] = {1, 3, 64, 1000};
    for (int k = 0; k < 4; k++) {
        check("", 1, pieces[k], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check("abc", 1, pieces[k], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, pieces[k],
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        check("aaaaaaaaaa", 100000, pieces[k],
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
