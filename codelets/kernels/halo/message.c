#include "codelets/kernels/halo/message.h"

#include <stdlib.h>

static int add_layer(struct weir_message_layout *layout, int count[WEIR_FACES], int face,
                     struct weir_layer layer) {
    if (count[face] == WEIR_LAYERS_MAX)
        return -1;
    layout->layer[face][count[face]++] = layer;
    return 0;
}

int weir_message_add_set(struct weir_message_layout *layout, int source,
                         const struct weir_lattice_table *lattice) {
    for (int axis = 0; axis < 3; axis++) {
        int count[WEIR_FACES];
        for (int face = 0; face < WEIR_FACES; face++)
            count[face] = layout->count[axis];
        for (int i = 1; i < lattice->populations; i++) {
            const int *c = lattice->velocity[i];
            for (int depth = 0; depth < abs(c[axis]); depth++) {
                const struct weir_layer layer = {.source = (int8_t)source,
                                                 .component = (int8_t)i,
                                                 .velocity = {(int8_t)c[0], (int8_t)c[1], (int8_t)c[2]},
                                                 .depth = (int8_t)depth};
                if (add_layer(layout, count, WEIR_FACE(axis, c[axis]), layer) < 0)
                    return -1;
            }
        }
        layout->count[axis] = count[WEIR_FACE(axis, 1)]; /* as many as through the low face */
    }
    return 0;
}

int weir_message_add_field(struct weir_message_layout *layout, int source, int components, int reach,
                           int dimensions) {
    for (int axis = 0; axis < dimensions; axis++) {
        int count[WEIR_FACES];
        for (int face = 0; face < WEIR_FACES; face++)
            count[face] = layout->count[axis];
        for (int side = -1; side <= 1; side += 2)
            for (int component = 0; component < components; component++)
                for (int depth = 0; depth < reach; depth++) {
                    const struct weir_layer layer = {.source = (int8_t)source,
                                                     .component = (int8_t)component,
                                                     .depth = (int8_t)depth,
                                                     .reach = (int8_t)reach};
                    if (add_layer(layout, count, WEIR_FACE(axis, side), layer) < 0)
                        return -1;
                }
        layout->count[axis] = count[WEIR_FACE(axis, 1)];
    }
    return 0;
}

void weir_message_mirror(struct weir_message_layout *layout) {
    for (int face = 0; face < WEIR_FACES; face++)
        for (int k = 0; k < layout->count[face / 2]; k++)
            layout->layer[face][k].mirrored = true;
}

int weir_message_first_layer(const struct weir_message_layout *layout, int source, int axis) {
    const int face = WEIR_FACE(axis, 1);
    int first = 0;
    while (first < layout->count[axis] && layout->layer[face][first].source != source)
        first++;
    return first;
}

int64_t weir_message_values(const struct weir_message_layout *layout, const int extent[3], int axis) {
    return (int64_t)layout->count[axis] * extent[(axis + 1) % 3] * extent[(axis + 2) % 3];
}

size_t weir_message_bytes(const struct weir_message_layout *layout, const int extent[3], int axis,
                          size_t value_size) {
    return (size_t)weir_message_values(layout, extent, axis) * value_size;
}

/* Whether anything of a layer may go on along an axis by the offset, once it is through its face. */
static bool goes_on(const struct weir_layer *layer, int axis, int offset) {
    return offset == 0 || layer->reach > 0 || layer->velocity[axis] * offset > 0;
}

bool weir_layer_crossing(const struct weir_layer *layer, int face, const int extent[3],
                         struct weir_offset offset, int begin[3], int cells[3]) {
    if (offset.along[face / 2] == 0 || face != weir_offset_face(offset))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        const int o = offset.along[axis], c = layer->velocity[axis], n = extent[axis];
        if (axis == face / 2) {
            begin[axis] = o > 0 ? n - 1 - layer->depth : layer->depth;
            cells[axis] = 1;
        } else if (!goes_on(layer, axis, o)) {
            return false;
        } else if (o == 0) {
            begin[axis] = c < 0 && !layer->mirrored ? -c : 0;
            cells[axis] = layer->mirrored ? n : n - abs(c);
        } else {
            cells[axis] = layer->reach > 0 ? layer->reach : abs(c);
            begin[axis] = o > 0 ? n - cells[axis] : 0;
        }
        if (cells[axis] <= 0)
            return false;
    }
    return true;
}

int64_t weir_message_crossing(const struct weir_message_layout *layout, const int extent[3],
                              struct weir_offset offset) {
    int64_t values = 0;
    const int face = weir_offset_face(offset);
    for (int k = 0; k < layout->count[face / 2]; k++) {
        int begin[3], cells[3];
        if (weir_layer_crossing(&layout->layer[face][k], face, extent, offset, begin, cells))
            values += (int64_t)cells[0] * cells[1] * cells[2];
    }
    return values;
}

int weir_message_face(const struct weir_message_layout *layout, struct weir_offset offset) {
    const struct weir_offset back = weir_offset_back(offset);
    const int face = weir_offset_face(back), first = face / 2;
    if (back.along[first] == 0)
        return -1;
    for (int k = 0; k < layout->count[first]; k++) {
        bool reaches = true;
        for (int axis = 0; axis < 3; axis++)
            reaches = reaches && (axis == first || goes_on(&layout->layer[face][k], axis, back.along[axis]));
        if (reaches)
            return face;
    }
    return -1;
}
