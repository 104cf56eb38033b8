#include "src/common/hdf5_attributes.h"

bool weir_hdf5_attribute(hid_t object, const char *name, hid_t type, hsize_t count, const void *value) {
    hid_t space = count > 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t handle = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = H5Awrite(handle, type, value) >= 0;
    H5Aclose(handle);
    H5Sclose(space);
    return good;
}

bool weir_hdf5_text_attribute(hid_t object, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                weir_hdf5_attribute(object, name, type, 1, &text);
    H5Tclose(type);
    return good;
}
