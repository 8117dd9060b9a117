/* Discrete queries and the k-free report: what can be done wrong with them. */
#include "check.h"

#include <string.h>

static const double corners[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.2, .2, -1}, {.2, .2, 1}, {.3, .3, 1}};
static const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};

static pccd_query discrete_query(pccd_context *context, uint32_t method) {
    pccd_query_def def;
    pccd_query query = {0};
    pccd_query_def_init(&def, sizeof def);
    def.mode = PCCD_MODE_DISCRETE;
    def.method = method;
    EXPECT(PCCD_OK, pccd_query_create(context, &def, &query), "");
    return query;
}

static void definitions(pccd_context *context) {
    pccd_query_def def;
    pccd_query query;
    uint32_t i;
    section("definitions of discrete queries");
    pccd_query_def_init(&def, sizeof def);
    fill_canary(&query, sizeof query);
    def.mode = PCCD_MODE_DISCRETE;
    def.method = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->method is 3",
           "PCCD_METHOD_GRID (2)");
    def.method = PCCD_METHOD_GRID;
    def.hashing = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->hashing is 2",
           "PCCD_HASHING_DJB2 (1)");
    /* What only discrete queries have. */
    def.mode = PCCD_MODE_ALL;
    def.hashing = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->mode is 1", "def->method is 2");
    def.method = 0;
    def.hashing = PCCD_HASHING_DJB2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->hashing is 1");
    def.hashing = 0;
    def.flags = PCCD_QUERY_SEGMENTS;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->flags is 0x4",
           "PCCD_MODE_DISCRETE (4)");
    CHECK(is_canary(&query, sizeof query));
    def.mode = PCCD_MODE_DISCRETE;
    for (i = 0; i < 48; ++i) {
        def.flags = i % 8;
        def.method = i / 8 % 3;
        def.hashing = i / 24;
        EXPECT(PCCD_OK, pccd_query_create(context, &def, &query), "");
        EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
    }
    /* A caller with an older header, who knows nothing of methods. */
    pccd_query_def_init(&def, 48);
    CHECK(def.struct_size == 48);
    def.mode = PCCD_MODE_DISCRETE;
    def.flags = 0;
    def.method = 0xffffffffu;
    EXPECT(PCCD_OK, pccd_query_create(context, &def, &query), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
}

static void results(pccd_context *context) {
    pccd_query query = discrete_query(context, PCCD_METHOD_AUTO), contacts = new_query(context);
    pccd_query by_bvh = discrete_query(context, PCCD_METHOD_BVH);
    pccd_mesh mesh = new_mesh(context, corners, 6, triangles, 2);
    pccd_mesh twice[2];
    pccd_bvh bvh = new_bvh(context);
    const pccd_intersection *found;
    pccd_intersection copies[2];
    pccd_discrete_stats stats;
    uint64_t count;
    section("results of discrete queries");
    twice[0] = twice[1] = mesh;
    fill_canary(&found, sizeof found);
    fill_canary(copies, sizeof copies);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_ERR_NULL, pccd_query_run_meshes(NULL, query, &mesh, 1), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_run_meshes(context, query_handle(0), &mesh, 1), "query.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_run_meshes(context, query_handle(77), &mesh, 1), "query.id is 0x4d");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_run_meshes(context, contacts, &mesh, 1), "query.id is 0x",
           "PCCD_MODE_DISCRETE (4)");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_run_meshes(context, by_bvh, &mesh, 1), "PCCD_METHOD_BVH (1)",
           "no hierarchy");
    EXPECT(PCCD_ERR_NULL, pccd_query_run_meshes(context, query, NULL, 1), "meshes is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_query_run_meshes(context, query, (const pccd_mesh *)(const void *)((const char *)twice + 4), 1),
           "meshes is 0x", "aligned to 8 bytes");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_query_run_meshes(context, query, twice, UINT64_MAX / 2),
           "mesh_count is 9223372036854775807");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_run_meshes(context, query, twice, 2), "meshes has 0x",
           "more than once");
    twice[1] = mesh_handle(0);
    EXPECT(PCCD_ERR_NULL, pccd_query_run_meshes(context, query, twice, 2), "mesh.id is 0");
    twice[1] = mesh_handle(99);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_run_meshes(context, query, twice, 2), "mesh.id is 0x63");
    EXPECT(PCCD_ERR_NULL, pccd_query_intersections(NULL, query, &found, &count), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_intersections(context, query_handle(5), &found, &count), "query.id is 0x5");
    EXPECT(PCCD_ERR_NULL, pccd_query_intersections(context, query, NULL, &count), "out_intersections is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_intersections(context, query, &found, NULL), "out_count is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_intersections(NULL, query, copies, 2, &count), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_intersections(context, query, NULL, 2, &count), "out_intersections is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_intersections(context, query, copies, 2, NULL), "out_count is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_query_copy_intersections(context, query, (pccd_intersection *)(void *)((char *)copies + 4), 1, &count),
           "out_intersections is 0x", "aligned to 8 bytes");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_query_copy_intersections(context, query, copies, UINT64_MAX / 70, &count),
           "capacity is ");
    fill_canary(&stats, sizeof stats);
    EXPECT(PCCD_ERR_NULL, pccd_discrete_stats_get(NULL, query, &stats), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_discrete_stats_get(context, query_handle(5), &stats), "query.id is 0x5");
    EXPECT(PCCD_ERR_NULL, pccd_discrete_stats_get(context, query, NULL), "out_stats is null");
    stats.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_discrete_stats_get(context, query, &stats), "out_stats->struct_size is 0",
           "call pccd_discrete_stats_init");
    stats.struct_size = 119;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_discrete_stats_get(context, query, &stats), "out_stats->struct_size is 119");
    CHECK(is_canary(&stats.method, sizeof stats - sizeof stats.struct_size));
    CHECK(is_canary(&found, sizeof found) && is_canary(copies, sizeof copies) && is_canary(&count, sizeof count));

    /* Not run yet, and another mode. */
    EXPECT(PCCD_OK, pccd_query_intersections(context, query, &found, &count), "");
    CHECK(found == NULL && count == 0);
    EXPECT(PCCD_OK, pccd_query_intersections(context, contacts, &found, &count), "");
    CHECK(found == NULL && count == 0);
    pccd_discrete_stats_init(&stats, sizeof stats);
    EXPECT(PCCD_OK, pccd_discrete_stats_get(context, contacts, &stats), "");
    CHECK(stats.method == 0 && stats.reason == PCCD_REASON_NONE && stats.ms_total == 0);
    /* No meshes at all. */
    EXPECT(PCCD_OK, pccd_query_run_meshes(context, query, NULL, 0), "");
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    EXPECT(PCCD_OK, pccd_query_run(context, by_bvh, bvh), "");
    EXPECT(PCCD_OK, pccd_query_copy_intersections(context, query, copies, 2, &count), "");
    CHECK(count == 0 && is_canary(copies, sizeof copies));
    /* A failure leaves what was there. */
    EXPECT(PCCD_OK, pccd_query_run_meshes(context, query, &mesh, 1), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_run_meshes(context, query, twice, 2), "mesh.id is 0x63");
    EXPECT(PCCD_OK, pccd_query_copy_intersections(context, query, copies, 2, &count), "");
    CHECK(count == 1 && copies[0].triangle_a == 0 && copies[0].triangle_b == 1 && copies[0].flags == 0);
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, by_bvh), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, contacts), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
}

static void k_free(pccd_context *context) {
    pccd_mesh mesh = new_mesh(context, corners, 6, triangles, 2), twice[2];
    pccd_k_free_report report;
    pccd_triangle_k worst[2];
    section("the k-free report");
    twice[0] = twice[1] = mesh;
    fill_canary(&report, sizeof report);
    fill_canary(worst, sizeof worst);
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free(NULL, &mesh, 1, &report, worst, 2), "context is null");
    report.struct_size = sizeof report;
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free(context, NULL, 1, &report, worst, 2), "meshes is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free(context, twice, 2, &report, worst, 2), "more than once");
    twice[1] = mesh_handle(99);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_k_free(context, twice, 2, &report, worst, 2), "mesh.id is 0x63");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free(context, &mesh, 1, NULL, worst, 2), "out_report is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free(context, &mesh, 1, &report, NULL, 2), "out_triangles is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_mesh_k_free(context, &mesh, 1, &report, (pccd_triangle_k *)(void *)((char *)worst + 4), 1),
           "out_triangles is 0x", "aligned");
    report.struct_size = 8;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_k_free(context, &mesh, 1, &report, worst, 2),
           "out_report->struct_size is 8", "pccd_k_free_report_init");
    CHECK(is_canary(&report.reserved, sizeof report - sizeof report.struct_size) && is_canary(worst, sizeof worst));
    pccd_k_free_report_init(&report, sizeof report);
    EXPECT(PCCD_OK, pccd_mesh_k_free(context, NULL, 0, &report, NULL, 0), "");
    CHECK(report.triangle_count == 0 && report.k_max == 0 && report.bound == 0);
    EXPECT(PCCD_INCOMPLETE, pccd_mesh_k_free(context, &mesh, 1, &report, worst, 1), "");
    /* The second triangle is larger and goes through the first. */
    CHECK(report.triangle_count == 2 && report.k_max == 2 && report.bound == 12 && report.k_mean == 1.5);
    CHECK(report.k_deviation == 0.5 && report.neighbour_share == 0 && report.point_count == 0);
    CHECK(worst[0].mesh.id == mesh.id && worst[0].triangle == 0 && worst[0].k == 2 && worst[0].neighbours == 0);
    CHECK(worst[0].diameter > 1.414 && worst[0].diameter < 1.415 && is_canary(&worst[1], sizeof worst[1]));
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
}

/* Two meshes of two triangles each, handed over in an order that is not that of their ids. */
static void k_free_of_polygons(pccd_context *context) {
    pccd_mesh first = new_mesh(context, corners, 6, triangles, 2), meshes[2];
    pccd_k_free_report report, old;
    pccd_triangle_k worst[4];
    uint32_t fans[4] = {2, 1, 1, 1};
    int i;
    section("the k-free report of polygons");
    meshes[0] = new_mesh(context, corners, 6, triangles, 2);
    meshes[1] = first;
    fill_canary(&report, sizeof report);
    fill_canary(worst, sizeof worst);
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free_polygons(NULL, meshes, 2, fans, 3, &report, worst, 4), "context is null");
    report.struct_size = sizeof report;
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free_polygons(context, NULL, 2, fans, 3, &report, worst, 4), "meshes is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free_polygons(context, meshes, 2, NULL, 3, &report, worst, 4), "fans is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_mesh_k_free_polygons(context, meshes, 2, (const uint32_t *)(const void *)((char *)fans + 2), 1, &report,
                                     worst, 4),
           "fans is 0x", "aligned to 4");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY,
           pccd_mesh_k_free_polygons(context, meshes, 2, fans, UINT64_MAX, &report, worst, 4), "fan_count is 18446744");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, NULL, 0, &report, worst, 4),
           "fan_count is 0, but triangle 0 of meshes[0] is in none");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 2, &report, worst, 4),
           "fan_count is 2, but triangle 1 of meshes[1] is in none");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 4, &report, worst, 4),
           "fan_count is 4, but the first 3 fans have all triangles");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, NULL, 0, fans, 1, &report, worst, 4),
           "fan_count is 1, but the first 0 fans have all triangles");
    fans[0] = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "fans[0] is 3; expected at most 2, the triangles of meshes[0]");
    fans[0] = 2, fans[1] = 4000000000u;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "fans[1] is 4000000000; expected at most 2, the triangles of meshes[1]");
    fans[1] = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "fans[1] is 0; expected at least 1");
    fans[1] = 1;
    meshes[1] = meshes[0];
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "more than once");
    meshes[1] = mesh_handle(99);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "mesh.id is 0x63");
    meshes[1] = first;
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, NULL, worst, 4), "out_report is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, NULL, 4),
           "out_polygons is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report,
                                     (pccd_triangle_k *)(void *)((char *)worst + 4), 1),
           "out_polygons is 0x", "aligned");
    report.struct_size = 100;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4),
           "out_report->struct_size is 100", "pccd_k_free_report_init");
    CHECK(is_canary(&report.reserved, sizeof report - sizeof report.struct_size) && is_canary(worst, sizeof worst));

    pccd_k_free_report_init(&report, sizeof report);
    EXPECT(PCCD_OK, pccd_mesh_k_free_polygons(context, NULL, 0, NULL, 0, &report, NULL, 0), "");
    CHECK(report.polygon_count == 0 && report.k_max == 0 && report.bound == 0);
    EXPECT(PCCD_OK, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 4), "");
    /* The sphere of the polygon is that of its second triangle: as large as that of the other mesh, which is in the
     * same place. */
    CHECK(report.triangle_count == 4 && report.polygon_count == 3);
    CHECK(report.bound == (7 + 3 + 3) * report.k_max && is_canary(&worst[3], sizeof worst[3]));
    CHECK(worst[0].k == 3 && worst[0].mesh.id == first.id && worst[0].triangle == 0 && worst[0].polygon == 1);
    CHECK(worst[1].k == 2 && worst[2].k == 2 && worst[1].mesh.id < worst[2].mesh.id);
    for (i = 1; i < 3; ++i) {
        int is_fan = worst[i].mesh.id == meshes[0].id;
        CHECK(worst[i].triangle == (is_fan ? 0 : 1) && worst[i].polygon == (is_fan ? 0 : 2));
    }
    EXPECT(PCCD_INCOMPLETE, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, worst, 2), "");
    /* A program that knows the struct as it was before polygons. */
    fill_canary(&old, sizeof old);
    old.struct_size = 96;
    EXPECT(PCCD_INCOMPLETE, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &old, NULL, 0), "");
    CHECK(old.bound == report.bound && is_canary(&old.polygon_count, sizeof old.polygon_count));
    /* Fans of one triangle each are triangles. */
    fans[0] = fans[1] = fans[2] = fans[3] = 1;
    EXPECT(PCCD_OK, pccd_mesh_k_free_polygons(context, meshes, 2, fans, 4, &report, worst, 4), "");
    EXPECT(PCCD_INCOMPLETE, pccd_mesh_k_free(context, meshes, 2, &old, NULL, 0), "");
    CHECK(report.bound == old.bound && report.k_mean == old.k_mean && report.bound == 12 * report.k_max);
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, meshes[0]), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, first), "");
}

/* Everything once, and once more with each allocation refused in turn. */
static pccd_status work(counting *memory) {
    pccd_context_def def;
    pccd_context *context;
    pccd_query_def query_def;
    pccd_mesh_def mesh_def = mesh_def_of(corners, 6, triangles, 2);
    pccd_mesh meshes[2];
    pccd_query query;
    pccd_k_free_report report;
    const uint32_t fans[3] = {2, 1, 1};
    pccd_status status;
    int i;
    pccd_context_def_init(&def, sizeof def);
    def.alloc = counting_alloc;
    def.free = counting_free;
    def.memory_user = memory;
    status = pccd_context_create(&def, &context);
    if (status < 0) return status;
    pccd_query_def_init(&query_def, sizeof query_def);
    query_def.mode = PCCD_MODE_DISCRETE;
    query_def.flags = PCCD_QUERY_SEGMENTS;
    pccd_k_free_report_init(&report, sizeof report);
    for (i = 0; i < 2 && status >= 0; ++i) status = pccd_mesh_create(context, &mesh_def, &meshes[i]);
    if (status >= 0) status = pccd_query_create(context, &query_def, &query);
    if (status >= 0) {
        status = pccd_query_run_meshes(context, query, meshes, 2);
        /* It works again. */
        if (status < 0) {
            memory->refuse = 0;
            EXPECT(PCCD_OK, pccd_query_run_meshes(context, query, meshes, 2), "");
        }
    }
    if (status >= 0) status = pccd_mesh_k_free(context, meshes, 2, &report, NULL, 0);
    if (status >= 0) status = pccd_mesh_k_free_polygons(context, meshes, 2, fans, 3, &report, NULL, 0);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    return status;
}

static void refused_memory(void) {
    counting memory = {0};
    size_t total, refused;
    section("memory refused to discrete queries");
    CHECK(work(&memory) == PCCD_INCOMPLETE && memory.bytes == 0);
    total = memory.allocations;
    CHECK(total > 20);
    for (refused = 1; refused <= total; ++refused) {
        memset(&memory, 0, sizeof memory);
        memory.refuse = refused;
        CHECK(work(&memory) == PCCD_ERR_OUT_OF_MEMORY);
        CHECK(memory.bytes == 0 && memory.wrong_free == 0);
    }
}

void misuse_of_discrete_queries(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    definitions(context);
    results(context);
    k_free(context);
    k_free_of_polygons(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
    refused_memory();
}
