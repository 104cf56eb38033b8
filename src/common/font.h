/* The font that is built into the program (font.S): the bytes of a TrueType file. */
#ifndef WEIR_SRC_COMMON_FONT_H
#define WEIR_SRC_COMMON_FONT_H

extern const unsigned char weir_font_data[], weir_font_end[];

/* The next character of a UTF-8 text, which is moved past it; a byte that fits nowhere stands for itself. */
unsigned long weir_font_character(const char **text);

#endif
