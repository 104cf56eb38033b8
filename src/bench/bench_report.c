#include "src/bench/bench_report.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/runtime/runtime.h"
#include "src/common/output_files.h"
#include "src/common/version.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if WEIR_WITH_CUDA
#include <cuda_runtime.h>
#endif

struct weir_report {
    const struct weir_bench_options *options;
    json_t *document;
    bool terminal;
};

static void add_versions(json_t *document) {
    char starpu[WEIR_STARPU_VERSION_SIZE];
    weir_runtime_starpu_version(starpu);
    json_t *versions =
        json_pack("{s:s, s:s, s:s}", "weir", weir_version, "starpu", starpu, "compiler", __VERSION__);
#if WEIR_WITH_CUDA
    int runtime = 0, driver = 0;
    if (cudaRuntimeGetVersion(&runtime) == cudaSuccess)
        json_object_set_new(versions, "cuda_runtime", json_integer(runtime));
    if (cudaDriverGetVersion(&driver) == cudaSuccess)
        json_object_set_new(versions, "cuda_driver", json_integer(driver));
#endif
    json_object_set_new(document, "versions", versions);
}

static void add_machine(json_t *document, const struct weir_cores *cores) {
    struct utsname system;
    uname(&system);
    char pages[128] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file) {
        if (fgets(pages, sizeof pages, file))
            pages[strcspn(pages, "\n")] = '\0';
        fclose(file);
    }
    json_t *sets = json_array();
    const struct weir_instruction_set *set;
    for (int k = 0; (set = weir_instruction_set(k)); k++)
        json_array_append_new(sets, json_string(set->name));
    double load[3] = {NAN, NAN, NAN};
    (void)!getloadavg(load, 3);
    json_t *machine = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:I, s:s, s:s, s:o, s:o}", "system", system.sysname, "kernel",
        system.release, "processor", weir_cores_model(cores), "cores", weir_cores_count(cores), "packages",
        weir_cores_packages(cores), "numa_nodes", weir_cores_numa_nodes(cores), "last_level_cache_bytes",
        (json_int_t)weir_cores_cache_bytes(cores, weir_cores_count(cores)), "memory_available_bytes",
        (json_int_t)weir_memory_room(1).bytes, "transparent_huge_pages", pages, "instruction_set",
        weir_instruction_set(0)->name, "instruction_sets", sets, "load_average_at_start",
        weir_json_of_number(load[0]));
    json_object_set_new(document, "machine", machine);
}

int weir_report_create(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report **result) {
    struct weir_report *report = calloc(1, sizeof *report);
    if (!report)
        return weir_fail(WEIR_FAILED, "out of memory for the report");
    if (options->json) {
        const int error = weir_output_file_try_anywhere(options->json);
        if (error != 0) {
            free(report);
            return error;
        }
    }
    report->options = options;
    report->terminal = isatty(STDERR_FILENO);
    report->document = json_object();
    const time_t now = time(NULL);
    char date[32] = "";
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_object_set_new(report->document, "benchmark", json_string(weir_bench_names[options->what]));
    json_object_set_new(report->document, "date", json_string(date));
    json_object_set_new(report->document, "quick", json_boolean(options->quick));
    add_versions(report->document);
    add_machine(report->document, cores);
    *result = report;
    return 0;
}

int weir_report_write(const struct weir_report *report) {
    if (!report->options->json)
        return 0;
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create_anywhere(report->options->json, &file));
    json_dumpf(report->document, weir_output_file_stream(file), JSON_INDENT(1) | JSON_REAL_PRECISION(10));
    fputc('\n', weir_output_file_stream(file));
    return weir_output_file_finish(file);
}

void weir_report_destroy(struct weir_report *report) {
    if (!report)
        return;
    json_decref(report->document);
    free(report);
}

json_t *weir_report_document(struct weir_report *report) {
    return report->document;
}

void weir_report_progress(const struct weir_report *report, const char *format, ...) {
    if (report->options->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    if (report->terminal)
        fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    if (!report->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    va_end(arguments);
}

void weir_report_row(const struct weir_report *report) {
    if (report->terminal && !report->options->quiet)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}
