#include "codelets/task_ranges.h"

#include <nvtx3/nvToolsExt.h>
#include <pthread.h>

static nvtxDomainHandle_t domain; /* so that a profiler can show its ranges alone */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void create_domain(void) {
    domain = nvtxDomainCreateA("weir");
}

void weir_task_range_begin(const char *name, uint32_t colour) {
    pthread_once(&once, create_domain);
    const nvtxEventAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .colorType = NVTX_COLOR_ARGB,
        .color = 0xff000000u | colour,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = name,
    };
    nvtxDomainRangePushEx(domain, &attributes);
}

void weir_task_range_end(void) {
    nvtxDomainRangePop(domain);
}
