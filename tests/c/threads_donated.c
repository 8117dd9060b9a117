/* Threads that the caller donates to runs that were begun. */
#define _XOPEN_SOURCE 700
#include "sheets.h"
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 3, MOST_DONATED = 5 };

typedef struct donor {
    const sheets *it;
    pthread_t thread;
    pccd_status status;
} donor;

static void *work(void *user) {
    donor *self = user;
    self->status = pccd_query_work(self->it->context, self->it->query);
    return NULL;
}

static void join_all(donor *donors, int count) {
    int i;
    for (i = 0; i < count; ++i) {
        CHECK(pthread_join(donors[i].thread, NULL) == 0);
        CHECK(donors[i].status == PCCD_OK);
    }
}

static void any_number(uint32_t scheduler) {
    pccd_context_def def;
    pccd_context *context = NULL;
    sheets it;
    donor donors[MOST_DONATED];
    int count, i, frame = 0, round;
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = PLACES;
    def.scheduler = scheduler;
    EXPECT(PCCD_OK, pccd_context_create(&def, &context), "");
    CHECK(sheets_open(&it, context));
    for (round = 0; round < 3; ++round) {
        for (count = 0; count <= MOST_DONATED; ++count) {
            frame = (frame + 1) % FRAMES;
            CHECK(sheets_move(&it, frame));
            EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
            for (i = 0; i < count; ++i) {
                donors[i].it = &it;
                CHECK(pthread_create(&donors[i].thread, NULL, work, &donors[i]) == 0);
            }
            /* Every other time all are through before the end. */
            if (round == 1) join_all(donors, count);
            EXPECT(PCCD_OK, pccd_query_end(it.context, it.query), "");
            CHECK(sheets_are_right(&it, frame));
            if (round != 1) join_all(donors, count);
            /* Too late, but no mistake. */
            EXPECT(PCCD_OK, pccd_query_work(it.context, it.query), "");
            CHECK(sheets_are_right(&it, frame));
        }
    }
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_work(it.context, it.query), "context is 0x");
}

/* With one thread there is one place, for whoever comes first. */
static void one_place(void) {
    counting memory = {0};
    sheets it;
    int frame;
    section("one place");
    CHECK(sheets_open(&it, new_context(1, &memory)));
    for (frame = 0; frame < FRAMES; ++frame) {
        CHECK(sheets_move(&it, frame));
        EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
        if (frame == 1) EXPECT(PCCD_OK, pccd_query_work(it.context, it.query), "");
        EXPECT(PCCD_OK, pccd_query_end(it.context, it.query), "");
        CHECK(sheets_are_right(&it, frame));
    }
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

static void *end_it(void *user) {
    donor *self = user;
    self->status = pccd_query_end(self->it->context, self->it->query);
    return NULL;
}

/* Begun here, ended by another thread; also with fewer contacts than there are, and none at all. */
static void ends_elsewhere(void) {
    sheets it;
    donor other;
    pccd_query_def def;
    pccd_query few;
    pccd_bvh empty;
    uint64_t count;
    section("begun here and ended there");
    CHECK(sheets_open(&it, new_context(2, NULL)));
    CHECK(sheets_move(&it, 1));
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    other.it = &it;
    CHECK(pthread_create(&other.thread, NULL, end_it, &other) == 0);
    CHECK(pthread_join(other.thread, NULL) == 0);
    CHECK(other.status == PCCD_OK && sheets_are_right(&it, 1));

    pccd_query_def_init(&def, sizeof def);
    def.capacity = 5;
    EXPECT(PCCD_OK, pccd_query_create(it.context, &def, &few), "");
    EXPECT(PCCD_OK, pccd_query_begin(it.context, few, it.bvh), "");
    EXPECT(PCCD_INCOMPLETE, pccd_query_end(it.context, few), "");
    EXPECT(PCCD_INCOMPLETE, pccd_query_copy_contacts(it.context, it.query, NULL, 0, &count), "");
    CHECK(count == expected[1].count);

    EXPECT(PCCD_OK, pccd_bvh_create(it.context, NULL, &empty), "");
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, empty), "");
    EXPECT(PCCD_OK, pccd_query_end(it.context, it.query), "");
    CHECK(sheets_are_empty(&it));
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
}

void donated_threads(void) {
    section("donated threads");
    any_number(PCCD_SCHEDULER_ASSIGNMENT);
    any_number(PCCD_SCHEDULER_STEALING);
    one_place();
    ends_elsewhere();
}

/* ---- what else is called meanwhile ---- */

void begun_runs_and_other_calls(void) {
    sheets it;
    pccd_query other;
    pccd_bvh bvh;
    pccd_mesh mesh;
    pccd_context_info info;
    pccd_query_stats stats;
    pccd_view view = view_of(NULL, 0, 0, PCCD_FORMAT_F64X3);
    const pccd_contact *contacts;
    uint64_t count;
    char words[40];
    section("calls between begin and end");
    CHECK(sheets_open(&it, new_context(2, NULL)));
    EXPECT(PCCD_OK, pccd_query_create(it.context, NULL, &other), "");
    CHECK(sheets_run(&it, 0));
    pccd_context_info_init(&info, sizeof info);
    pccd_query_stats_init(&stats, sizeof stats);

    /* Nothing was begun. */
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_work(it.context, it.query), "query.id is 0x", "pccd_query_begin");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, it.query), "query.id is 0x", "pccd_query_begin");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, query_handle(77)), "query.id is 0x4d");
    EXPECT(PCCD_ERR_NULL, pccd_query_work(it.context, query_handle(0)), "query.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_query_end(it.context, query_handle(0)), "query.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_query_cancel(it.context, query_handle(0)), "query.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_query_begin(NULL, it.query, it.bvh), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_work(NULL, it.query), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_end(NULL, it.query), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_query_cancel(NULL, it.query), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_cancel((pccd_context *)0x1234, it.query), "context is 0x1234");
    /* What cannot be begun leaves all as it was. */
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_begin(it.context, query_handle(77), it.bvh), "query.id is 0x4d");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_begin(it.context, it.query, bvh_handle(77)), "bvh.id is 0x4d");
    EXPECT(PCCD_ERR_NULL, pccd_query_begin(it.context, query_handle(0), it.bvh), "query.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_query_begin(it.context, it.query, bvh_handle(0)), "bvh.id is 0");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, it.query), "query.id is 0x");
    CHECK(sheets_are_right(&it, 0));

    CHECK(sheets_move(&it, 2));
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    EXPECT(PCCD_ERR_BUSY, pccd_query_begin(it.context, it.query, it.bvh), "context is 0x", "was begun", "pccd_query_end()");
    EXPECT(PCCD_ERR_BUSY, pccd_query_begin(it.context, other, it.bvh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_query_run(it.context, it.query, it.bvh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_query_contacts(it.context, it.query, &contacts, &count), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_query_stats_get(it.context, it.query, &stats), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_query_destroy(it.context, it.query), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_query_create(it.context, NULL, &other), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_bvh_create(it.context, NULL, &bvh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_bvh_update(it.context, it.bvh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_bvh_destroy(it.context, it.bvh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_mesh_create(it.context, NULL, &mesh), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_mesh_destroy(it.context, it.meshes[0]), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_mesh_move(it.context, it.meshes[0], &view), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_ccd_batch(it.context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_trace_enable(it.context, it.query, 1), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_context_set_threads(it.context, 2), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_context_info_get(it.context, &info), "was begun");
    EXPECT(PCCD_ERR_BUSY, pccd_context_destroy(it.context), "was begun");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_work(it.context, other), "query.id is 0x", "another query");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, other), "query.id is 0x", "another query");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, other), "");
    EXPECT(PCCD_OK, pccd_query_end(it.context, it.query), "");
    CHECK(sheets_are_right(&it, 2));
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, it.query), "query.id is 0x");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_work(it.context, other), "query.id is 0x");

    /* The sentence names the query whose run it is. */
    EXPECT(PCCD_OK, pccd_query_begin(it.context, other, it.bvh), "");
    snprintf(words, sizeof words, "a run of query 0x%llx was begun", (unsigned long long)other.id);
    EXPECT(PCCD_ERR_BUSY, pccd_context_destroy(it.context), words);
    EXPECT(PCCD_OK, pccd_query_end(it.context, other), "");
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
}
