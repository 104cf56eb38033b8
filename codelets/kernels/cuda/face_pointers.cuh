/* Messages of a channel beyond the first, as kernels are launched with them. */
#ifndef WEIR_KERNELS_FACE_POINTERS_CUH
#define WEIR_KERNELS_FACE_POINTERS_CUH

struct face_pointers {
    void *of_face[WEIR_FACES];
};

struct neighbour_pointers {
    const void *of_offset[WEIR_NEIGHBOURS];
};

#endif
