#include "src/common/bytes_text.h"

#include <stdio.h>

const char *weir_bytes_text(double bytes, char text[WEIR_BYTES_TEXT]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    if (unit == 0)
        snprintf(text, WEIR_BYTES_TEXT, "%.0f B", bytes);
    else
        snprintf(text, WEIR_BYTES_TEXT, "%.3g %s", bytes, units[unit]);
    return text;
}
