#include "codelets/kernels/streams.h"

const char *const weir_stream_turn_names[] = {"a vector", "64 B", "256 B", "1 KiB", "4 KiB", NULL};
