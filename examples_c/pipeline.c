/*
 * Simulates rigid bodies and prints, for each second of the simulation, what the collision pipeline did: pairs, contacts, times, and how
 * it divided its threads between the phases. `pipeline --help` has the options.
 *
 * This is how an engine uses the pipeline: objects are added once; a step is new transforms for all of them, one call that finds the contacts,
 * and a look at these.
 */
#include "command_line.h"
#include "library.h"
#include "program.h"
#include "rigid_scenes.h"

#include <pccd.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char program_name[] = "pipeline";

static const char help[] =
    "pipeline [options]: rigid bodies through the collision pipeline\n"
    "\n"
    "  --scene NAME      screws, tori, cubes, spheres or boxes (default cubes)\n"
    "  --objects N       moving bodies (default 500, 2000, 3000, 2500 and 100000)\n"
    "  --steps N         steps of 1/60 s (default 240)\n"
    "  --threads N       threads of the library (default 1)\n"
    "  --phases NAME     auto, sequential or simultaneous (default auto)\n"
    "  --broad N         so many threads begin with the broad phase, the others with the narrow one\n"
    "                    (default: the library measures and decides)\n"
    "  --json FILE       write every step to a file\n"
    "  --help            this text\n";

typedef struct settings {
    int32_t scene, phases;
    uint64_t objects, steps, threads, broad;
    const char *json;
} settings;

static const choice phases_choices[] = {{"auto", PCCD_PHASES_AUTO},
                                        {"sequential", PCCD_PHASES_SEQUENTIAL},
                                        {"simultaneous", PCCD_PHASES_SIMULTANEOUS},
                                        {NULL, 0}};

static options_verdict read_settings(int argc, char **argv, settings *chosen)
{
    const option known[] = {{"--scene", OPTION_CHOICE, &chosen->scene, 0, scene_choices},
                            {"--objects", OPTION_COUNT, &chosen->objects, 1000000, NULL},
                            {"--steps", OPTION_COUNT, &chosen->steps, 1000000, NULL},
                            {"--threads", OPTION_COUNT, &chosen->threads, 1024, NULL},
                            {"--phases", OPTION_CHOICE, &chosen->phases, 0, phases_choices},
                            {"--broad", OPTION_COUNT, &chosen->broad, 1023, NULL},
                            {"--json", OPTION_TEXT, &chosen->json, 0, NULL}};
    int file_count;
    options_verdict verdict;

    memset(chosen, 0, sizeof *chosen);
    chosen->scene = SCENE_CUBES;
    chosen->phases = PCCD_PHASES_AUTO;
    chosen->steps = 240;
    chosen->threads = 1;
    verdict = command_line_parse(argc, argv, help, known, sizeof known / sizeof *known, &file_count);
    if (verdict == OPTIONS_RUN && file_count > 0)
        return command_line_bad("there are no files to read");
    if (verdict == OPTIONS_RUN && chosen->broad >= chosen->threads && chosen->broad > 0)
        return command_line_bad("--broad has to leave a thread of --threads for the narrow phase");
    return verdict;
}

/* Sums of some steps. */
typedef struct sums {
    uint64_t steps;
    double pairs, points, broad, narrow, total;
} sums;

static void add_to(sums *sum, const pccd_pipeline_stats *stats)
{
    sum->steps++;
    sum->pairs += (double)(stats->begun_count + stats->kept_count);
    sum->points += (double)stats->point_count;
    sum->broad += stats->ms_boxes + stats->ms_broad;
    sum->narrow += stats->ms_narrow;
    sum->total += stats->ms_total;
}

static void print_row(const char *name, const sums *sum, const pccd_pipeline_stats *last)
{
    double n = (double)sum->steps;

    printf("%8s %8" PRIu64 " %10.1f %10.1f %9.3f %9.3f %9.3f  %" PRIu32 "-%" PRIu32 "\n", name, last->object_count,
           sum->pairs / n, sum->points / n, sum->broad / n, sum->narrow / n, sum->total / n, last->broad_threads,
           last->narrow_threads);
}

static int write_json_step(FILE *json, uint64_t step, const pccd_pipeline_stats *stats)
{
    return fprintf(json,
                   "%s    {\"step\": %" PRIu64 ", \"candidates\": %" PRIu64 ", \"pairs\": %" PRIu64
                   ", \"begun\": %" PRIu64 ", \"ended\": %" PRIu64 ", \"points\": %" PRIu64
                   ", \"ms_total\": %.6f, \"ms_boxes\": %.6f, \"ms_broad\": %.6f, \"ms_narrow\": %.6f, "
                   "\"ms_phases\": %.6f, \"ms_order\": %.6f, \"broad_threads\": %" PRIu32
                   ", \"narrow_threads\": %" PRIu32 "}",
                   step == 1 ? "" : ",\n", step, stats->candidate_count, stats->begun_count + stats->kept_count,
                   stats->begun_count, stats->ended_count, stats->point_count, stats->ms_total, stats->ms_boxes,
                   stats->ms_broad, stats->ms_narrow, stats->ms_phases, stats->ms_order, stats->broad_threads,
                   stats->narrow_threads) > 0;
}

static int simulate(world *self, const settings *chosen, FILE *json)
{
    sums second, all;
    pccd_pipeline_stats stats;
    uint64_t step, hash, combined = 0;
    char name[32];

    memset(&all, 0, sizeof all);
    memset(&second, 0, sizeof second);
    if (!succeeded("pccd_pipeline_stats_init", pccd_pipeline_stats_init(&stats, sizeof stats)))
        return 0;
    printf("\n%8s %8s %10s %10s %9s %9s %9s  split\n", "second", "objects", "pairs", "contacts", "broad ms",
           "narrow ms", "step ms");
    for (step = 1; step <= chosen->steps; step++) {
        if (!world_step(self) ||
            !succeeded("pccd_pipeline_stats_get",
                       pccd_pipeline_stats_get(self->context, self->pipeline, &stats)) ||
            !succeeded("pccd_pipeline_hash", pccd_pipeline_hash(self->context, self->pipeline, &hash)))
            return 0;
        combined = (combined ^ hash) * 0x9e3779b97f4a7c15u;
        add_to(&second, &stats);
        add_to(&all, &stats);
        if (json != NULL)
            write_json_step(json, step, &stats);
        if (step % 60 == 0 || step == chosen->steps) {
            sprintf(name, "%" PRIu64, (step + 59) / 60);
            print_row(name, &second, &stats);
            memset(&second, 0, sizeof second);
        }
    }
    print_row("mean", &all, &stats);
    printf("\nhash of all steps: %016" PRIx64 "\n", combined);
    if (json != NULL)
        fprintf(json, "\n  ],\n  \"hash\": \"%016" PRIx64 "\"\n}\n", combined);
    return 1;
}

static int create_pipeline(world *self, const settings *chosen)
{
    pccd_pipeline_def def;

    if (!succeeded("pccd_pipeline_def_init", pccd_pipeline_def_init(&def, sizeof def)))
        return 0;
    def.phases = (uint32_t)chosen->phases;
    def.margin = 0.01;
    if (chosen->broad > 0) {
        def.broad_threads = (uint32_t)chosen->broad;
        def.narrow_threads = (uint32_t)(chosen->threads - chosen->broad);
    }
    return succeeded("pccd_pipeline_create", pccd_pipeline_create(self->context, &def, &self->pipeline));
}

int main(int argc, char **argv)
{
    settings chosen;
    world self;
    FILE *json = NULL;
    int done;
    options_verdict verdict;

    verdict = read_settings(argc, argv, &chosen);
    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    memset(&self, 0, sizeof self);
    self.step = 1.0 / 60;
    if (!create_context(chosen.threads, PCCD_SIMD_AUTO, &self.context))
        return EXIT_CANNOT_RUN;
    printf("scene %s\n", scene_name(chosen.scene));
    if (chosen.json != NULL) {
        json = create_file(chosen.json);
        if (json == NULL)
            return EXIT_CANNOT_RUN;
        fprintf(json, "{\n  \"scene\": \"%s\",\n  \"threads\": %" PRIu64 ",\n  \"steps\": [\n",
                scene_name(chosen.scene), chosen.threads);
    }
    done = create_pipeline(&self, &chosen) && scene_build(chosen.scene, chosen.objects, &self) &&
           simulate(&self, &chosen, json);
    if (json != NULL && !finish_file(json, chosen.json))
        done = 0;
    if (!succeeded("pccd_context_destroy", pccd_context_destroy(self.context)))
        done = 0;
    world_free(&self);
    return done && finish_output() ? 0 : EXIT_CANNOT_RUN;
}
