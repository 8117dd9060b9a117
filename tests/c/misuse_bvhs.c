/* Hierarchies: wrong definitions, meshes added twice or not at all, boxes that are none. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t triangle[1][3] = {{0, 1, 2}};

static void definitions(pccd_context *context) {
    static const struct {
        double value;
        const char *words;
    } wrong[] = {{-0.5, "def->rebuild_quality is -0.5;"},
                 {1.5, "def->rebuild_quality is 1.5;"},
                 {(double)NAN, "def->rebuild_quality is NaN;"},
                 {(double)INFINITY, "def->rebuild_quality is inf;"}};
    pccd_bvh_def def;
    pccd_bvh bvh;
    size_t i;
    section("definitions of hierarchies");
    pccd_bvh_def_init(&def, sizeof def);
    fill_canary(&bvh, sizeof bvh);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_create(NULL, &def, &bvh), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_create((pccd_context *)0x1234, &def, &bvh), "context is 0x1234");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_create(context, &def, NULL), "out_bvh is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_create(context, NULL, NULL), "out_bvh is null");
    def.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_create(context, &def, &bvh), "def->struct_size is 0", "pccd_bvh_def_init");
    def.struct_size = 15;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_create(context, &def, &bvh), "def->struct_size is 15", "40 bytes");
    def.struct_size = 32;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_create(context, &def, &bvh), "def->struct_size is 32", "40 bytes");
    def.struct_size = 48;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_create(context, &def, &bvh), "def->struct_size is 48", "older");
    def.struct_size = sizeof def;
    def.reserved = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_create(context, &def, &bvh), "def->reserved is 7; expected 0");
    def.reserved = 0;
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        def.rebuild_quality = wrong[i].value;
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_create(context, &def, &bvh), wrong[i].words, "from 0 to 1");
    }
    def.rebuild_quality = 0.5;
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        def.volume_ratio = wrong[i].value;
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_create(context, &def, &bvh), "def->volume_ratio is ", "from 0 to 1");
    }
    def.volume_ratio = 0.5;
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        def.loss_limit = wrong[i].value;
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_create(context, &def, &bvh), "def->loss_limit is ", "from 0 to 1");
    }
    def.loss_limit = 0.25;
    def.metric = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_create(context, &def, &bvh), "def->metric is 2; expected ",
           "PCCD_METRIC_TRAVERSAL_COST (1)");
    def.metric = PCCD_METRIC_TRAVERSAL_COST;
    CHECK(is_canary(&bvh, sizeof bvh));
    for (i = 0; i < 2; ++i) {
        def.rebuild_quality = def.volume_ratio = (double)i;
        EXPECT(PCCD_OK, pccd_bvh_create(context, &def, &bvh), "");
        EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    }
}

static void members(pccd_context *context) {
    pccd_bvh one = new_bvh(context), other = new_bvh(context);
    pccd_mesh mesh = new_mesh(context, corners, 3, triangle, 1);
    pccd_mesh stranger = new_mesh(context, corners, 3, triangle, 1);
    char words[2][80];
    section("meshes of hierarchies");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_add(NULL, one, mesh), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_remove(NULL, one, mesh), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_update(NULL, one), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_destroy(NULL, one), "context is null");
    EXPECT(PCCD_OK, pccd_bvh_add(context, one, mesh), "");
    snprintf(words[0], sizeof words[0], "mesh.id is 0x%llx, which is in bvh 0x%llx already",
             (unsigned long long)mesh.id, (unsigned long long)one.id);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_add(context, one, mesh), words[0]);
    EXPECT(PCCD_OK, pccd_bvh_add(context, other, mesh), "");
    snprintf(words[1], sizeof words[1], "mesh.id is 0x%llx, which is not in bvh 0x%llx",
             (unsigned long long)stranger.id, (unsigned long long)one.id);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_remove(context, one, stranger), words[1]);
    EXPECT(PCCD_OK, pccd_bvh_update(context, one), "");
    /* Destroying in any order. */
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, one), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_remove(context, other, mesh), "mesh.id is 0x");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, stranger), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
}

static void information(pccd_context *context) {
    pccd_bvh bvh = new_bvh(context);
    pccd_bvh_info info;
    section("information about hierarchies");
    fill_canary(&info, sizeof info);
    info.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_info_get(context, bvh, &info), "out_info->struct_size is 0",
           "call pccd_bvh_info_init");
    info.struct_size = 55;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_info_get(context, bvh, &info), "out_info->struct_size is 55");
    info.struct_size = 64;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_bvh_info_get(context, bvh, &info), "out_info->struct_size is 64");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_info_get(NULL, bvh, &info), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_info_get(context, bvh, NULL), "out_info is null");
    CHECK(is_canary(&info.depth, sizeof info - sizeof info.struct_size));
    info.struct_size = sizeof info;
    EXPECT(PCCD_OK, pccd_bvh_info_get(context, bvh, &info), "");
    CHECK(info.struct_size == sizeof info && info.mesh_count == 0 && info.triangle_count == 0);
    CHECK(info.node_count == 0 && info.depth == 0 && info.rebuild_count == 0);
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
}

static void boxes(pccd_context *context) {
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    pccd_bvh bvh = new_bvh(context);
    pccd_triangle_ref found[2];
    uint64_t count;
    int axis, value, side;
    section("boxes for overlap queries");
    fill_canary(found, sizeof found);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_ERR_NULL, pccd_bvh_overlap(NULL, bvh, lower, upper, found, 2, &count), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_overlap(context, bvh, NULL, upper, found, 2, &count), "lower is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_overlap(context, bvh, lower, NULL, found, 2, &count), "upper is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_overlap(context, bvh, lower, upper, NULL, 2, &count), "out_triangles is null");
    EXPECT(PCCD_ERR_NULL, pccd_bvh_overlap(context, bvh, lower, upper, found, 2, NULL), "out_count is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_bvh_overlap(context, bvh, lower, upper, (pccd_triangle_ref *)(void *)((char *)found + 4), 1, &count),
           "out_triangles is 0x", "aligned to 8 bytes");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_bvh_overlap(context, bvh, lower, upper, found, UINT64_MAX, &count),
           "capacity is 18446744073709551615", "do not fit the address space");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_bvh_overlap(context, bvh, lower, upper, found, (uint64_t)1 << 59, &count),
           "capacity is 576460752303423488");
    for (axis = 0; axis < 3; ++axis) {
        static const char *const names[] = {"NaN", "infinity", "-infinity"};
        double box[2][3] = {{0, 0, 0}, {1, 1, 1}};
        char words[80];
        for (side = 0; side < 2; ++side) {
            for (value = 0; value < 3; ++value) {
                box[side][axis] = value == 0 ? (double)NAN : value == 1 ? (double)INFINITY : -(double)INFINITY;
                snprintf(words, sizeof words, ": %s[%d] is %s", side == 0 ? "lower" : "upper", axis, names[value]);
                EXPECT(PCCD_ERR_NOT_FINITE, pccd_bvh_overlap(context, bvh, box[0], box[1], found, 2, &count), words);
            }
            box[side][axis] = side;
        }
        box[0][axis] = 1.5;
        snprintf(words, sizeof words, "lower[%d] is 1.5, but upper[%d] is 1", axis, axis);
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_overlap(context, bvh, box[0], box[1], found, 2, &count), words);
    }
    CHECK(is_canary(found, sizeof found) && is_canary(&count, sizeof count));
    /* A point is a box, and nothing is in an empty hierarchy. */
    EXPECT(PCCD_OK, pccd_bvh_overlap(context, bvh, lower, lower, found, 2, &count), "");
    CHECK(count == 0);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_OK, pccd_bvh_overlap(context, bvh, lower, upper, NULL, 0, &count), "");
    CHECK(count == 0 && is_canary(found, sizeof found));
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
}

void misuse_of_bvhs(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    definitions(context);
    members(context);
    information(context);
    boxes(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}
