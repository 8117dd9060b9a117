/* Queries: wrong definitions, runs that cannot be, results that nobody has found yet. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t triangle[1][3] = {{0, 1, 2}};

static void one_setting(pccd_context *context, double separation, double toi, double tolerance, const char *words) {
    pccd_query_def def;
    pccd_query query;
    fill_canary(&query, sizeof query);
    pccd_query_def_init(&def, sizeof def);
    def.min_separation = separation;
    def.toi_tolerance = toi;
    def.separation_tolerance = tolerance;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), words);
    CHECK(is_canary(&query, sizeof query));
}

static void definitions(pccd_context *context) {
    pccd_query_def def;
    pccd_query query;
    uint32_t i;
    section("definitions of queries");
    pccd_query_def_init(&def, sizeof def);
    fill_canary(&query, sizeof query);
    EXPECT(PCCD_ERR_NULL, pccd_query_create(NULL, &def, &query), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_create((pccd_context *)0x1234, &def, &query), "context is 0x1234");
    EXPECT(PCCD_ERR_NULL, pccd_query_create(context, &def, NULL), "out_query is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_create(context, NULL, NULL), "out_query is null");
    def.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_create(context, &def, &query), "def->struct_size is 0",
           "pccd_query_def_init");
    def.struct_size = 47;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_create(context, &def, &query), "def->struct_size is 47", "64 bytes");
    def.struct_size = 72;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_create(context, &def, &query), "def->struct_size is 72", "older");
    def.struct_size = sizeof def;
    def.flags = 8;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->flags is 0x8",
           "PCCD_QUERY_NO_SELF (1)", "PCCD_QUERY_NO_INTER (2)", "PCCD_QUERY_SEGMENTS (4)");
    def.flags = 0xffffffffu;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->flags is 0xffffffff");
    def.flags = 0;
    def.mode = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->mode is 0", "PCCD_MODE_ALL (1)",
           "PCCD_MODE_EARLIEST (2)", "PCCD_MODE_CANDIDATES (3)");
    def.mode = 5;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->mode is 5",
           "PCCD_MODE_DISCRETE (4)");
    def.mode = PCCD_MODE_ALL;
    def.reserved = 5;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->reserved is 5; expected 0");
    def.reserved = 0;
    def.reserved2 = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->reserved2 is 7; expected 0");
    def.reserved2 = 0;
    def.culling = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_create(context, &def, &query), "def->culling is 3", "PCCD_CULL_NONE (0)",
           "PCCD_CULL_EXACT (1)", "PCCD_CULL_DUAL_CONE (2)");
    CHECK(is_canary(&query, sizeof query));
    each_wrong_setting(context, one_setting, "def");
    pccd_query_def_init(&def, sizeof def);
    def.capacity = UINT64_MAX;
    for (i = 0; i < 12; ++i) {
        def.flags = i % 4;
        def.mode = 1 + i / 4;
        EXPECT(PCCD_OK, pccd_query_create(context, &def, &query), "");
        EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
    }
}

/* What a query without contacts says, run or not. */
static void has_nothing(pccd_context *context, pccd_query query) {
    const pccd_contact *contacts;
    pccd_contact copy;
    pccd_query_stats stats;
    uint64_t count, hash;
    fill_canary(&contacts, sizeof contacts);
    fill_canary(&copy, sizeof copy);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_OK, pccd_query_contacts(context, query, &contacts, &count), "");
    CHECK(contacts == NULL && count == 0);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_OK, pccd_query_copy_contacts(context, query, &copy, 1, &count), "");
    CHECK(count == 0 && is_canary(&copy, sizeof copy));
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_OK, pccd_query_copy_contacts(context, query, NULL, 0, &count), "");
    CHECK(count == 0);
    EXPECT(PCCD_OK, pccd_query_hash(context, query, &hash), "");
    pccd_query_stats_init(&stats, sizeof stats);
    EXPECT(PCCD_OK, pccd_query_stats_get(context, query, &stats), "");
    CHECK(stats.struct_size == sizeof stats && stats.reserved == 0 && stats.contacts_vf == 0);
    CHECK(stats.contacts_ee == 0 && stats.dropped == 0 && stats.ms_total >= 0);
    CHECK(stats.triangle_count != 0 || stats.bytes_per_triangle == 0);
}

static void results(pccd_context *context) {
    pccd_query query = new_query(context);
    pccd_bvh bvh = new_bvh(context);
    const pccd_contact *contacts;
    pccd_contact copies[2];
    pccd_query_stats stats;
    uint64_t count, hash;
    section("results of queries");
    fill_canary(&contacts, sizeof contacts);
    fill_canary(copies, sizeof copies);
    fill_canary(&count, sizeof count);
    fill_canary(&hash, sizeof hash);
    fill_canary(&stats, sizeof stats);
    EXPECT(PCCD_ERR_NULL, pccd_query_run(NULL, query, bvh), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_destroy(NULL, query), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_contacts(NULL, query, &contacts, &count), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_contacts(context, query, NULL, &count), "out_contacts is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_contacts(context, query, &contacts, NULL), "out_count is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_contacts(NULL, query, copies, 2, &count), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_contacts(context, query, NULL, 2, &count), "out_contacts is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_copy_contacts(context, query, copies, 2, NULL), "out_count is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_query_copy_contacts(context, query, (pccd_contact *)(void *)((char *)copies + 4), 1, &count),
           "out_contacts is 0x", "aligned to 8 bytes");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_query_copy_contacts(context, query, copies, UINT64_MAX / 100, &count),
           "capacity is 184467440737095516", "do not fit the address space");
    EXPECT(PCCD_ERR_NULL, pccd_query_hash(NULL, query, &hash), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_hash(context, query, NULL), "out_hash is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_stats_get(NULL, query, &stats), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_stats_get(context, query, NULL), "out_stats is null");
    stats.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_stats_get(context, query, &stats), "out_stats->struct_size is 0",
           "call pccd_query_stats_init");
    stats.struct_size = 135;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_stats_get(context, query, &stats), "out_stats->struct_size is 135");
    stats.struct_size = 144;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_stats_get(context, query, &stats), "out_stats->struct_size is 144");
    CHECK(is_canary(&contacts, sizeof contacts) && is_canary(copies, sizeof copies) && is_canary(&count, sizeof count));
    CHECK(is_canary(&hash, sizeof hash) && is_canary(&stats.reserved, sizeof stats - sizeof stats.struct_size));

    has_nothing(context, query);
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    has_nothing(context, query);
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    /* The hierarchy may go before the query. */
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    has_nothing(context, query);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_run(context, query, bvh), "bvh.id is 0x");
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
}

/* Room for contacts, which changes nothing but the results. */
static void reserving(pccd_context *context, counting *memory) {
    pccd_mesh_def mesh_def = mesh_def_of(corners, 3, triangle, 1);
    pccd_query_def def;
    pccd_query query = new_query(context), discrete, gone = new_query(context);
    pccd_bvh bvh = new_bvh(context);
    pccd_mesh mesh;
    uint64_t bytes;
    section("room for contacts");
    pccd_query_def_init(&def, sizeof def);
    def.mode = PCCD_MODE_DISCRETE;
    EXPECT(PCCD_OK, pccd_query_create(context, &def, &discrete), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, gone), "");
    EXPECT(PCCD_ERR_NULL, pccd_query_reserve(NULL, query, 1), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_reserve(context, (pccd_query){0}, 1), "query.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_reserve(context, gone, 1), "query.id is 0x");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_reserve(context, discrete, 1), "PCCD_MODE_DISCRETE");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_query_reserve(context, query, UINT64_MAX), "the results of the query");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_query_reserve(context, query, UINT64_MAX / 10000), "the results of the query");
    has_nothing(context, query);
    EXPECT(PCCD_OK, pccd_mesh_create(context, &mesh_def, &mesh), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, mesh), "");
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    bytes = memory->bytes;
    EXPECT(PCCD_OK, pccd_query_reserve(context, query, 100000), "");
    CHECK(memory->bytes - bytes > 100000 * sizeof(pccd_contact) && memory->bytes - bytes < 100000 * 250);
    has_nothing(context, query);
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    EXPECT(PCCD_OK, pccd_query_reserve(context, query, 0), "");
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, discrete), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
}

/* Separations whose sum is no number any more. Meshes that are not in the hierarchy do not matter. */
static void too_thick(pccd_context *context) {
    pccd_mesh_def mesh_def = mesh_def_of(corners, 3, triangle, 1);
    pccd_query_def query_def;
    pccd_query query;
    pccd_bvh bvh = new_bvh(context), other = new_bvh(context);
    pccd_mesh thick;
    section("separations that are too large");
    mesh_def.thickness = DBL_MAX / 2;
    EXPECT(PCCD_OK, pccd_mesh_create(context, &mesh_def, &thick), "");
    pccd_query_def_init(&query_def, sizeof query_def);
    query_def.min_separation = 1e300;
    EXPECT(PCCD_OK, pccd_query_create(context, &query_def, &query), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, thick), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_run(context, query, bvh), "min_separation is 1e300",
           "the thickness of mesh 0x", "finite");
    EXPECT(PCCD_OK, pccd_query_run(context, query, other), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, thick), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, other), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
}

void misuse_of_queries(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    definitions(context);
    results(context);
    reserving(context, &memory);
    too_thick(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}
