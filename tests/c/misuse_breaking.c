/* Meshes that break and become one: what is wrong changes nothing; what is right keeps every vertex where it is. */
#include "check.h"

#include <stdio.h>
#include <string.h>

/* A strip of four triangles: 0 1 2, 1 3 2, 2 3 4, 3 5 4. */
enum { VERTICES = 6, TRIANGLES = 4 };
static const double strip[VERTICES][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}, {2, 1, 0}};
static const double moved[VERTICES][3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 1, 1}};
static const uint32_t triangles[TRIANGLES][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}};
static const uint32_t halves[TRIANGLES] = {0, 0, 1, 1};

static pccd_mesh new_strip(pccd_context *context, pccd_bvh bvh) {
    pccd_view end = view_of(moved, VERTICES, 0, PCCD_FORMAT_F64X3);
    pccd_mesh_def def = mesh_def_of(strip, VERTICES, triangles, TRIANGLES);
    pccd_mesh mesh;
    def.user_data = 77;
    def.category = 4;
    EXPECT(PCCD_OK, pccd_mesh_create(context, &def, &mesh), "");
    EXPECT(PCCD_OK, pccd_mesh_move(context, mesh, &end), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, mesh), "");
    return mesh;
}

static pccd_split_def split_def(uint32_t part_count, const uint32_t *parts, uint64_t count) {
    pccd_split_def def;
    pccd_split_def_init(&def, sizeof def);
    def.part_count = part_count;
    def.parts = parts;
    def.triangle_count = count;
    return def;
}

static pccd_merge_def merge_def(const pccd_mesh *meshes, uint64_t count) {
    pccd_merge_def def;
    pccd_merge_def_init(&def, sizeof def);
    def.meshes = meshes;
    def.mesh_count = count;
    return def;
}

/* Meshes in a hierarchy, and their triangles. */
static int has(pccd_context *context, pccd_bvh bvh, uint64_t meshes, uint64_t all_triangles) {
    pccd_bvh_info info;
    pccd_bvh_info_init(&info, sizeof info);
    return pccd_bvh_info_get(context, bvh, &info) == PCCD_OK && info.mesh_count == meshes &&
           info.triangle_count == all_triangles;
}

static void wrong_splits(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context), other = new_bvh(context);
    pccd_mesh mesh = new_strip(context, bvh), parts[4];
    pccd_split_def def = split_def(2, halves, TRIANGLES);
    static const uint32_t three[TRIANGLES] = {0, 0, 2, 1}, gap[TRIANGLES] = {0, 0, 2, 2}, copies[2] = {2, 6};
    uint32_t corners[5][3];
    char words[80];
    section("wrong splits");
    fill_canary(parts, sizeof parts);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(NULL, bvh, mesh, &def, parts, 4), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh_handle(0), mesh, &def, parts, 4), "bvh.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh, mesh_handle(0), &def, parts, 4), "mesh.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_split(context, bvh, mesh_handle(5), &def, parts, 4), "mesh.id is 0x5");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_split(context, bvh_handle(6), mesh, &def, parts, 4), "bvh.id is 0x6");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh, mesh, NULL, parts, 4), "def is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh, mesh, &def, NULL, 4), "out_meshes is null");
    snprintf(words, sizeof words, "mesh.id is 0x%llx, which is not in bvh 0x%llx", (unsigned long long)mesh.id,
             (unsigned long long)other.id);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, other, mesh, &def, parts, 4), words);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 1), "capacity is 1",
           "def->part_count is 2");
    def.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->struct_size is 0");
    def = split_def(0, halves, TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->part_count is 0");
    def = split_def(2, halves, TRIANGLES - 1);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->triangle_count is 3; expected 4");
    def = split_def(2, halves, TRIANGLES + 1);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->triangle_count is 5; expected 4");
    def = split_def(2, NULL, TRIANGLES);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->parts is null");
    def = split_def(2, (const uint32_t *)(const void *)((const char *)halves + 1), TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->parts is 0x", "aligned");
    def = split_def(2, three, TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->parts[2] is 2; expected less than 2");
    def = split_def(3, gap, TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "no triangle is in part 1 of 3");
    def = split_def(2, halves, TRIANGLES);
    def.copies = copies;
    def.copy_count = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->copies[1] is 6; expected less than 6");
    def.copies = NULL;
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->copies is null");
    def.copy_count = UINT64_MAX;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->copy_count is 18446744073709551615");
    def.copies = copies;
    def.copy_count = 1;
    memcpy(corners, triangles, sizeof triangles);
    def.triangles = view_of(corners, TRIANGLES, 0, PCCD_FORMAT_F64X3);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->triangles.format is 2");
    def.triangles = view_of(corners, TRIANGLES - 1, 0, PCCD_FORMAT_U32X3);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4), "def->triangles.count is 3");
    def.triangles = view_of(corners, TRIANGLES, 0, PCCD_FORMAT_U32X3);
    corners[2][0] = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->triangles: triangle 2, corner 0 is 7; expected less than 7");
    corners[2][0] = 5;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->triangles: triangle 2, corner 0 is 5; expected 2 or a copy of it");
    corners[2][0] = 2;
    corners[3][0] = 6;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split(context, bvh, mesh, &def, parts, 4),
           "def->triangles: triangle 3, corner 0 is 6; expected 3 or a copy of it");
    CHECK(is_canary(parts, sizeof parts));
    CHECK(has(context, bvh, 1, TRIANGLES));
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
}

/* Lists of meshes of which one is wrong: none breaks. Then all break at once, also in another hierarchy that has one of them only. */
static void lists_of_splits(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context), other = new_bvh(context);
    static const uint32_t three[TRIANGLES] = {0, 0, 2, 1};
    pccd_mesh meshes[3], parts[7], stranger;
    pccd_split_def defs[3];
    pccd_vertex_ref origins[4];
    pccd_mesh_info info;
    uint32_t i;
    section("lists of splits");
    for (i = 0; i < 3; ++i) {
        meshes[i] = new_strip(context, bvh);
        defs[i] = split_def(2, halves, TRIANGLES);
    }
    stranger = new_strip(context, other);
    fill_canary(parts, sizeof parts);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split_all(NULL, bvh, meshes, defs, 3, parts, 7), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_split_all(context, bvh_handle(6), meshes, defs, 3, parts, 7), "bvh.id is 0x6");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split_all(context, bvh, NULL, defs, 3, parts, 7), "meshes is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split_all(context, bvh, meshes, NULL, 3, parts, 7), "element 0: def is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_split_all(context, bvh, meshes, defs, 3, NULL, 7), "split_all: out_meshes is null");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_bvh_split_all(context, bvh, meshes, defs, UINT64_MAX, parts, 7), "count is 1844");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, UINT64_MAX),
           "capacity is 1844");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 5),
           "element 2: capacity is 5, but def->part_count is 2, and 4 parts come before");
    meshes[2] = mesh_handle(5);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 2: mesh.id is 0x5");
    meshes[2] = stranger;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 2: mesh.id is 0x", "which is not in bvh 0x");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, stranger), "");
    meshes[2] = meshes[0];
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 2: mesh.id is 0x", "which is element 0 as well");
    meshes[2] = stranger;
    defs[1].struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 1: def->struct_size is 0");
    defs[1] = split_def(2, three, TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 1: def->parts[2] is 2; expected less than 2");
    defs[1] = split_def(3, three, TRIANGLES - 1);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7),
           "element 1: def->triangle_count is 3; expected 4");
    CHECK(is_canary(parts, sizeof parts));
    CHECK(has(context, bvh, 4, 4 * TRIANGLES) && has(context, other, 1, TRIANGLES));
    EXPECT(PCCD_OK, pccd_bvh_split_all(context, bvh, NULL, NULL, 0, NULL, 0), "");
    CHECK(has(context, bvh, 4, 4 * TRIANGLES));

    defs[1] = split_def(3, three, TRIANGLES);
    EXPECT(PCCD_OK, pccd_bvh_split_all(context, bvh, meshes, defs, 3, parts, 7), "");
    CHECK(has(context, bvh, 8, 4 * TRIANGLES) && has(context, other, 2, TRIANGLES));
    pccd_mesh_info_init(&info, sizeof info);
    for (i = 0; i < 7; ++i) {
        static const uint64_t counts[7] = {2, 2, 2, 1, 1, 2, 2};
        static const int of[7] = {0, 0, 1, 1, 1, 2, 2};
        EXPECT(PCCD_OK, pccd_mesh_info_get(context, parts[i], &info), "");
        CHECK(info.triangle_count == counts[i] && info.user_data == 77);
        EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, parts[i], 0, 1, origins), "");
        CHECK(origins[0].mesh.id == meshes[of[i]].id);
    }
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_destroy(context, meshes[1]), "mesh.id is 0x");
    EXPECT(PCCD_OK, pccd_bvh_update(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_update(context, other), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
}

static void wrong_merges(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context), other = new_bvh(context);
    pccd_mesh meshes[3], out;
    pccd_merge_def def;
    static uint32_t weld[2 * VERTICES];
    uint32_t i;
    section("wrong merges");
    meshes[0] = new_strip(context, bvh);
    meshes[1] = new_strip(context, bvh);
    meshes[2] = meshes[0];
    fill_canary(&out, sizeof out);
    def = merge_def(meshes, 2);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_merge(NULL, bvh, &def, &out), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_merge(context, bvh, NULL, &out), "def is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_merge(context, bvh, &def, NULL), "out_mesh is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_merge(context, bvh_handle(9), &def, &out), "bvh.id is 0x9");
    def.reserved = 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->reserved is 1");
    def = merge_def(meshes, 0);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->mesh_count is 0");
    def = merge_def(NULL, 2);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_merge(context, bvh, &def, &out), "def->meshes is null");
    def = merge_def(meshes, 3);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->meshes[2].id is 0x",
           "which is in the list before");
    meshes[2] = mesh_handle(12);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_merge(context, bvh, &def, &out), "mesh.id is 0xc");
    def = merge_def(meshes, 2);
    EXPECT(PCCD_OK, pccd_bvh_add(context, other, meshes[1]), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, other, &def, &out), "def->meshes[0].id is 0x",
           "which is not in bvh 0x");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->meshes[0].id is 0x",
           "which has others of the list");
    EXPECT(PCCD_OK, pccd_bvh_remove(context, other, meshes[1]), "");
    for (i = 0; i < 2 * VERTICES; ++i) weld[i] = i;
    def.weld = weld;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->vertex_count is 0; expected 12");
    def.vertex_count = 2 * VERTICES;
    def.weld = NULL;
    EXPECT(PCCD_ERR_NULL, pccd_bvh_merge(context, bvh, &def, &out), "def->weld is null");
    def.weld = weld;
    weld[3] = 9;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out), "def->weld[3] is 9; expected at most 3");
    weld[3] = 3;
    weld[7] = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out),
           "def->weld[7] is 0, which is at another place at t = 0");
    weld[7] = 1;
    weld[8] = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out),
           "def->weld[8] is 7, but def->weld[7] is 1");
    weld[7] = 7, weld[8] = 8;
    {
        /* The same place at t = 0, another one at t = 1. */
        pccd_view start = view_of(strip, VERTICES, 0, PCCD_FORMAT_F64X3);
        EXPECT(PCCD_OK, pccd_mesh_set_motion(context, meshes[1], &start, &start), "");
        weld[6] = 0;
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_merge(context, bvh, &def, &out),
               "def->weld[6] is 0, which is at another place at t = 1");
    }
    CHECK(is_canary(&out, sizeof out) && has(context, bvh, 2, 2 * TRIANGLES));
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
}

static void wrong_origins(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context);
    pccd_mesh mesh = new_strip(context, bvh);
    pccd_vertex_ref origins[VERTICES];
    section("wrong questions for origins");
    fill_canary(origins, sizeof origins);
    EXPECT(PCCD_ERR_NULL, pccd_mesh_vertex_origin(NULL, mesh, 0, 1, origins), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_vertex_origin(context, mesh_handle(3), 0, 1, origins), "mesh.id is 0x3");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_vertex_origin(context, mesh, 0, 1, NULL), "out_origins is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_vertex_origin(context, mesh, 6, 1, origins), "first is 6 and count is 1");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_vertex_origin(context, mesh, UINT64_MAX, 1, origins), "first is 1844");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_mesh_vertex_origin(context, mesh, 0, UINT64_MAX, origins), "count is 1844");
    CHECK(is_canary(origins, sizeof origins));
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, mesh, 6, 0, NULL), "");
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, mesh, 2, 4, origins), "");
    CHECK(origins[0].mesh.id == mesh.id && origins[0].vertex == 2 && origins[0].reserved == 0);
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
}

/* Breaks a strip, tears a part, puts all together again. */
static void there_and_back(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context), other = new_bvh(context);
    pccd_mesh mesh = new_strip(context, bvh), parts[2], torn, whole;
    pccd_split_def def = split_def(2, halves, TRIANGLES);
    static const uint32_t left[4][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, right[4][2] = {{2, 0}, {3, 1}, {4, 2}, {5, 3}};
    static const uint32_t copies[1] = {1}, one[3] = {0, 0, 0};
    static const uint16_t corners[3][3] = {{0, 1, 2}, {4, 3, 2}, {1, 4, 0}};
    static const uint32_t weld[9] = {0, 1, 2, 3, 1, 2, 3, 7, 8};
    pccd_vertex_ref origins[9];
    pccd_mesh_info info;
    pccd_merge_def merge;
    pccd_mesh pieces[2];
    int i;
    section("breaks, tears, and becomes one");
    EXPECT(PCCD_OK, pccd_bvh_add(context, other, mesh), "");
    EXPECT(PCCD_OK, pccd_bvh_split(context, bvh, mesh, &def, parts, 2), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_destroy(context, mesh), "mesh.id is 0x");
    CHECK(has(context, bvh, 2, TRIANGLES) && has(context, other, 2, TRIANGLES));
    pccd_mesh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, parts[1], &info), "");
    CHECK(info.vertex_count == 4 && info.triangle_count == 2 && info.edge_count == 5 && info.user_data == 77 &&
          info.category == 4);
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, parts[0], 0, 4, origins), "");
    for (i = 0; i < 4; ++i) CHECK(origins[i].mesh.id == mesh.id && origins[i].vertex == left[i][0]);
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, parts[1], 0, 4, origins), "");
    for (i = 0; i < 4; ++i) CHECK(origins[i].mesh.id == mesh.id && origins[i].vertex == right[i][0]);
    /* Tears between the triangles of the first part at vertex 1, and shows a new triangle. */
    def = split_def(1, one, 3);
    def.copies = copies;
    def.copy_count = 1;
    def.triangles = view_of(corners, 3, 0, PCCD_FORMAT_U16X3);
    EXPECT(PCCD_OK, pccd_bvh_split(context, bvh, parts[0], &def, &torn, 1), "");
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, torn, &info), "");
    CHECK(info.vertex_count == 5 && info.triangle_count == 3 && info.degenerate_triangle_count == 1);
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, torn, 4, 1, origins), "");
    CHECK(origins[0].mesh.id == parts[0].id && origins[0].vertex == 1);
    CHECK(has(context, bvh, 2, TRIANGLES + 1) && has(context, other, 2, TRIANGLES + 1));
    /* 0 1 2 3 and the copy of 1; then 2 3 4 5 of the strip. */
    pieces[0] = torn;
    pieces[1] = parts[1];
    merge = merge_def(pieces, 2);
    merge.weld = weld;
    merge.vertex_count = 9;
    EXPECT(PCCD_OK, pccd_bvh_merge(context, bvh, &merge, &whole), "");
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, whole, &info), "");
    CHECK(info.vertex_count == 6 && info.triangle_count == 5 && info.user_data == 77);
    EXPECT(PCCD_OK, pccd_mesh_vertex_origin(context, whole, 0, 6, origins), "");
    CHECK(origins[3].mesh.id == torn.id && origins[3].vertex == 3);
    CHECK(origins[4].mesh.id == parts[1].id && origins[4].vertex == 2);
    CHECK(has(context, bvh, 1, 5) && has(context, other, 1, 5));
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_destroy(context, torn), "mesh.id is 0x");
    EXPECT(PCCD_OK, pccd_bvh_update(context, bvh), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, whole), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
}

/* Refuses one allocation after the other in a split and a merge: nothing changes, and the second try succeeds. */
static void refusals(void) {
    size_t refuse, needed = 1;
    section("allocators that refuse splits and merges");
    for (refuse = 1; refuse <= needed; ++refuse) {
        counting memory = {0};
        pccd_context *context = new_context(1, &memory);
        pccd_bvh bvh = new_bvh(context);
        pccd_mesh mesh = new_strip(context, bvh), parts[2], whole;
        pccd_split_def def = split_def(2, halves, TRIANGLES);
        pccd_merge_def merge = merge_def(parts, 2);
        size_t before = memory.allocations;
        pccd_status status;
        memory.refuse = before + refuse;
        fill_canary(parts, sizeof parts);
        fill_canary(&whole, sizeof whole);
        status = pccd_bvh_split(context, bvh, mesh, &def, parts, 2);
        if (status != PCCD_OK) {
            CHECK(status == PCCD_ERR_OUT_OF_MEMORY && strstr(pccd_last_error(), "no memory for ") != NULL);
            CHECK(is_canary(parts, sizeof parts) && has(context, bvh, 1, TRIANGLES));
            EXPECT(PCCD_OK, pccd_bvh_split(context, bvh, mesh, &def, parts, 2), "");
        }
        CHECK(has(context, bvh, 2, TRIANGLES));
        status = pccd_bvh_merge(context, bvh, &merge, &whole);
        if (status != PCCD_OK) {
            CHECK(status == PCCD_ERR_OUT_OF_MEMORY && is_canary(&whole, sizeof whole) && has(context, bvh, 2, TRIANGLES));
            EXPECT(PCCD_OK, pccd_bvh_merge(context, bvh, &merge, &whole), "");
        }
        CHECK(has(context, bvh, 1, TRIANGLES));
        if (refuse == 1) {
            /* how many there are without a refusal, from a second life of the same things */
            counting whole_life = {0};
            pccd_context *second = new_context(1, &whole_life);
            pccd_bvh tree = new_bvh(second);
            pccd_mesh all = new_strip(second, tree), two[2], back;
            size_t first = whole_life.allocations;
            merge = merge_def(two, 2);
            EXPECT(PCCD_OK, pccd_bvh_split(second, tree, all, &def, two, 2), "");
            EXPECT(PCCD_OK, pccd_bvh_merge(second, tree, &merge, &back), "");
            needed = whole_life.allocations - first;
            CHECK(needed > 20);
            EXPECT(PCCD_OK, pccd_context_destroy(second), "");
            CHECK(whole_life.bytes == 0 && whole_life.wrong_free == 0);
        }
        EXPECT(PCCD_OK, pccd_context_destroy(context), "");
        CHECK(memory.bytes == 0 && memory.wrong_free == 0);
    }
}

void misuse_of_breaking(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    wrong_splits(context);
    lists_of_splits(context);
    wrong_merges(context);
    wrong_origins(context);
    there_and_back(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
    refusals();
}
