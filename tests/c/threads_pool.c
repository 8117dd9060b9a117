/* Threads of the library: how many there are, that they end, and that contexts have nothing in common. */
#define _XOPEN_SOURCE 700
#include "sheets.h"
#include "threads.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

static void every_count(void) {
    static const uint32_t counts[] = {1, 2, 3, 4, 8};
    uint32_t scheduler;
    size_t i;
    int frame;
    section("pools");
    for (scheduler = PCCD_SCHEDULER_ASSIGNMENT; scheduler <= PCCD_SCHEDULER_STEALING; ++scheduler) {
        for (i = 0; i < sizeof counts / sizeof *counts; ++i) {
            pccd_context_def def;
            pccd_context_info info;
            pccd_context *context = NULL;
            sheets it;
            pccd_context_def_init(&def, sizeof def);
            def.thread_count = counts[i];
            def.scheduler = scheduler;
            EXPECT(PCCD_OK, pccd_context_create(&def, &context), "");
            pccd_context_info_init(&info, sizeof info);
            EXPECT(PCCD_OK, pccd_context_info_get(context, &info), "");
            CHECK(info.thread_count == counts[i] && info.scheduler == scheduler && info.uses_tasks == 0);
            CHECK(sheets_open(&it, context));
            for (frame = 0; frame < FRAMES; ++frame) CHECK(sheets_run(&it, frame));
            EXPECT(PCCD_OK, pccd_context_destroy(context), "");
        }
    }
}

static uint32_t threads_of(pccd_context *context) {
    pccd_context_info info;
    pccd_context_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_context_info_get(context, &info), "");
    return info.thread_count;
}

static void counts_that_change(void) {
    static const uint32_t counts[] = {4, 2, 2, 8, 1, 3};
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    sheets it;
    size_t i;
    section("counts that change");
    CHECK(sheets_open(&it, context));
    CHECK(sheets_run(&it, 0));
    for (i = 0; i < sizeof counts / sizeof *counts; ++i) {
        EXPECT(PCCD_OK, pccd_context_set_threads(context, counts[i]), "");
        CHECK(threads_of(context) == counts[i]);
        /* Results outlive the threads that found them. */
        CHECK(sheets_are_right(&it, (int)(i % FRAMES)));
        CHECK(sheets_run(&it, (int)((i + 1) % FRAMES)));
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_set_threads(context, 0), "thread_count is 0", "1 to 1024");
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_set_threads(context, 1025), "thread_count is 1025");
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_set_threads(context, UINT32_MAX), "thread_count is 4294967295");
        CHECK(threads_of(context) == counts[i]);
        CHECK(sheets_run(&it, (int)((i + 1) % FRAMES)));
    }
    EXPECT(PCCD_ERR_NULL, pccd_context_set_threads(NULL, 2), "context is null");
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_set_threads(context, 2), "context is 0x");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

static void a_thousand_contexts(void) {
    counting memory = {0};
    int i, failures = 0;
    section("a thousand contexts");
    for (i = 0; i < 1000; ++i) {
        pccd_context *context = new_context(1 + (uint32_t)i % 4, &memory);
        if (i % 5 == 0 && pccd_context_set_threads(context, 3) != PCCD_OK) ++failures;
        if (i % 100 == 0) {
            sheets it;
            if (!sheets_open(&it, context) || !sheets_run(&it, 1)) ++failures;
        }
        if (pccd_context_destroy(context) != PCCD_OK) ++failures;
    }
    CHECK(failures == 0);
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

typedef struct lane {
    pccd_context *context;
    int runs, right;
} lane;

static void *run_alone(void *user) {
    lane *self = user;
    sheets it;
    int i;
    if (!sheets_open(&it, self->context)) return NULL;
    for (i = 0; i < 2 * FRAMES; ++i) {
        self->right += sheets_run(&it, i % FRAMES);
        ++self->runs;
    }
    return NULL;
}

static void two_at_once(void) {
    lane lanes[2];
    pthread_t threads[2];
    int i;
    section("two contexts in two threads");
    memset(lanes, 0, sizeof lanes);
    for (i = 0; i < 2; ++i) {
        lanes[i].context = new_context(2 + (uint32_t)i, NULL);
        CHECK(pthread_create(&threads[i], NULL, run_alone, &lanes[i]) == 0);
    }
    for (i = 0; i < 2; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(lanes[i].runs == 2 * FRAMES && lanes[i].right == lanes[i].runs);
        /* Idle, and destroyed by another thread than the one that used it. */
        EXPECT(PCCD_OK, pccd_context_destroy(lanes[i].context), "");
    }
}

void threads_of_pools(void) {
    every_count();
    counts_that_change();
    a_thousand_contexts();
    two_at_once();
}

void threads_that_the_system_refuses(void) {
    struct rlimit before, limit;
    pccd_context *context = new_context(3, NULL);
    sheets it;
    section("threads that the system refuses");
    CHECK(sheets_open(&it, context) && sheets_run(&it, 0));
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    limit = before;
    limit.rlim_cur = 512u << 20;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    EXPECT(PCCD_ERR_THREAD, pccd_context_set_threads(context, 1024), "thread_count is 1024", "refused");
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(threads_of(context) == 3);
    CHECK(sheets_are_right(&it, 0) && sheets_run(&it, 1));
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
}
