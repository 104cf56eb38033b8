/* Which objects of compiled kernels variants share: what does not depend on their difference is compiled
 * once. Nothing is compiled here. */
#include "tests/unit/assert_close.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/find.h"
#include "codelets/kernels/demand/instruction_sets.h"

#include <stdlib.h>
#include <string.h>

struct objects {
    struct weir_kernel_object *of;
    int count;
};

/* For a CPU, or, where that is NULL, a GPU. */
static struct objects objects_of(enum weir_collision collision, bool moments,
                                 const struct weir_instruction_set *set) {
    struct weir_kernel_specification s = weir_kernel_specification(WEIR_D3Q19, collision, WEIR_SINGLE);
    struct objects objects = {.of = NULL};
    if (moments)
        s.precision = WEIR_MOMENTS_SINGLE;
    assert_int_equal(weir_kernel_objects_of(&s, set, set ? NULL : "sm_90", &objects.of, &objects.count), 0);
    return objects;
}

static bool has(const struct objects *objects, const char *id) {
    for (int k = 0; k < objects->count; k++)
        if (strcmp(objects->of[k].id, id) == 0)
            return true;
    return false;
}

/* Two collisions have all but these texts in common, and these not. */
static void check_shared(enum weir_collision one, enum weir_collision other, bool moments,
                         const struct weir_instruction_set *set, const char *const *own) {
    const struct objects objects = objects_of(one, moments, set), others = objects_of(other, moments, set);
    int shared = 0;
    assert_int_equal(objects.count, others.count);
    for (int k = 0; k < objects.count; k++) {
        bool expected = true;
        for (int text = 0; own[text]; text++)
            expected = expected && strncmp(objects.of[k].name, own[text], strlen(own[text])) != 0;
        if (has(&others, objects.of[k].id) != expected)
            fail_msg("%s is %s", objects.of[k].name, expected ? "not shared" : "shared");
        shared += expected;
    }
    assert_in_range(shared, 1, objects.count - 1);
    free(objects.of);
    free(others.of);
}

static void test_collisions_share_all_but_steps(void **state) {
    (void)state;
    static const char *const own[] = {"collide_stream.", NULL};
    check_shared(WEIR_BGK, WEIR_TRT, false, weir_instruction_set(0), own);
    check_shared(WEIR_TRT, WEIR_REGULARISED, false, NULL, own);
}

/* Where moments are kept, the collision makes what leaves a cell, before the first step too. */
static void test_with_moments(void **state) {
    (void)state;
    static const char *const of_cpu[] = {"collide_stream.", "outside_steps_of_moments.", NULL},
                             *const of_gpu[] = {"moment_", "initialise_of_moments.", "totals_of_moments.",
                                                NULL};
    check_shared(WEIR_REGULARISED, WEIR_RECURSIVE, true, weir_instruction_set(0), of_cpu);
    check_shared(WEIR_REGULARISED, WEIR_RECURSIVE, true, NULL, of_gpu);
}

/* A case that keeps populations has no text of moments, and the other way round. */
static void test_each_has_its_own(void **state) {
    (void)state;
    for (int moments = 0; moments < 2; moments++)
        for (int gpu = 0; gpu < 2; gpu++) {
            const struct objects objects =
                objects_of(WEIR_RECURSIVE, moments, gpu ? NULL : weir_instruction_set(0));
            int of_moments = 0, of_populations = 0;
            for (int k = 0; k < objects.count; k++) {
                const char *const name = objects.of[k].name;
                of_moments += strstr(name, "_of_moments.") != NULL || strncmp(name, "moment_", 7) == 0;
                of_populations += strncmp(name, "outside_steps.", 14) == 0 ||
                                  strncmp(name, "initialise.", 11) == 0 || strncmp(name, "totals.", 7) == 0;
            }
            assert_int_equal(of_moments > 0, moments);
            assert_int_equal(of_populations > 0, !moments);
            free(objects.of);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collisions_share_all_but_steps),
        cmocka_unit_test(test_with_moments),
        cmocka_unit_test(test_each_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
