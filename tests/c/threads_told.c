/* What is told about workers and units of work; and to callers that were compiled with the first header. */
#include "sheets.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The structs of version 0.1.0. */
typedef struct old_context_def {
    uint32_t struct_size, abi_version, thread_count;
    int32_t simd;
    pccd_log_fn log;
    void *log_user;
    pccd_alloc_fn alloc;
    pccd_free_fn free;
    void *memory_user;
} old_context_def;

typedef struct old_context_info {
    uint32_t struct_size, thread_count;
    int32_t simd;
    uint32_t reserved;
    uint64_t allocated_bytes;
} old_context_info;

typedef struct old_bvh_def {
    uint32_t struct_size, reserved;
    double rebuild_quality;
} old_bvh_def;

typedef struct old_bvh_info {
    uint32_t struct_size, depth;
    uint64_t mesh_count, triangle_count, node_count, bytes;
    double quality;
    uint64_t rebuild_count;
} old_bvh_info;

typedef struct old_query_stats {
    uint32_t struct_size, reserved;
    uint64_t counts[10];
    double times[6];
} old_query_stats;

/* A struct, and what lies behind it. */
#define WITH_CANARY(type) \
    struct {              \
        type it;          \
        char behind[64];  \
    }

void callers_with_old_headers(void) {
    WITH_CANARY(old_context_def) def;
    WITH_CANARY(old_context_info) info;
    WITH_CANARY(old_bvh_def) bvh_def;
    WITH_CANARY(old_bvh_info) bvh_info;
    WITH_CANARY(old_query_stats) stats;
    pccd_context *context = NULL;
    pccd_bvh bvh;
    sheets it;
    section("callers with old headers");
    CHECK(sizeof def.it == 56 && sizeof info.it == 24 && sizeof bvh_def.it == 16 && sizeof bvh_info.it == 56);
    CHECK(sizeof stats.it == 136);
    /* As if what lies behind were hooks: nobody may look. */
    fill_canary(&def, sizeof def);
    fill_canary(&info, sizeof info);
    fill_canary(&bvh_def, sizeof bvh_def);
    fill_canary(&bvh_info, sizeof bvh_info);
    fill_canary(&stats, sizeof stats);

    EXPECT(PCCD_OK, pccd_context_def_init((pccd_context_def *)(void *)&def.it, sizeof def.it), "");
    CHECK(def.it.struct_size == 56 && def.it.thread_count == 1 && is_canary(def.behind, sizeof def.behind));
    def.it.thread_count = 2;
    EXPECT(PCCD_OK, pccd_context_create((const pccd_context_def *)(void *)&def.it, &context), "");
    CHECK(sheets_open(&it, context));

    EXPECT(PCCD_OK, pccd_bvh_def_init((pccd_bvh_def *)(void *)&bvh_def.it, sizeof bvh_def.it), "");
    EXPECT(PCCD_OK, pccd_bvh_create(context, (const pccd_bvh_def *)(void *)&bvh_def.it, &bvh), "");
    CHECK(bvh_def.it.rebuild_quality == 0.5 && is_canary(bvh_def.behind, sizeof bvh_def.behind));
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, it.meshes[0]), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, it.meshes[1]), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, it.bvh), "");
    it.bvh = bvh;
    CHECK(sheets_run(&it, 1));

    EXPECT(PCCD_OK, pccd_context_info_init((pccd_context_info *)(void *)&info.it, sizeof info.it), "");
    EXPECT(PCCD_OK, pccd_context_info_get(context, (pccd_context_info *)(void *)&info.it), "");
    CHECK(info.it.struct_size == 24 && info.it.thread_count == 2 && info.it.reserved == 0);
    CHECK(is_canary(info.behind, sizeof info.behind));
    EXPECT(PCCD_OK, pccd_bvh_info_init((pccd_bvh_info *)(void *)&bvh_info.it, sizeof bvh_info.it), "");
    EXPECT(PCCD_OK, pccd_bvh_info_get(context, bvh, (pccd_bvh_info *)(void *)&bvh_info.it), "");
    CHECK(bvh_info.it.struct_size == 56 && bvh_info.it.mesh_count == 2 && bvh_info.it.quality > 0);
    CHECK(is_canary(bvh_info.behind, sizeof bvh_info.behind));
    EXPECT(PCCD_OK, pccd_query_stats_init((pccd_query_stats *)(void *)&stats.it, sizeof stats.it), "");
    EXPECT(PCCD_OK, pccd_query_stats_get(context, it.query, (pccd_query_stats *)(void *)&stats.it), "");
    CHECK(stats.it.struct_size == 136 && stats.it.counts[0] > 0 && stats.it.times[5] > 0);
    CHECK(is_canary(stats.behind, sizeof stats.behind));
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
}

static void workers(pccd_context *context, uint32_t count) {
    pccd_query_stats all;
    pccd_query_worker_stats one, sum;
    pccd_bvh_info info;
    sheets it;
    uint32_t worker;
    char words[40];
    CHECK(sheets_open(&it, context));
    pccd_query_stats_init(&all, sizeof all);
    pccd_query_worker_stats_init(&one, sizeof one);
    pccd_query_worker_stats_init(&sum, sizeof sum);
    EXPECT(PCCD_OK, pccd_query_stats_get(context, it.query, &all), "");
    CHECK(all.worker_count == 0 && all.units == 0 && all.imbalance == 0);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_worker_stats_get(context, it.query, 0, &one), "worker is 0",
           "less than 0");

    CHECK(sheets_run(&it, 0) && sheets_run(&it, 1));
    EXPECT(PCCD_OK, pccd_query_stats_get(context, it.query, &all), "");
    CHECK(all.worker_count == count && all.units > 0 && all.imbalance >= 0 && all.imbalance <= 1);
    CHECK(all.ms_refit > 0 && all.ms_low > 0 && all.ms_high >= 0 && all.ms_serial > 0);
    CHECK(all.ms_refit <= all.ms_update && all.ms_update + all.ms_low + all.ms_high <= all.ms_total);
    for (worker = 0; worker < count; ++worker) {
        EXPECT(PCCD_OK, pccd_query_worker_stats_get(context, it.query, worker, &one), "");
        CHECK(one.struct_size == sizeof one && one.reserved == 0 && one.ms_busy >= 0 && one.ms_busy <= all.ms_total);
        sum.ms_busy += one.ms_busy;
        sum.units += one.units;
        sum.requests += one.requests;
        sum.grants += one.grants;
        sum.steals += one.steals;
        sum.node_rebuilds += one.node_rebuilds;
        sum.node_pairs += one.node_pairs;
        sum.leaf_pairs += one.leaf_pairs;
        sum.candidates_vf += one.candidates_vf;
        sum.candidates_ee += one.candidates_ee;
    }
    CHECK(sum.ms_busy > 0 && sum.units == all.units && sum.requests == all.requests && sum.grants == all.grants);
    CHECK(sum.steals == all.steals && sum.node_rebuilds == all.node_rebuilds && sum.node_pairs == all.node_pairs);
    CHECK(sum.leaf_pairs == all.leaf_pairs && sum.candidates_vf == all.candidates_vf);
    CHECK(sum.candidates_ee == all.candidates_ee);
    pccd_bvh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_bvh_info_get(context, it.bvh, &info), "");
    CHECK(info.node_rebuild_count >= all.node_rebuilds && info.crowded_count <= info.rebuild_count);

    snprintf(words, sizeof words, "worker is %u; expected less than %u", (unsigned)count, (unsigned)count);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_worker_stats_get(context, it.query, count, &one), words);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_worker_stats_get(context, it.query, UINT32_MAX, &one),
           "worker is 4294967295");
    EXPECT(PCCD_ERR_NULL, pccd_query_worker_stats_get(NULL, it.query, 0, &one), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_worker_stats_get(context, query_handle(0), 0, &one), "query.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_worker_stats_get(context, query_handle(7), 0, &one), "query.id is 0x7");
    EXPECT(PCCD_ERR_NULL, pccd_query_worker_stats_get(context, it.query, 0, NULL), "out_stats is null");
    one.struct_size = 87;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_query_worker_stats_get(context, it.query, 0, &one), "out_stats->struct_size is 87");
}

/* How often a word is in a file; -1 if there is no file. */
static long words_in(const char *path, const char *word) {
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    const char *place = text;
    size_t length;
    long count = 0;
    if (file == NULL) return -1;
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    while ((place = strstr(place, word)) != NULL) {
        ++count;
        place += strlen(word);
    }
    return count;
}

static void traces(pccd_context *context) {
    static const char json[] = "threads-trace.json", table[] = "threads-trace.CSV";
    pccd_query_stats stats;
    sheets it;
    section("traces");
    remove(json);
    remove(table);
    CHECK(sheets_open(&it, context) && sheets_run(&it, 0));
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_trace_write(context, it.query, json), "query.id is 0x", "pccd_trace_enable");
    CHECK(words_in(json, "") == -1);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_trace_enable(context, it.query, 2), "on is 2; expected 0 or 1");
    EXPECT(PCCD_ERR_NULL, pccd_trace_enable(NULL, it.query, 1), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_trace_enable(context, query_handle(7), 1), "query.id is 0x7");
    EXPECT(PCCD_OK, pccd_trace_enable(context, it.query, 1), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_trace_write(context, it.query, json), "not recorded");
    CHECK(sheets_run(&it, 1));
    pccd_query_stats_init(&stats, sizeof stats);
    EXPECT(PCCD_OK, pccd_query_stats_get(context, it.query, &stats), "");

    EXPECT(PCCD_OK, pccd_trace_write(context, it.query, json), "");
    EXPECT(PCCD_OK, pccd_trace_write(context, it.query, table), "");
    CHECK(words_in(json, "\"ph\":\"M\"") == 1 + (long)stats.worker_count);
    CHECK(words_in(json, "\"ph\":\"X\"") - words_in(json, "\"name\":\"serial\"") == (long)stats.units);
    CHECK(words_in(json, "\"name\":\"self\"") > 0 && words_in(json, "\"parent\":null") > 0);
    CHECK(words_in(table, "\n") == 1 + words_in(json, "\"ph\":\"X\""));
    CHECK(words_in(table, "number,parent,phase,worker,weight,begin,end,kind\n") == 1);

    EXPECT(PCCD_ERR_NULL, pccd_trace_write(NULL, it.query, json), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_trace_write(context, it.query, NULL), "path is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_trace_write(context, query_handle(7), json), "query.id is 0x7");
    EXPECT(PCCD_ERR_IO, pccd_trace_write(context, it.query, "no-such-folder/trace.json"),
           "path is \"no-such-folder/trace.json\"", "No such file");
    EXPECT(PCCD_ERR_IO, pccd_trace_write(context, it.query, ""), "path is \"\"", "No such file");
    EXPECT(PCCD_ERR_IO, pccd_trace_write(context, it.query, "."), "path is \".\"", "directory");
    EXPECT(PCCD_ERR_IO, pccd_trace_write(context, it.query, "/dev/full"), "path is \"/dev/full\"", "No space");
    CHECK(sheets_are_right(&it, 1));

    /* Off again: what was recorded is there until the next run. */
    EXPECT(PCCD_OK, pccd_trace_enable(context, it.query, 0), "");
    EXPECT(PCCD_OK, pccd_trace_write(context, it.query, json), "");
    CHECK(sheets_run(&it, 2));
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_trace_write(context, it.query, json), "not recorded");
    /* A run that was cancelled has a trace of what was done. */
    EXPECT(PCCD_OK, pccd_trace_enable(context, it.query, 1), "");
    EXPECT(PCCD_OK, pccd_query_begin(context, it.query, it.bvh), "");
    EXPECT(PCCD_OK, pccd_query_work(context, it.query), "");
    EXPECT(PCCD_OK, pccd_query_cancel(context, it.query), "");
    EXPECT(PCCD_CANCELLED, pccd_query_end(context, it.query), "");
    EXPECT(PCCD_OK, pccd_trace_write(context, it.query, json), "");
    CHECK(sheets_run(&it, 0));
    remove(json);
    remove(table);
}

void what_workers_tell(void) {
    static const uint32_t counts[] = {1, 2, 5};
    counting memory = {0};
    pccd_context *context;
    size_t i;
    section("what workers tell");
    for (i = 0; i < sizeof counts / sizeof *counts; ++i) {
        context = new_context(counts[i], NULL);
        workers(context, counts[i]);
        EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    }
    context = new_context(3, &memory);
    traces(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}
