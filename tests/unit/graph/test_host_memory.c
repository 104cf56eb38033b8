/* How much main memory is left, by files as the kernel writes them and by limits of this process. */
#include "graph/base/host_memory.h"
#include "tests/unit/temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static const double mib = 1 << 20;

static char root[TEMPORARY_PATH];

/* Writes a file below the root, and makes its folders. */
static void put(const char *path, const char *text) {
    char command[512], whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\"", whole);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_root(void **state) {
    (void)state;
    if (!make_temporary_folder(root))
        return -1;
    put("/proc/meminfo", "MemTotal:       8388608 kB\nMemFree:          10 kB\nMemAvailable:   4194304 kB\n");
    put("/proc/self/statm", "100 50 10 5 0 20 0\n");
    return 0;
}

static int remove_root(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void check(int sharers, double mebibytes, enum weir_memory_bound bound) {
    const struct weir_memory_room room = weir_memory_room_below(root, sharers);
    assert_true(room.bytes == mebibytes * mib);
    assert_int_equal(room.bound, bound);
}

static void test_host(void **state) {
    (void)state;
    check(1, 4096, WEIR_BOUND_BY_HOST);
    check(4, 1024, WEIR_BOUND_BY_HOST);
}

static void test_groups_of_version_2(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/user.slice/job\n");
    put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda rw\n"
                                "30 22 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/job/memory.current", "1048576\n");
    check(1, 4096, WEIR_BOUND_BY_HOST);
    put("/sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
    put("/sys/fs/cgroup/user.slice/memory.current", "536870912\n");
    check(1, 512, WEIR_BOUND_BY_GROUP);
    put("/sys/fs/cgroup/user.slice/memory.stat", "anon 4096\ninactive_file 268435456\nactive_file 7\n");
    check(1, 768, WEIR_BOUND_BY_GROUP);
    check(2, 384, WEIR_BOUND_BY_GROUP);
    put("/sys/fs/cgroup/user.slice/job/memory.max", "2097152\n");
    check(1, 1, WEIR_BOUND_BY_GROUP);
    put("/sys/fs/cgroup/user.slice/job/memory.current", "4194304\n");
    check(1, 0, WEIR_BOUND_BY_GROUP);
}

/* As in a container that has its own group mounted where others have the root. */
static void test_groups_of_version_1(void **state) {
    (void)state;
    put("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/abc/inner\n0::/\n");
    put("/proc/self/mountinfo",
        "31 22 0:27 /docker/abc /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "32 22 0:28 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory,cpu\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "33554432\n");
    put("/sys/fs/cgroup/memory/memory.stat", "cache 99\ntotal_inactive_file 1048576\n");
    put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/inner/memory.usage_in_bytes", "0\n");
    check(1, 1024 - 31, WEIR_BOUND_BY_GROUP);
    put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "524288000\n");
    check(1, 500, WEIR_BOUND_BY_GROUP);
}

/* Of all addresses that are allowed, those that are taken count too. */
static void test_limit_of_the_process(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* which takes terabytes of addresses */
#endif
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = 2048UL << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const struct weir_memory_room room = weir_memory_room_below(root, 64);
    limit.rlim_cur = (1UL << 30) + 100 * (unsigned long)sysconf(_SC_PAGESIZE);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    check(1, 1024, WEIR_BOUND_BY_PROCESS);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_true(room.bytes == 64 * mib && room.bound == WEIR_BOUND_BY_HOST);
}

/* Where this test really runs. */
static void test_here(void **state) {
    (void)state;
    const double bytes = weir_memory_room(1).bytes;
    assert_true(bytes > mib && bytes <= (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_groups_of_version_2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_groups_of_version_1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_limit_of_the_process, make_root, remove_root),
        cmocka_unit_test(test_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
