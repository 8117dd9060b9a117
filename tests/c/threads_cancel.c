/* Runs that are cancelled, threads that come when all is over, and defects on threads. */
#define _XOPEN_SOURCE 700
#include "sheets.h"
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

typedef struct shared {
    pthread_mutex_t mutex;
    int stop;
    const sheets *it;
    /* What a thread has seen. */
    int calls, mistakes;
} shared;

static int is_stopped(shared *self) {
    int stop;
    pthread_mutex_lock(&self->mutex);
    stop = self->stop;
    pthread_mutex_unlock(&self->mutex);
    return stop;
}

static void stop(shared *self) {
    pthread_mutex_lock(&self->mutex);
    self->stop = 1;
    pthread_mutex_unlock(&self->mutex);
}

static void start(shared *self, const sheets *it) {
    memset(self, 0, sizeof *self);
    pthread_mutex_init(&self->mutex, NULL);
    self->it = it;
}

static unsigned random_below(unsigned *state, unsigned limit) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

/* Cancels at random moments. */
static void *keep_cancelling(void *user) {
    shared *self = user;
    unsigned random = 7;
    while (!is_stopped(self)) {
        unsigned pause = random_below(&random, 100);
        while (pause-- > 0) sched_yield();
        if (pccd_query_cancel(self->it->context, self->it->query) != PCCD_OK) ++self->mistakes;
        ++self->calls;
    }
    return NULL;
}

static void before_and_after(uint32_t threads) {
    sheets it;
    CHECK(sheets_open(&it, new_context(threads, NULL)));
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, query_handle(77)), "");
    CHECK(sheets_run(&it, 0));
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    CHECK(sheets_are_right(&it, 0));
    CHECK(sheets_run(&it, 1));

    /* Before anybody has worked on it. */
    CHECK(sheets_move(&it, 2));
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    EXPECT(PCCD_OK, pccd_query_work(it.context, it.query), "");
    EXPECT(PCCD_CANCELLED, pccd_query_end(it.context, it.query), "");
    CHECK(sheets_are_empty(&it));
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    EXPECT(PCCD_OK, pccd_query_end(it.context, it.query), "");
    CHECK(sheets_are_right(&it, 2));

    /* When all is done, but not ended. */
    CHECK(sheets_move(&it, 1));
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    EXPECT(PCCD_OK, pccd_query_work(it.context, it.query), "");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    EXPECT(PCCD_CANCELLED, pccd_query_end(it.context, it.query), "");
    CHECK(sheets_are_empty(&it));
    CHECK(sheets_run(&it, 0));
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_cancel(it.context, it.query), "context is 0x");
}

static void during(uint32_t threads, uint32_t scheduler, int begun) {
    counting memory = {0};
    pccd_context_def def;
    pccd_context *context = NULL;
    sheets it;
    shared canceller;
    pthread_t thread;
    int i, wrong = 0, cancelled = 0;
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = threads;
    def.scheduler = scheduler;
    def.alloc = counting_alloc;
    def.free = counting_free;
    def.memory_user = &memory;
    EXPECT(PCCD_OK, pccd_context_create(&def, &context), "");
    CHECK(sheets_open(&it, context));
    start(&canceller, &it);
    CHECK(pthread_create(&thread, NULL, keep_cancelling, &canceller) == 0);
    /* Until one was cancelled, which is a matter of luck. */
    for (i = 0; i < 6 || (i < 2000 && cancelled == 0); ++i) {
        int frame = i % FRAMES;
        pccd_status status;
        wrong += !sheets_move(&it, frame);
        if (begun) {
            wrong += pccd_query_begin(it.context, it.query, it.bvh) != PCCD_OK;
            status = pccd_query_end(it.context, it.query);
        } else {
            status = pccd_query_run(it.context, it.query, it.bvh);
        }
        if (status == PCCD_CANCELLED) {
            ++cancelled;
            wrong += !sheets_are_empty(&it);
        } else {
            wrong += status != PCCD_OK || !sheets_are_right(&it, frame);
        }
    }
    stop(&canceller);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(wrong == 0);
    CHECK(canceller.mistakes == 0);
    CHECK(cancelled > 0);
    pthread_mutex_destroy(&canceller.mutex);
    for (i = 0; i < FRAMES; ++i) CHECK(sheets_run(&it, i));
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

void cancelled_runs(void) {
    uint32_t threads;
    section("runs cancelled before and after");
    for (threads = 1; threads <= 3; ++threads) before_and_after(threads);
    section("runs cancelled at random moments");
    for (threads = 1; threads <= 3; ++threads) {
        during(threads, PCCD_SCHEDULER_ASSIGNMENT, 0);
        during(threads, PCCD_SCHEDULER_STEALING, 0);
        during(threads, PCCD_SCHEDULER_ASSIGNMENT, 1);
        during(threads, PCCD_SCHEDULER_STEALING, 1);
    }
}

/* Works whether there is something to do or not, until the context is gone. */
static void *keep_working(void *user) {
    shared *self = user;
    while (!is_stopped(self)) {
        pccd_status status = pccd_query_work(self->it->context, self->it->query);
        if (status != PCCD_OK && status != PCCD_ERR_INVALID_ARGUMENT && status != PCCD_ERR_STALE_HANDLE) ++self->mistakes;
        ++self->calls;
        sched_yield();
    }
    return NULL;
}

void races_with_the_end(void) {
    enum { WORKERS = 3 };
    int round, i, wrong = 0;
    section("threads that race with the end");
    for (round = 0; round < 6; ++round) {
        shared workers[WORKERS];
        pthread_t threads[WORKERS];
        sheets it;
        CHECK(sheets_open(&it, new_context(3, NULL)));
        for (i = 0; i < WORKERS; ++i) {
            start(&workers[i], &it);
            CHECK(pthread_create(&threads[i], NULL, keep_working, &workers[i]) == 0);
        }
        for (i = 0; i < FRAMES; ++i) {
            wrong += !sheets_move(&it, i);
            wrong += pccd_query_begin(it.context, it.query, it.bvh) != PCCD_OK;
            wrong += pccd_query_end(it.context, it.query) != PCCD_OK;
            wrong += !sheets_are_right(&it, i);
            wrong += !sheets_run(&it, i);
        }
        /* They are still at it when the context goes. */
        EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
        for (i = 0; i < WORKERS; ++i) {
            stop(&workers[i]);
            CHECK(pthread_join(threads[i], NULL) == 0);
            CHECK(workers[i].mistakes == 0);
            pthread_mutex_destroy(&workers[i].mutex);
        }
    }
    CHECK(wrong == 0);
}

/* ---- defects and lack of memory ---- */

static void defects(void) {
    sheets it;
    section("defects on donated threads");
    CHECK(sheets_open(&it, new_context(2, NULL)));
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_fault_work(it.context, it.query), "query.id is 0x");
    EXPECT(PCCD_OK, pccd_query_begin(it.context, it.query, it.bvh), "");
    EXPECT(PCCD_ERR_PANIC, pccd_fault_work(it.context, it.query), "a defect", "asked to panic");
    EXPECT(PCCD_ERR_POISONED, pccd_query_work(it.context, it.query), "context is 0x");
    EXPECT(PCCD_OK, pccd_query_cancel(it.context, it.query), "");
    EXPECT(PCCD_ERR_BUSY, pccd_context_destroy(it.context), "was begun");
    EXPECT(PCCD_ERR_POISONED, pccd_query_end(it.context, it.query), "can only be destroyed");
    EXPECT(PCCD_ERR_POISONED, pccd_query_begin(it.context, it.query, it.bvh), "can only be destroyed");
    EXPECT(PCCD_ERR_POISONED, pccd_context_set_threads(it.context, 1), "can only be destroyed");
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
}

static void no_memory(void) {
    counting memory = {0};
    sheets it;
    size_t refuse;
    int in_begin = 0, in_end = 0, done = 0;
    section("no memory for runs that were begun");
    CHECK(sheets_open(&it, new_context(2, &memory)));
    CHECK(sheets_move(&it, 1));
    for (refuse = 1; refuse < 1000 && !done; ++refuse) {
        pccd_status status;
        memory.refuse = memory.allocations + refuse;
        status = pccd_query_begin(it.context, it.query, it.bvh);
        if (status == PCCD_OK) {
            EXPECT(PCCD_OK, pccd_query_work(it.context, it.query), "");
            status = pccd_query_end(it.context, it.query);
            in_end += status == PCCD_ERR_OUT_OF_MEMORY;
        } else {
            ++in_begin;
            EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_query_end(it.context, it.query), "query.id is 0x");
        }
        memory.refuse = 0;
        if (status == PCCD_OK) {
            done = 1;
            CHECK(sheets_are_right(&it, 1));
        } else {
            CHECK(status == PCCD_ERR_OUT_OF_MEMORY && sheets_are_empty(&it));
        }
    }
    CHECK(done && in_begin > 0 && in_end > 0);
    CHECK(sheets_run(&it, 2));
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    CHECK(memory.bytes == 0 && memory.wrong_free == 0);
}

void faults_on_threads(void) {
    defects();
    no_memory();
}
