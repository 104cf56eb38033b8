/* Kernels that are compiled beside a run: by a process of its own, that can be ended at any moment; where
 * they are kept, and how many. This program is that process, too. Needs NVRTC for some of it, and no GPU. */
#include "tests/unit/assert_close.h"
#include "tests/unit/temporary.h"

#include "codelets/kernels/demand/find.h"
#include "codelets/kernels/demand/nvrtc.h"
#include "codelets/kernels/demand/nvrtc_apart.h"
#include "graph/base/later.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[TEMPORARY_PATH];

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pause_briefly(void) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Files in a folder of the test's, whose names end so. */
static int count_files(const char *name, const char *ending) {
    char path[256];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *const list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        const size_t length = strlen(entry->d_name), tail = strlen(ending);
        count +=
            entry->d_name[0] != '.' && length >= tail && strcmp(entry->d_name + length - tail, ending) == 0;
    }
    if (list)
        closedir(list);
    return count;
}

/* ---- later -----------------------------------------------------------------------------------------------
 */

static void make_seven(void *context, const atomic_bool *given_up) {
    (void)given_up;
    *(int *)context = 7;
}

static void test_is_seen_when_it_is_ready(void **state) {
    (void)state;
    int made = 0;
    struct weir_later *const later = weir_later_start(make_seven, &made);
    assert_non_null(later);
    while (!weir_later_ready(later))
        pause_briefly();
    assert_int_equal(made, 7);
    weir_later_destroy(later);
}

static void wait_to_be_given_up(void *context, const atomic_bool *given_up) {
    while (!atomic_load(given_up))
        pause_briefly();
    *(int *)context = 1;
}

static void test_is_given_up(void **state) {
    (void)state;
    int ended = 0;
    struct weir_later *const later = weir_later_start(wait_to_be_given_up, &ended);
    assert_non_null(later);
    assert_false(weir_later_ready(later));
    weir_later_destroy(later);
    assert_int_equal(ended, 1);
    weir_later_destroy(NULL);
}

/* ---- compiling beside ------------------------------------------------------------------------------------
 */

struct order {
    struct weir_kernel_object *objects;
    int count;
    struct weir_kernel_news news;
    int result;
};

/* Steps for bricks of n^3 cells; an architecture that a compiler knows, or does not. */
static struct order order_steps(int n, const char *architecture) {
    const struct weir_kernel_specification s = weir_kernel_specification(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE);
    const struct weir_constants constants = {.extent = {{0, n, 0}, {0, n, 0}, {0, n, 0}},
                                             .stride = (int64_t)n * n * n};
    struct order order = {.objects = NULL};
    assert_int_equal(
        weir_kernel_special_objects_of(&s, &constants, architecture, &order.objects, &order.count), 0);
    return order;
}

static void release(struct order *order) {
    for (int k = 0; k < order->count; k++)
        weir_kept_file_release(&order->objects[k].file);
    free(order->objects);
}

static void compile(void *context, const atomic_bool *given_up) {
    struct order *const order = context;
    order->result = weir_kernel_objects_provide_in_time(
        order->objects, order->count, &(struct weir_kernel_patience){.compile = true, .given_up = given_up},
        &order->news);
}

static void skip_without_compiler(void) {
    if (weir_nvrtc()->version[0] == '\0')
        skip();
}

static void test_compiled_once_and_kept(void **state) {
    (void)state;
    const atomic_bool never = false;
    const struct weir_kernel_patience only_if_there = {.compile = false};
    skip_without_compiler();
    for (int round = 0; round < 2; round++) {
        struct order order = order_steps(16, "sm_90"), again = order_steps(16, "sm_90");
        if (round == 0)
            assert_int_equal(
                weir_kernel_objects_provide_in_time(again.objects, again.count, &only_if_there, &again.news),
                1);
        compile(&order, &never);
        if (order.result != 0)
            fail_msg("%s", order.news.error);
        assert_int_equal(order.news.compiled, round == 0 ? order.count : 0);
        assert_int_equal(
            weir_kernel_objects_provide_in_time(again.objects, again.count, &only_if_there, &again.news), 0);
        for (int k = 0; k < order.count; k++)
            assert_memory_equal(again.objects[k].file.data, order.objects[k].file.data,
                                order.objects[k].file.size);
        assert_int_equal(count_files("cache", weir_kernel_some_blocks_ending), order.count);
        assert_int_equal(count_files("cache", ""), order.count);
        assert_int_equal(count_files("tmp", ""), 0);
        release(&order);
        release(&again);
    }
}

static void test_ended_at_once(void **state) {
    (void)state;
    skip_without_compiler();
    const int kept = count_files("cache", "");
    struct order order = order_steps(18, "sm_90");
    struct weir_later *const later = weir_later_start(compile, &order);
    assert_non_null(later);
    const double begin = seconds_now();
    while (count_files("tmp", "") == 0 && seconds_now() - begin < 20)
        pause_briefly(); /* until it works */
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    const double end = seconds_now();
    weir_later_destroy(later);
    assert_true(seconds_now() - end < 5);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    assert_int_equal(errno, ECHILD);
    assert_int_equal(count_files("tmp", ""), 0);
    if (order.result != 0) {
        assert_int_equal(order.result, -1);
        assert_int_equal(count_files("cache", ".log"), 0);
        assert_true(count_files("cache", "") < kept + order.count);
    } /* else it was quicker */
    release(&order);
}

static void test_failure_is_told(void **state) {
    (void)state;
    const atomic_bool never = false;
    skip_without_compiler();
    struct order order = order_steps(20, "sm_11");
    compile(&order, &never);
    assert_int_equal(order.result, -1);
    assert_int_equal(order.news.code, 1);
    assert_non_null(strstr(order.news.error, "collide_stream.D2Q9_bgk_single"));
    assert_non_null(strstr(order.news.error, ".log"));
    release(&order);
}

/* ---- how many are kept -----------------------------------------------------------------------------------
 */

static void test_the_newest_are_kept(void **state) {
    (void)state;
    struct weir_kernel_folder some;
    char path[256];
    snprintf(path, sizeof path, "%s/some", folder);
    weir_kernel_folder_open(&some, path, false, true);
    assert_true(some.descriptor >= 0);
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "%d.blocks.cubin", k);
        const int file = openat(some.descriptor, name, O_WRONLY | O_CREAT, 0600);
        const struct timespec times[2] = {{.tv_sec = 1000 + (k * 3) % 5}, {.tv_sec = 1000 + (k * 3) % 5}};
        assert_int_equal(futimens(file, times), 0);
        close(file);
    }
    close(openat(some.descriptor, "other.cubin", O_WRONLY | O_CREAT, 0600));
    weir_kernel_folder_bound(&some, ".blocks.cubin", 2);
    assert_int_equal(count_files("some", ""), 3);
    assert_int_equal(faccessat(some.descriptor, "3.blocks.cubin", F_OK, 0), 0); /* of second 1004 */
    assert_int_equal(faccessat(some.descriptor, "1.blocks.cubin", F_OK, 0), 0); /* 1003 */
    assert_int_equal(faccessat(some.descriptor, "other.cubin", F_OK, 0), 0);
    weir_kernel_folder_bound(&some, ".blocks.cubin", 2);
    assert_int_equal(count_files("some", ""), 3);
    weir_kernel_folder_close(&some);
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *place) {
    (void)s, (void)type, (void)place;
    return remove(path);
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "kernels") == 0)
        return weir_nvrtc_apart_main(argc - 3, argv + 3);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_seen_when_it_is_ready), cmocka_unit_test(test_is_given_up),
        cmocka_unit_test(test_compiled_once_and_kept),   cmocka_unit_test(test_ended_at_once),
        cmocka_unit_test(test_failure_is_told),          cmocka_unit_test(test_the_newest_are_kept),
    };
    char path[256];
    if (!make_temporary_folder(folder))
        return EXIT_FAILURE;
    snprintf(path, sizeof path, "%s/cache", folder);
    setenv("WEIR_KERNEL_CACHE", path, 1);
    snprintf(path, sizeof path, "%s/tmp", folder);
    setenv("TMPDIR", path, 1);
    mkdir(path, 0700);
    unsetenv("WEIR_KERNELS");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
