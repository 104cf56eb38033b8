/* Names of placement policies: Weir's own, and StarPU's schedulers. */
#ifndef WEIR_GRAPH_RUNTIME_POLICY_H
#define WEIR_GRAPH_RUNTIME_POLICY_H

/* Who decides where blocks live. */
enum weir_policy {
    WEIR_POLICY_STATIC,   /* dealt out once, by shares */
    WEIR_POLICY_MODEL,    /* dealt out once, by predicted time */
    WEIR_POLICY_BALANCED, /* homes move with measured times */
    WEIR_POLICY_STARPU,   /* a scheduler of StarPU decides for every task */
};

/* Weir's own, in the enum's order; closed by NULL. */
extern const char *const weir_policy_names[];

/* The policy of this name; "" is balanced, all others that are not ours StarPU's. */
enum weir_policy weir_policy_of(const char *policy);

/* Checks a policy's name without starting anything. -WEIR_USAGE for an unknown one, with the nearest known.
 */
int weir_policy_check(const char *policy);

/* Names of the schedulers that this StarPU has, closed by NULL; returns how many. The names are StarPU's. */
enum { WEIR_SCHEDULERS_MAX = 127 };
int weir_policy_schedulers(const char *names[WEIR_SCHEDULERS_MAX + 1]);

#endif
