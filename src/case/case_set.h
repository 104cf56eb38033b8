/* --set PATH=VALUE: changes a case's JSON tree before it is read. */
#ifndef WEIR_SRC_CASE_CASE_SET_H
#define WEIR_SRC_CASE_CASE_SET_H

#include <jansson.h>

/* Puts a value into the tree below `root` (an object). PATH is made of keys and list indices
 * ("boundaries.z+.velocity[0]", "output[1].every"); objects and lists on the way are made where missing, and
 * an index may name the entry after a list's last. VALUE is JSON; what is not JSON is taken as a text, so
 * that quotes can be left off. null removes what is there. Whether the key means anything is not checked
 * here. Returns 0 or -WEIR_USAGE.
 */
int weir_case_set(json_t *root, const char *set);

#endif
