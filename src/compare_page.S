/* The template of weir compare's page, carried in the program. WEIR_COMPARE_PAGE, a string, is its file. */
    .section .rodata
    .global weir_compare_page_data
    .global weir_compare_page_end
weir_compare_page_data:
    .incbin WEIR_COMPARE_PAGE
weir_compare_page_end:
    .section .note.GNU-stack, "", %progbits
