/*
 * Runs files of elementary collision queries through the library, compares the answers with those in the
 * files, and measures the time. `queries --help` has the options and the file formats.
 */
#define _POSIX_C_SOURCE 199309L /* for clock_gettime, which strict C99 would hide */

#include "library.h"
#include "options.h"
#include "program.h"
#include "query_file.h"
#include "random_queries.h"
#include "report.h"

#include <pccd.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char program_name[] = "queries";

enum { EXIT_MISSED = 1 };

/* The mean is the best of at least MIN_REPEATS batches, and of as many more as fit into REPEAT_SECONDS: a
 * short file needs many until the processor has warmed up. The max takes the best of SINGLE_REPEATS for each
 * query. */
enum { MIN_REPEATS = 5, MAX_REPEATS = 1000, SINGLE_REPEATS = 3 };
static const double REPEAT_SECONDS = 0.1;

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs `count` queries from the one at `first` on, and adds nothing of its own to the time. */
static pccd_status run(pccd_context *context, const pccd_ccd_settings *settings, const query_set *set,
                       size_t first, size_t count, pccd_ccd_result *results, double *seconds)
{
    pccd_view positions;
    pccd_status status;
    double start;

    memset(&positions, 0, sizeof positions);
    positions.data = set->numbers + first * NUMBERS_PER_QUERY;
    positions.count = (uint64_t)count * POINTS_PER_QUERY;
    positions.format = PCCD_FORMAT_F64X3;
    start = seconds_now();
    status = pccd_ccd_batch(context, set->kind, &positions, count, settings, results);
    *seconds = seconds_now() - start;
    return status;
}

/* Fills results with one call for all queries, and finds the mean time. */
static int measure_mean(pccd_context *context, const pccd_ccd_settings *settings, const query_set *set,
                        pccd_ccd_result *results, file_report *report)
{
    double best = 0, total = 0, seconds;
    int repeat;

    for (repeat = 0; repeat < MIN_REPEATS || (repeat < MAX_REPEATS && total < REPEAT_SECONDS); repeat++) {
        if (!succeeded("pccd_ccd_batch", run(context, settings, set, 0, set->count, results, &seconds)))
            return 0;
        if (repeat == 0 || seconds < best)
            best = seconds;
        total += seconds;
    }
    report->mean_us = 1e6 * best / (double)set->count;
    return 1;
}

/* Finds the slowest query, each in a call of its own. */
static int measure_max(pccd_context *context, const pccd_ccd_settings *settings, const query_set *set,
                       file_report *report)
{
    pccd_ccd_result result;
    double worst = 0, best, seconds;
    size_t query;
    int repeat;

    for (query = 0; query < set->count; query++) {
        best = 0;
        for (repeat = 0; repeat < SINGLE_REPEATS; repeat++) {
            if (!succeeded("pccd_ccd_batch", run(context, settings, set, query, 1, &result, &seconds)))
                return 0;
            if (repeat == 0 || seconds < best)
                best = seconds;
        }
        if (best > worst)
            worst = best;
    }
    report->max_us = 1e6 * worst;
    return 1;
}

static void compare_with_truth(const query_set *set, const pccd_ccd_settings *settings,
                               const pccd_ccd_result *results, file_report *report)
{
    size_t query;

    report->truth_known = set->collides != NULL;
    /* The truth is about contact. A pair that doesn't touch may well come closer than min_separation, and is
     * then a hit with good reason. One that does touch has to be a hit in any case. */
    report->false_positives_known = report->truth_known && settings->min_separation == 0;
    for (query = 0; query < set->count; query++) {
        int hit = (results[query].flags & PCCD_CCD_HIT) != 0;

        report->hits += (size_t)hit;
        if (report->truth_known && set->collides[query] && !hit)
            report->false_negatives++;
        if (report->false_positives_known && !set->collides[query] && hit)
            report->false_positives++;
    }
}

static int run_set(pccd_context *context, const pccd_ccd_settings *settings, const query_set *set,
                   file_report *report)
{
    pccd_ccd_result *results = NULL;
    int good;

    memset(report, 0, sizeof *report);
    report->file = set->name;
    report->kind = set->kind;
    report->queries = set->count;
    if (set->count <= SIZE_MAX / sizeof *results)
        results = malloc(set->count * sizeof *results);
    if (results == NULL)
        return complain("%s: out of memory", set->name);
    good = measure_mean(context, settings, set, results, report) &&
           measure_max(context, settings, set, report);
    if (good)
        compare_with_truth(set, settings, results, report);
    free(results);
    return good;
}

/* Obtains the set number `index`: a file, or for a demonstration one of the two kinds. */
static int load_set(const options *chosen, int index, query_set *set)
{
    uint32_t kind;

    if (chosen->demo > 0) {
        kind = index == 0 ? PCCD_VERTEX_FACE : PCCD_EDGE_EDGE;
        if (random_queries("random", kind, (size_t)chosen->demo, set))
            return 1;
        return complain("out of memory for %llu random queries", (unsigned long long)chosen->demo);
    }
    kind = chosen->kind ? (uint32_t)chosen->kind : kind_from_path(chosen->files[index]);
    if (kind == 0)
        return complain("%s: the path doesn't tell edge-edge or vertex-face; add --kind ee or vf",
                        chosen->files[index]);
    return query_set_read(chosen->files[index], kind, set);
}

/* Runs every set, printing its row as soon as it is done. */
static int run_all(pccd_context *context, const pccd_ccd_settings *settings, const options *chosen,
                   file_report *reports, int count)
{
    file_report total;
    query_set set;
    int i, good;

    print_table_header();
    for (i = 0; i < count; i++) {
        if (!load_set(chosen, i, &set))
            return 0;
        good = run_set(context, settings, &set, &reports[i]);
        query_set_free(&set);
        if (!good)
            return 0;
        print_table_row(&reports[i]);
        fflush(stdout);
    }
    if (count > 1) {
        total = report_total(reports, (size_t)count);
        print_table_row(&total);
    }
    if (chosen->demo > 0)
        printf("\"missed\" and \"false\" need files that have the answers\n");
    else if (settings->min_separation > 0)
        printf("the files tell which pairs touch, not which come closer than %g: "
               "false hits are not counted\n",
               settings->min_separation);
    return 1;
}

int main(int argc, char **argv)
{
    options chosen;
    pccd_context *context = NULL;
    pccd_ccd_settings settings;
    file_report *reports;
    int count, i, good, missed = 0;
    options_verdict verdict;

    verdict = options_parse(argc, argv, &chosen);
    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    count = chosen.demo > 0 ? 2 : chosen.file_count;
    reports = calloc((size_t)count, sizeof *reports);
    if (reports == NULL) {
        complain("out of memory");
        return EXIT_CANNOT_RUN;
    }

    good = succeeded("pccd_ccd_settings_init", pccd_ccd_settings_init(&settings, sizeof settings)) &&
           create_context(chosen.threads, chosen.simd, &context);
    if (good) {
        settings.min_separation = chosen.min_separation;
        good = run_all(context, &settings, &chosen, reports, count);
        good &= succeeded("pccd_context_destroy", pccd_context_destroy(context));
    }
    if (good && chosen.json)
        good = write_json(chosen.json, reports, (size_t)count);
    good &= finish_output();
    for (i = 0; i < count; i++)
        missed |= reports[i].false_negatives > 0;
    free(reports);
    if (!good)
        return EXIT_CANNOT_RUN;
    return missed ? EXIT_MISSED : 0;
}
