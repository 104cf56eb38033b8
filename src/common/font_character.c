#include "src/common/font.h"

unsigned long weir_font_character(const char **text) {
    const unsigned char *bytes = (const unsigned char *)*text;
    int following = bytes[0] >= 0xf0 ? 3 : bytes[0] >= 0xe0 ? 2 : bytes[0] >= 0xc0 ? 1 : 0;
    unsigned long character = following == 0 ? bytes[0] : bytes[0] & (0x3fu >> following);
    for (int i = 1; i <= following; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            character = bytes[0];
            following = 0;
            break;
        }
        character = character << 6 | (bytes[i] & 0x3f);
    }
    *text += following + 1;
    return character;
}
