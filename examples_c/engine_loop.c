/*
 * The main loop of an engine with libpccd in it, as an engine would have it: a fixed time step, the library on the engine's own
 * job system, with the engine's own allocator and log.
 *
 * Frames of the display come when they like; the simulation goes in steps of equal length, as many as fit. In every step a sheet
 * moves on, and all its collisions with itself are found. After a few seconds everything has grown as far as it will: from then on
 * the library must neither allocate anything nor create a thread, and this program counts whether it does. In the end a step is cancelled from
 * another thread, and everything is shut down: nothing may be left in the allocator.
 *
 * Build and run:   make -C examples_c && examples_c/build/engine_loop
 */
#define _XOPEN_SOURCE 700
#include "command_line.h"
#include "jobs.h"
#include "library.h"
#include "program.h"
#include "sheet.h"

#include <pccd.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char program_name[] = "engine_loop";

/* Steps of a sixtieth of a second. The motion repeats itself every second. */
enum { STEPS_PER_SECOND = 60, PERIOD = STEPS_PER_SECOND, EXIT_BROKEN = 1 };

/* ---- the engine's allocator: the system's, and it counts ---- */

typedef struct ledger {
    uint64_t calls;  /* of both functions */
    uint64_t blocks, bytes, most_bytes;
} ledger;

/* The library calls these on any thread, but never on two at once: there is nothing to lock. */
static void *engine_alloc(size_t size, size_t alignment, void *user)
{
    ledger *it = user;
    void *memory;

    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0)
        return NULL; /* The call that needed it fails with PCCD_ERR_OUT_OF_MEMORY, and nothing else happens. */
    it->calls++;
    it->blocks++;
    it->bytes += size;
    if (it->bytes > it->most_bytes)
        it->most_bytes = it->bytes;
    return memory;
}

static void engine_free(void *memory, size_t size, size_t alignment, void *user)
{
    ledger *it = user;

    (void)alignment;
    it->calls++;
    it->blocks--;
    it->bytes -= size;
    free(memory);
}

/* ---- the engine's log ---- */

static void engine_log(int32_t level, const char *message, void *user)
{
    uint64_t *counts = user;

    if (level >= PCCD_LOG_ERROR && level <= PCCD_LOG_INFO)
        counts[level]++;
    if (level <= PCCD_LOG_WARNING)
        fprintf(stderr, "engine_loop: [pccd] %s\n", message);
}

/* ---- the engine's job system ---- */

/*
 * Every worker of the library has buffers of its own, which grow with what it has to do, and who does what is different in every
 * step. So that all of them grow during the warm-up, each worker in turn has to do all of the work for a while: its task
 * is run at once, before the others have a chance, and these are not run at all.
 */
typedef struct task_hooks {
    jobs *all;
    int warming_up;
    uint64_t favourite; /* the worker that does everything; 0 is the thread that makes the call */
    uint64_t enqueued;  /* in this call */
} task_hooks;

static void *enqueue(pccd_task_fn task, void *task_context, void *user)
{
    task_hooks *it = user;

    it->enqueued++;
    if (it->warming_up) {
        if (it->enqueued == it->favourite)
            task(task_context);
        return NULL; /* It was run already, or never will be: both are fine. */
    }
    /* If there are too many jobs this is null, too. */
    return jobs_submit(it->all, JOB_URGENT, task, task_context);
}

static void finish(void *handle, void *user)
{
    task_hooks *it = user;

    jobs_wait(it->all, handle);
}

/* Threads of this process, where the system tells; 0 elsewhere. */
static unsigned thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    unsigned count = 0;

    if (tasks == NULL)
        return 0;
    while ((entry = readdir(tasks)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* ---- the world ---- */

typedef struct options {
    uint64_t threads, steps, size;
} options;

typedef struct engine {
    const options *chosen;
    task_hooks tasks;
    ledger memory;
    uint64_t logged[PCCD_LOG_INFO + 1];
    sheet body;
    pccd_context *context;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
    uint64_t step, contacts, most_contacts;
} engine;

/* Where the sheet is after a step: waves that break, and the same again after a period. */
static void pose(engine *it, uint64_t step)
{
    double turn = 6.283185307179586 * (double)(step % PERIOD) / PERIOD;

    sheet_pose(&it->body, 0.05 + 0.03 * sin(turn), 0.5 * cos(turn), turn);
}

static int start(engine *it)
{
    pccd_context_def def;
    pccd_bvh_def bvh_def;

    if (!sheet_create(&it->body, (size_t)it->chosen->size))
        return 0;
    pose(it, 0);
    it->tasks.all = jobs_start((int)it->chosen->threads);
    if (it->tasks.all == NULL)
        return complain("no memory, or no threads");
    if (!succeeded("pccd_context_def_init", pccd_context_def_init(&def, sizeof def)))
        return 0;
    def.abi_version = PCCD_ABI_VERSION;
    def.thread_count = (uint32_t)it->chosen->threads;
    def.log = engine_log;
    def.log_user = it->logged;
    def.alloc = engine_alloc;
    def.free = engine_free;
    def.memory_user = &it->memory;
    def.enqueue = enqueue;
    def.finish = finish;
    def.task_user = &it->tasks;
    if (!succeeded("pccd_context_create", pccd_context_create(&def, &it->context)) ||
        !sheet_mesh(&it->body, it->context, &it->mesh) ||
        !succeeded("pccd_bvh_def_init", pccd_bvh_def_init(&bvh_def, sizeof bvh_def)))
        return 0;
    /* The sheet comes back to where it was, so its hierarchy need not be rebuilt, neither as a whole (which takes memory
     * while it lasts) nor in parts. So it stays the same, and what a step needs repeats itself exactly. */
    bvh_def.rebuild_quality = 0.0;
    bvh_def.volume_ratio = 0.0;
    return succeeded("pccd_bvh_create", pccd_bvh_create(it->context, &bvh_def, &it->bvh)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(it->context, it->bvh, it->mesh)) &&
           succeeded("pccd_query_create", pccd_query_create(it->context, NULL, &it->query));
}

/* One step of fixed length. */
static int step(engine *it)
{
    pccd_view positions;
    const pccd_contact *contacts;

    pose(it, ++it->step);
    positions = sheet_positions(&it->body);
    it->tasks.enqueued = 0;
    if (!succeeded("pccd_mesh_move", pccd_mesh_move(it->context, it->mesh, &positions)) ||
        !succeeded("pccd_query_run", pccd_query_run(it->context, it->query, it->bvh)) ||
        !succeeded("pccd_query_contacts", pccd_query_contacts(it->context, it->query, &contacts, &it->contacts)))
        return 0;
    /* Here an engine would hand the contacts to its solver. They stay valid until the next run. */
    if (it->contacts > it->most_contacts)
        it->most_contacts = it->contacts;
    return 1;
}

/* Steps until there have been so many. The display is slower than the simulation at times, and faster at others. */
static int frames(engine *it, uint64_t last_step, uint64_t *frame)
{
    static const double durations[] = {0.016, 0.017, 0.033, 0.008, 0.021, 0.005};
    double waiting = 0.0;

    while (it->step < last_step) {
        waiting += durations[(*frame)++ % (sizeof durations / sizeof durations[0])];
        while (waiting >= 1.0 / STEPS_PER_SECOND && it->step < last_step) {
            waiting -= 1.0 / STEPS_PER_SECOND;
            if (!step(it))
                return 0;
        }
    }
    return 1;
}

/* A period for each worker. Then all of them together, until nothing has grown for three periods. */
static int warm_up(engine *it, uint64_t *frame)
{
    int periods, quiet = 0;

    it->tasks.warming_up = 1;
    for (it->tasks.favourite = 0; it->tasks.favourite < it->chosen->threads; it->tasks.favourite++) {
        if (!frames(it, it->step + PERIOD, frame))
            return 0;
    }
    it->tasks.warming_up = 0;
    for (periods = 0; periods < 50 && quiet < 3; periods++) {
        uint64_t calls = it->memory.calls;

        if (!frames(it, it->step + PERIOD, frame))
            return 0;
        quiet = it->memory.calls == calls ? quiet + 1 : 0;
    }
    return 1;
}

static void cancel(void *data)
{
    engine *it = data;

    pccd_query_cancel(it->context, it->query);
}

/* Another thread cancels a step, as it would when the level is left. Whether it comes in time is up to the system: as often as it
 * takes. */
static int cancel_a_step(engine *it)
{
    int attempt;

    for (attempt = 0; attempt < 1000; attempt++) {
        pccd_status status = pccd_query_begin(it->context, it->query, it->bvh);
        job *other;

        if (!succeeded("pccd_query_begin", status))
            return 0;
        other = jobs_submit(it->tasks.all, JOB_URGENT, cancel, it);
        if (other != NULL)
            jobs_wait(it->tasks.all, other);
        status = pccd_query_end(it->context, it->query);
        if (!succeeded("pccd_query_end", status))
            return 0;
        if (status == PCCD_CANCELLED)
            return 1;
    }
    return complain("no step could be cancelled");
}

/* Returns 0 if the library fails, and -1 if it allocates, creates threads or leaves something behind. */
static int run(engine *it)
{
    uint64_t frame = 0, calls, bytes, kept = 0;
    unsigned threads;
    int result = 1;

    if (!start(it) || !warm_up(it, &frame))
        return 0;
    calls = it->memory.calls, bytes = it->memory.bytes, threads = thread_count();
    printf("warm-up      %" PRIu64 " steps in %" PRIu64 " frames, %" PRIu64 " calls of the allocator, %" PRIu64 " bytes\n",
           it->step, frame, calls, bytes);
    if (!frames(it, it->step + it->chosen->steps, &frame))
        return 0;
    calls = it->memory.calls - calls, threads = thread_count() - threads;
    printf("then         %" PRIu64 " steps, %" PRIu64 " contacts at most in one\n", it->chosen->steps, it->most_contacts);
    printf("allocator    %" PRIu64 " calls\n", calls);
    printf("threads      %u created\n", threads);
    if (calls != 0 || threads != 0)
        result = -1;
    if (!cancel_a_step(it) || !step(it))
        return 0;
    printf("cancelled    a step; the next one found %" PRIu64 " contacts\n", it->contacts);
    kept = it->memory.bytes;
    if (!succeeded("pccd_context_destroy", pccd_context_destroy(it->context)))
        return 0;
    it->context = NULL;
    printf("shut down    %" PRIu64 " of %" PRIu64 " bytes left, %" PRIu64 " messages, %" PRIu64 " errors\n", it->memory.bytes, kept,
           it->logged[PCCD_LOG_INFO] + it->logged[PCCD_LOG_WARNING], it->logged[PCCD_LOG_ERROR]);
    if (it->memory.bytes != 0 || it->memory.blocks != 0 || it->logged[PCCD_LOG_ERROR] != 0)
        result = -1;
    return result;
}

static const char *const help =
    "usage: engine_loop [options]\n"
    "\n"
    "Runs the main loop of an engine, and counts what the library allocates after a warm-up.\n"
    "\n"
    "  --threads N  threads of the engine, the main one included: 1 to 64 (default 4)\n"
    "  --steps N    steps after the warm-up (default 360)\n"
    "  --size N     vertices along a side of the sheet: 2 to 2000 (default 50)\n"
    "  --help       print this\n"
    "\n"
    "Exit status: 0 if all went well, 1 if the library has allocated memory, created threads or left something\n"
    "behind, 2 if the command line is wrong or the library reports an error.\n";

int main(int argc, char **argv)
{
    options chosen = {4, 360, 50};
    const option known[] = {
        {"--threads", OPTION_COUNT, &chosen.threads, 64, NULL},
        {"--steps", OPTION_COUNT, &chosen.steps, 1000000, NULL},
        {"--size", OPTION_COUNT, &chosen.size, 2000, NULL},
    };
    engine it = {0};
    int result;
    options_verdict verdict = sheet_command_line(argc, argv, help, known, sizeof known / sizeof known[0], &chosen.size);

    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    it.chosen = &chosen;
    result = run(&it);
    /* The context before the job system: it needs that until it is gone. */
    if (it.context != NULL && !succeeded("pccd_context_destroy", pccd_context_destroy(it.context)))
        result = 0;
    jobs_stop(it.tasks.all);
    sheet_free(&it.body);
    if (!finish_output())
        result = 0;
    return result > 0 ? 0 : result < 0 ? EXIT_BROKEN : EXIT_CANNOT_RUN;
}
