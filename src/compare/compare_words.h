/* What the numbers of a comparison show, in sentences. */
#ifndef WEIR_SRC_COMPARE_COMPARE_WORDS_H
#define WEIR_SRC_COMPARE_COMPARE_WORDS_H

#include "src/compare/comparison.h"

/* The parts of the report on a workload that have a sentence. */
enum weir_compare_section {
    WEIR_SECTION_SPEED,
    WEIR_SECTION_CURVES,
    WEIR_SECTION_MAPS,
    WEIR_SECTION_BUSY,
    WEIR_SECTION_RECOVERY, /* disturbed only */
    WEIR_SECTION_COUNT
};
extern const char *const weir_section_names[]; /* keys in JSON; closed by NULL */

/* The sentences of a section, for the caller to free; NULL when memory is short. */
char *weir_compare_words(const struct weir_comparison *comparison, enum weir_workload workload,
                         enum weir_compare_section section);

#endif
