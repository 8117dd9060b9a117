/* Steps of a pipeline that are cancelled: the results of the last one that was completed stay, and the next one goes on from there. */
#define _XOPEN_SOURCE 700
#include "check.h"
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

/* So many that a step takes much longer than memcheck lets a thread run at a time. */
enum { OBJECTS = 1500 };

/* When the job system cancels the step. */
typedef enum moment { NEVER, BEFORE_A_TASK, AFTER_A_TASK, MOMENTS } moment;

typedef struct steps {
    pccd_context *context;
    pccd_pipeline pipeline;
    pccd_object objects[OBJECTS];
    double positions[OBJECTS][3], rotations[OBJECTS][4];
    moment moment;
    int tasks, mistakes;
} steps;

static void *run_at_once(pccd_task_fn task, void *task_context, void *user) {
    steps *self = user;
    ++self->tasks;
    if (self->moment == BEFORE_A_TASK) self->mistakes += pccd_pipeline_cancel(self->context, self->pipeline) != PCCD_OK;
    task(task_context);
    if (self->moment == AFTER_A_TASK) self->mistakes += pccd_pipeline_cancel(self->context, self->pipeline) != PCCD_OK;
    return NULL;
}

static void nothing_to_finish(void *handle, void *user) {
    (void)handle;
    ++((steps *)user)->mistakes;
}

/* Rows of boxes, of which every second one is moved to and fro. */
static void place(steps *self, int phase) {
    int i;
    pccd_view positions = view_of(self->positions, OBJECTS, 0, PCCD_FORMAT_F64X3);
    pccd_view rotations = view_of(self->rotations, OBJECTS, 0, PCCD_FORMAT_F64X4);
    for (i = 0; i < OBJECTS; ++i) {
        self->positions[i][0] = 0.9 * (i % 30) + (i % 2 == 1 && phase == 1 ? 0.3 : 0.0);
        self->positions[i][1] = 3.0 * (i / 30);
        self->positions[i][2] = 0;
        memset(self->rotations[i], 0, sizeof self->rotations[i]);
        self->rotations[i][3] = 1;
    }
    EXPECT(PCCD_OK,
           pccd_pipeline_set_transforms(self->context, self->pipeline, self->objects, OBJECTS, &positions, &rotations), "");
}

static void open_steps(steps *self, uint32_t threads, uint32_t phases, int hooked) {
    pccd_context_def def;
    pccd_pipeline_def pipeline;
    pccd_object_def object;
    int i;
    memset(self, 0, sizeof *self);
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = threads;
    if (hooked) {
        def.enqueue = run_at_once;
        def.finish = nothing_to_finish;
        def.task_user = self;
    }
    EXPECT(PCCD_OK, pccd_context_create(&def, &self->context), "");
    pccd_pipeline_def_init(&pipeline, sizeof pipeline);
    pipeline.phases = phases;
    EXPECT(PCCD_OK, pccd_pipeline_create(self->context, &pipeline, &self->pipeline), "");
    pccd_object_def_init(&object, sizeof object);
    object.shape = PCCD_SHAPE_BOX;
    object.half_extents[0] = object.half_extents[1] = object.half_extents[2] = 0.5;
    for (i = 0; i < OBJECTS; ++i)
        EXPECT(PCCD_OK, pccd_pipeline_add(self->context, self->pipeline, &object, &self->objects[i]), "");
}

static uint64_t hash_of_step(steps *self) {
    uint64_t hash = 0;
    EXPECT(PCCD_OK, pccd_pipeline_hash(self->context, self->pipeline, &hash), "");
    return hash;
}

/* Every pair and every point, so that memcheck sees each byte. */
static double sum_of_results(steps *self) {
    const pccd_pair *pairs;
    const pccd_contact_point *points;
    uint64_t pair_count, point_count, i;
    double sum = 0;
    EXPECT(PCCD_OK, pccd_pipeline_pairs(self->context, self->pipeline, &pairs, &pair_count), "");
    EXPECT(PCCD_OK, pccd_pipeline_points(self->context, self->pipeline, &points, &point_count), "");
    CHECK(pair_count > 0 && point_count > 0);
    for (i = 0; i < pair_count; ++i) sum += (double)pairs[i].state + (double)pairs[i].point_count + pairs[i].toi;
    for (i = 0; i < point_count; ++i) sum += points[i].point[0] + points[i].normal[1] + points[i].depth;
    return sum;
}

static void by_the_job_system(uint32_t phases, moment when) {
    steps self;
    uint64_t first, second;
    double sum;
    int tasks;
    open_steps(&self, 3, phases, 1);
    place(&self, 0);
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    first = hash_of_step(&self);
    sum = sum_of_results(&self);
    place(&self, 1);
    tasks = self.tasks;
    self.moment = when;
    EXPECT(PCCD_CANCELLED, pccd_pipeline_step(self.context, self.pipeline), "");
    CHECK(self.tasks > tasks);
    CHECK(hash_of_step(&self) == first && sum_of_results(&self) == sum);
    /* Not affected by what came before. */
    self.moment = NEVER;
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    second = hash_of_step(&self);
    CHECK(second != first && self.mistakes == 0);
    EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");

    /* The same as without the one that was cancelled. */
    open_steps(&self, 1, phases, 0);
    place(&self, 0);
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    CHECK(hash_of_step(&self) == first);
    place(&self, 1);
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    CHECK(hash_of_step(&self) == second);
    EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");
}

typedef struct canceller {
    steps *steps;
    pthread_mutex_t mutex;
    int stop, mistakes;
} canceller;

static void *keep_cancelling(void *user) {
    canceller *self = user;
    unsigned random = 7;
    int stop = 0;
    while (!stop) {
        unsigned pause;
        random = random * 1664525u + 1013904223u;
        for (pause = (random >> 8) % 50; pause > 0; --pause) sched_yield();
        self->mistakes += pccd_pipeline_cancel(self->steps->context, self->steps->pipeline) != PCCD_OK;
        pthread_mutex_lock(&self->mutex);
        stop = self->stop;
        pthread_mutex_unlock(&self->mutex);
    }
    return NULL;
}

/* Until one was cancelled, which is a matter of luck, and under memcheck on a busy machine of much patience. Where it stands still nothing begins or ends. */
static void at_random_moments(uint32_t threads, uint32_t phases) {
    steps self;
    canceller other;
    pthread_t thread;
    uint64_t hash;
    int i, cancelled = 0, wrong = 0;
    open_steps(&self, threads, phases, 0);
    place(&self, 0);
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    EXPECT(PCCD_OK, pccd_pipeline_step(self.context, self.pipeline), "");
    hash = hash_of_step(&self);
    memset(&other, 0, sizeof other);
    other.steps = &self;
    pthread_mutex_init(&other.mutex, NULL);
    CHECK(pthread_create(&thread, NULL, keep_cancelling, &other) == 0);
    for (i = 0; i < 6 || (i < 100000 && cancelled == 0); ++i) {
        pccd_status status = pccd_pipeline_step(self.context, self.pipeline);
        cancelled += status == PCCD_CANCELLED;
        wrong += (status != PCCD_OK && status != PCCD_CANCELLED) || hash_of_step(&self) != hash;
    }
    pthread_mutex_lock(&other.mutex);
    other.stop = 1;
    pthread_mutex_unlock(&other.mutex);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_mutex_destroy(&other.mutex);
    CHECK(cancelled > 0 && wrong == 0 && other.mistakes == 0);
    EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");
}

void cancelled_steps(void) {
    static const uint32_t phases[] = {PCCD_PHASES_SEQUENTIAL, PCCD_PHASES_SIMULTANEOUS};
    int i, when;
    section("steps of a pipeline that are cancelled");
    for (i = 0; i < 2; ++i) {
        for (when = BEFORE_A_TASK; when < MOMENTS; ++when) by_the_job_system(phases[i], (moment)when);
        at_random_moments(1, phases[i]);
        at_random_moments(3, phases[i]);
    }
}
