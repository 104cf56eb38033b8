/* Measurements that are to be compared, taken in turns: a b c, a b c ... Machines drift, and others use them;
 * what was measured within the same second is comparable. */
#ifndef WEIR_SRC_BENCH_BENCH_ROUNDS_H
#define WEIR_SRC_BENCH_BENCH_ROUNDS_H

enum { WEIR_ROUNDS_MAX = 64 };

struct weir_contestant {
    int (*sample)(void *context, double *value); /* one measurement; 0 or a negative error */
    void *context;
    double values[WEIR_ROUNDS_MAX]; /* by round */
};

/* How long to go on. */
struct weir_rounds {
    double seconds; /* no further round begins after this */
    int least;      /* rounds in any case, at most WEIR_ROUNDS_MAX */
};

/* One turn that does not count, then rounds. Returns their number, or the error of a sample. */
int weir_rounds_run(const struct weir_rounds *rounds, struct weir_contestant *const *contestants, int count);

#endif
