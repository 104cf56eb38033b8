#include "src/geometry/letters.h"

#include "graph/base/error.h"
#include "src/common/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdlib.h>

enum { PIECES = 8 }; /* of a curve */

/* A straight piece of an outline. */
struct edge {
    double from[2], to[2];
};

struct letters {
    struct weir_region region;
    struct edge *edges; /* of all letters, around what is inside */
    int64_t count, room;
    int rows;       /* of cells, which edges are sorted by */
    int64_t *first; /* [rows + 1] */
    int64_t *order; /* numbers of the edges in each row */
};

/* Where outlines are drawn. */
struct pen {
    struct letters *letters;
    double at[2]; /* font units */
    double left;  /* of the letter */
    bool full;    /* there was no memory for all */
};

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for a text");
}

static void draw_to(struct pen *pen, double x, double y) {
    struct letters *letters = pen->letters;
    if (letters->count == letters->room) {
        const int64_t room = 2 * letters->room + 256;
        struct edge *edges = realloc(letters->edges, (size_t)room * sizeof *edges);
        pen->full = pen->full || !edges;
        if (!edges)
            return;
        letters->edges = edges;
        letters->room = room;
    }
    letters->edges[letters->count++] = (struct edge){{pen->at[0], pen->at[1]}, {x, y}};
    pen->at[0] = x;
    pen->at[1] = y;
}

static int move_to(const FT_Vector *to, void *context) {
    struct pen *pen = context;
    pen->at[0] = pen->left + (double)to->x;
    pen->at[1] = (double)to->y;
    return 0;
}

static int line_to(const FT_Vector *to, void *context) {
    struct pen *pen = context;
    draw_to(pen, pen->left + (double)to->x, (double)to->y);
    return 0;
}

static int cubic_to(const FT_Vector *one, const FT_Vector *other, const FT_Vector *to, void *context) {
    struct pen *pen = context;
    const double from[2] = {pen->at[0], pen->at[1]};
    for (int k = 1; k <= PIECES; k++) {
        const double t = (double)k / PIECES, s = 1 - t;
        draw_to(pen,
                s * s * s * from[0] + 3 * s * s * t * (pen->left + (double)one->x) +
                    3 * s * t * t * (pen->left + (double)other->x) + t * t * t * (pen->left + (double)to->x),
                s * s * s * from[1] + 3 * s * s * t * (double)one->y + 3 * s * t * t * (double)other->y +
                    t * t * t * (double)to->y);
    }
    return 0;
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *context) {
    struct pen *pen = context;
    const double from[2] = {pen->at[0], pen->at[1]};
    for (int k = 1; k <= PIECES; k++) {
        const double t = (double)k / PIECES, s = 1 - t;
        draw_to(pen,
                s * s * from[0] + 2 * s * t * (pen->left + (double)control->x) +
                    t * t * (pen->left + (double)to->x),
                s * s * from[1] + 2 * s * t * (double)control->y + t * t * (double)to->y);
    }
    return 0;
}

/* Adds the outlines of a text, whose line begins at 0, in font units; *height: of a capital H. */
static int draw_text(FT_Face face, const char *text, struct letters *letters, double *height) {
    static const FT_Outline_Funcs functions = {move_to, line_to, conic_to, cubic_to, 0, 0};
    struct pen pen = {.letters = letters};
    FT_BBox capital;
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) != 0)
        return weir_fail(WEIR_FAILED, "the built-in font has no capital H");
    FT_Outline_Get_CBox(&face->glyph->outline, &capital);
    *height = (double)capital.yMax;
    while (*text) {
        const char *sign = text;
        const unsigned glyph = FT_Get_Char_Index(face, weir_font_character(&text));
        if (glyph == 0)
            return weir_fail(WEIR_USAGE, "the built-in font has no \"%.*s\"; write it with other signs",
                             (int)(text - sign), sign);
        if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0 ||
            FT_Outline_Decompose(&face->glyph->outline, &functions, &pen) != 0 || pen.full)
            return out_of_memory();
        pen.left += (double)face->glyph->metrics.horiAdvance;
    }
    return letters->count > 0 ? 0 : weir_fail(WEIR_USAGE, "nothing of it is to be seen; give some letters");
}

static int draw(const char *text, struct letters *letters, double *height) {
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library) != 0)
        return out_of_memory();
    int error = FT_New_Memory_Face(library, weir_font_data, weir_font_end - weir_font_data, 0, &face) != 0
                    ? weir_fail(WEIR_FAILED, "cannot open the built-in font: FreeType lacks TrueType")
                    : 0;
    if (error == 0) {
        error = draw_text(face, text, letters, height);
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    return error;
}

static void find_bounds(struct letters *letters) {
    struct weir_region *region = &letters->region;
    for (int axis = 0; axis < 2; axis++) {
        region->low[axis] = HUGE_VAL;
        region->high[axis] = -HUGE_VAL;
        for (int64_t k = 0; k < letters->count; k++) {
            region->low[axis] = fmin(region->low[axis], letters->edges[k].from[axis]);
            region->high[axis] = fmax(region->high[axis], letters->edges[k].from[axis]);
        }
    }
}

/* Brings the outlines from font units into the domain. */
static void place(struct letters *letters, const struct weir_letters_options *options, double height) {
    const double scale = options->height / height;
    double move[2];
    find_bounds(letters);
    for (int axis = 0; axis < 2; axis++)
        move[axis] = options->centred
                         ? 0.5 * options->cells[axis] -
                               0.5 * scale * (letters->region.low[axis] + letters->region.high[axis])
                         : options->origin[axis];
    for (int64_t k = 0; k < letters->count; k++)
        for (int axis = 0; axis < 2; axis++) {
            struct edge *edge = &letters->edges[k];
            edge->from[axis] = edge->from[axis] * scale + move[axis];
            edge->to[axis] = edge->to[axis] * scale + move[axis];
        }
    find_bounds(letters);
    letters->region.low[2] = 0;
    letters->region.high[2] = options->cells[2];
}

static int row_at(const struct letters *letters, double y) {
    return (int)fmin(fmax(floor(y), 0), letters->rows - 1);
}

/* Sorts the edges by rows of cells. */
static int sort(struct letters *letters) {
    letters->first = calloc((size_t)letters->rows + 2, sizeof *letters->first);
    if (!letters->first)
        return out_of_memory();
    /* Where the next edge of a row goes; when all are there, that is where the row ends. */
    int64_t *const next = letters->first + 1;
    for (int64_t k = 0; k < letters->count; k++) {
        const struct edge *e = &letters->edges[k];
        for (int row = row_at(letters, fmin(e->from[1], e->to[1]));
             row <= row_at(letters, fmax(e->from[1], e->to[1])); row++)
            next[row + 1]++;
    }
    for (int row = 0; row < letters->rows; row++)
        next[row + 1] += next[row];
    letters->order = malloc(((size_t)next[letters->rows] + 1) * sizeof *letters->order);
    if (!letters->order)
        return out_of_memory();
    for (int64_t k = 0; k < letters->count; k++) {
        const struct edge *e = &letters->edges[k];
        for (int row = row_at(letters, fmin(e->from[1], e->to[1]));
             row <= row_at(letters, fmax(e->from[1], e->to[1])); row++)
            letters->order[next[row]++] = k;
    }
    return 0;
}

/* Outlines go around what is inside, letters may overlap: where the winding number is not 0. */
static bool contains(const struct weir_region *region, const double point[3]) {
    const struct letters *letters = (const struct letters *)region;
    const int row = row_at(letters, point[1]);
    int winding = 0;
    for (int axis = 0; axis < 2; axis++)
        if (point[axis] < region->low[axis] || point[axis] > region->high[axis])
            return false;
    for (int64_t k = letters->first[row]; k < letters->first[row + 1]; k++) {
        const struct edge *e = &letters->edges[letters->order[k]];
        const bool upward = e->from[1] <= point[1] && e->to[1] > point[1],
                   downward = e->to[1] <= point[1] && e->from[1] > point[1];
        if (!upward && !downward)
            continue;
        const double share = (point[1] - e->from[1]) / (e->to[1] - e->from[1]);
        if (e->from[0] + share * (e->to[0] - e->from[0]) > point[0])
            winding += upward ? 1 : -1;
    }
    return winding != 0;
}

static void destroy(struct weir_region *region) {
    struct letters *letters = (struct letters *)region;
    free(letters->edges);
    free(letters->first);
    free(letters->order);
    free(letters);
}

int weir_letters_create(const struct weir_letters_options *options, struct weir_region **region) {
    struct letters *letters = calloc(1, sizeof *letters);
    double height = 1;
    if (!letters)
        return out_of_memory();
    letters->region = (struct weir_region){.contains = contains, .destroy = destroy};
    letters->rows = options->cells[1];
    int error = draw(options->text, letters, &height);
    if (error == 0) {
        place(letters, options, height);
        error = sort(letters);
    }
    if (error < 0) {
        destroy(&letters->region);
        return error;
    }
    *region = &letters->region;
    return 0;
}
