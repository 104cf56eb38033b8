/* One colour for each kind of task, wherever tasks are drawn: ViTE, dag.dot, reports. */
#ifndef WEIR_CODELETS_TASK_COLOURS_H
#define WEIR_CODELETS_TASK_COLOURS_H

#include <stdint.h>

/* 0xRRGGBB; grey for a kind that is not known. */
uint32_t weir_task_colour(const char *kind);

#endif
