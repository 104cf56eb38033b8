/* Which cases have a permeability: those whose flow a constant body force drives, and nothing else. */
#ifndef WEIR_SRC_CASE_OUTPUTS_PERMEABLE_CASE_H
#define WEIR_SRC_CASE_OUTPUTS_PERMEABLE_CASE_H

#include "src/case/case.h"

/* Why the case, of which all but its outputs is read, has none, and what to choose, as the end of a sentence
 * that begins with the output; NULL: it has one. static, or in `text`. */
enum { WEIR_PERMEABLE_TEXT = 256 };
const char *weir_permeable_case_refusal(const struct weir_case *c, char text[WEIR_PERMEABLE_TEXT]);

#endif
