#include "src/output/formats/field_arrays.h"

#include "codelets/kernels/cells/precisions.h"
#include "src/case/outputs/quantity.h"

bool weir_field_array_wanted(const struct weir_case *c, const struct weir_output *output, int array) {
    return array == WEIR_SOLID_ARRAY ? weir_problem_has_solids(&c->problem)
                                     : (output->quantities >> array & 1u) != 0;
}

const char *weir_field_array_name(int array) {
    return array == WEIR_SOLID_ARRAY ? "solid" : weir_quantity_row((enum weir_quantity)array)->name;
}

const char *weir_field_array_unit(const struct weir_case *c, int array) {
    return array == WEIR_SOLID_ARRAY ? "" : weir_quantity_unit((enum weir_quantity)array, &c->units);
}

int weir_field_array_components(int array) {
    return array == WEIR_SOLID_ARRAY ? 1 : weir_quantity_components((enum weir_quantity)array);
}

size_t weir_field_array_value_bytes(const struct weir_case *c, int array) {
    if (array == WEIR_SOLID_ARRAY)
        return sizeof(uint8_t);
    return weir_precision_row(c->problem.precision)->real_bytes;
}

hid_t weir_field_array_type(const struct weir_case *c, int array) {
    if (array == WEIR_SOLID_ARRAY)
        return H5T_NATIVE_UINT8;
    return weir_field_array_value_bytes(c, array) == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}
