/* No collision: populations go on as they came. For tests of streaming; no case can ask for it (variants.h).
 */
#ifdef WEIR_COLLISION_ROWS

static void none_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)relaxation_time;
    (void)parameters;
    fluid->omega_plus = fluid->omega_minus = 0;
}

static const struct weir_collision_row none_row = {
    .name = "none", .about = "no collision", .lattices = (1u << WEIR_ALL_LATTICES) - 1, .rates = none_rates};

#else

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    (void)f;
    (void)forced;
    (void)r;
}

#endif
