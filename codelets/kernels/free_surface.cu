/* A free surface, on a GPU: see free_surface.c. Threads share out the cells of rows that are near it, and
 * those at faces of the block, from which other blocks want to know always. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/cuda/shared_rows.cuh"

enum { DEEP = DIMENSIONS == 3 };

FUNCTION int length_of(weir_span span) {
    return span.end > span.begin ? span.end - span.begin : 0;
}

/* Those that are in either, and all between. */
FUNCTION weir_span hull_of(weir_span a, weir_span b) {
    if (length_of(a) == 0 || length_of(b) == 0)
        return length_of(a) == 0 ? b : a;
    return weir_span{a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* Whether the cell lies at a face of the block beyond which there is another: that one is always told. */
FUNCTION bool is_listened_to(const weir_block_view *b, int axis, int at) {
    return (at == 0 && !domain_ends(b, axis, -1)) ||
           (at == own_extent(b, axis) - 1 && !domain_ends(b, axis, 1));
}

/* What of a row is taken where a span of it is. Of a row to which other blocks listen that is all, else its
 * two ends if others listen to these. */
struct taken_cells {
    weir_span span;
    bool low, high; /* an end that is not in the span, too */
};

FUNCTION taken_cells taken_of(const weir_block_view *b, weir_span span, int y, int z) {
    const int nx = own_extent(b, 0);
    if (is_listened_to(b, 1, y) || (DEEP && is_listened_to(b, 2, z)))
        return taken_cells{{0, nx}, false, false};
    const bool low = is_listened_to(b, 0, 0) && !is_within(span, 0);
    const bool high = nx > 1 && is_listened_to(b, 0, nx - 1) && !is_within(span, nx - 1);
    return taken_cells{span, low, high};
}

FUNCTION int count_of(taken_cells taken) {
    return taken.low + taken.high + length_of(taken.span);
}

/* x of the k-th of them. */
FUNCTION int place_of(const weir_block_view *b, taken_cells taken, int k) {
    const int within = k - taken.low - taken.high;
    return within >= 0 ? taken.span.begin + within : k == 0 && taken.low ? 0 : own_extent(b, 0) - 1;
}

/* A thread for each row of the block, after odd steps. */
extern "C" __global__ void follow_surface_rows(const __grid_constant__ weir_block_view b,
                                               const __grid_constant__ weir_surface_view s) {
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x), ny = b.extent[1][1];
    if (row < ny * b.extent[2][1])
        follow_surface(&b, &s, row % ny, row / ny);
}

FUNCTION void count_and_tell(const weir_block_view *b, const weir_surface_view *s, int x, int y, int z) {
    const uint8_t flag = *flag_of(b, x, y, z);
    const bool at_surface = level_is_at_surface(*level_at(b, s, x, y, z));
    if (at_surface)
        count_mass(b, s, 1, x, y, z);
    if (!is_wall(flag) && !stays_inside(b, x, y, z))
        take_in(b, x, y, z);
    if (at_surface)
        tell_change(b, s, x, y, z);
    else
        tell_state(b, s, state_away(b, flag), x, y, z);
}

extern "C" __global__ void count_surface_mass(const __grid_constant__ weir_block_view b,
                                              const __grid_constant__ weir_surface_view s, int together,
                                              int parity) {
    const int ny = b.extent[1][1];
    share_rows(
        ny * b.extent[2][1], together,
        [&](int row) {
            const int y = row % ny, z = row / ny;
            return parity ? count_of(taken_of(&b, spans_near(&b, &s, y, z)->before, y, z))
                          : length_of(own_span(&b, &s, y, z));
        },
        [&](int row, int k) {
            const int y = row % ny, z = row / ny;
            const int x = parity ? place_of(&b, taken_of(&b, spans_near(&b, &s, y, z)->before, y, z), k)
                                 : own_span(&b, &s, y, z).begin + k;
            if (parity)
                count_and_tell(&b, &s, x, y, z);
            else if (level_is_at_surface(*level_at(&b, &s, x, y, z)))
                count_mass(&b, &s, 0, x, y, z);
        });
}

FUNCTION taken_cells converted_cells(const weir_block_view *b, const weir_surface_view *s, int y, int z) {
    const weir_near_spans near = *spans_near(b, s, y, z);
    const weir_span all = {0, b->extent[0][1]};
    return taken_of(b, s->prepares ? all : hull_of(near.now, near.before), y, z);
}

FUNCTION void convert_or_not(const weir_block_view *b, const weir_surface_view *s, int x, int y, int z) {
    if (s->prepares)
        tell_level(b, s, real_of(*slot_of(b, SURFACE_LEVEL, cell_entry(b, x, y, z))), 0, x, y, z);
    else if (is_far_from_surface(b, s, x, y, z))
        ((real *)s->shares)[cell_entry(b, x, y, z)] = 0;
    else
        convert_cell(b, s, x, y, z);
}

extern "C" __global__ void convert_surface_cells(const __grid_constant__ weir_block_view b,
                                                 const __grid_constant__ weir_surface_view s, int together) {
    const int ny = b.extent[1][1];
    share_rows(
        ny * b.extent[2][1], together,
        [&](int row) { return count_of(converted_cells(&b, &s, row % ny, row / ny)); },
        [&](int row, int k) {
            const int y = row % ny, z = row / ny;
            convert_or_not(&b, &s, place_of(&b, converted_cells(&b, &s, y, z), k), y, z);
        });
}

/* A thread for each row of the block and of the ring around it, of flat lattices not along z: before flags
 * are settled, which finds where the surface is then. */
extern "C" __global__ void forget_surface_rows(const __grid_constant__ weir_block_view b,
                                               const __grid_constant__ weir_surface_view s) {
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x), rows = b.extent[1][1] + 2;
    if (row < rows * (b.extent[2][1] + 2 * DEEP))
        *span_at_surface(&b, &s, row % rows - 1, row / rows - DEEP) = no_span(&b);
}

/* Has the span of its row include a cell that is at the surface. */
FUNCTION void include_at_surface(const weir_block_view *b, const weir_surface_view *s, int x, int y, int z) {
    if (!level_is_at_surface(*level_at(b, s, x, y, z)))
        return;
    weir_span *const span = span_at_surface(b, s, y, z);
    atomicMin(&span->begin, x);
    atomicMax(&span->end, x + 1);
}

FUNCTION bool row_is_of_ring(const weir_block_view *b, int y, int z) {
    return y < 0 || y >= b->extent[1][1] || z < 0 || z >= b->extent[2][1];
}

/* Of a row of the block or of the ring around it, but for the row's own ends, which lie in the ring. */
FUNCTION weir_span settled_span(const weir_block_view *b, const weir_surface_view *s, int y, int z) {
    const weir_span all = {0, b->extent[0][1]};
    return s->prepares || row_is_of_ring(b, y, z) ? all : spans_near(b, s, y, z)->now;
}

/* After forget_surface_rows. */
extern "C" __global__ void settle_surface_flags(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_surface_view s, int together) {
    const int rows = b.extent[1][1] + 2;
    share_rows(
        rows * (b.extent[2][1] + 2 * DEEP), together,
        [&](int row) { return 2 + length_of(settled_span(&b, &s, row % rows - 1, row / rows - DEEP)); },
        [&](int row, int k) {
            const int y = row % rows - 1, z = row / rows - DEEP;
            const int x = k == 0 ? -1 : k == 1 ? b.extent[0][1] : settled_span(&b, &s, y, z).begin + k - 2;
            if (k == 0 && s.prepares &&
                !row_is_of_ring(&b, y, z)) /* all states are to be told in the first step */
                spans_near(&b, &s, y, z)->now = weir_span{0, b.extent[0][1]};
            if (k < 2 || row_is_of_ring(&b, y, z))
                settle_ring(&b, &s, x, y, z);
            else if (s.prepares || !is_far_from_surface(&b, &s, x, y, z))
                settle_cell(&b, &s, x, y, z);
            include_at_surface(&b, &s, x, y, z);
        });
}

/* What tension does to the cells at the surface: those of its span that are near an open boundary, for there
 * is no other beside a free surface. Curvature takes long, and those who need it are few and lie apart: a
 * thread block looks for them in rows, each of its warps in some of its own, and finds the curvature of as
 * many as it has threads together. */
extern "C" __global__ void pull_surface_cells(const __grid_constant__ weir_block_view b,
                                              const __grid_constant__ weir_surface_view s, int together) {
    enum { WARP = 32, WARPS = WEIR_ROW_THREADS / WARP, ROOM = 2 * WEIR_ROW_THREADS };
    static_assert(WEIR_ROW_THREADS % WARP == 0, "warps are whole");
    __shared__ int found, waiting[ROOM]; /* cells: their number in the block */
    const int nx = b.extent[0][1], ny = b.extent[1][1], rows = ny * b.extent[2][1];
    const int first = (int)blockIdx.x * together, thread = (int)threadIdx.x;
    const int end = first + together < rows ? first + together : rows;
    int row = first + thread / WARP, x = -1; /* -1: its span is to be looked at */
    weir_span span = {0, 0};
    if (thread == 0)
        found = 0;
    __syncthreads();
    for (bool more = true; more;) {
        while (row < end && x < 0) {
            span = spans_near(&b, &s, row % ny, row / ny)->now;
            x = span.begin < span.end ? span.begin : -1;
            row += x < 0 ? WARPS : 0;
        }
        if (row < end) {
            const int mine = x + thread % WARP;
            if (mine < span.end && *flag_of(&b, mine, row % ny, row / ny) == WEIR_NEAR_OPEN)
                waiting[atomicAdd(&found, 1)] = row * nx + mine;
            x += WARP;
            if (x >= span.end) {
                x = -1;
                row += WARPS;
            }
        }
        more = __syncthreads_or(row < end) != 0;
        const int count = found;
        __syncthreads();
        if (more && count < WEIR_ROW_THREADS)
            continue;
        /* As many as there are threads, or the last. */
        for (int k = thread; k < count; k += WEIR_ROW_THREADS) {
            const int of_row = waiting[k] / nx;
            pull_by_tension(&b, &s, waiting[k] - of_row * nx, of_row % ny, of_row / ny);
        }
        __syncthreads();
        if (thread == 0)
            found = 0;
        __syncthreads();
    }
}
