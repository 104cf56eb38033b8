#include "src/bench/bench_peak_cpu.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdio.h>

/* A sample lasts at least this long: far more than the threads need to meet. */
static const double sample_seconds = 0.01;

static void multiply_and_add(void *context, int thread, int threads) {
    struct weir_peak *peak = context;
    (void)threads;
    /* As doubles these are numbers near 1/128. They lose no digits in the time of a sample. */
    _Alignas(64) float values[WEIR_CHAINS_BYTES / sizeof(float)];
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        values[k] = 1;
    const double operations = peak->multiply_adds(values, peak->rounds);
    if (thread == 0)
        peak->operations = operations;
}

static int sample(void *context, double *gigaflops) {
    struct weir_peak *peak = context;
    const bool first = peak->rounds == 0;
    double seconds;
    for (peak->rounds = first ? 1000 : peak->rounds;;) {
        seconds = weir_bench_team_run(peak->team, peak->threads, multiply_and_add, peak);
        if (!first || seconds >= sample_seconds || peak->rounds > 1 << 28)
            break;
        peak->rounds *= 1 + (long)fmin(sample_seconds / fmax(seconds, 1e-6), 1000);
    }
    *gigaflops = 1e-9 * peak->operations * peak->threads / seconds;
    return 0;
}

int weir_peak_init(struct weir_peak *peak, struct weir_bench_team *team, int threads,
                   enum weir_precision precision) {
    struct weir_kernel_news news;
    const struct weir_arithmetic_kernels *const kernels = weir_arithmetic_kernels_find(&news);
    if (!kernels)
        return weir_fail_for_kernels(&news);
    *peak = (struct weir_peak){
        .team = team, .threads = threads, .multiply_adds = kernels->multiply_adds[precision]};
    peak->contestant = (struct weir_contestant){.sample = sample, .context = peak};
    return 0;
}

static int measure_row(struct weir_bench_team *team, int threads, const struct weir_rounds *rounds,
                       struct weir_report *report) {
    struct weir_peak peaks[WEIR_STREAM_PRECISIONS];
    struct weir_contestant *contestants[WEIR_STREAM_PRECISIONS];
    struct weir_spread spreads[WEIR_STREAM_PRECISIONS];
    const char *const set = weir_instruction_set(0)->name;
    weir_report_progress(report, "measuring the arithmetic of %d thread%s", threads, threads > 1 ? "s" : "");
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS; precision++) {
        WEIR_TRY(weir_peak_init(&peaks[precision], team, threads, (enum weir_precision)precision));
        contestants[precision] = &peaks[precision].contestant;
    }
    const int done = weir_rounds_run(rounds, contestants, WEIR_STREAM_PRECISIONS);
    WEIR_TRY(done);
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS; precision++)
        WEIR_TRY(weir_spread_of(peaks[precision].contestant.values, done, &spreads[precision]));
    json_array_append_new(json_object_get(weir_report_document(report), "cpu_peaks"),
                          json_pack("{s:i, s:s, s:o, s:o}", "threads", threads, "instruction_set", set,
                                    "single", weir_json_of_spread(&spreads[WEIR_SINGLE]), "double",
                                    weir_json_of_spread(&spreads[WEIR_DOUBLE])));
    weir_report_row(report);
    printf("%7d  %-8s %10.1f %3.0f %% %10.1f %3.0f %%\n", threads, set, spreads[WEIR_SINGLE].median,
           weir_spread_percent(&spreads[WEIR_SINGLE]), spreads[WEIR_DOUBLE].median,
           weir_spread_percent(&spreads[WEIR_DOUBLE]));
    fflush(stdout);
    return 0;
}

int weir_bench_peaks_cpu(struct weir_bench_team *team, const struct weir_rounds *rounds,
                         struct weir_report *report) {
    const int all = weir_bench_team_threads(team);
    json_object_set_new(weir_report_document(report), "cpu_peaks", json_array());
    puts("Peak of the CPU's arithmetic in GFLOP/s: multiply-adds of vectors, each two operations, in chains "
         "that do not wait\n"
         "for each other (medians; %: distance of the quartiles).\n"
         "threads  for         single           double");
    WEIR_TRY(measure_row(team, 1, rounds, report));
    if (all > 1)
        WEIR_TRY(measure_row(team, all, rounds, report));
    putchar('\n');
    return 0;
}
