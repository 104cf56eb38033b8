/* StarPU's first start on a machine: it measures the buses, which takes a while in which nothing else is
 * seen. */
#ifndef WEIR_SRC_MACHINE_BUS_CALIBRATION_H
#define WEIR_SRC_MACHINE_BUS_CALIBRATION_H

/* Says on stderr that StarPU will measure the buses, where it has not yet. To be called before StarPU starts.
 */
void weir_bus_calibration_announce(void);

#endif
