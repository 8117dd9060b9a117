/*
 * Finds all collisions of a deforming mesh with itself, between each of its frames and the next, and measures
 * the time. `frames --help` has the options and the file formats.
 *
 * This is how a program uses the library that has a mesh and moves it: mesh, hierarchy and query are created
 * once; a step is new positions and a run of the query.
 */
#include "frames_options.h"
#include "library.h"
#include "mesh_file.h"
#include "program.h"
#include "step_report.h"

#include <pccd.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "frames";

/* What is kept over all steps. */
typedef struct session {
    pccd_context *context;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
} session;

static pccd_view view_of(const void *data, size_t count, uint32_t format)
{
    pccd_view view = {0};

    view.data = data;
    view.count = count;
    view.format = format;
    return view;
}

static pccd_view positions_of(const mesh_data *frame)
{
    return view_of(frame->positions, frame->vertex_count, PCCD_FORMAT_F64X3);
}

static pccd_view triangles_of(const mesh_data *frame)
{
    return view_of(frame->triangles, frame->triangle_count, PCCD_FORMAT_U32X3);
}

/* Creates the mesh, a hierarchy that has nothing but this mesh, and the query. */
static int create_objects(session *current, const frames_options *chosen, const mesh_data *frame)
{
    pccd_mesh_def mesh;
    pccd_query_def query;

    if (!succeeded("pccd_mesh_def_init", pccd_mesh_def_init(&mesh, sizeof mesh)) ||
        !succeeded("pccd_query_def_init", pccd_query_def_init(&query, sizeof query)))
        return 0;
    mesh.positions = positions_of(frame);
    mesh.triangles = triangles_of(frame);
    query.mode = chosen->earliest ? PCCD_MODE_EARLIEST : PCCD_MODE_ALL;
    query.min_separation = chosen->min_separation;
    return succeeded("pccd_mesh_create", pccd_mesh_create(current->context, &mesh, &current->mesh)) &&
           succeeded("pccd_bvh_create", pccd_bvh_create(current->context, NULL, &current->bvh)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(current->context, current->bvh, current->mesh)) &&
           succeeded("pccd_query_create", pccd_query_create(current->context, &query, &current->query)) &&
           succeeded("pccd_trace_enable",
                     pccd_trace_enable(current->context, current->query, chosen->trace != NULL));
}

/* Hands the motion over and runs the query once. */
static int run_once(const session *current, const mesh_data *start, const mesh_data *end,
                    pccd_query_stats *stats, uint64_t *hash)
{
    pccd_view from = positions_of(start), to = positions_of(end);

    return succeeded("pccd_mesh_set_motion",
                     pccd_mesh_set_motion(current->context, current->mesh, &from, &to)) &&
           succeeded("pccd_query_run", pccd_query_run(current->context, current->query, current->bvh)) &&
           succeeded("pccd_query_stats_init", pccd_query_stats_init(stats, sizeof *stats)) &&
           succeeded("pccd_query_stats_get",
                     pccd_query_stats_get(current->context, current->query, stats)) &&
           succeeded("pccd_query_hash", pccd_query_hash(current->context, current->query, hash));
}

/* Runs a step as often as wanted. Keeps the times of the run that took the least time, all of them from the
 * same run so that they belong together. */
static int measure(const session *current, uint64_t repeats, const mesh_data *start, const mesh_data *end,
                   step_report *report)
{
    pccd_query_stats stats;
    uint64_t repeat, hash;

    for (repeat = 0; repeat < repeats; repeat++) {
        if (!run_once(current, start, end, &stats, &hash))
            return 0;
        if (repeat > 0 && hash != report->hash)
            return complain("%s %s: run %llu has found other contacts than those before", start->name,
                            end->name, (unsigned long long)repeat + 1);
        report->hash = hash;
        if (repeat > 0 && stats.ms_total >= report->ms_total)
            continue;
        report->ms_total = stats.ms_total;
        report->ms_update = stats.ms_update;
        report->ms_traverse = stats.ms_traverse;
        report->ms_elementary = stats.ms_elementary;
        report->ms_sort = stats.ms_sort;
    }
    return 1;
}

/* Runs a step, and fills in the report. */
static int run_step(const session *current, const frames_options *chosen, const mesh_data *start,
                    const mesh_data *end, FILE *contacts_file, step_report *report)
{
    const pccd_contact *contacts = NULL;
    uint64_t count = 0, i;

    memset(report, 0, sizeof *report);
    report->start = start->name;
    report->end = end->name;
    report->triangles = start->triangle_count;
    report->safe_step = 1;
    if (!measure(current, chosen->repeat, start, end, report) ||
        !succeeded("pccd_query_contacts",
                   pccd_query_contacts(current->context, current->query, &contacts, &count)))
        return 0;
    for (i = 0; i < count; i++) {
        if (contacts[i].kind == PCCD_EDGE_EDGE)
            report->contacts_ee++;
        else
            report->contacts_vf++;
        if (contacts[i].toi_lower < report->safe_step)
            report->safe_step = contacts[i].toi_lower;
    }
    if (contacts_file != NULL)
        write_contacts(contacts_file, contacts, count);
    return 1;
}

/* A mesh moves, but it stays the same mesh. */
static int check_same_mesh(const mesh_data *first, const mesh_data *second)
{
    const uint32_t *a, *b;
    size_t i;

    if (first->vertex_count != second->vertex_count)
        return complain("%s: %zu vertices, but %zu in %s", second->name, second->vertex_count,
                        first->vertex_count, first->name);
    if (first->triangle_count != second->triangle_count)
        return complain("%s: %zu triangles, but %zu in %s", second->name, second->triangle_count,
                        first->triangle_count, first->name);
    for (i = 0; i < first->triangle_count; i++) {
        a = first->triangles + 3 * i;
        b = second->triangles + 3 * i;
        if (memcmp(a, b, 3 * sizeof *a) != 0)
            return complain("%s: triangle %zu has the vertices %lu, %lu, %lu, but %lu, %lu, %lu in %s",
                            second->name, i, (unsigned long)b[0], (unsigned long)b[1], (unsigned long)b[2],
                            (unsigned long)a[0], (unsigned long)a[1], (unsigned long)a[2], first->name);
    }
    return 1;
}

/* Runs every step, printing its row as soon as it is done. Two frames at a time are in memory. */
static int run_all(session *current, const frames_options *chosen, FILE *contacts_file, step_report *reports)
{
    mesh_data start, end;
    int i, good;

    if (!mesh_read(chosen->files[0], &start))
        return 0;
    good = create_objects(current, chosen, &start);
    for (i = 1; good && i < chosen->file_count; i++) {
        good = mesh_read(chosen->files[i], &end);
        if (!good)
            break;
        good = check_same_mesh(&start, &end) &&
               run_step(current, chosen, &start, &end, contacts_file, &reports[i - 1]);
        mesh_free(&start);
        start = end;
        if (!good)
            break;
        if (i == 1)
            print_steps_header(chosen->earliest);
        print_step(&reports[i - 1], chosen->earliest);
        fflush(stdout);
    }
    mesh_free(&start);
    return good;
}

static int run(const frames_options *chosen, FILE *contacts_file)
{
    size_t steps = (size_t)chosen->file_count - 1;
    step_report *reports = calloc(steps, sizeof *reports);
    session current;
    int good;

    if (reports == NULL)
        return complain("out of memory");
    memset(&current, 0, sizeof current);
    good = create_context(chosen->threads, chosen->simd, &current.context);
    if (good) {
        good = run_all(&current, chosen, contacts_file, reports);
        if (good && chosen->trace != NULL)
            good = succeeded("pccd_trace_write",
                             pccd_trace_write(current.context, current.query, chosen->trace));
        /* Takes everything with it that was created in it. */
        good &= succeeded("pccd_context_destroy", pccd_context_destroy(current.context));
    }
    if (good && chosen->json != NULL)
        good = write_steps_json(chosen->json, chosen->threads, chosen->earliest, reports, steps);
    free(reports);
    return good;
}

int main(int argc, char **argv)
{
    frames_options chosen;
    FILE *contacts_file = NULL;
    int good;
    options_verdict verdict;

    verdict = frames_options_parse(argc, argv, &chosen);
    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    if (chosen.contacts != NULL) {
        contacts_file = create_file(chosen.contacts);
        if (contacts_file == NULL)
            return EXIT_CANNOT_RUN;
    }
    good = run(&chosen, contacts_file);
    if (contacts_file != NULL)
        good &= finish_file(contacts_file, chosen.contacts);
    good &= finish_output();
    return good ? 0 : EXIT_CANNOT_RUN;
}
