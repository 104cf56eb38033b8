#include "codelets/kernels/demand/specification.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/collision/collisions.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/lattice/lattice.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weir_kernel_specification weir_kernel_specification(enum weir_lattice lattice,
                                                           enum weir_collision collision,
                                                           enum weir_precision precision) {
    struct weir_kernel_specification s;
    memset(&s, 0, sizeof s);
    s.lattice = lattice;
    s.collision = collision;
    s.precision = precision;
    return s;
}

void weir_specify_layout(struct weir_kernel_specification *s, bool together, int cluster, bool past_caches) {
    weir_define(&s->more, "WEIR_CLUSTER", "%d", cluster);
    weir_define(&s->more, "WEIR_TOGETHER", "%d", together);
    weir_define(&s->more, "WEIR_PAST_CACHES", "%d", past_caches);
}

static int compare(const void *a, const void *b) {
    return strcmp(((const struct weir_definition *)a)->name, ((const struct weir_definition *)b)->name);
}

void weir_define(struct weir_definitions *definitions, const char *name, const char *format, ...) {
    int k = 0;
    while (k < definitions->count && strcmp(definitions->definition[k].name, name) != 0)
        k++;
    if (k == WEIR_DEFINITIONS_MAX)
        abort(); /* more than the texts know: a mistake in this program */
    struct weir_definition *const definition = &definitions->definition[k];
    memset(definition, 0, sizeof *definition);
    snprintf(definition->name, sizeof definition->name, "%s", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(definition->value, sizeof definition->value, format, arguments);
    va_end(arguments);
    definitions->count += k == definitions->count;
    qsort(definitions->definition, (size_t)definitions->count, sizeof *definitions->definition, compare);
}

const char *weir_definition(const struct weir_definitions *definitions, const char *name) {
    for (int k = 0; k < definitions->count; k++)
        if (strcmp(definitions->definition[k].name, name) == 0)
            return definitions->definition[k].value;
    return NULL;
}

struct weir_definitions weir_specification_definitions(const struct weir_kernel_specification *s) {
    struct weir_definitions all = s->more;
    weir_define(&all, "WEIR_LATTICE", "%s", weir_lattice_table((int)s->lattice)->name);
    weir_define(&all, "WEIR_COLLISION", "%s", weir_collision_row(s->collision)->name);
    weir_define(&all, "WEIR_PRECISION", "%s", weir_precision_row(s->precision)->text);
    if (weir_precision_row(s->precision)->moments)
        weir_define(&all, "WEIR_MOMENTS", "1");
    if (weir_precision_row(s->precision)->stress_in_half)
        weir_define(&all, "WEIR_STRESS_IN_HALF", "1");
    return all;
}

void weir_specification_name(const struct weir_kernel_specification *s, char name[WEIR_VARIANT_NAME_SIZE]) {
    static const char prefix[] = "WEIR_";
    int length = snprintf(name, WEIR_VARIANT_NAME_SIZE, "%s_%s_%s", weir_lattice_table((int)s->lattice)->name,
                          weir_collision_row(s->collision)->name, weir_precision_row(s->precision)->name);
    for (int k = 0; k < s->more.count && length < WEIR_VARIANT_NAME_SIZE; k++) {
        const struct weir_definition *d = &s->more.definition[k];
        const int begin = length + 1;
        const bool set = strcmp(d->value, "1") == 0;
        length += snprintf(name + length, (size_t)(WEIR_VARIANT_NAME_SIZE - length), "_%s%s%s",
                           d->name + strlen(prefix), set ? "" : "_", set ? "" : d->value);
        for (int c = begin; c < begin + (int)(strlen(d->name) - strlen(prefix)) && name[c]; c++)
            name[c] = (char)tolower((unsigned char)name[c]);
    }
}

/* Of the force between cells that attract or repel each other: along each axis, and that on the second of two
 * components. */
static int cohesion_values(const struct weir_kernel_specification *s) {
    const int forces = !weir_definition(&s->more, "WEIR_PHASES")      ? 0
                       : weir_definition(&s->more, "WEIR_COMPONENTS") ? 2
                                                                      : 1;
    return forces * weir_lattice_table((int)s->lattice)->dimensions;
}

int weir_specification_slots(const struct weir_kernel_specification *s) {
    const char *const scalar = weir_definition(&s->more, "WEIR_SCALAR");
    int slots = weir_lattice_table((int)s->lattice)->populations;
    for (int lattice = 0; scalar && lattice < WEIR_ALL_LATTICES; lattice++)
        if (strcmp(weir_lattice_table(lattice)->name, scalar) == 0)
            slots += weir_lattice_table(lattice)->populations;
    const int dimensions = weir_lattice_table((int)s->lattice)->dimensions;
    if (weir_definition(&s->more, "WEIR_SOURCE"))
        slots++;
    if (weir_definition(&s->more, "WEIR_CONDUCTORS")) /* two rates and a capacity */
        slots += 3;
    if (weir_definition(&s->more, "WEIR_KEPT_EDDIES"))
        slots++;
    if (weir_definition(&s->more, "WEIR_KEPT_STRAIN"))
        slots += dimensions * (dimensions + 1) / 2;
    if (weir_definition(&s->more, "WEIR_SURFACE"))
        slots += weir_filling_table(dimensions, weir_definition(&s->more, "WEIR_TENSION") != NULL,
                                    weir_definition(&s->more, "WEIR_BUBBLES") != NULL)
                     ->populations;
    return slots;
}

int weir_specification_populations(const struct weir_kernel_specification *s) {
    return weir_specification_slots(s) + cohesion_values(s);
}

int weir_strip_cells(const struct weir_kernel_specification *s) {
    const struct weir_collision_row *const row = weir_collision_row(s->collision);
    const int real_bytes = (int)weir_precision_row(s->precision)->real_bytes;
    const unsigned single =
        weir_definition(&s->more, "WEIR_TURBULENCE") ? row->single_cells_with_eddies : row->single_cells;
    if (single >> s->lattice & 1 && real_bytes == sizeof(float))
        return 1;
    return WEIR_STRIP_CELLS(weir_specification_populations(s), real_bytes);
}
