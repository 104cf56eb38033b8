/* All that is done to a block outside of its steps on a CPU, whatever its collision: one object. Each of
 * these texts is short. */
#include "codelets/kernels/digest.c"
#include "codelets/kernels/initialise.c"
#include "codelets/kernels/macroscopic.c"
#include "codelets/kernels/snapshot.c"
#include "codelets/kernels/time_sums.c"
#include "codelets/kernels/totals.c"
#include "codelets/kernels/velocity_change.c"
