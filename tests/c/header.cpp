// The header and the library from C++11: names are not mangled, constants and structs are what C sees.
#include "pccd.h"

#include <cstddef>
#include <cstdio>
#include <cstring>

static_assert(sizeof(pccd_context_def) == 56, "layout of pccd_context_def");
static_assert(sizeof(pccd_context_info) == 24, "layout of pccd_context_info");
static_assert(sizeof(pccd_view) == 32, "layout of pccd_view");
static_assert(sizeof(pccd_ccd_settings) == 32, "layout of pccd_ccd_settings");
static_assert(sizeof(pccd_ccd_result) == 80, "layout of pccd_ccd_result");
static_assert(offsetof(pccd_ccd_result, normal) == 56, "layout of pccd_ccd_result");
static_assert(PCCD_ERR_THREAD == -12 && PCCD_CCD_HIT == 1u, "constants are constant expressions");

int main() {
    pccd_context_def def;
    pccd_context *context = nullptr;
    if (pccd_context_def_init(&def, sizeof def) != PCCD_OK) return 1;
    def.abi_version = PCCD_ABI_VERSION;
    def.log = [](int32_t, const char *, void *) {};
    if (pccd_context_create(&def, &context) != PCCD_OK) return 2;
    const double points[8][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0},
                                 {0, 0, 2}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
    pccd_view view = {points, 8, 0, PCCD_FORMAT_F64X3, 0};
    pccd_ccd_result result;
    if (pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, nullptr, &result) != PCCD_OK) return 3;
    if (result.flags != 0) return 4;
    if (pccd_context_destroy(context) != PCCD_OK) return 5;
    if (std::strcmp(pccd_status_name(pccd_context_destroy(context)), "PCCD_ERR_STALE_HANDLE") != 0) return 6;
    std::puts("1 passed, 0 failed");
    return 0;
}
