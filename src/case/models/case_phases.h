/* What walls are to a fluid with phases, in a case file: what faces, their parts and solids have in common.
 */
#ifndef WEIR_SRC_CASE_CASE_PHASES_H
#define WEIR_SRC_CASE_CASE_PHASES_H

#include "src/case/case.h"
#include "src/case/key.h"

#define WEIR_ADHESION_MOST 1.0
#define WEIR_ADHESION_WANTED "a number from -1 to 1, such as 0.01"

/* The row of its key; of_kinds: as of a key, where it is of boundaries of several types. */
#define WEIR_ADHESION_KEY(of_kinds)                                                                          \
    {                                                                                                        \
        .name = "adhesion", .type = WEIR_KEY_NUMBER, .least = -WEIR_ADHESION_MOST,                           \
        .most = WEIR_ADHESION_MOST,                                                                          \
        .about =                                                                                             \
            "In cases with phases: the acceleration towards the wall of the fluid beside it. With 0 the "    \
            "contact angle is 90°, with more liquid wets the wall, with less it does not. Of two "          \
            "components the second takes the part of the liquid; the first is pushed away from the wall.",   \
        .more = "[Which angle that gives](numerics.md#liquid-and-vapour).", .otherwise = "as `phases` says", \
        .examples = "[0.01]", .wanted = WEIR_ADHESION_WANTED, .kinds = of_kinds                              \
    }

/* Reads it from the face or solid, whose rule and motion are known; refuses what phases cannot have there.
 * -WEIR_USAGE. */
int weir_case_read_adhesion(const struct weir_json *object, const struct weir_case *c,
                            struct weir_wall *wall);

#endif
