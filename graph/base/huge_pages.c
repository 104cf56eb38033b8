#include "graph/base/huge_pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Below this a wish costs more than it brings: each may cut a mapping in two, and their number is limited. */
static const size_t least = 4u << 20;

void weir_ask_huge_pages(void *memory, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (bytes >= least)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}
