/* What arrives at cells near boundaries that let fluid pass, of a tile of cells that keep moments. They are
 * stepped when the others of the tile are (open_tiles.cuh), and what leaves their neighbours would have to be
 * found again, for each of their neighbours; but while the tile passes it lies in shared memory. So it is
 * noted, of as many cells as a face of the tile across x has; of the others only that they were met. Notes
 * are in the GPU's memory, as what is taken from a multiprocessor's cache slows the others down. */
#ifndef WEIR_KERNELS_OPEN_NOTES_CUH
#define WEIR_KERNELS_OPEN_NOTES_CUH

#if defined WEIR_OPEN && DIMENSIONS == 3
#define WITH_OPEN_TILES 1

/* Places for the notes of a thread block: more than there are multiprocessors, each of which has one thread
 * block at a time. */
enum { NOTES = TILE_ROWS * WEIR_TILE_PLANES_MOST, NOTE_PLACES = 256 };

static __device__ unsigned place_is_taken[NOTE_PLACES];

struct open_note {
    int flag_number;
    real arriving[POPULATIONS]; /* f_i */
};

static __device__ open_note notes_in_places[NOTE_PLACES][NOTES];

struct open_cells_met {
    open_note *notes;
    int count; /* as many notes as there would be if there were room */
    uint32_t without_note[WEIR_TILE_PLANES_MOST * TILE_ROWS]; /* [plane][row]: a bit for each cell of a row */
};

static_assert(sizeof(open_cells_met) <= WEIR_TILE_BYTES_BESIDE - 128, "as the host has it");

static __device__ __forceinline__ open_cells_met *cells_met() {
    __shared__ open_cells_met met;
    return &met;
}

/* By all threads, before a barrier. */
static __device__ __forceinline__ void begin_notes(int thread) {
    for (int k = thread; k < WEIR_TILE_PLANES_MOST * TILE_ROWS; k += TILE_THREADS)
        cells_met()->without_note[k] = 0;
    if (thread == 0) {
        unsigned place;
        asm("mov.u32 %0, %%smid;" : "=r"(place)); /* likely to be free */
        while (atomicExch(&place_is_taken[place % NOTE_PLACES], 1u) != 0)
            place++;
        __threadfence(); /* what is noted comes after all that was read by whom the place was */
        cells_met()->notes = notes_in_places[place % NOTE_PLACES];
        cells_met()->count = 0;
    }
}

/* By one thread, when all are done with the notes. */
static __device__ __forceinline__ void end_notes() {
    const int place = (int)(cells_met()->notes - notes_in_places[0]) / NOTES;
    __threadfence();
    atomicExch(&place_is_taken[place], 0u);
}

/* Of the cell in column `column` of row `row` of the tile, plane `plane` of those of the thread block. */
static __device__ __noinline__ void note_open_cell(const tile_slots arriving, int flag_number, int plane,
                                                   int row, int column) {
    const int number = atomicAdd(&cells_met()->count, 1);
    if (number >= NOTES) {
        atomicOr(&cells_met()->without_note[plane * TILE_ROWS + row], 1u << column);
        return;
    }
    real f[POPULATIONS];
    open_note *const note = cells_met()->notes + number;
    gather_cell(&arriving, f);
    note->flag_number = flag_number;
#define WEIR_DIRECTION(i, ...) note->arriving[i] = f[i];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#else
#define WITH_OPEN_TILES 0
#endif

#endif
