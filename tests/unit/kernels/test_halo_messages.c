/* Halo messages between ranks: exactly the populations that cells of other ranks need, found cell by cell;
 * the same lists on both sides; packed and unpacked bit by bit; and flows cut into ranks that see nothing of
 * each other but halo messages, against flows that are not. */
#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/plan/halo_messages.h"
#include "graph/plan/ranks.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"
#include "tests/unit/sanitized.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 512, RANKS_MAX = 7 };

/* A domain divided among ranks, with the halo messages of each. */
struct decomposition {
    struct weir_problem problem;
    struct weir_block_grid grid;
    const struct weir_lattice_table *lattice;
    struct weir_message_layout messages;
    int ranks;
    int rank_of[BLOCKS_MAX];
    struct weir_halo_messages *halos[RANKS_MAX];
};

static void set_up_problem(struct decomposition *d, enum weir_lattice lattice, const int cells[3],
                           const int block_cells[3], const bool periodic[3]) {
    weir_problem_default(&d->problem);
    d->problem.lattice = lattice;
    memcpy(d->problem.cells, cells, sizeof d->problem.cells);
    memcpy(d->problem.periodic, periodic, sizeof d->problem.periodic);
    assert_int_equal(weir_block_grid_create(&d->problem, block_cells, &d->grid), 0);
    assert_true(d->grid.total <= BLOCKS_MAX);
    d->lattice = weir_lattice_table((int)lattice);
    flow_messages(&d->problem, &d->messages);
}

static void make_halos(struct decomposition *d, int ranks) {
    d->ranks = ranks;
    for (int rank = 0; rank < ranks; rank++) {
        int own[BLOCKS_MAX], own_count = 0; /* any order will do */
        for (int block = d->grid.total - 1; block >= 0; block--)
            if (d->rank_of[block] == rank)
                own[own_count++] = block;
        assert_int_equal(weir_halo_messages_create(&d->messages, &d->grid, d->rank_of, rank, own, own_count,
                                                   &d->halos[rank]),
                         0);
    }
}

static void divide(struct decomposition *d, int ranks) {
    double weight[BLOCKS_MAX];
    for (int block = 0; block < d->grid.total; block++) {
        const struct weir_box box = weir_block_grid_box(&d->grid, block);
        weight[block] = (double)weir_box_cells(&box);
    }
    assert_int_equal(weir_ranks_divide(&d->grid, weight, ranks, NULL, NULL, d->rank_of), 0);
    make_halos(d, ranks);
}

static void clear(struct decomposition *d) {
    for (int rank = 0; rank < d->ranks; rank++)
        weir_halo_messages_destroy(d->halos[rank]);
}

static size_t message_populations(const struct decomposition *d, int block, int face) {
    const struct weir_box box = weir_block_grid_box(&d->grid, block);
    return (size_t)weir_message_values(&d->messages, box.extent, face / 2);
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    return memory;
}

static int block_at(const struct weir_block_grid *grid, const int cell[3]) {
    int at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = cell[axis] / grid->block_cells[axis];
    return (at[2] * grid->count[1] + at[1]) * grid->count[0] + at[0];
}

/* Where the population of direction i that leaves a cell lies: block and face of the message, and the place
 * in it, from the cell's coordinates and what block_view.h says. False where it leaves no block, or the
 * domain. */
static bool find_population(const struct decomposition *d, const int cell[3], int i, int *block, int *face,
                            size_t *place, int *target) {
    const struct weir_block_grid *grid = &d->grid;
    int to[3], first_axis = -1;
    for (int axis = 2; axis >= 0; axis--) {
        const int c = d->lattice->velocity[i][axis], step_to = cell[axis] + c;
        to[axis] = (step_to + grid->cells[axis]) % grid->cells[axis];
        const bool wraps = to[axis] != step_to;
        if (wraps && !grid->periodic[axis])
            return false;
        if (wraps || to[axis] / grid->block_cells[axis] != cell[axis] / grid->block_cells[axis])
            first_axis = axis;
    }
    if (first_axis < 0)
        return false;
    *block = block_at(grid, cell);
    *target = block_at(grid, to);
    *face = 2 * first_axis + (d->lattice->velocity[i][first_axis] > 0);
    const struct weir_box box = weir_block_grid_box(grid, *block);
    const int local = cell[first_axis] - box.origin[first_axis];
    const int depth = *face % 2 ? box.extent[first_axis] - 1 - local : local;
    size_t number = (size_t)(reference_first_layer(d->lattice, i, first_axis) + depth);
    for (int axis = 2; axis >= 0; axis--)
        if (axis != first_axis)
            number = number * (size_t)box.extent[axis] + (size_t)(cell[axis] - box.origin[axis]);
    *place = number;
    return true;
}

/* Whether anything that leaves a cell may leave its block. */
static bool is_near_face(const struct decomposition *d, const int cell[3]) {
    const struct weir_block_grid *grid = &d->grid;
    for (int axis = 0; axis < d->lattice->dimensions; axis++) {
        const int before = cell[axis] % grid->block_cells[axis];
        const int to_end = grid->block_cells[axis] - 1 - before, to_wall = grid->cells[axis] - 1 - cell[axis];
        if (before < d->lattice->reach || to_end < d->lattice->reach || to_wall < d->lattice->reach)
            return true;
    }
    return false;
}

/* For every place of every message: whether it is needed by a block of the rank, and of another one than its
 * own. */
static unsigned char *find_needed(const struct decomposition *d, int rank,
                                  unsigned char *needed[][WEIR_FACES], int64_t *count) {
    size_t total = 0;
    for (int block = 0; block < d->grid.total; block++)
        for (int face = 0; face < WEIR_FACES; face++)
            total += message_populations(d, block, face);
    unsigned char *const all = calloc(total + 1, 1);
    assert_non_null(all);
    unsigned char *next = all;
    for (int block = 0; block < d->grid.total; block++)
        for (int face = 0; face < WEIR_FACES; face++) {
            needed[block][face] = next;
            next += message_populations(d, block, face);
        }
    *count = 0;
    const int *n = d->grid.cells;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int cell[3] = {x, y, z};
                if (d->rank_of[block_at(&d->grid, cell)] == rank || !is_near_face(d, cell))
                    continue;
                for (int i = 1; i < d->lattice->populations; i++) {
                    int block, face, target;
                    size_t place;
                    if (!find_population(d, cell, i, &block, &face, &place, &target) ||
                        d->rank_of[target] != rank)
                        continue;
                    assert_true(place < message_populations(d, block, face));
                    assert_int_equal(needed[block][face][place], 0);
                    needed[block][face][place] = 1;
                    ++*count;
                }
            }
    return all;
}

static void check_received(const struct decomposition *d, int rank) {
    static unsigned char *needed[BLOCKS_MAX][WEIR_FACES];
    static bool seen[BLOCKS_MAX][WEIR_FACES];
    int64_t count;
    unsigned char *const all = find_needed(d, rank, needed, &count);
    memset(seen, 0, sizeof seen);
    for (int p = 0; p < d->halos[rank]->received_count; p++) {
        const struct weir_halo_message *halo = &d->halos[rank]->received[p];
        assert_in_range(halo->message_count, 1, WEIR_HALO_FACE_MESSAGES_MAX);
        for (int m = 0; m < halo->message_count; m++) {
            const struct weir_face_message *message = &halo->messages[m];
            assert_int_equal(d->rank_of[message->block], halo->rank);
            assert_false(seen[message->block][message->face]);
            seen[message->block][message->face] = true;
        }
        int64_t populations = 0;
        bool used[WEIR_HALO_FACE_MESSAGES_MAX] = {false};
        for (int k = 0; k < halo->segment_count; k++) {
            const struct weir_halo_segment *segment = &halo->segments[k];
            assert_in_range(segment->rows * segment->row_length, 1, WEIR_HALO_SEGMENT_MAX);
            assert_int_equal(segment->in_halo, populations);
            populations += segment->rows * segment->row_length;
            assert_in_range(segment->message, 0, halo->message_count - 1);
            used[segment->message] = true;
            const struct weir_face_message *message = &halo->messages[segment->message];
            for (int row = 0; row < segment->rows; row++)
                for (int column = 0; column < segment->row_length; column++) {
                    const int64_t place = segment->in_message + (int64_t)row * segment->row_stride + column;
                    assert_in_range(place, 0, message_populations(d, message->block, message->face) - 1);
                    unsigned char *need = &needed[message->block][message->face][place];
                    assert_int_equal(*need, 1); /* neither too much nor twice */
                    *need = 2;
                }
        }
        for (int m = 0; m < halo->message_count; m++)
            assert_true(used[m]);
        assert_int_equal(halo->populations, populations);
        count -= populations;
    }
    assert_int_equal(count, 0);
    free(all);
}

static void check_both_sides(const struct decomposition *d) {
    int sent = 0, received = 0;
    for (int a = 0; a < d->ranks; a++) {
        sent += d->halos[a]->sent_count;
        received += d->halos[a]->received_count;
        for (int p = 0; p < d->halos[a]->sent_count; p++) {
            const struct weir_halo_message *out = &d->halos[a]->sent[p], *in = NULL;
            const struct weir_halo_messages *others = d->halos[out->rank];
            for (int q = 0; q < others->received_count; q++)
                if (others->received[q].rank == a && others->received[q].number == out->number) {
                    assert_null(in);
                    in = &others->received[q];
                }
            assert_non_null(in);
            assert_int_equal(out->populations, in->populations);
            assert_int_equal(out->message_count, in->message_count);
            assert_int_equal(out->segment_count, in->segment_count);
            assert_memory_equal(out->messages, in->messages,
                                sizeof *in->messages * (size_t)in->message_count);
            assert_memory_equal(out->segments, in->segments,
                                sizeof *in->segments * (size_t)in->segment_count);
        }
    }
    assert_int_equal(sent, received);
}

static void check_bytes(const struct decomposition *d) {
    struct weir_rank_part part[RANKS_MAX];
    assert_int_equal(weir_ranks_count(&d->problem, &d->grid, d->rank_of, d->ranks, part), 0);
    for (int rank = 0; rank < d->ranks; rank++) {
        int64_t bytes = 0;
        int neighbours = 0;
        for (int p = 0; p < d->halos[rank]->sent_count; p++) {
            const struct weir_halo_message *halo = &d->halos[rank]->sent[p];
            bytes += halo->populations * 4;
            neighbours += halo->number == 0;
        }
        assert_int_equal(bytes, part[rank].sent_bytes);
        assert_int_equal(neighbours, part[rank].neighbours);
    }
}

static void check_geometry(const struct decomposition *d) {
    for (int rank = 0; rank < d->ranks; rank++)
        check_received(d, rank);
    check_both_sides(d);
    check_bytes(d);
}

static const struct {
    int cells[3], block_cells[3];
} cuts[] = {
    {{13, 11, 9}, {4, 5, 3}},  /* uneven */
    {{8, 8, 8}, {4, 4, 4}},    /* two blocks along each axis: the same neighbour on both sides */
    {{12, 6, 5}, {2, 6, 5}},   /* one block along y and z: neighbours are neighbours at several offsets */
    {{5, 5, 5}, {2, 2, 2}},    /* the last blocks are one cell thick */
    {{7, 4, 3}, {1, 4, 1}},    /* blocks are */
    {{3, 3, 3}, {1, 1, 1}},    /* single cells */
    {{64, 1, 1}, {8, 1, 1}},   /* a row */
    {{16, 12, 1}, {4, 4, 1}},  /* a plane */
    {{14, 70, 5}, {7, 35, 5}}, /* long faces */
};

static void test_exactly_what_is_needed(void **state) {
    (void)state;
    static struct decomposition d;
    static const bool periodic[][3] = {
        {true, true, true}, {false, false, false}, {true, false, true}, {false, true, false}};
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
            for (size_t p = 0; p < sizeof periodic / sizeof *periodic; p++) {
                int cells[3], block_cells[3];
                memcpy(cells, cuts[k].cells, sizeof cells);
                memcpy(block_cells, cuts[k].block_cells, sizeof block_cells);
                if (lattice == WEIR_D2Q9)
                    cells[2] = block_cells[2] = 1;
                set_up_problem(&d, (enum weir_lattice)lattice, cells, block_cells, periodic[p]);
                for (int ranks = 2; ranks <= RANKS_MAX && ranks <= d.grid.total; ranks++) {
                    divide(&d, ranks);
                    check_geometry(&d);
                    clear(&d);
                }
            }
}

/* Every block on another rank than its neighbours: all that blocks ever say travels. */
static void test_scattered_blocks(void **state) {
    (void)state;
    static struct decomposition d;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++) {
        const int depth = lattice == WEIR_D2Q9 ? 1 : 9;
        set_up_problem(&d, (enum weir_lattice)lattice, (int[3]){13, 11, depth}, (int[3]){4, 3, 2},
                       (bool[3]){true, true, true});
        for (int block = 0; block < d.grid.total; block++)
            d.rank_of[block] = (block * 5 + block / 7) % RANKS_MAX;
        make_halos(&d, RANKS_MAX);
        check_geometry(&d);
        clear(&d);
    }
}

/* Several layers to a face, and to an edge. */
static void test_velocities_of_several_cells(void **state) {
    (void)state;
    static struct decomposition d;
    static const struct {
        int cells[3], block_cells[3];
    } far_cuts[] = {{{12, 12, 1}, {3, 3, 1}}, {{15, 13, 1}, {4, 5, 1}}, {{3, 9, 1}, {3, 3, 1}}};
    for (size_t k = 0; k < sizeof far_cuts / sizeof *far_cuts; k++)
        for (int periodic = 0; periodic < 4; periodic++) {
            set_up_problem(&d, WEIR_D2Q37, far_cuts[k].cells, far_cuts[k].block_cells,
                           (bool[3]){periodic & 1, periodic & 2, true});
            d.problem.collision = WEIR_NONE;
            for (int ranks = 2; ranks <= RANKS_MAX && ranks <= d.grid.total; ranks++) {
                divide(&d, ranks);
                check_geometry(&d);
                clear(&d);
            }
        }
}

/* More messages than a halo message may have: several halo messages. */
static void test_many_messages(void **state) {
    (void)state;
    static struct decomposition d;
    set_up_problem(&d, WEIR_D3Q19, (int[3]){16, 16, 8}, (int[3]){2, 2, 2}, (bool[3]){true, false, true});
    divide(&d, 2);
    int largest = 0;
    for (int p = 0; p < d.halos[0]->sent_count; p++) {
        assert_int_equal(d.halos[0]->sent[p].number, p);
        if (d.halos[0]->sent[p].message_count > largest)
            largest = d.halos[0]->sent[p].message_count;
    }
    assert_true(d.halos[0]->sent_count > 1);
    assert_int_equal(largest, WEIR_HALO_FACE_MESSAGES_MAX);
    check_geometry(&d);
    clear(&d);
}

/* Faces, and rows, of more populations than a segment may have. */
static void test_large_faces(void **state) {
    (void)state;
    static struct decomposition d;
    static const struct {
        int cells[3], block_cells[3];
    } large[] = {{{97, 91, 4}, {97, 91, 2}}, {{9001, 3, 4}, {9001, 3, 2}}, {{4, 120, 80}, {2, 120, 80}}};
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        set_up_problem(&d, WEIR_D3Q27, large[k].cells, large[k].block_cells, (bool[3]){true, true, true});
        divide(&d, 2);
        check_geometry(&d);
        clear(&d);
    }
}

/* Much goes in several halo messages of whole blocks, little in one. */
static void test_halo_messages_in_flight(void **state) {
    (void)state;
    static struct decomposition d;
    static const struct {
        int cells[3], block_cells[3], halos;
    } sizes[] = {
        {{96, 96, 96}, {48, 48, 48}, 2}, {{96, 96, 96}, {96, 96, 48}, 1}, {{32, 32, 32}, {16, 16, 16}, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        set_up_problem(&d, WEIR_D3Q19, sizes[k].cells, sizes[k].block_cells, (bool[3]){true, true, false});
        divide(&d, 2);
        check_geometry(&d);
        assert_int_equal(d.halos[0]->sent_count, sizes[k].halos);
        assert_int_equal(d.halos[1]->received_count, sizes[k].halos);
        for (int p = 1; p < d.halos[0]->sent_count; p++) {
            const struct weir_halo_message *last = &d.halos[0]->sent[p - 1], *next = &d.halos[0]->sent[p];
            assert_int_equal(next->number, last->number + 1);
            assert_true(next->messages[0].block > last->messages[last->message_count - 1].block);
        }
        clear(&d);
    }
}

static void test_one_rank(void **state) {
    (void)state;
    static struct decomposition d;
    set_up_problem(&d, WEIR_D3Q27, (int[3]){8, 8, 8}, (int[3]){4, 4, 4}, (bool[3]){true, true, true});
    divide(&d, 1);
    assert_int_equal(d.halos[0]->sent_count, 0);
    assert_int_equal(d.halos[0]->received_count, 0);
    clear(&d);
}

/* ---- packing ------------------------------------------------------------------------------------------ */

weir_pack_cpu weir_gpu_pack_single, weir_gpu_pack_double, weir_gpu_pack_half;
weir_unpack_cpu weir_gpu_unpack_single, weir_gpu_unpack_double, weir_gpu_unpack_half;

struct packer {
    weir_pack_cpu *pack;
    weir_unpack_cpu *unpack;
};

static struct packer packer_of(enum weir_precision precision, bool as_gpu) {
    static const struct packer gpu[POPULATION_PRECISIONS] = {
        [WEIR_SINGLE] = {weir_gpu_pack_single, weir_gpu_unpack_single},
        [WEIR_DOUBLE] = {weir_gpu_pack_double, weir_gpu_unpack_double},
        [WEIR_HALF] = {weir_gpu_pack_half, weir_gpu_unpack_half},
    };
    const struct weir_kernels *kernels = find_kernels(WEIR_D3Q19, WEIR_BGK, precision);
    return as_gpu ? gpu[precision] : (struct packer){kernels->cpu.pack, kernels->cpu.unpack};
}

/* In parts, the later ones first, as threads may do it. */
static void pack(const struct packer *packer, const struct weir_halo_message *halo,
                 const struct weir_face_messages *messages, void *memory) {
    const int half = halo->segment_count / 2;
    packer->pack(halo->segments, half, halo->segment_count, messages, memory);
    packer->pack(halo->segments, 0, half, messages, memory);
}

static void unpack(const struct packer *packer, const struct weir_halo_message *halo,
                   const struct weir_face_messages *messages, const void *memory) {
    const int half = halo->segment_count / 2;
    packer->unpack(halo->segments, half, halo->segment_count, messages, memory);
    packer->unpack(halo->segments, 0, half, messages, memory);
}

enum { POISON = 0xa5 };

/* Every byte of every message is random; a copy of what is needed, and poison elsewhere, must come of it. */
static void check_round_trip(const struct decomposition *d, int rank, size_t size,
                             const struct packer *packer) {
    static unsigned char *needed[BLOCKS_MAX][WEIR_FACES];
    int64_t count;
    unsigned char *const all = find_needed(d, rank, needed, &count);
    for (int p = 0; p < d->halos[rank]->received_count; p++) {
        const struct weir_halo_message *in = &d->halos[rank]->received[p];
        const struct weir_halo_messages *others = d->halos[in->rank];
        const struct weir_halo_message *out = others->sent;
        while (out->rank != rank || out->number != in->number)
            out++;
        struct weir_face_messages from = {{NULL}}, to = {{NULL}};
        for (int m = 0; m < in->message_count; m++) {
            const size_t bytes = message_populations(d, in->messages[m].block, in->messages[m].face) * size;
            unsigned char *message = from.message[m] = allocate(bytes);
            for (size_t k = 0; k < bytes; k++)
                message[k] = (unsigned char)(rand() >> 7);
            to.message[m] = allocate(bytes);
            memset(to.message[m], POISON, bytes);
        }
        unsigned char *memory = allocate((size_t)in->populations * size);
        memory[(size_t)in->populations * size] = POISON; /* allocate leaves room for one byte more */
        pack(packer, out, &from, memory);
        assert_int_equal(memory[(size_t)in->populations * size], POISON);
        unpack(packer, in, &to, memory);
        for (int m = 0; m < in->message_count; m++) {
            const struct weir_face_message *message = &in->messages[m];
            const unsigned char *need = needed[message->block][message->face];
            const size_t populations = message_populations(d, message->block, message->face);
            const unsigned char *is = to.message[m], *was = from.message[m];
            for (size_t k = 0; k < populations * size; k++)
                assert_int_equal(is[k], need[k / size] ? was[k] : POISON);
            free(from.message[m]);
            free(to.message[m]);
        }
        free(memory);
    }
    free(all);
}

static void test_round_trip(void **state) {
    (void)state;
    static const size_t size[POPULATION_PRECISIONS] = {[WEIR_SINGLE] = 4, [WEIR_DOUBLE] = 8, [WEIR_HALF] = 2};
    static struct decomposition d;
    for (int as_gpu = 0; as_gpu < 2; as_gpu++)
        for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
            const struct packer packer = packer_of((enum weir_precision)precision, as_gpu);
            set_up_problem(&d, WEIR_D3Q27, (int[3]){13, 11, 9}, (int[3]){4, 5, 3},
                           (bool[3]){true, false, true});
            divide(&d, 3);
            for (int rank = 0; rank < d.ranks; rank++)
                check_round_trip(&d, rank, size[precision], &packer);
            clear(&d);
            set_up_problem(&d, WEIR_D3Q19, (int[3]){97, 91, 4}, (int[3]){97, 91, 2},
                           (bool[3]){false, true, false});
            divide(&d, 2);
            check_round_trip(&d, 0, size[precision], &packer);
            clear(&d);
        }
}

/* ---- flows -------------------------------------------------------------------------------------------- */

/* What each rank has of the others' messages. */
struct ghosts {
    void *message[RANKS_MAX][BLOCKS_MAX][WEIR_FACES];
};

static void exchange(const struct decomposition *d, struct block_harness *h, struct ghosts *ghosts,
                     int parity) {
    const struct packer packer = {h->kernels->cpu.pack, h->kernels->cpu.unpack};
    for (int rank = 0; rank < d->ranks; rank++)
        for (int p = 0; p < d->halos[rank]->sent_count; p++) {
            const struct weir_halo_message *out = &d->halos[rank]->sent[p];
            struct weir_face_messages from = {{NULL}}, to = {{NULL}};
            for (int m = 0; m < out->message_count; m++) {
                const int block = out->messages[m].block, face = out->messages[m].face;
                const size_t bytes = message_populations(d, block, face) * h->kernels->stored_size;
                void **ghost = &ghosts->message[out->rank][block][face];
                free(*ghost);
                to.message[m] = *ghost = allocate(bytes);
                memset(*ghost, 0xff, bytes); /* not a number */
                from.message[m] = h->blocks[block].messages.message[parity][face];
                assert_non_null(from.message[m]);
            }
            void *memory = allocate((size_t)out->populations * h->kernels->stored_size);
            pack(&packer, out, &from, memory);
            unpack(&packer, out, &to, memory);
            free(memory);
        }
}

/* One step of every block, which reads messages of its own rank, and ghosts. */
static void step(const struct decomposition *d, struct block_harness *h, struct ghosts *ghosts) {
    const int parity = block_harness_parity(h);
    for (int block = 0; block < d->grid.total; block++) {
        struct weir_block_view view = block_harness_view(h, block);
        const int rank = d->rank_of[block];
        for (int n = 0; n < WEIR_NEIGHBOURS; n++) {
            const struct weir_offset offset = weir_offset(n);
            const int other = weir_block_grid_neighbour(&d->grid, block, offset.along);
            if (other < 0 || d->rank_of[other] == rank)
                continue;
            const int face = weir_message_face(&d->messages, offset);
            view.incoming[n] = face < 0 ? NULL : ghosts->message[rank][other][face];
        }
        h->kernels->cpu.collide_stream(&view, &h->fluid, parity, 0, view.extent[1][1] * view.extent[2][1]);
    }
    block_harness_end_step(h);
    exchange(d, h, ghosts, parity);
}

static void test_flows(void **state) {
    (void)state;
    enum { STEPS = 4 };
    static struct decomposition d;
    static struct ghosts ghosts;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int flow = 0; flow < FLOW_COUNT; flow++)
            for (int ranks = 2; ranks <= 5; ranks += 3) {
                static const int block_cells[3] = {4, 5, 3};
                flow_problem((enum flow)flow, (enum weir_lattice)lattice, true, &d.problem);
                d.problem.precision = (enum weir_precision)((lattice + flow) % POPULATION_PRECISIONS);
                d.lattice = weir_lattice_table(lattice);
                flow_messages(&d.problem, &d.messages);
                assert_int_equal(weir_block_grid_create(&d.problem, block_cells, &d.grid), 0);
                divide(&d, ranks);
                const struct weir_kernels *kernels =
                    find_kernels(d.problem.lattice, d.problem.collision, d.problem.precision);
                struct block_harness *whole = block_harness_create(&d.problem, kernels, block_cells, true);
                struct block_harness *divided = block_harness_create(&d.problem, kernels, block_cells, true);
                exchange(&d, divided, &ghosts, 1); /* the first step reads what the initial state left */
                block_harness_run_to(whole, STEPS);
                for (int k = 0; k < STEPS; k++)
                    step(&d, divided, &ghosts);
                if (!block_harness_same(whole, divided))
                    fail_msg("%s, %s flow, %d ranks: another result", kernels->name, flow_names[flow], ranks);
                block_harness_destroy(whole);
                block_harness_destroy(divided);
                clear(&d);
                for (int rank = 0; rank < ranks; rank++)
                    for (int block = 0; block < d.grid.total; block++)
                        for (int face = 0; face < WEIR_FACES; face++) {
                            free(ghosts.message[rank][block][face]);
                            ghosts.message[rank][block][face] = NULL;
                        }
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exactly_what_is_needed),
        cmocka_unit_test(test_scattered_blocks),
        cmocka_unit_test(test_velocities_of_several_cells),
        cmocka_unit_test(test_many_messages),
        cmocka_unit_test(test_large_faces),
        cmocka_unit_test(test_halo_messages_in_flight),
        cmocka_unit_test(test_one_rank),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
