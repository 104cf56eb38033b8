/* Pieces of fluid: compared with a flood fill of small random domains, and in domains whose pieces are known;
 * found in one part of the domain, and in several that are joined as those of ranks are. */
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/fluid_pieces.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "graph/problem/solid_blocks.h"
#include "graph/problem/utilisation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS_MOST = 2000 };

static struct weir_problem domain(int nx, int ny, int nz, struct weir_shape *shapes, int count) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    if (nz == 1) {
        problem.lattice = WEIR_D2Q9;
        problem.periodic[2] = true;
    }
    problem.cells[0] = nx;
    problem.cells[1] = ny;
    problem.cells[2] = nz;
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = shapes;
    problem.shape_count = count;
    return problem;
}

static struct weir_shape wall_across(double from, double to) {
    return (struct weir_shape){
        .type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{from, 0, 0}, {to, 100, 100}}};
}

/* Cells of the piece of fluid around a cell, which are marked. */
static int64_t flood(const struct weir_problem *p, bool *seen, int x, int y, int z) {
    static int stack[CELLS_MOST][3];
    int depth = 0;
    int64_t cells = 0;
    memcpy(stack[depth++], (int[3]){x, y, z}, sizeof stack[0]);
    seen[(z * p->cells[1] + y) * p->cells[0] + x] = true;
    while (depth > 0) {
        int at[3];
        memcpy(at, stack[--depth], sizeof at);
        cells++;
        for (int face = 0; face < 6; face++) {
            int to[3] = {at[0], at[1], at[2]};
            const int axis = face / 2, n = p->cells[axis];
            to[axis] += 2 * (face % 2) - 1;
            if (p->periodic[axis])
                to[axis] = (to[axis] + n) % n;
            if (to[axis] < 0 || to[axis] >= n)
                continue;
            bool *mark = &seen[(to[2] * p->cells[1] + to[1]) * p->cells[0] + to[0]];
            if (*mark || weir_geometry_wall(p, to) != 0)
                continue;
            *mark = true;
            memcpy(stack[depth++], to, sizeof to);
        }
    }
    return cells;
}

enum { PARTS_MOST = 5 };

/* Parts of a domain, and what is joined of them. */
struct parts {
    const struct weir_problem *problem;
    struct weir_fluid_openings openings;
    int count;
    struct weir_fluid_part list[PARTS_MOST];
    struct weir_fluid_links links;
    struct weir_fluid_seams seams;
    struct weir_largest_piece largest;
};

/* The next part that has slices, around the seam of a periodic axis; NULL: there is none. */
static const struct weir_fluid_part *part_after(const struct parts *p, int k) {
    for (int other = k + 1; other < k + p->count; other++) {
        if (other >= p->count && !p->problem->periodic[p->list[0].axis])
            return NULL;
        const struct weir_fluid_part *next = &p->list[other % p->count];
        if (next->end > next->begin)
            return next;
    }
    return NULL;
}

static void link_parts(struct parts *p) {
    for (int k = 0; k < p->count; k++) {
        const struct weir_fluid_part *part = &p->list[k], *next = part_after(p, k);
        if (part->end == part->begin || !next)
            continue;
        struct weir_fluid_links links = {.count = 0};
        int64_t *numbers = malloc(sizeof *numbers * ((size_t)next->first[next->rows] + 1));
        weir_fluid_slice_number(next, numbers);
        const struct weir_fluid_slice slice = {next->first, next->stretches, numbers};
        assert_int_equal(weir_fluid_links_find(part, &slice, &links), 0);
        p->links.list = realloc(p->links.list, sizeof *p->links.list * (p->links.count + links.count + 1));
        if (links.count > 0)
            memcpy(p->links.list + p->links.count, links.list, sizeof *links.list * links.count);
        p->links.count += links.count;
        free(links.list);
        free(numbers);
    }
}

/* cut[count + 1]: the parts' first slices, and the end. */
static void find_parts(const struct weir_problem *problem, const int *cut, int count, int threads,
                       struct parts *p, struct weir_fluid_pieces *pieces) {
    uint64_t connected = 0;
    *p = (struct parts){.problem = problem, .count = count};
    weir_fluid_openings_find(problem, &p->openings);
    for (int k = 0; k < count; k++) {
        assert_int_equal(
            weir_fluid_part_find(problem, &p->openings, cut[k], cut[k + 1], threads, &p->list[k]), 0);
        p->list[k].offset = k > 0 ? p->list[k - 1].offset + p->list[k - 1].count : 0;
    }
    link_parts(p);
    assert_int_equal(weir_fluid_seams_create(p->links.list, p->links.count, &p->seams), 0);
    for (int k = 0; k < count; k++)
        weir_fluid_seams_add(&p->seams, &p->list[k]);
    weir_fluid_seams_join(&p->seams, p->links.list, p->links.count);
    for (int k = 0; k < count; k++)
        p->largest = weir_fluid_larger(p->largest, weir_fluid_largest(&p->list[k], &p->seams));
    *pieces = (struct weir_fluid_pieces){.fluid = 0};
    for (int k = 0; k < count; k++) {
        struct weir_fluid_pieces counts;
        uint64_t here;
        weir_fluid_count(&p->list[k], &p->seams, p->largest.number, &counts, &here);
        pieces->fluid += counts.fluid;
        pieces->pieces += counts.pieces;
        pieces->pockets += counts.pockets;
        pieces->pocket_cells += counts.pocket_cells;
        connected |= here;
    }
    weir_fluid_judge(problem, &p->openings, connected, pieces);
}

static struct weir_region *pockets_of(const struct parts *p) {
    struct weir_hole *all = NULL;
    int64_t total = 0;
    struct weir_region *region;
    for (int k = 0; k < p->count; k++) {
        struct weir_hole *holes;
        int64_t count;
        assert_int_equal(weir_fluid_holes(&p->list[k], &p->seams, p->largest.number, &holes, &count), 0);
        all = realloc(all, sizeof *all * (size_t)(total + count + 1));
        memcpy(all + total, holes, sizeof *holes * (size_t)count);
        total += count;
        free(holes);
    }
    assert_int_equal(weir_pocket_region_create(p->problem, all, total, &region), 0);
    free(all);
    return region;
}

static void release(struct parts *p) {
    for (int k = 0; k < p->count; k++)
        weir_fluid_part_release(&p->list[k]);
    weir_fluid_seams_release(&p->seams);
    free(p->links.list);
}

/* In one part. */
static void find_pieces(const struct weir_problem *problem, int threads, struct weir_fluid_pieces *pieces) {
    struct parts parts;
    const int slices = problem->cells[2] > 1 ? problem->cells[2] : problem->cells[1];
    find_parts(problem, (const int[2]){0, slices}, 1, threads, &parts, pieces);
    release(&parts);
}

/* Cuts the slices at random; parts may be left without any. */
static int cut_slices(int slices, int *cut) {
    const int count = 1 + rand() % PARTS_MOST;
    cut[0] = 0;
    cut[count] = slices;
    for (int k = 1; k < count; k++)
        cut[k] = cut[k - 1] + rand() % (slices - cut[k - 1] + 1);
    return count;
}

/* The same is said whatever the parts, and the same cells are pockets; what is left when they are solid is
 * one piece, of all other cells. */
static void check_closed(struct weir_problem *p, const struct weir_fluid_pieces *wanted, int threads) {
    const int slices = p->cells[2] > 1 ? p->cells[2] : p->cells[1];
    struct weir_region *regions[3];
    struct weir_fluid_pieces pieces;
    for (int way = 0; way < 3; way++) {
        int cut[PARTS_MOST + 1] = {0, slices};
        struct parts parts;
        find_parts(p, cut, way > 0 ? cut_slices(slices, cut) : 1, threads, &parts, &pieces);
        assert_memory_equal(&pieces, wanted, sizeof pieces);
        regions[way] = pockets_of(&parts);
        release(&parts);
    }
    for (int z = 0; z < p->cells[2]; z++)
        for (int y = 0; y < p->cells[1]; y++)
            for (int x = 0; x < p->cells[0]; x++) {
                const double point[3] = {x + 0.5, y + 0.5, z + 0.5};
                const bool closed = regions[0]->contains(regions[0], point);
                assert_int_equal(regions[1]->contains(regions[1], point), closed);
                assert_int_equal(regions[2]->contains(regions[2], point), closed);
            }
    p->shapes[p->shape_count++] =
        (struct weir_shape){.type = WEIR_REGION, .wall = WEIR_FIRST_BODY, .region = regions[0]};
    find_pieces(p, threads, &pieces);
    assert_int_equal(pieces.pieces, wanted->pieces > 0);
    assert_int_equal(pieces.fluid, wanted->fluid - wanted->pocket_cells);
    p->shape_count--;
    for (int way = 0; way < 3; way++)
        regions[way]->destroy(regions[way]);
}

static void test_random(void **state) {
    (void)state;
    enum { SHAPES = 90 };
    static const int sizes[][3] = {{9, 8, 19}, {12, 11, 8}, {30, 40, 1}, {7, 9, 3}};
    int64_t several = 0;
    srand(1);
    for (int k = 0; k < 200; k++) {
        const int *size = sizes[k % 4];
        struct weir_shape shapes[SHAPES + 1];
        for (int i = 0; i < SHAPES; i++) {
            struct weir_shape *shape = &shapes[i];
            *shape = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
            for (int axis = 0; axis < 3; axis++) {
                shape->box.from[axis] = size[axis] == 1 ? 0 : rand() % size[axis];
                shape->box.to[axis] = shape->box.from[axis] + (axis == i % 3 ? 6 : 2);
            }
        }
        struct weir_problem p = domain(size[0], size[1], size[2], shapes, 20 + rand() % (SHAPES - 20));
        for (int axis = 0; axis < 3; axis++)
            p.periodic[axis] = rand() % 2 || (axis == 2 && size[2] == 1);
        struct weir_fluid_pieces pieces;
        bool seen[CELLS_MOST] = {false};
        int64_t count = 0, fluid = 0, largest = 0;
        for (int z = 0; z < size[2]; z++)
            for (int y = 0; y < size[1]; y++)
                for (int x = 0; x < size[0]; x++)
                    if (!seen[(z * size[1] + y) * size[0] + x] &&
                        weir_geometry_wall(&p, (const int[3]){x, y, z}) == 0) {
                        const int64_t cells = flood(&p, seen, x, y, z);
                        count++;
                        fluid += cells;
                        largest = cells > largest ? cells : largest;
                    }
        find_pieces(&p, 1 + k % 3, &pieces);
        assert_int_equal(pieces.fluid, fluid);
        assert_int_equal(pieces.pieces, count);
        assert_int_equal(pieces.pockets, count > 0 ? count - 1 : 0);
        assert_int_equal(pieces.pocket_cells, fluid - largest);
        check_closed(&p, &pieces, 1 + k % 4);
        several += count > 2;
    }
    assert_true(several > 50);
}

/* A flow from x- to x+ has a way or has none; what an opening touches is no pocket. */
static void test_openings(void **state) {
    (void)state;
    struct weir_shape shapes[] = {wall_across(9, 10), wall_across(14, 15)};
    for (int walls = 0; walls < 3; walls++) {
        struct weir_problem p = domain(20, 6, 5, shapes, walls);
        struct weir_fluid_pieces pieces;
        p.walls[WEIR_WALL_OF_FACE(0)].rule = WEIR_RULE_VELOCITY;
        p.walls[WEIR_WALL_OF_FACE(1)].rule = WEIR_RULE_PRESSURE;
        find_pieces(&p, 1, &pieces);
        assert_int_equal(pieces.openings, 2);
        assert_int_equal(pieces.leads_through, walls == 0);
        assert_int_equal(pieces.pieces, walls + 1);
        assert_int_equal(pieces.pockets, walls == 2);
        assert_int_equal(pieces.pocket_cells, walls == 2 ? 4 * 30 : 0);
    }
}

/* Bodies and parts of faces are openings, too; one that a wall closes off is named. */
static void test_bodies_as_openings(void **state) {
    (void)state;
    enum { INLET = WEIR_FIRST_BODY + 1, OUTLET, HOLE, WALLS };
    for (int closed = 0; closed < 2; closed++) {
        struct weir_shape shapes[] = {
            {.type = WEIR_BOX, .wall = INLET, .box = {{0, 0, 0}, {2, 6, 5}}},
            {.type = WEIR_BOX, .wall = OUTLET, .box = {{28, 0, 0}, {30, 6, 5}}},
            {.type = WEIR_BOX, .wall = HOLE, .face = WEIR_WALL_OF_FACE(2), .box = {{9, -1, 1}, {11, 1, 4}}},
            wall_across(20, 22)};
        struct weir_problem p = domain(30, 6, 40, shapes, 3 + closed);
        struct weir_fluid_pieces pieces;
        p.wall_count = WALLS;
        p.walls[INLET].rule = p.walls[HOLE].rule = WEIR_RULE_VELOCITY;
        p.walls[OUTLET].rule = WEIR_RULE_PRESSURE;
        shapes[0].box.to[2] = shapes[1].box.to[2] = 40;
        find_pieces(&p, 3, &pieces);
        assert_int_equal(pieces.openings, 3);
        assert_int_equal(pieces.pieces, 1 + closed);
        assert_int_equal(pieces.pockets, 0);
        assert_true(pieces.leads_through);
        assert_int_equal(pieces.dead_ends, closed);
        assert_int_equal(pieces.dead_end, closed ? OUTLET : 0);
    }
}

/* One channel to and fro along z, through all parts at each turn: a pocket beside a larger space, or, where a
 * hole leads from its end there, no piece of its own. */
static void test_winding(void **state) {
    (void)state;
    enum { TURNS = 12, LENGTH = 40, WIDTH = 2 * TURNS + 1 };
    const int64_t channel = TURNS * (LENGTH - 2) + TURNS - 1, space = WIDTH * 3 * LENGTH;
    struct weir_shape shapes[2 * TURNS + 1] = {
        {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {WIDTH, 3, LENGTH}}}};
    int count = 1;
    for (int k = 0; k < TURNS; k++) {
        const double x = 2 * k, turn = k % 2 ? 1 : LENGTH - 2;
        shapes[count++] = (struct weir_shape){.type = WEIR_BOX, .box = {{x, 1, 1}, {x + 1, 2, LENGTH - 1}}};
        if (k + 1 < TURNS)
            shapes[count++] =
                (struct weir_shape){.type = WEIR_BOX, .box = {{x + 1, 1, turn}, {x + 2, 2, turn + 1}}};
    }
    shapes[count] = (struct weir_shape){.type = WEIR_BOX,
                                        .box = {{WIDTH - 3, 2, LENGTH / 2}, {WIDTH - 2, 3, LENGTH / 2 + 1}}};
    for (int hole = 0; hole < 2; hole++)
        for (int ranks = 1; ranks <= PARTS_MOST; ranks++) {
            const struct weir_problem p = domain(WIDTH, 6, LENGTH, shapes, count + hole);
            struct parts parts;
            struct weir_fluid_pieces pieces;
            int cut[PARTS_MOST + 1];
            for (int k = 0; k <= ranks; k++)
                cut[k] = LENGTH * k / ranks;
            find_parts(&p, cut, ranks, 1, &parts, &pieces);
            assert_int_equal(pieces.pieces, hole ? 1 : 2);
            assert_int_equal(pieces.fluid, channel + space + hole);
            assert_int_equal(pieces.pockets, hole ? 0 : 1);
            assert_int_equal(pieces.pocket_cells, hole ? 0 : channel);
            release(&parts);
        }
}

/* The model of Tomczak and Szafran: a channel of 8 x 8 cells in tiles of 4^3, at its 16 places among them,
 * uses 0.444 of their cells in nine, 0.667 in six and all in one; 0.5625 in the mean. */
static void test_utilisation(void **state) {
    (void)state;
    int places[3] = {0};
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        const int x = k % 4, y = k / 4;
        struct weir_shape shapes[] = {
            {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {16, 16, 8}}},
            {.type = WEIR_BOX, .box = {{x, y, 0}, {x + 8, y + 8, 8}}}};
        struct weir_problem p = domain(16, 16, 8, shapes, 2);
        struct weir_block_grid grid;
        struct weir_utilisation kinds[WEIR_CELL_KIND_COUNT];
        bool *solid;
        p.periodic[2] = true;
        assert_int_equal(weir_block_grid_create(&p, (const int[3]){4, 4, 4}, &grid), 0);
        assert_int_equal(weir_solid_blocks_find(&p, &grid, &solid), 0);
        weir_utilisation_find(&p, &grid, kinds);
        const double eta = weir_utilisation_share(&kinds[WEIR_BRICK]);
        assert_int_equal(kinds[WEIR_LIST].blocks, 0);
        assert_true(kinds[WEIR_BRICK].fluid == 512);
        assert_true(kinds[WEIR_BRICK].cells == 64.0 * kinds[WEIR_BRICK].blocks);
        assert_true(fabs(weir_utilisation_overhead(&kinds[WEIR_BRICK]) - (1 - eta) / eta) < 1e-12);
        places[kinds[WEIR_BRICK].blocks == 8 ? 0 : kinds[WEIR_BRICK].blocks == 12 ? 1 : 2]++;
        sum += eta;
        free(solid);
    }
    assert_int_equal(places[0], 1); /* 8 tiles: all of them is used */
    assert_int_equal(places[1], 6); /* 12: 0.667 */
    assert_int_equal(places[2], 9); /* 18: 0.444 */
    assert_true(fabs(sum / 16 - 0.5625) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_openings),
                                       cmocka_unit_test(test_bodies_as_openings),
                                       cmocka_unit_test(test_winding), cmocka_unit_test(test_utilisation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
