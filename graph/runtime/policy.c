#include "graph/runtime/policy.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"

#include <starpu.h>
#include <string.h>

int weir_policy_schedulers(const char *names[WEIR_SCHEDULERS_MAX + 1]) {
    struct starpu_sched_policy **policies = starpu_sched_get_predefined_policies();
    int count = 0;
    for (; policies[count] && count < WEIR_SCHEDULERS_MAX; count++)
        names[count] = policies[count]->policy_name;
    names[count] = NULL;
    return count;
}

/* Of some forty schedulers these are the ones that most runs are compared with: told where a name is unknown.
 */
static const char usual_schedulers[] = "lws, eager, prio, dmda, dmdar, dmdas";

static int check_scheduler(const char *name) {
    const char *names[WEIR_SCHEDULERS_MAX + 1];
    const int count = weir_policy_schedulers(names);
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return 0;
    const char *near = weir_nearest(name, names);
    return weir_fail(
        WEIR_USAGE,
        "placement.policy: StarPU has no scheduler \"%s\"; %s%s%susual ones are %s; weir info lists all",
        name, near ? "did you mean \"starpu:" : "", near ? near : "", near ? "\"? The " : "the ",
        usual_schedulers);
}

const char *const weir_policy_names[] = {"static", "model", "balanced", NULL};

enum weir_policy weir_policy_of(const char *policy) {
    for (int k = 0; weir_policy_names[k]; k++)
        if (strcmp(policy, weir_policy_names[k]) == 0)
            return (enum weir_policy)k;
    return policy[0] == '\0' ? WEIR_POLICY_BALANCED : WEIR_POLICY_STARPU;
}

int weir_policy_check(const char *policy) {
    if (weir_policy_of(policy) != WEIR_POLICY_STARPU)
        return 0;
    if (strncmp(policy, "starpu:", 7) != 0)
        return weir_fail(WEIR_USAGE,
                         "placement.policy: \"%s\" is not known; give \"balanced\", \"model\", \"static\" or "
                         "\"starpu:NAME\", such as \"starpu:dmdas\"",
                         policy);
    return check_scheduler(policy + 7);
}
