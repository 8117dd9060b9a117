/* Struct sizes and everything else that needs no context. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static void sizes_at_init(void) {
    pccd_context_def def;
    pccd_context_info info;
    pccd_ccd_settings settings;
    section("sizes at _init");

    fill_canary(&def, sizeof def);
    EXPECT(PCCD_ERR_NULL, pccd_context_def_init(NULL, sizeof def), "def is null");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_def_init(&def, 0), "size is 0", "pccd_context_def_init");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_def_init(&def, sizeof def - 1), "size is 87", "has 88 bytes");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_def_init(&def, sizeof def + 8), "size is 96", "has 88 bytes",
           "older than the header");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_def_init(&def, (size_t)-1), "size is 18446744073709551615");
    CHECK(is_canary(&def, sizeof def));
    EXPECT(PCCD_OK, pccd_context_def_init(&def, sizeof def), "");
    CHECK(def.struct_size == sizeof def && def.abi_version == PCCD_ABI_VERSION && def.thread_count == 1);
    CHECK(def.simd == PCCD_SIMD_AUTO && def.log == NULL && def.alloc == NULL && def.free == NULL);
    CHECK(def.scheduler == PCCD_SCHEDULER_ASSIGNMENT && def.reserved == 0);
    CHECK(def.enqueue == NULL && def.finish == NULL && def.task_user == NULL);

    fill_canary(&info, sizeof info);
    EXPECT(PCCD_ERR_NULL, pccd_context_info_init(NULL, sizeof info), "info is null");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_init(&info, 0), "size is 0", "pccd_context_info_init");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_init(&info, 23), "size is 23", "has 32 bytes");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_init(&info, 33), "size is 33", "has 32 bytes");
    CHECK(is_canary(&info, sizeof info));
    EXPECT(PCCD_OK, pccd_context_info_init(&info, sizeof info), "");
    CHECK(info.struct_size == sizeof info && info.allocated_bytes == 0);

    fill_canary(&settings, sizeof settings);
    EXPECT(PCCD_ERR_NULL, pccd_ccd_settings_init(NULL, sizeof settings), "settings is null");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_settings_init(&settings, 0), "size is 0", "pccd_ccd_settings_init");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_settings_init(&settings, 8), "size is 8", "has 32 bytes");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_settings_init(&settings, 40), "size is 40", "has 32 bytes");
    CHECK(is_canary(&settings, sizeof settings));
    EXPECT(PCCD_OK, pccd_ccd_settings_init(&settings, sizeof settings), "");
    CHECK(settings.struct_size == sizeof settings && settings.min_separation == 0);
    CHECK(settings.toi_tolerance == 1e-6 && settings.separation_tolerance == 1e-9);
}

static void sizes_in_structs(void) {
    pccd_context_def def;
    pccd_context_info info;
    pccd_ccd_settings settings;
    pccd_view view = view_of(NULL, 0, 0, PCCD_FORMAT_F64X3);
    pccd_context *context;
    pccd_context *untouched;
    section("sizes in structs");

    fill_canary(&untouched, sizeof untouched);
    memset(&def, 0, sizeof def);
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_create(&def, &untouched), "def->struct_size is 0",
           "call pccd_context_def_init");
    pccd_context_def_init(&def, sizeof def);
    def.struct_size = 52;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_create(&def, &untouched), "def->struct_size is 52", "88 bytes");
    def.struct_size = 68; /* half of a pointer */
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_create(&def, &untouched), "def->struct_size is 68", "88 bytes");
    CHECK(is_canary(&untouched, sizeof untouched));

    context = new_context(1, NULL);
    fill_canary(&info, sizeof info);
    info.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_get(context, &info), "out_info->struct_size is 0",
           "call pccd_context_info_init");
    info.struct_size = 20;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_get(context, &info), "out_info->struct_size is 20");
    info.struct_size = 40;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_context_info_get(context, &info), "out_info->struct_size is 40");
    CHECK(is_canary(&info.thread_count, sizeof info - sizeof info.struct_size));

    memset(&settings, 0, sizeof settings);
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, &settings, NULL),
           "settings->struct_size is 0", "call pccd_ccd_settings_init");
    settings.struct_size = 31;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, &settings, NULL),
           "settings->struct_size is 31");
    settings.struct_size = 4000000000u;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, &settings, NULL),
           "settings->struct_size is 4000000000");
    pccd_context_destroy(context);
}

/* All wrong sizes for one struct: nothing is written, and the sentence has the right one. */
#define SIZES(type, init, argument, bytes)                                                                        \
    do {                                                                                                          \
        type it;                                                                                                  \
        CHECK(sizeof it == bytes);                                                                                \
        fill_canary(&it, sizeof it);                                                                              \
        EXPECT(PCCD_ERR_NULL, init(NULL, sizeof it), argument " is null");                                        \
        EXPECT(PCCD_ERR_STRUCT_SIZE, init(&it, 0), "size is 0", #init);                                           \
        EXPECT(PCCD_ERR_STRUCT_SIZE, init(&it, 4), "size is 4,", #type " has " #bytes " bytes");                  \
        EXPECT(PCCD_ERR_STRUCT_SIZE, init(&it, sizeof it - 1), "size is ", #type " has " #bytes " bytes");        \
        EXPECT(PCCD_ERR_STRUCT_SIZE, init(&it, sizeof it + 1), "size is ", #type " has " #bytes " bytes",         \
               "older than the header");                                                                          \
        EXPECT(PCCD_ERR_STRUCT_SIZE, init(&it, (size_t)-1), "size is 18446744073709551615");                      \
        CHECK(is_canary(&it, sizeof it));                                                                         \
        EXPECT(PCCD_OK, init(&it, sizeof it), "");                                                                \
        CHECK(it.struct_size == sizeof it);                                                                       \
    } while (0)

static void sizes_of_objects(void) {
    pccd_mesh_def mesh;
    pccd_bvh_def bvh;
    pccd_query_def query;
    pccd_query_stats stats;
    section("sizes at _init of objects");
    SIZES(pccd_mesh_def, pccd_mesh_def_init, "def", 104);
    SIZES(pccd_mesh_info, pccd_mesh_info_init, "info", 80);
    SIZES(pccd_bvh_def, pccd_bvh_def_init, "def", 40);
    SIZES(pccd_bvh_info, pccd_bvh_info_init, "info", 72);
    SIZES(pccd_split_def, pccd_split_def_init, "def", 72);
    SIZES(pccd_merge_def, pccd_merge_def_init, "def", 40);
    SIZES(pccd_query_def, pccd_query_def_init, "def", 64);
    SIZES(pccd_query_stats, pccd_query_stats_init, "stats", 240);
    SIZES(pccd_query_worker_stats, pccd_query_worker_stats_init, "stats", 88);
    SIZES(pccd_discrete_stats, pccd_discrete_stats_init, "stats", 120);
    SIZES(pccd_k_free_report, pccd_k_free_report_init, "report", 104);
    CHECK(sizeof(pccd_intersection) == 80 && sizeof(pccd_triangle_k) == 32);
    CHECK(sizeof(pccd_mesh) == 8 && sizeof(pccd_bvh) == 8 && sizeof(pccd_query) == 8);
    CHECK(sizeof(pccd_contact) == 120 && sizeof(pccd_triangle_ref) == 16);

    fill_canary(&mesh, sizeof mesh);
    pccd_mesh_def_init(&mesh, sizeof mesh);
    CHECK(mesh.flags == 0 && mesh.thickness == 0 && mesh.category == 1 && mesh.mask == UINT64_MAX);
    CHECK(mesh.user_data == 0 && mesh.positions.data == NULL && mesh.positions.count == 0);
    CHECK(mesh.positions.format == 0 && mesh.triangles.format == 0 && mesh.triangles.reserved == 0);
    fill_canary(&bvh, sizeof bvh);
    pccd_bvh_def_init(&bvh, sizeof bvh);
    CHECK(bvh.reserved == 0 && bvh.rebuild_quality == 0.5 && bvh.volume_ratio == 0.9);
    fill_canary(&query, sizeof query);
    pccd_query_def_init(&query, sizeof query);
    CHECK(query.flags == 0 && query.mode == PCCD_MODE_ALL && query.reserved == 0 && query.capacity == 0);
    CHECK(query.method == PCCD_METHOD_AUTO && query.hashing == PCCD_HASHING_MORTON);
    CHECK(query.min_separation == 0 && query.toi_tolerance == 1e-6 && query.separation_tolerance == 1e-9);
    fill_canary(&stats, sizeof stats);
    pccd_query_stats_init(&stats, sizeof stats);
    CHECK(stats.reserved == 0 && stats.triangle_count == 0 && stats.ms_total == 0 && stats.bytes_per_triangle == 0);
}

static void names_and_versions(void) {
    static const char *const errors[] = {"NULL",          "INVALID_ARGUMENT", "STRUCT_SIZE", "VERSION",
                                         "NOT_FINITE",    "OUT_OF_MEMORY",    "STALE_HANDLE", "BUSY",
                                         "POISONED",      "PANIC",            "UNSUPPORTED", "THREAD",
                                         "IO"};
    int i;
    section("names and versions");
    for (i = 0; i < 13; ++i) {
        char name[64];
        snprintf(name, sizeof name, "PCCD_ERR_%s", errors[i]);
        CHECK(strcmp(pccd_status_name(-1 - i), name) == 0);
    }
    CHECK(strcmp(pccd_status_name(PCCD_OK), "PCCD_OK") == 0);
    CHECK(strcmp(pccd_status_name(PCCD_INCOMPLETE), "PCCD_INCOMPLETE") == 0);
    CHECK(strcmp(pccd_status_name(PCCD_CANCELLED), "PCCD_CANCELLED") == 0);
    CHECK(strcmp(pccd_status_name(-14), "unknown status") == 0);
    CHECK(strcmp(pccd_status_name(3), "unknown status") == 0);
    CHECK(strcmp(pccd_status_name(INT32_MIN), "unknown status") == 0);
    CHECK(strcmp(pccd_status_name(INT32_MAX), "unknown status") == 0);
    CHECK(pccd_abi_version() == PCCD_ABI_VERSION);
    CHECK(pccd_version() > 0 && pccd_version() < 1u << 24);
}

void misuse_of_structs(void) {
    names_and_versions();
    sizes_at_init();
    sizes_in_structs();
    sizes_of_objects();
}
