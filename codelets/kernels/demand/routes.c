#include "codelets/kernels/demand/routes.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

void *weir_routes_create(const struct weir_kernels *kernels, const struct weir_block_view *view) {
    void *routes = NULL;
    if (!view->list.segments || !kernels->cpu.list_routes)
        return NULL;
    const size_t bytes = kernels->cpu.list_routes(view, NULL),
                 page = bytes < HUGE_PAGE / 2 ? PAGE : HUGE_PAGE, whole = (bytes + page - 1) / page * page;
    if (posix_memalign(&routes, page, whole) != 0)
        return NULL;
    if (page == HUGE_PAGE)
        (void)madvise(routes, whole, MADV_HUGEPAGE);
    kernels->cpu.list_routes(view, routes);
    return routes;
}
