#include "src/run/instability.h"

#include <math.h>

static const double mach_of_one = 1.7320508075688772; /* a speed of 1 in those of sound of the lattices */
static const double mach_most = 0.7, mach_growing = 0.5, growth = 1.5;

void weir_instability_init(struct weir_instability *instability) {
    *instability = (struct weir_instability){.before = 0};
    pthread_mutex_init(&instability->lock, NULL);
}

void weir_instability_release(struct weir_instability *instability) {
    pthread_mutex_destroy(&instability->lock);
}

void weir_instability_note(struct weir_instability *instability, const struct weir_totals *totals) {
    const double mach = mach_of_one * totals->max_speed;
    pthread_mutex_lock(&instability->lock);
    const bool grows = instability->before > 0 && totals->max_speed > growth * instability->before;
    if (!instability->found && (mach > mach_most || (mach > mach_growing && grows))) {
        instability->sign = *totals;
        instability->found = true;
    } else if (!instability->found) {
        instability->before = totals->max_speed;
    }
    pthread_mutex_unlock(&instability->lock);
}

bool weir_instability_tell(struct weir_instability *instability, struct weir_warnings *warnings) {
    pthread_mutex_lock(&instability->lock);
    const bool tells = instability->found && !instability->told;
    const struct weir_totals sign = instability->sign;
    const double before = instability->before;
    instability->told = instability->told || tells;
    pthread_mutex_unlock(&instability->lock);
    if (tells)
        weir_warn(
            warnings,
            "the flow may be about to diverge: at step %lld the greatest velocity is Mach %.2f, in cell (%d, "
            "%d, %d), after %.2f at the check before; a smaller velocity or a larger viscosity in cells and "
            "steps helps (weir check), or another collision",
            (long long)sign.step, mach_of_one * sign.max_speed, sign.max_speed_cell[0],
            sign.max_speed_cell[1], sign.max_speed_cell[2], mach_of_one * before);
    return tells;
}
