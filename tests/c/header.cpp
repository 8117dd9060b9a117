// The header and the library from C++11: names are not mangled, constants and structs are what C sees.
#include "pccd.h"

#include <cstddef>
#include <cstdio>
#include <cstring>

static_assert(sizeof(pccd_context_def) == 88 && offsetof(pccd_context_def, scheduler) == 56, "layout of pccd_context_def");
static_assert(sizeof(pccd_context_info) == 32 && offsetof(pccd_context_info, scheduler) == 24, "layout of pccd_context_info");
static_assert(sizeof(pccd_view) == 32, "layout of pccd_view");
static_assert(sizeof(pccd_ccd_settings) == 32, "layout of pccd_ccd_settings");
static_assert(sizeof(pccd_ccd_result) == 80, "layout of pccd_ccd_result");
static_assert(offsetof(pccd_ccd_result, normal) == 56, "layout of pccd_ccd_result");
static_assert(sizeof(pccd_mesh) == 8 && sizeof(pccd_bvh) == 8 && sizeof(pccd_query) == 8, "layout of handles");
static_assert(sizeof(pccd_mesh_def) == 104 && offsetof(pccd_mesh_def, thickness) == 72, "layout of pccd_mesh_def");
static_assert(sizeof(pccd_mesh_info) == 80, "layout of pccd_mesh_info");
static_assert(sizeof(pccd_bvh_def) == 40 && offsetof(pccd_bvh_def, volume_ratio) == 16, "layout of pccd_bvh_def");
static_assert(sizeof(pccd_bvh_info) == 72 && offsetof(pccd_bvh_info, quality) == 40, "layout of pccd_bvh_info");
static_assert(sizeof(pccd_split_def) == 72 && offsetof(pccd_split_def, triangles) == 40, "layout of pccd_split_def");
static_assert(sizeof(pccd_merge_def) == 40 && sizeof(pccd_vertex_ref) == 16, "layout of pccd_merge_def");
static_assert(sizeof(pccd_triangle_ref) == 16, "layout of pccd_triangle_ref");
static_assert(sizeof(pccd_query_def) == 64 && offsetof(pccd_query_def, culling) == 56, "layout of pccd_query_def");
static_assert(sizeof(pccd_query_stats) == 240 && offsetof(pccd_query_stats, culled_triangles) == 224, "layout of pccd_query_stats");
static_assert(sizeof(pccd_query_worker_stats) == 88, "layout of pccd_query_worker_stats");
static_assert(sizeof(pccd_contact) == 120, "layout of pccd_contact");
static_assert(offsetof(pccd_contact, vertices) == 24 && offsetof(pccd_contact, toi_lower) == 48 &&
              offsetof(pccd_contact, weights) == 64 && offsetof(pccd_contact, normal) == 96, "layout of pccd_contact");
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
    const uint16_t corners[1][3] = {{1, 2, 3}};
    pccd_mesh_def mesh_def;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
    const pccd_contact *contacts;
    uint64_t count;
    if (pccd_mesh_def_init(&mesh_def, sizeof mesh_def) != PCCD_OK) return 7;
    mesh_def.positions = pccd_view{points, 4, 0, PCCD_FORMAT_F64X3, 0};
    mesh_def.triangles = pccd_view{corners, 1, 0, PCCD_FORMAT_U16X3, 0};
    if (pccd_mesh_create(context, &mesh_def, &mesh) != PCCD_OK) return 8;
    if (pccd_bvh_create(context, nullptr, &bvh) != PCCD_OK || pccd_bvh_add(context, bvh, mesh) != PCCD_OK) return 9;
    if (pccd_query_create(context, nullptr, &query) != PCCD_OK) return 10;
    if (pccd_query_run(context, query, bvh) != PCCD_OK) return 11;
    if (pccd_query_contacts(context, query, &contacts, &count) != PCCD_OK || count != 0) return 12;
    if (pccd_context_destroy(context) != PCCD_OK) return 5;
    if (std::strcmp(pccd_status_name(pccd_context_destroy(context)), "PCCD_ERR_STALE_HANDLE") != 0) return 6;
    std::puts("1 passed, 0 failed");
    return 0;
}
