/* starpu_fxt_tool: turns what FxT recorded into files that can be read. */
#ifndef WEIR_SRC_TRACE_TRACE_TOOL_H
#define WEIR_SRC_TRACE_TRACE_TOOL_H

/* Path of the tool: STARPU_FXT_TOOL where that is set, else that of the StarPU that weir was built with, else
 * from PATH. *path is the caller's. -WEIR_UNAVAILABLE where there is none. */
int weir_trace_tool_find(char **path);

/* Files that starpu_fxt_tool takes at most. */
enum { WEIR_TRACED_RANKS_MAX = 64 };

/* Converts FOLDER/recording_RANK of all ranks to tasks.rec, paje.trace and others in the same folder.
 * Errors: -WEIR_FAILED when nothing was recorded, or the tool fails; its words stay in
 * FOLDER/starpu_fxt_tool.txt. */
int weir_trace_tool_convert(const char *tool, const char *folder, int ranks);

#endif
