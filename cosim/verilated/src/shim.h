// Included before every translation unit: Verilator's library prints through this function.
#pragma once
#ifdef __cplusplus
extern "C"
#endif
__attribute__((visibility("hidden"))) int shim_print(const char* format, ...);
#define VL_PRINTF shim_print
