#include "graph/plan/halo_messages.h"

#include "codelets/kernels/halo/layers.h"
#include "graph/base/error.h"

#include <stdlib.h>

/* All that goes from one block to the one at an offset. */
struct crossing {
    int rank; /* the other one */
    int block, face;
    int number; /* of the offset */
};

static int difference(int a, int b) {
    return (a > b) - (a < b);
}

static int by_rank_and_message(const void *left, const void *right) {
    const struct crossing *a = left, *b = right;
    const int keys[] = {difference(a->rank, b->rank), difference(a->block, b->block),
                        difference(a->face, b->face), difference(a->number, b->number)};
    int k = 0;
    while (k < 3 && keys[k] == 0)
        k++;
    return keys[k];
}

struct work {
    const struct weir_message_layout *layout;
    const struct weir_block_grid *grid;
    const int *rank_of;
    struct crossing *crossings;
    int count;
};

/* From block `source` to the one at the offset: does anything travel? */
static void add_crossing(struct work *work, int rank, int source, int number) {
    const struct weir_offset offset = weir_offset(number);
    const struct weir_box box = weir_block_grid_box(work->grid, source);
    if (weir_message_crossing(work->layout, box.extent, offset) > 0)
        work->crossings[work->count++] = (struct crossing){
            .rank = rank, .block = source, .face = weir_offset_face(offset), .number = number};
}

static int find_crossings(struct work *work, int rank, const int *own, int own_count, bool sent) {
    int neighbours = 0;
    for (int round = 0; round < 2; round++) {
        if (round == 1) {
            work->crossings = malloc(sizeof *work->crossings * ((size_t)neighbours + 1));
            if (!work->crossings)
                return -1;
        }
        for (int k = 0; k < own_count; k++)
            for (int n = 0; n < WEIR_NEIGHBOURS; n++) {
                const int other = weir_block_grid_fluid_neighbour(work->grid, own[k], weir_offset(n).along);
                if (other < 0 || work->rank_of[other] == rank)
                    continue;
                if (round == 0)
                    neighbours++;
                else if (sent)
                    add_crossing(work, work->rank_of[other], own[k], n);
                else
                    add_crossing(work, work->rank_of[other], other, weir_offset_number_back(n));
            }
    }
    qsort(work->crossings, (size_t)work->count, sizeof *work->crossings, by_rank_and_message);
    return 0;
}

/* Appends rows to a halo message in segments of the size that threads share out; only counts where it has no
 * room yet. */
static void add_rows(struct weir_halo_message *halo, int64_t in_message, int64_t rows, int64_t length,
                     int64_t stride) {
    if (rows == 1 || length == stride) { /* one long row */
        length *= rows;
        rows = 1;
        stride = length;
    }
    const int64_t width = length < WEIR_HALO_SEGMENT_MAX ? length : WEIR_HALO_SEGMENT_MAX,
                  height = WEIR_HALO_SEGMENT_MAX / width;
    for (int64_t row = 0; row < rows; row += height)
        for (int64_t column = 0; column < length; column += width) {
            const struct weir_halo_segment segment = {
                .message = halo->message_count - 1,
                .rows = (int32_t)(rows - row < height ? rows - row : height),
                .row_length = (int32_t)(length - column < width ? length - column : width),
                .row_stride = (int32_t)stride,
                .in_message = in_message + row * stride + column,
                .in_halo = halo->populations,
            };
            if (halo->segments)
                halo->segments[halo->segment_count] = segment;
            halo->segment_count++;
            halo->populations += (int64_t)segment.rows * segment.row_length;
        }
}

/* Appends what crosses of one layer of the message. */
static void add_layer(struct weir_halo_message *halo, const struct work *work, const struct weir_box *box,
                      const struct crossing *crossing, int layer) {
    int begin[3], cells[3];
    if (!weir_layer_crossing(&work->layout->layer[crossing->face][layer], crossing->face, box->extent,
                             weir_offset(crossing->number), begin, cells))
        return;
    const int axis = crossing->face / 2, lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2;
    const int length = box->extent[lower];
    add_rows(halo, weir_layer_place(layer, begin[upper], box->extent[upper], begin[lower], length),
             cells[upper], cells[lower], length);
}

/* A pair of ranks divides what it has to say into so many halo messages, but not into smaller ones than that.
 * On four H200, one rank each with eight blocks of 256^3, one halo message cost 10 % of the step. */
enum { HALO_MESSAGES_IN_FLIGHT = 4, POPULATIONS_WORTH_A_MESSAGE = 16384 };

/* Blocks of a halo message between this pair of ranks at most: all of them where they have little to say to
 * each other, else a part, so that what some blocks send is on its way while others compute. */
static int blocks_of_halo(const struct work *work, const struct crossing *first, const struct crossing *end) {
    int64_t populations = 0;
    int blocks = 0;
    for (const struct crossing *c = first; c < end && c->rank == first->rank; c++) {
        const struct weir_box box = weir_block_grid_box(work->grid, c->block);
        populations += weir_message_crossing(work->layout, box.extent, weir_offset(c->number));
        blocks += c == first || c->block != c[-1].block;
    }
    int64_t parts = populations / POPULATIONS_WORTH_A_MESSAGE;
    parts = parts < 1 ? 1 : parts > HALO_MESSAGES_IN_FLIGHT ? HALO_MESSAGES_IN_FLIGHT : parts;
    return (int)((blocks + parts - 1) / parts);
}

/* Fills a halo message from the first crossings to one rank, as many as it has room for: returns how many.
 * Only counts where it has no room yet. */
static int fill(struct weir_halo_message *halo, const struct work *work, const struct crossing *first,
                const struct crossing *end, int blocks_most) {
    int blocks = 0;
    halo->rank = first->rank;
    halo->message_count = halo->segment_count = 0;
    halo->populations = 0;
    const struct crossing *crossing = first;
    for (; crossing < end && crossing->rank == first->rank; crossing++) {
        if (crossing == first || crossing->block != crossing[-1].block ||
            crossing->face != crossing[-1].face) {
            if (crossing == first || crossing->block != crossing[-1].block)
                blocks++;
            if (halo->message_count == WEIR_HALO_FACE_MESSAGES_MAX || blocks > blocks_most)
                break;
            if (halo->messages)
                halo->messages[halo->message_count] =
                    (struct weir_face_message){crossing->block, crossing->face};
            halo->message_count++;
        }
        const struct weir_box box = weir_block_grid_box(work->grid, crossing->block);
        for (int layer = 0; layer < work->layout->count[crossing->face / 2]; layer++)
            add_layer(halo, work, &box, crossing, layer);
    }
    return (int)(crossing - first);
}

static int out_of_memory(int rank) {
    return weir_fail(WEIR_FAILED, "out of memory for what rank %d exchanges with others", rank);
}

static void destroy_list(struct weir_halo_message *list, int count) {
    for (int k = 0; k < count; k++) {
        free(list[k].messages);
        free(list[k].segments);
    }
    free(list);
}

static int make_list(struct work *work, struct weir_halo_message **list, int *count) {
    const struct crossing *const end = work->crossings + work->count;
    int most = 0;
    for (int room = 0; room < 2; room++) { /* counted first */
        int halos = 0, number = 0;
        for (const struct crossing *c = work->crossings; c < end; halos++) {
            struct weir_halo_message halo = {0};
            const bool other_rank = c == work->crossings || c->rank != c[-1].rank;
            number = other_rank ? 0 : number + 1;
            if (other_rank)
                most = blocks_of_halo(work, c, end);
            int used = fill(&halo, work, c, end, most);
            if (room) {
                struct weir_halo_message *next = &(*list)[halos];
                *count = halos + 1;
                next->number = number;
                next->messages = calloc((size_t)halo.message_count, sizeof *next->messages);
                next->segments = calloc((size_t)halo.segment_count, sizeof *next->segments);
                if (!next->messages || !next->segments)
                    return -1;
                used = fill(next, work, c, end, most);
            }
            c += used;
        }
        if (!room && !(*list = calloc((size_t)halos + 1, sizeof **list)))
            return -1;
    }
    return 0;
}

int weir_halo_messages_create(const struct weir_message_layout *layout, const struct weir_block_grid *grid,
                              const int *rank_of, int rank, const int *own, int own_count,
                              struct weir_halo_messages **result) {
    struct weir_halo_messages *halos = calloc(1, sizeof *halos);
    if (!halos)
        return out_of_memory(rank);
    for (int sent = 0; sent < 2; sent++) {
        struct work work = {.layout = layout, .grid = grid, .rank_of = rank_of};
        int error = find_crossings(&work, rank, own, own_count, sent);
        if (error == 0)
            error = sent ? make_list(&work, &halos->sent, &halos->sent_count)
                         : make_list(&work, &halos->received, &halos->received_count);
        free(work.crossings);
        if (error != 0) {
            weir_halo_messages_destroy(halos);
            return out_of_memory(rank);
        }
    }
    *result = halos;
    return 0;
}

void weir_halo_messages_destroy(struct weir_halo_messages *halos) {
    if (!halos)
        return;
    destroy_list(halos->sent, halos->sent_count);
    destroy_list(halos->received, halos->received_count);
    free(halos);
}
