/* What crosses faces, as lists of layers: places of directions, as kernels and everybody else know them;
 * which cells cross to which neighbour, against every population followed on its own; fields. */
#include "codelets/kernels/halo/layers.h"
#include "codelets/kernels/halo/message.h"
#include "graph/problem/problem.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/reference.h"

#include <stdlib.h>
#include <string.h>

/* The kernels' numbers, which begin with 100 along x, 200 along y, 300 along z here: [axis][direction]. */
enum { X = 100, Y = 200, Z = 300 };
#define ROW_X(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_X, i, o, cx)
#define ROW_Y(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_Y, i, o, cy)
#define ROW_Z(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_Z, i, o, cz)
#define NUMBERS(i, o, cx, cy, cz, w)                                                       \
    numbers[0][i] = LAYER_X_##i, numbers[1][i] = LAYER_Y_##i, numbers[2][i] = LAYER_Z_##i, \
    numbers[0][o] = LAYER_X_##o, numbers[1][o] = LAYER_Y_##o, numbers[2][o] = LAYER_Z_##o;
#define KERNEL_NUMBERS(lattice)                                                                           \
    static void numbers_of_##lattice(int numbers[3][WEIR_POPULATIONS_MAX], int end[3]) {                  \
        enum { WEIR_LAYERS_BEGIN(LAYER_X, X) WEIR_##lattice##_PAIRS(ROW_X) LAYER_X_END };                 \
        enum { WEIR_LAYERS_BEGIN(LAYER_Y, Y) WEIR_##lattice##_PAIRS(ROW_Y) LAYER_Y_END };                 \
        enum { WEIR_LAYERS_BEGIN(LAYER_Z, Z) WEIR_##lattice##_PAIRS(ROW_Z) LAYER_Z_END };                 \
        WEIR_##lattice##_PAIRS(NUMBERS) end[0] = LAYER_X_END, end[1] = LAYER_Y_END, end[2] = LAYER_Z_END; \
    }
KERNEL_NUMBERS(D2Q9)
KERNEL_NUMBERS(D3Q15)
KERNEL_NUMBERS(D3Q19)
KERNEL_NUMBERS(D3Q27)
KERNEL_NUMBERS(D2Q5)
KERNEL_NUMBERS(D3Q7)
KERNEL_NUMBERS(D3Q13)
KERNEL_NUMBERS(D2Q37)

typedef void kernel_numbers(int numbers[3][WEIR_POPULATIONS_MAX], int end[3]);
static kernel_numbers *const numbers_of[WEIR_ALL_LATTICES] = {
    [WEIR_D2Q9] = numbers_of_D2Q9,   [WEIR_D3Q15] = numbers_of_D3Q15, [WEIR_D3Q19] = numbers_of_D3Q19,
    [WEIR_D3Q27] = numbers_of_D3Q27, [WEIR_D2Q5] = numbers_of_D2Q5,   [WEIR_D3Q7] = numbers_of_D3Q7,
    [WEIR_D3Q13] = numbers_of_D3Q13, [WEIR_D2Q37] = numbers_of_D2Q37,
};

static void lay_out(enum weir_lattice lattice, struct weir_message_layout *layout) {
    *layout = (struct weir_message_layout){0};
    assert_int_equal(weir_message_add_set(layout, 0, weir_lattice_table((int)lattice)), 0);
}

static void test_every_direction_has_its_layers(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    for (int l = 0; l < WEIR_ALL_LATTICES; l++) {
        const struct weir_lattice_table *lattice = weir_lattice_table(l);
        lay_out((enum weir_lattice)l, &layout);
        int found = 0, wanted = 0;
        for (int face = 0; face < WEIR_FACES; face++)
            for (int k = 0; k < layout.count[face / 2]; k++, found++) {
                const struct weir_layer *layer = &layout.layer[face][k];
                const int i = layer->component, side = face % 2 ? 1 : -1;
                assert_in_range(i, 1, lattice->populations - 1);
                for (int axis = 0; axis < 3; axis++)
                    assert_int_equal(layer->velocity[axis], lattice->velocity[i][axis]);
                assert_true(side * lattice->velocity[i][face / 2] > layer->depth);
                assert_int_equal(k, reference_first_layer(lattice, i, face / 2) + layer->depth);
                assert_int_equal(layer->source, 0);
                assert_int_equal(layer->reach, 0);
            }
        for (int i = 1; i < lattice->populations; i++)
            for (int axis = 0; axis < 3; axis++)
                wanted += abs(lattice->velocity[i][axis]);
        assert_int_equal(found, wanted);
    }
}

static void test_kernels_know_the_same_numbers(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    static const int begin[3] = {X, Y, Z};
    for (int l = 0; l < WEIR_ALL_LATTICES; l++) {
        const struct weir_lattice_table *lattice = weir_lattice_table(l);
        int numbers[3][WEIR_POPULATIONS_MAX], end[3];
        lay_out((enum weir_lattice)l, &layout);
        numbers_of[l](numbers, end);
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(end[axis], begin[axis] + layout.count[axis]);
            for (int i = 1; i < lattice->populations; i++)
                if (lattice->velocity[i][axis] != 0)
                    assert_int_equal(numbers[axis][i], begin[axis] + reference_first_layer(lattice, i, axis));
        }
    }
}

/* Cells of a block from which direction i leads to the block at an offset, counted one by one; marks their
 * places in the message. */
static int64_t mark(const struct weir_lattice_table *lattice, int i, const int extent[3],
                    struct weir_offset offset, unsigned char *marks) {
    const int face = weir_offset_face(offset), axis = face / 2, lower = axis == 0 ? 1 : 0,
              upper = axis == 2 ? 1 : 2;
    int64_t count = 0;
    for (int number = 0; number < extent[0] * extent[1] * extent[2]; number++) {
        const int cell[3] = {number % extent[0], number / extent[0] % extent[1],
                             number / extent[0] / extent[1]};
        bool there = true;
        for (int a = 0; a < 3; a++) {
            const int to = cell[a] + lattice->velocity[i][a];
            there = there && (to < 0 ? -1 : to >= extent[a] ? 1 : 0) == offset.along[a];
        }
        if (!there)
            continue;
        const int depth = face % 2 ? extent[axis] - 1 - cell[axis] : cell[axis];
        marks[weir_layer_place(reference_first_layer(lattice, i, axis) + depth, cell[upper], extent[upper],
                               cell[lower], extent[lower])]++;
        count++;
    }
    return count;
}

static void test_what_crosses_to_whom(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    static const int extents[][3] = {{5, 4, 6}, {3, 3, 3}, {7, 3, 4}};
    for (int l = 0; l < WEIR_ALL_LATTICES; l++)
        for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
            for (int n = 0; n < WEIR_NEIGHBOURS; n++) {
                const struct weir_lattice_table *lattice = weir_lattice_table(l);
                const int extent[3] = {extents[e][0], extents[e][1],
                                       lattice->dimensions == 2 ? 1 : extents[e][2]};
                const struct weir_offset offset = weir_offset(n);
                if (n == WEIR_ITSELF)
                    continue;
                lay_out((enum weir_lattice)l, &layout);
                const int face = weir_offset_face(offset);
                static unsigned char marks[100 * 7 * 7];
                memset(marks, 0, sizeof marks);
                int64_t wanted = 0;
                for (int i = 1; i < lattice->populations; i++)
                    wanted += mark(lattice, i, extent, offset, marks);
                assert_int_equal(weir_message_crossing(&layout, extent, offset), wanted);
                assert_int_equal(weir_message_face(&layout, weir_offset_back(offset)) >= 0, wanted > 0);
                if (wanted > 0)
                    assert_int_equal(weir_message_face(&layout, weir_offset_back(offset)), face);
                const int axis = face / 2, lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2;
                for (int k = 0; k < layout.count[axis]; k++) {
                    int begin[3], cells[3];
                    if (!weir_layer_crossing(&layout.layer[face][k], face, extent, offset, begin, cells))
                        continue;
                    for (int u = begin[upper]; u < begin[upper] + cells[upper]; u++)
                        for (int v = begin[lower]; v < begin[lower] + cells[lower]; v++)
                            assert_int_equal(marks[weir_layer_place(k, u, extent[upper], v, extent[lower])]--,
                                             1);
                }
                for (size_t k = 0; k < sizeof marks; k++)
                    assert_int_equal(marks[k], 0);
            }
}

static void test_sizes(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    lay_out(WEIR_D3Q19, &layout);
    assert_int_equal(weir_message_bytes(&layout, (const int[3]){5, 3, 2}, 0, 4), 5 * (3 * 2) * 4);
    assert_int_equal(weir_message_bytes(&layout, (const int[3]){5, 3, 2}, 1, 4), 5 * (5 * 2) * 4);
    assert_int_equal(weir_message_bytes(&layout, (const int[3]){5, 3, 2}, 2, 4), 5 * (5 * 3) * 4);
    lay_out(WEIR_D2Q9, &layout);
    assert_int_equal(weir_message_bytes(&layout, (const int[3]){5, 3, 1}, 2, 4), 0);
}

/* Two sets and two fields in one message: each keeps its own layers, one after the other. */
static void test_several_sources(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    const int extent[3] = {6, 5, 4};
    lay_out(WEIR_D3Q19, &layout);
    assert_int_equal(weir_message_add_set(&layout, 1, weir_lattice_table(WEIR_D3Q15)), 0);
    assert_int_equal(weir_message_add_field(&layout, 2, 1, 1, 3), 0);
    assert_int_equal(weir_message_add_field(&layout, 3, 3, 2, 3), 0);
    static const int first[] = {0, 5, 10, 11, 17};
    for (int axis = 0; axis < 3; axis++)
        for (int source = 0; source < 5; source++)
            assert_int_equal(weir_message_first_layer(&layout, source, axis), first[source]);
    assert_int_equal(weir_message_values(&layout, extent, 1), 17 * 6 * 4);
    /* To the block beyond x+: of the field of reach 2 all cells not more than one below the face. */
    int begin[3], cells[3], found = 0;
    for (int k = first[3]; k < first[4]; k++) {
        const struct weir_layer *layer = &layout.layer[WEIR_FACE(0, 1)][k];
        assert_int_equal(layer->component, (k - first[3]) / 2);
        assert_true(weir_layer_crossing(layer, WEIR_FACE(0, 1), extent, weir_offset_beyond(WEIR_FACE(0, 1)),
                                        begin, cells));
        assert_int_equal(begin[0], 5 - (k - first[3]) % 2);
        assert_int_equal(cells[1] * cells[2], 5 * 4);
        found += cells[0] * cells[1] * cells[2];
    }
    assert_int_equal(found, 3 * 2 * 5 * 4);
    /* To the one beyond the edge at y- and z+: two by two cells, in the message through y-. */
    const struct weir_offset edge = {{0, -1, 1}};
    assert_int_equal(weir_message_face(&layout, weir_offset_back(edge)), WEIR_FACE(1, -1));
    const struct weir_layer *layer = &layout.layer[WEIR_FACE(1, -1)][first[3] + 1];
    assert_true(weir_layer_crossing(layer, WEIR_FACE(1, -1), extent, edge, begin, cells));
    assert_int_equal(begin[1], 1);
    assert_int_equal(begin[2], 2);
    assert_int_equal(cells[0], 6);
    assert_int_equal(cells[1], 1);
    assert_int_equal(cells[2], 2);
    assert_false(weir_layer_crossing(&layout.layer[WEIR_FACE(2, 1)][first[3]], WEIR_FACE(2, 1), extent, edge,
                                     begin, cells));
}

static void test_more_than_there_is_room_for(void **state) {
    (void)state;
    static struct weir_message_layout layout;
    lay_out(WEIR_D3Q27, &layout);
    assert_int_equal(weir_message_add_field(&layout, 1, 29, 3, 3), 0);
    assert_int_equal(layout.count[2], WEIR_LAYERS_MAX);
    assert_int_equal(weir_message_add_field(&layout, 2, 1, 1, 3), -1);
    assert_int_equal(weir_message_add_set(&layout, 2, weir_lattice_table(WEIR_D2Q9)), -1);
}

static void test_numbers_of_offsets_and_faces(void **state) {
    (void)state;
    for (int n = 0; n < WEIR_NEIGHBOURS; n++) {
        const struct weir_offset o = weir_offset(n), back = weir_offset(weir_offset_number_back(n));
        assert_int_equal(WEIR_OFFSET_NUMBER(o.along[0], o.along[1], o.along[2]), n);
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(back.along[axis], -o.along[axis]);
            assert_int_equal(weir_offset_back(o).along[axis], -o.along[axis]);
        }
    }
    for (int face = 0; face < WEIR_FACES; face++) {
        assert_int_equal(weir_offset_face(weir_offset_beyond(face)), face);
        const char *name = weir_face_names[face];
        assert_int_equal(weir_offset_beyond(face).along[name[0] - 'x'], name[1] == '+' ? 1 : -1);
    }
    assert_int_equal(weir_offset_face((struct weir_offset){{0, 1, -1}}), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_direction_has_its_layers),
        cmocka_unit_test(test_kernels_know_the_same_numbers),
        cmocka_unit_test(test_what_crosses_to_whom),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_several_sources),
        cmocka_unit_test(test_more_than_there_is_room_for),
        cmocka_unit_test(test_numbers_of_offsets_and_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
