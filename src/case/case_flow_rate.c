/* The mean velocity that a body force holds. */
#include "graph/base/error.h"
#include "src/case/case_keys.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/speed.h"

enum { VELOCITY, EVERY, GAIN };
const struct weir_key weir_flow_rate_keys[] = {
    [VELOCITY] = {.name = "velocity",
                  .type = WEIR_KEY_NUMBER,
                  .per_axis = true,
                  .needed = true,
                  .about =
                      "Mean velocity of all fluid (its momentum by its mass; SI: m/s) that is to be held. "
                      "Axes along which it is not 0 are periodic.",
                  .examples = "[[0.05, 0, 0]]",
                  .quantity = {"the mean velocity", WEIR_DIMENSION_VELOCITY, "0.05"}},
    [EVERY] = {.name = "every",
               .type = WEIR_KEY_INTEGER,
               .about = "Steps after which the velocity is measured and the force set anew; all blocks come "
                        "to the same step for it.",
               .fallback = "100",
               .examples = "[100]",
               .least = 1,
               .most = WEIR_STEPS_MOST,
               .wanted = "the steps between changes of the force, 1 or more, such as 100",
               WEIR_KEY_AT(struct weir_flow_rate, every)},
    [GAIN] = {.name = "gain",
              .type = WEIR_KEY_NUMBER,
              .about = "Part of what is missing of the velocity that the force shall bring in so many steps.",
              .more = "[A flow rate](numerics.md#a-flow-rate-that-is-held).",
              .fallback = "0.1",
              .examples = "[0.1]",
              .positive = true,
              .most = 1,
              .wanted = "a gain greater than 0 and at most 1, such as 0.1",
              WEIR_KEY_AT(struct weir_flow_rate, gain)},
    {.name = NULL},
};

int weir_case_read_flow_rate(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json json = weir_json_member(root, "flow_rate"),
                           velocity = weir_json_member(&json, weir_flow_rate_keys[VELOCITY].name);
    struct weir_flow_rate *rate = &c->flow_rate;
    if (!weir_json_present(&json))
        return 0;
    *rate = (struct weir_flow_rate){.every = 100, .gain = 0.1};
    WEIR_TRY(weir_json_object(&json, "an object such as {\"velocity\": [0.05, 0, 0]}"));
    WEIR_TRY(weir_keys_read(&json, weir_flow_rate_keys, &c->units, rate));
    if (!weir_json_present(&velocity))
        return weir_json_fail(&json, "says no velocity; give the mean velocity that is to be held, such as "
                                     "\"velocity\": [0.05, 0, 0]");
    WEIR_TRY(weir_case_read_velocity(&velocity, c, &weir_flow_rate_keys[VELOCITY].quantity, rate->velocity));
    if (weir_speed(rate->velocity) == 0)
        return weir_json_fail(&velocity,
                              "holds the fluid at rest; give a speed above 0, such as 0.05 along a "
                              "periodic axis");
    for (int axis = 0; axis < 3; axis++)
        if (rate->velocity[axis] != 0 && !c->problem.periodic[axis])
            return weir_json_fail(&velocity,
                                  "has a component along %c, where the domain is not periodic and a force "
                                  "makes pressure and no flow; make it 0, or the axis periodic",
                                  "xyz"[axis]);
    c->problem.driven = true;
    return 0;
}
