/* Allocators that refuse, misalign, or just count. */
#include "check.h"

#include <string.h>

enum { QUERIES = 3000 };

static double points[8 * QUERIES][3];
static pccd_ccd_result results[QUERIES];

/* Refuses one allocation after the other, until a whole life of a context gets by without meeting it. */
static void refuse_each(uint32_t threads) {
    pccd_view view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    size_t refuse;
    int met = 1;
    for (refuse = 1; met && refuse < 200; ++refuse) {
        counting memory = {0};
        pccd_context_def def;
        pccd_context *context;
        pccd_status status;
        fill_canary(&context, sizeof context);
        fill_canary(results, sizeof results);
        memory.refuse = refuse;
        pccd_context_def_init(&def, sizeof def);
        def.thread_count = threads;
        def.alloc = counting_alloc;
        def.free = counting_free;
        def.memory_user = &memory;
        status = pccd_context_create(&def, &context);
        if (status != PCCD_OK) {
            CHECK(status == PCCD_ERR_OUT_OF_MEMORY);
            CHECK(strstr(pccd_last_error(), "pccd_context_create: no memory for the context") != NULL);
            CHECK(strstr(pccd_last_error(), "bytes") != NULL);
            CHECK(is_canary(&context, sizeof context));
        } else {
            status = pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results);
            if (status != PCCD_OK) {
                CHECK(status == PCCD_ERR_OUT_OF_MEMORY);
                CHECK(strstr(pccd_last_error(), "pccd_ccd_batch: no memory") != NULL);
                CHECK(strstr(pccd_last_error(), "count = 3000") != NULL);
                CHECK(is_canary(results, sizeof results));
                /* Only one allocation was refused: a second try has what it needs. */
                EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results), "");
            } else {
                met = 0;
                CHECK(refuse > 4);
            }
            EXPECT(PCCD_OK, pccd_context_destroy(context), "");
        }
        CHECK(memory.bytes == 0);
        CHECK(memory.allocations - (met ? 1 : 0) == memory.frees);
        CHECK(memory.wrong_free == 0);
    }
    CHECK(!met);
}

static void misaligned(void) {
    counting memory = {0};
    pccd_context_def def;
    pccd_context *context;
    fill_canary(&context, sizeof context);
    memory.misalign = 1;
    pccd_context_def_init(&def, sizeof def);
    def.alloc = counting_alloc;
    def.free = counting_free;
    def.memory_user = &memory;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "alloc returned 0x",
           "not aligned to 8 bytes");
    CHECK(is_canary(&context, sizeof context));
    CHECK(memory.bytes == 0 && memory.allocations == 1 && memory.frees == 1 && memory.wrong_free == 0);
}

/* The same batch again allocates nothing, whichever thread takes which part of it; a smaller one neither. */
static void steady(uint32_t threads) {
    pccd_view view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    counting memory = {0};
    pccd_context_info info;
    pccd_context *context = new_context(threads, &memory);
    size_t allocations;
    int i;
    pccd_context_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results), "");
    allocations = memory.allocations;
    for (i = 0; i < 20; ++i) {
        EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES - 150 * (uint64_t)i, NULL, results), "");
    }
    CHECK(memory.allocations == allocations);
    EXPECT(PCCD_OK, pccd_context_info_get(context, &info), "");
    CHECK(info.allocated_bytes == memory.bytes && info.thread_count == threads);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

void misuse_of_memory(void) {
    section("allocators");
    fill_queries(points, QUERIES);
    refuse_each(1);
    refuse_each(3);
    misaligned();
    steady(1);
    steady(4);
}
