#include "src/run/progress.h"

#include "graph/base/clock.h"
#include "graph/simulation.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

void weir_progress_start(struct weir_progress *progress, bool quiet, int64_t first, int64_t steps,
                         int64_t fluid_cells, double bytes_per_update, double limit_gbs) {
    const bool terminal = isatty(STDERR_FILENO);
    *progress = (struct weir_progress){
        .quiet = quiet,
        .terminal = terminal,
        .steps = steps,
        .fluid_cells = fluid_cells,
        .bytes_per_update = bytes_per_update,
        .limit_gbs = limit_gbs,
        .start = weir_seconds(),
        .interval = terminal ? 0.2 : 10,
        .mean_velocity = NAN,
        .reynolds = NAN,
    };
    progress->last = progress->start;
    progress->older = progress->newer = (struct weir_progress_mark){progress->start, first};
}

static void print_duration(double seconds) {
    const long whole = (long)(seconds + 0.5);
    if (whole >= 3600)
        fprintf(stderr, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        fprintf(stderr, "%ld:%02ld", whole / 60, whole % 60);
}

/* Steps per second of late. */
static double recent_speed(const struct weir_progress *progress, double now, int64_t done) {
    return (double)(done - progress->older.done) / (now - progress->older.seconds);
}

static void move_marks(struct weir_progress *progress, double now, int64_t done) {
    const double seconds_between_marks = 20;
    if (now - progress->newer.seconds < seconds_between_marks || done == progress->newer.done)
        return;
    progress->older = progress->newer;
    progress->newer = (struct weir_progress_mark){now, done};
}

double weir_progress_left(const struct weir_progress *progress, int64_t done) {
    return (double)(progress->steps - done) / recent_speed(progress, weir_seconds(), done);
}

void weir_progress_show(struct weir_progress *progress, int64_t done, double balance) {
    const double now = weir_seconds();
    if (progress->quiet || now - progress->last < progress->interval || done <= progress->older.done)
        return;
    const double updates_per_second = recent_speed(progress, now, done) * (double)progress->fluid_cells;
    progress->last = now;
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    fprintf(stderr, "step %lld/%lld  %3.0f %%  %.1f MLUPS", (long long)done, (long long)progress->steps,
            100.0 * (double)done / (double)progress->steps, 1e-6 * updates_per_second);
    if (progress->limit_gbs > 0)
        fprintf(stderr, "  %.0f %% of the bandwidth limit",
                1e-7 * updates_per_second * progress->bytes_per_update / progress->limit_gbs);
    if (isfinite(progress->mean_velocity))
        fprintf(stderr, "  mean velocity %.4g", progress->mean_velocity);
    if (isfinite(progress->reynolds))
        fprintf(stderr, "  Reynolds %.4g", progress->reynolds);
    fprintf(stderr, "  balance %.2f  ", balance);
    print_duration(weir_progress_left(progress, done));
    fputs(" left", stderr);
    if (!progress->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    progress->drawn = progress->terminal;
    move_marks(progress, now, done);
}

void weir_progress_end(struct weir_progress *progress) {
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

void weir_progress_moves(struct weir_progress *progress, int64_t step, const struct weir_rank_moves *moves,
                         struct weir_warnings *warnings) {
    const bool moved = moves->times > progress->told_moves,
               refused = moves->refusals > 0 && !progress->told_refusal;
    if (!moved && !refused)
        return;
    weir_progress_end(progress);
    if (moved && !progress->quiet)
        fprintf(stderr, "step %lld: %d block%s moved between ranks in %.2f s\n", (long long)step,
                moves->last_blocks, moves->last_blocks == 1 ? "" : "s", moves->last_seconds);
    if (refused)
        weir_warn(warnings,
                  "blocks stay on their ranks at step %lld, though moving some would be faster: "
                  "rank %d needs %.1f GiB of %s memory for them and has %.1f GiB",
                  (long long)step, moves->lacking.rank, (double)moves->lacking.wanted / (1 << 30),
                  moves->lacking.on_gpu ? "GPU" : "main", (double)moves->lacking.there / (1 << 30));
    progress->told_moves = moves->times;
    progress->told_refusal = progress->told_refusal || refused;
}
