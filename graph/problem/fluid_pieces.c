#include "graph/problem/fluid_pieces.h"

#include "graph/base/error.h"

#include <stdlib.h>

/* Goes through the pieces of a part: as they are in all parts. */
struct walk {
    const struct weir_fluid_part *part;
    const struct weir_fluid_seams *seams;
    int64_t next, seam; /* stretch and place in seams to look at */
};

struct whole_piece {
    int64_t stretch; /* first one in the part */
    int64_t number, cells;
    uint64_t openings;
};

static bool step(struct walk *w, struct whole_piece *piece) {
    const struct weir_fluid_part *part = w->part;
    const struct weir_fluid_seams *seams = w->seams;
    while (w->next < part->count && !weir_fluid_is_first(part, w->next))
        w->next++;
    if (w->next == part->count)
        return false;
    const struct weir_fluid_piece *own = &part->pieces[w->next];
    *piece = (struct whole_piece){w->next, part->offset + w->next, own->cells, own->openings};
    while (w->seam < seams->count && seams->number[w->seam] < piece->number)
        w->seam++;
    if (w->seam < seams->count && seams->number[w->seam] == piece->number) {
        const int64_t first = seams->joined[w->seam];
        piece->number = seams->number[first];
        piece->cells = seams->values[2 * first];
        piece->openings = (uint64_t)seams->values[2 * first + 1];
    }
    w->next++;
    return true;
}

static bool is_pocket(const struct whole_piece *piece, int64_t largest) {
    return piece->number != largest && piece->openings == 0;
}

struct weir_largest_piece weir_fluid_larger(struct weir_largest_piece one, struct weir_largest_piece other) {
    return one.cells > other.cells || (one.cells == other.cells && one.number < other.number) ? one : other;
}

struct weir_largest_piece weir_fluid_largest(const struct weir_fluid_part *part,
                                             const struct weir_fluid_seams *seams) {
    struct weir_largest_piece largest = {0, 0};
    struct walk walk = {part, seams, 0, 0};
    struct whole_piece piece;
    while (step(&walk, &piece))
        largest = weir_fluid_larger(largest, (struct weir_largest_piece){piece.cells, piece.number});
    return largest;
}

void weir_fluid_count(const struct weir_fluid_part *part, const struct weir_fluid_seams *seams,
                      int64_t largest, struct weir_fluid_pieces *counts, uint64_t *connected) {
    struct walk walk = {part, seams, 0, 0};
    struct whole_piece piece;
    *counts = (struct weir_fluid_pieces){.fluid = part->fluid};
    *connected = 0;
    while (step(&walk, &piece)) {
        if (piece.number != part->offset + piece.stretch) /* it begins in a part before */
            continue;
        counts->pieces++;
        if (piece.openings & (piece.openings - 1))
            *connected |= piece.openings;
        if (!is_pocket(&piece, largest))
            continue;
        counts->pockets++;
        counts->pocket_cells += piece.cells;
    }
}

void weir_fluid_judge(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                      uint64_t connected, struct weir_fluid_pieces *pieces) {
    pieces->openings = openings->count;
    pieces->leads_through = connected != 0;
    for (int wall = 1; wall < problem->wall_count && openings->count > 1; wall++)
        if (openings->bit[wall] && !(openings->bit[wall] & connected)) {
            pieces->dead_end = pieces->dead_ends == 0 ? wall : pieces->dead_end;
            pieces->dead_ends++;
        }
}

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for pockets of fluid");
}

int weir_fluid_holes(const struct weir_fluid_part *part, const struct weir_fluid_seams *seams,
                     int64_t largest, struct weir_hole **holes, int64_t *count) {
    bool *pocket = calloc((size_t)part->count + 1, sizeof *pocket); /* of first stretches */
    struct walk walk = {part, seams, 0, 0};
    struct whole_piece piece;
    int64_t most = 0;
    *holes = NULL;
    *count = 0;
    if (!pocket)
        return fail_memory();
    while (step(&walk, &piece))
        pocket[piece.stretch] = is_pocket(&piece, largest);
    for (int64_t k = 0; k < part->count; k++)
        most += pocket[part->pieces[k].joined];
    *holes = malloc(((size_t)most + 1) * sizeof **holes);
    const int64_t rows = (int64_t)(part->end - part->begin) * part->rows,
                  before = (int64_t)part->begin * part->rows;
    for (int64_t row = 0; *holes && row < rows; row++)
        for (int64_t k = part->first[row]; k < part->first[row + 1]; k++)
            if (pocket[part->pieces[k].joined])
                (*holes)[(*count)++] =
                    (struct weir_hole){before + row, part->stretches[k].begin, part->stretches[k].end};
    free(pocket);
    return *holes ? 0 : fail_memory();
}
