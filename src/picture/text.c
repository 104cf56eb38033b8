#include "src/picture/text.h"

#include "graph/base/error.h"
#include "src/common/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdlib.h>

struct weir_font {
    FT_Library library;
    FT_Face face;
};

int weir_font_create(struct weir_font **font) {
    struct weir_font *f = calloc(1, sizeof *f);
    if (!f || FT_Init_FreeType(&f->library) != 0 ||
        FT_New_Memory_Face(f->library, weir_font_data, weir_font_end - weir_font_data, 0, &f->face) != 0) {
        weir_font_destroy(f);
        return weir_fail(WEIR_FAILED,
                         "cannot open the built-in font: no memory left, or FreeType lacks TrueType");
    }
    *font = f;
    return 0;
}

void weir_font_destroy(struct weir_font *font) {
    if (!font)
        return;
    FT_Done_Face(font->face);
    FT_Done_FreeType(font->library);
    free(font);
}

/* FreeType counts in 1/64 pixels. Letters keep their drawn shape (no hinting), so text is as wide in every
 * direction. */
static bool load_next(struct weir_font *font, const char **text) {
    return FT_Load_Char(font->face, weir_font_character(text), FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0;
}

static void set_size(struct weir_font *font, double size) {
    FT_Set_Char_Size(font->face, 0, lround(64.0 * size), 72, 72);
}

double weir_font_width(struct weir_font *font, double size, const char *text) {
    double width = 0.0;
    set_size(font, size);
    while (*text)
        if (load_next(font, &text))
            width += (double)font->face->glyph->linearHoriAdvance / 65536.0;
    return width;
}

/* The outline is moved to its place between the pixels, and then filled with 256 steps of coverage. */
static void draw_glyph(FT_GlyphSlot glyph, struct weir_raster *raster, double x, double y, bool upward,
                       const uint8_t colour[3]) {
    if (upward) {
        FT_Matrix quarter_turn = {.xx = 0, .xy = -0x10000, .yx = 0x10000, .yy = 0};
        FT_Outline_Transform(&glyph->outline, &quarter_turn);
    }
    double left = floor(x), top = floor(y);
    FT_Outline_Translate(&glyph->outline, lround(64.0 * (x - left)), lround(-64.0 * (y - top)));
    if (FT_Render_Glyph(glyph, FT_RENDER_MODE_NORMAL) != 0)
        return;
    const FT_Bitmap *bitmap = &glyph->bitmap;
    for (unsigned row = 0; row < bitmap->rows; row++)
        for (unsigned column = 0; column < bitmap->width; column++)
            weir_raster_blend(raster, (int)left + glyph->bitmap_left + (int)column,
                              (int)top - glyph->bitmap_top + (int)row, colour,
                              bitmap->buffer[(int)row * bitmap->pitch + (int)column] / 255.0);
}

void weir_font_draw(struct weir_font *font, struct weir_raster *raster, double x, double y, double size,
                    bool upward, const uint8_t colour[3], const char *text) {
    set_size(font, size);
    while (*text) {
        if (!load_next(font, &text))
            continue;
        double advance = (double)font->face->glyph->linearHoriAdvance / 65536.0;
        draw_glyph(font->face->glyph, raster, x, y, upward, colour);
        if (upward)
            y -= advance;
        else
            x += advance;
    }
}
