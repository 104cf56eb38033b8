/* Colours for numbers, even to the eye: equal steps of a value look like equal steps of colour, and lightness
 * alone already orders the values, so pictures also read in grey and for colour-blind people. */
#ifndef WEIR_SRC_PICTURE_COLOUR_MAP_H
#define WEIR_SRC_PICTURE_COLOUR_MAP_H

#include <stdint.h>

enum { WEIR_COLOURS = 257 }; /* odd: a diverging map has its middle */

struct weir_colour_map {
    uint8_t rgb[WEIR_COLOURS][3]; /* sRGB */
};

/* viridis (S. van der Walt, N. Smith 2015, CC0): from dark violet over green to yellow, for magnitudes. */
void weir_colour_map_sequential(struct weir_colour_map *map);

/* Blue, nearly white, red, for signed values with zero in the middle: two straight lines of equal lightness
 * through the Oklab space (B. Ottosson 2020), on which distances are differences seen. */
void weir_colour_map_diverging(struct weir_colour_map *map);

/* The colour at position 0 to 1; what lies outside gets the end's colour. Belongs to the map. */
const uint8_t *weir_colour_map_at(const struct weir_colour_map *map, double position);

#endif
