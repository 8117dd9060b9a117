/* Job systems of every temper run the library's tasks. */
#define _XOPEN_SOURCE 700
#include "sheets.h"
#include "threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TASKS = 32 };

typedef enum temper {
    ON_THREADS,       /* a thread for each task */
    INLINE,           /* at once, in enqueue */
    IN_FINISH,        /* when it is waited for, one after the other */
    ALL_IN_FINISH,    /* all when the first is waited for, the last one first */
    NEVER,            /* not at all, which a null handle allows */
    MIXED,            /* one of the above after the other */
    CANCELLING,       /* cancels the run when it is asked to take on a task */
    TEMPERS
} temper;

typedef struct job {
    struct job_system *owner;
    pccd_task_fn task;
    void *context;
    int has_thread, has_run, is_finished;
    pthread_t thread;
} job;

typedef struct job_system {
    temper temper;
    pthread_t caller;
    job jobs[MOST_TASKS];
    int job_count;
    int handles, finished, mistakes, reentries;
    pccd_context *pccd;
    pccd_query query;
} job_system;

static void *run_job(void *user) {
    job *it = user;
    it->task(it->context);
    return NULL;
}

static void *enqueue(pccd_task_fn task, void *task_context, void *user) {
    job_system *self = user;
    temper how = self->temper;
    job *it;
    if (!pthread_equal(pthread_self(), self->caller) || self->job_count == MOST_TASKS) {
        ++self->mistakes;
        return NULL;
    }
    it = &self->jobs[self->job_count++];
    memset(it, 0, sizeof *it);
    it->owner = self;
    it->task = task;
    it->context = task_context;
    if (pccd_context_set_threads(self->pccd, 2) == PCCD_ERR_BUSY) ++self->reentries;
    if (how == MIXED) how = (temper)(self->job_count % MIXED);
    switch (how) {
    case CANCELLING:
        if (pccd_query_cancel(self->pccd, self->query) != PCCD_OK) ++self->mistakes;
        /* fall through */
    case INLINE:
        task(task_context);
        return NULL;
    case NEVER:
        return NULL;
    case ON_THREADS:
        it->has_thread = 1;
        if (pthread_create(&it->thread, NULL, run_job, it) != 0) ++self->mistakes;
        break;
    default:
        break;
    }
    ++self->handles;
    return it;
}

static void finish_job(job *it) {
    if (it->has_thread) {
        pthread_join(it->thread, NULL);
        it->has_thread = 0;
    } else if (!it->has_run) {
        it->task(it->context);
    }
    it->has_run = 1;
}

static void finish_task(void *handle, void *user) {
    job_system *self = user;
    job *it = handle;
    int i;
    if (it == NULL || !pthread_equal(pthread_self(), self->caller) || it->owner != self || it->is_finished) {
        ++self->mistakes;
        return;
    }
    it->is_finished = 1;
    ++self->finished;
    if (self->temper == ALL_IN_FINISH) {
        for (i = self->job_count; i-- > 0;) finish_job(&self->jobs[i]);
    }
    finish_job(it);
}

static pccd_context *hooked(job_system *system, uint32_t threads, uint32_t scheduler, counting *memory) {
    pccd_context_def def;
    pccd_context *context = NULL;
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = threads;
    def.scheduler = scheduler;
    def.enqueue = enqueue;
    def.finish = finish_task;
    def.task_user = system;
    def.alloc = counting_alloc;
    def.free = counting_free;
    def.memory_user = memory;
    EXPECT(PCCD_OK, pccd_context_create(&def, &context), "");
    system->pccd = context;
    system->caller = pthread_self();
    return context;
}

static void batch(pccd_context *context) {
    enum { QUERIES = 1500 };
    static double points[8 * QUERIES][3];
    static pccd_ccd_result results[QUERIES];
    pccd_view view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    size_t i;
    int wrong = 0;
    fill_queries(points, QUERIES);
    EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results), "");
    for (i = 0; i < QUERIES; ++i) wrong += (results[i].flags & PCCD_CCD_HIT) != (i % 3 == 0 ? PCCD_CCD_HIT : 0u);
    CHECK(wrong == 0);
}

static void every_temper(void) {
    static const uint32_t counts[] = {1, 2, 5, 8};
    uint32_t scheduler;
    size_t i;
    int how, frame;
    section("job systems");
    for (how = 0; how < TEMPERS; ++how) {
        for (i = 0; i < sizeof counts / sizeof *counts; ++i) {
            for (scheduler = PCCD_SCHEDULER_ASSIGNMENT; scheduler <= PCCD_SCHEDULER_STEALING; ++scheduler) {
                counting memory = {0};
                job_system *system = calloc(1, sizeof *system);
                pccd_context_info info;
                sheets it;
                CHECK(system != NULL);
                system->temper = (temper)how;
                CHECK(sheets_open(&it, hooked(system, counts[i], scheduler, &memory)));
                system->query = it.query;
                pccd_context_info_init(&info, sizeof info);
                EXPECT(PCCD_OK, pccd_context_info_get(it.context, &info), "");
                CHECK(info.uses_tasks == 1 && info.thread_count == counts[i]);
                for (frame = 0; frame < FRAMES; ++frame) {
                    system->job_count = system->handles = system->finished = 0;
                    if (how == CANCELLING && counts[i] > 1) {
                        CHECK(sheets_move(&it, frame));
                        EXPECT(PCCD_CANCELLED, pccd_query_run(it.context, it.query, it.bvh), "");
                        CHECK(sheets_are_empty(&it));
                    } else {
                        CHECK(sheets_run(&it, frame));
                    }
                    CHECK(system->job_count == (int)counts[i] - 1 && system->finished == system->handles);
                }
                system->job_count = 0;
                batch(it.context);
                CHECK(system->mistakes == 0);
                CHECK((system->reentries > 0) == (counts[i] > 1));
                EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
                CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
                free(system);
            }
        }
    }
}

static void counts_and_mistakes(void) {
    counting memory = {0};
    job_system *system = calloc(1, sizeof *system);
    pccd_context_def def;
    pccd_context *context;
    sheets it;
    section("counts and mistakes of job systems");
    pccd_context_def_init(&def, sizeof def);
    fill_canary(&context, sizeof context);
    def.enqueue = enqueue;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->finish is null", "both or neither");
    def.enqueue = NULL;
    def.finish = finish_task;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->enqueue is null", "both or neither");
    def.enqueue = enqueue;
    def.thread_count = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->thread_count is 0");
    CHECK(is_canary(&context, sizeof context));

    CHECK(system != NULL);
    CHECK(sheets_open(&it, hooked(system, 4, PCCD_SCHEDULER_ASSIGNMENT, &memory)));
    CHECK(sheets_run(&it, 0) && system->job_count == 3);
    system->job_count = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_set_threads(it.context, 0), "thread_count is 0");
    memory.refuse = memory.allocations + 1;
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_context_set_threads(it.context, 7), "7 tasks");
    memory.refuse = 0;
    CHECK(sheets_run(&it, 1) && system->job_count == 3);
    system->job_count = 0;
    EXPECT(PCCD_OK, pccd_context_set_threads(it.context, 7), "");
    CHECK(sheets_run(&it, 2) && system->job_count == 6);
    system->job_count = 0;
    EXPECT(PCCD_OK, pccd_context_set_threads(it.context, 1), "");
    CHECK(sheets_run(&it, 0) && system->job_count == 0);
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
    CHECK(system->mistakes == 0 && memory.bytes == 0 && memory.wrong_free == 0);
    free(system);
}

void threads_of_job_systems(void) {
    every_temper();
    counts_and_mistakes();
}
