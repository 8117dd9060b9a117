/*
 * libpccd on the threads of an engine: the library creates none of its own.
 *
 * An engine has its job system (jobs.h), which animates particles all the time. Two hooks let the library use
 * it: one that takes on a task, and one that waits for it. Every frame a sheet rolls up a bit more, and all
 * its collisions with itself are found beside the other jobs. The same frames go through a context with one
 * thread, and both have to find the same, bit for bit.
 *
 * Build and run:   make -C examples_c && examples_c/build/job_system
 */
#define _XOPEN_SOURCE 700
#include "command_line.h"
#include "jobs.h"
#include "library.h"
#include "program.h"
#include "sheet.h"

#include <pccd.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

const char program_name[] = "job_system";

enum { PARTICLE_JOBS = 24, PARTICLES = 3000, EXIT_DIFFERENT = 1 };

/* ---- the hooks: all that it takes ---- */

/* Called by the library on the thread that called it. Collisions are urgent: the frame waits for them. */
static void *enqueue(pccd_task_fn task, void *task_context, void *user)
{
    job *queued = jobs_submit(user, JOB_URGENT, task, task_context);

    if (queued == NULL)
        task(task_context); /* Too many jobs: at once, then. The null handle says that it is done. */
    return queued;
}

/* Called once for each handle that is not null. */
static void finish(void *handle, void *user)
{
    jobs_wait(user, handle);
}

/* ---- a sheet that rolls up ---- */

/* Waves that grow until they break: from then on they pass through their neighbours. */
static void roll_up(sheet *it, double time)
{
    sheet_pose(it, 0.02 + 0.1 * time, 4.0 * time, 3.0 * time);
}

/* ---- a world of the library: with hooks, or on one thread ---- */

typedef struct world {
    pccd_context *context;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
} world;

static int world_create(world *it, const sheet *body, jobs *all, uint32_t threads)
{
    pccd_context_def def;

    it->context = NULL;
    if (!succeeded("pccd_context_def_init", pccd_context_def_init(&def, sizeof def)))
        return 0;
    def.abi_version = PCCD_ABI_VERSION;
    if (all != NULL) {
        def.thread_count = threads; /* so many workers, the calling thread included */
        def.enqueue = enqueue;
        def.finish = finish;
        def.task_user = all;
    }
    return succeeded("pccd_context_create", pccd_context_create(&def, &it->context)) &&
           sheet_mesh(body, it->context, &it->mesh) &&
           succeeded("pccd_bvh_create", pccd_bvh_create(it->context, NULL, &it->bvh)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(it->context, it->bvh, it->mesh)) &&
           succeeded("pccd_query_create", pccd_query_create(it->context, NULL, &it->query));
}

static int world_destroy(world *it)
{
    return it->context == NULL || succeeded("pccd_context_destroy", pccd_context_destroy(it->context));
}

typedef struct found {
    uint64_t count, hash;
    double ms;
} found;

static int world_step(world *it, const sheet *body, found *out)
{
    pccd_view positions = sheet_positions(body);
    pccd_query_stats stats;
    const pccd_contact *contacts;

    if (!succeeded("pccd_mesh_move", pccd_mesh_move(it->context, it->mesh, &positions)) ||
        !succeeded("pccd_query_run", pccd_query_run(it->context, it->query, it->bvh)) ||
        !succeeded("pccd_query_contacts", pccd_query_contacts(it->context, it->query, &contacts, &out->count)) ||
        !succeeded("pccd_query_hash", pccd_query_hash(it->context, it->query, &out->hash)) ||
        !succeeded("pccd_query_stats_init", pccd_query_stats_init(&stats, sizeof stats)) ||
        !succeeded("pccd_query_stats_get", pccd_query_stats_get(it->context, it->query, &stats)))
        return 0;
    out->ms = stats.ms_total;
    return 1;
}

/* ---- what the engine does besides ---- */

typedef struct particles {
    double heights[PARTICLES], speeds[PARTICLES];
} particles;

static void animate(void *data)
{
    particles *some = data;
    int i;

    for (i = 0; i < PARTICLES; i++) {
        some->speeds[i] -= 0.01 * sin(some->heights[i]);
        some->heights[i] += 0.01 * some->speeds[i];
    }
}

/* ---- frames ---- */

typedef struct options {
    uint64_t threads, frames, size;
} options;

typedef struct engine {
    jobs *all;
    sheet body;
    world shared, alone;
    particles *air;
} engine;

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void print_counts(engine *it, uint64_t threads, job_priority priority)
{
    uint64_t thread;

    printf("  ");
    for (thread = 0; thread < threads; thread++)
        printf(" %3u", jobs_count(it->all, (int)thread, priority));
}

/* Returns 0 if the library fails, and -1 if the contacts differ. */
static int run_frame(engine *it, const options *chosen, uint64_t frame)
{
    job *others[PARTICLE_JOBS];
    found shared, alone;
    double start;
    int i, good;

    roll_up(&it->body, (double)frame / (double)chosen->frames);
    start = milliseconds();
    for (i = 0; i < PARTICLE_JOBS; i++) {
        others[i] = jobs_submit(it->all, JOB_LATER, animate, &it->air[i]);
        if (others[i] == NULL)
            animate(&it->air[i]);
    }
    good = world_step(&it->shared, &it->body, &shared);
    for (i = 0; i < PARTICLE_JOBS; i++) {
        if (others[i] != NULL)
            jobs_wait(it->all, others[i]);
    }
    if (!good)
        return 0;
    printf("%5" PRIu64 " %9" PRIu64 " %9.2f %9.2f", frame, shared.count, shared.ms, milliseconds() - start);
    print_counts(it, chosen->threads, JOB_URGENT);
    printf("   |");
    print_counts(it, chosen->threads, JOB_LATER);
    printf("\n");
    if (!world_step(&it->alone, &it->body, &alone))
        return 0;
    if (shared.count == alone.count && shared.hash == alone.hash)
        return 1;
    complain("frame %" PRIu64 ": %" PRIu64 " contacts with hash %016" PRIx64 " from the job system, but %" PRIu64
             " with hash %016" PRIx64 " from one thread",
             frame, shared.count, shared.hash, alone.count, alone.hash);
    return -1;
}

static int run(engine *it, const options *chosen)
{
    uint64_t frame;
    int result = 1;

    printf("A sheet of %zu triangles rolls up. %" PRIu64 " thread%s of the engine, none of the library.\n\n",
           it->body.triangle_count, chosen->threads, chosen->threads == 1 ? "" : "s");
    printf("frame  contacts    run ms  frame ms   tasks of the library, and jobs of the engine, by thread\n");
    for (frame = 1; frame <= chosen->frames && result > 0; frame++)
        result = run_frame(it, chosen, frame);
    if (result > 0)
        printf("\nOne thread found the same contacts in every frame, bit for bit.\n");
    return result;
}

static const char *const help =
    "usage: job_system [options]\n"
    "\n"
    "Finds the collisions of a sheet that rolls up, with the library's tasks on the job system of an engine,\n"
    "and compares them with what one thread finds.\n"
    "\n"
    "  --threads N  threads of the engine, the main one included: 1 to 64 (default 4)\n"
    "  --frames N   frames (default 12)\n"
    "  --size N     vertices along a side of the sheet: 2 to 2000 (default 100)\n"
    "  --help       print this\n"
    "\n"
    "Exit status: 0 if all went well, 1 if contacts differ, 2 if the command line is wrong or the library\n"
    "reports an error.\n";

int main(int argc, char **argv)
{
    options chosen = {4, 12, 100};
    const option known[] = {
        {"--threads", OPTION_COUNT, &chosen.threads, 64, NULL},
        {"--frames", OPTION_COUNT, &chosen.frames, 1000000, NULL},
        {"--size", OPTION_COUNT, &chosen.size, 2000, NULL},
    };
    engine it = {0};
    int result = 0;
    options_verdict verdict =
        sheet_command_line(argc, argv, help, known, sizeof known / sizeof known[0], &chosen.size);

    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    it.all = jobs_start((int)chosen.threads);
    it.air = calloc(PARTICLE_JOBS, sizeof *it.air);
    if (it.all == NULL)
        complain("no threads");
    else if (it.air == NULL)
        complain("out of memory");
    else if (sheet_create(&it.body, (size_t)chosen.size)) {
        roll_up(&it.body, 0.0);
        if (world_create(&it.shared, &it.body, it.all, (uint32_t)chosen.threads) &&
            world_create(&it.alone, &it.body, NULL, 1))
            result = run(&it, &chosen);
    }
    /* Before the job system: it may need that until it is gone. */
    if (!world_destroy(&it.shared))
        result = 0;
    if (!world_destroy(&it.alone))
        result = 0;
    jobs_stop(it.all);
    sheet_free(&it.body);
    free(it.air);
    if (!finish_output())
        result = 0;
    return result > 0 ? 0 : result < 0 ? EXIT_DIFFERENT : EXIT_CANNOT_RUN;
}
