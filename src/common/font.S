/* The font of pictures and of solids, carried in the program: the machine a run ends up on may have none. WEIR_FONT, a string,
 * is its file. */
    .section .rodata
    .global weir_font_data
    .global weir_font_end
    .balign 16
weir_font_data:
    .incbin WEIR_FONT
weir_font_end:
    .section .note.GNU-stack, "", %progbits
