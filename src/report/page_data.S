/* The templates of reports and what they share, and the script that draws isosurfaces, carried in the program. The names
 * behind .incbin are strings: their files. */
    .section .rodata
    .global weir_page_compare
    .global weir_page_compare_end
    .global weir_page_trace
    .global weir_page_trace_end
    .global weir_page_scale
    .global weir_page_scale_end
    .global weir_page_show
    .global weir_page_show_end
    .global weir_page_style
    .global weir_page_style_end
    .global weir_page_script
    .global weir_page_script_end
    .global weir_page_isosurface
    .global weir_page_isosurface_end
weir_page_compare:
    .incbin WEIR_PAGE_COMPARE
weir_page_compare_end:
weir_page_trace:
    .incbin WEIR_PAGE_TRACE
weir_page_trace_end:
weir_page_scale:
    .incbin WEIR_PAGE_SCALE
weir_page_scale_end:
weir_page_show:
    .incbin WEIR_PAGE_SHOW
weir_page_show_end:
weir_page_style:
    .incbin WEIR_PAGE_STYLE
weir_page_style_end:
weir_page_script:
    .incbin WEIR_PAGE_SCRIPT
weir_page_script_end:
weir_page_isosurface:
    .incbin WEIR_PAGE_ISOSURFACE
weir_page_isosurface_end:
    .section .note.GNU-stack, "", %progbits
