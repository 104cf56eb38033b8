/* A simulation under the eyes of the ranks' supervision. */
#ifndef WEIR_GRAPH_SUPERVISION_H
#define WEIR_GRAPH_SUPERVISION_H

struct weir_simulation;
struct weir_supervisor;

/* Collective: weir_supervisor_attend with this simulation, which must outlive it (weir_supervisor_dismiss).
 */
void weir_simulation_supervise(struct weir_simulation *simulation, struct weir_supervisor *supervisor);

#endif
