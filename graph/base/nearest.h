/* The nearest name in a list: what somebody who misspelt one probably meant. */
#ifndef WEIR_GRAPH_BASE_NEAREST_H
#define WEIR_GRAPH_BASE_NEAREST_H

/* Number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
 * (optimal string alignment), letter case ignored. Words longer than 63 characters compare by their first 63.
 */
int weir_edit_distance(const char *a, const char *b);

/* The entry of `names` (NULL-terminated) nearest to `word`, or NULL when none is near enough to be a slip of
 * the fingers: no edit for a single character, one for up to 3 characters, two for up to 7, three beyond. */
const char *weir_nearest(const char *word, const char *const *names);

#endif
