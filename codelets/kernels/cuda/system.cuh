/* What stands in for the system's headers where CUDA texts are compiled at run time: NVRTC has its own
 * functions for a GPU's threads, and no header. */
#ifndef WEIR_KERNELS_SYSTEM_CUH
#define WEIR_KERNELS_SYSTEM_CUH

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long ptrdiff_t;
typedef unsigned long size_t;
static_assert(sizeof(int64_t) == 8 && sizeof(size_t) == sizeof(void *), "a 64-bit system");

#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xfffffffffffffffful
#define UINT64_C(value) value##ul
#define NAN __int_as_float(0x7fc00000)

#endif
