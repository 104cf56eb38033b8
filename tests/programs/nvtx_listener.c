/* What a profiler is to NVTX: a library that the program loads where NVTX_INJECTION64_PATH names it. Counts
 * ranges by name, and writes "NAME COUNT" to the file $NVTX_LISTENER_FILE as the program ends, with "open
 * COUNT" for those that were not closed. */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64, NAME_SIZE = 64 };

static struct {
    char name[NAME_SIZE];
    long count;
} names[NAMES_MAX];
static long open_ranges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
    (void)domain;
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < NAMES_MAX - 1 && names[k].count > 0 && strcmp(names[k].name, attributes->message.ascii) != 0)
        k++;
    snprintf(names[k].name, NAME_SIZE, "%s", attributes->message.ascii);
    names[k].count++;
    open_ranges++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int NVTX_API pop(nvtxDomainHandle_t domain) {
    (void)domain;
    pthread_mutex_lock(&lock);
    open_ranges--;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void report(void) {
    const char *path = getenv("NVTX_LISTENER_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    for (int k = 0; k < NAMES_MAX && names[k].count > 0; k++)
        fprintf(file, "%s %ld\n", names[k].name, names[k].count);
    fprintf(file, "open %ld\n", open_ranges);
    fclose(file);
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
    const NvtxExportTableCallbacks *callbacks = tables(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table = NULL;
    unsigned int size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
        size <= NVTX_CBID_CORE2_DomainRangePop)
        return 0;
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
    *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
    atexit(report);
    return 1;
}
