/*
 * Finds the triangles of meshes that intersect, and tells how hard that can get: the k-free report.
 * `discrete --help` has the options.
 *
 * This is how a program looks for intersections at one moment: meshes, and a query of mode PCCD_MODE_DISCRETE. With a
 * hierarchy either method can be used; without one there is pccd_query_run_meshes().
 */
#include "command_line.h"
#include "library.h"
#include "mesh_file.h"
#include "program.h"

#include <pccd.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "discrete";

static const char help[] =
    "usage: discrete [options] MESH...\n"
    "\n"
    "Finds all pairs of triangles that intersect, within each mesh and between meshes, and prints how many\n"
    "there are, how long it took, and the k-free report. Meshes are PLY or OBJ files; polygons become fans of\n"
    "triangles, and the report is about polygons then.\n"
    "\n"
    "  --method NAME    auto (default), bvh or grid; the pairs are the same\n"
    "  --hashing NAME   of the grid's cells: morton (default) or djb2\n"
    "  --threads N      threads that work, 1 to 1024 (default 1)\n"
    "  --simd NAME      auto (default), scalar, avx2 or avx512\n"
    "  --repeat N       runs; the times are those of the fastest one (default 1)\n"
    "  --worst N        triangles with the largest k to print (default 5)\n"
    "  --no-self        only pairs of different meshes\n"
    "  --pairs FILE     write the pairs as CSV: mesh, triangle, mesh, triangle and the ends of the segment\n"
    "  --json FILE      write the results as JSON\n"
    "  --help           print this\n";

static const choice method_choices[] = {
    {"auto", PCCD_METHOD_AUTO}, {"bvh", PCCD_METHOD_BVH}, {"grid", PCCD_METHOD_GRID}, {NULL, 0}};
static const choice hashing_choices[] = {
    {"morton", PCCD_HASHING_MORTON}, {"djb2", PCCD_HASHING_DJB2}, {NULL, 0}};

typedef struct settings {
    int32_t method, hashing, simd;
    uint64_t threads, repeat, worst;
    int no_self;
    const char *pairs, *json;
} settings;

/* What is kept while the program runs. */
typedef struct session {
    pccd_context *context;
    pccd_mesh *meshes;
    int mesh_count;
    uint32_t *fans; /* triangles of each polygon, mesh after mesh */
    uint64_t fan_count, triangle_count;
    pccd_bvh bvh;
    pccd_query query;
} session;

typedef struct results {
    pccd_discrete_stats stats;
    pccd_k_free_report report;
    pccd_triangle_k *worst;
    uint64_t worst_count;
    uint64_t hash;
} results;

static const char *method_name(uint32_t method)
{
    return method == PCCD_METHOD_BVH ? "bvh" : method == PCCD_METHOD_GRID ? "grid" : "none";
}

static const char *reason_name(uint32_t reason)
{
    static const char *const names[] = {"not run",
                                        "asked for",
                                        "no hierarchy",
                                        "little has moved",
                                        "the hierarchy would have to be sorted anew",
                                        "sizes differ too much for a grid",
                                        "k is too large for a grid",
                                        "much has moved, but the hierarchy is in order"};

    return reason < sizeof names / sizeof names[0] ? names[reason] : "unknown";
}

/* Remembers how the triangles of a file were polygons. */
static int add_fans(session *current, const mesh_data *data)
{
    uint32_t *fans = realloc(current->fans, ((size_t)current->fan_count + data->fan_count) * sizeof *fans);

    if (fans == NULL)
        return complain("out of memory");
    current->fans = fans;
    memcpy(fans + current->fan_count, data->fans, data->fan_count * sizeof *fans);
    current->fan_count += data->fan_count;
    current->triangle_count += data->triangle_count;
    return 1;
}

/* Reads a file and makes a mesh of it. */
static int add_mesh(session *current, const char *path)
{
    pccd_mesh_def def;
    mesh_data data;
    int good;

    if (!mesh_read(path, &data))
        return 0;
    good = succeeded("pccd_mesh_def_init", pccd_mesh_def_init(&def, sizeof def));
    def.positions.data = data.positions;
    def.positions.count = data.vertex_count;
    def.positions.format = PCCD_FORMAT_F64X3;
    def.triangles.data = data.triangles;
    def.triangles.count = data.triangle_count;
    def.triangles.format = PCCD_FORMAT_U32X3;
    good = good && succeeded("pccd_mesh_create", pccd_mesh_create(current->context, &def,
                                                                  &current->meshes[current->mesh_count])) &&
           add_fans(current, &data);
    mesh_free(&data);
    if (!good)
        return 0;
    current->mesh_count++;
    return succeeded("pccd_bvh_add", pccd_bvh_add(current->context, current->bvh,
                                                  current->meshes[current->mesh_count - 1]));
}

static int create_query(session *current, const settings *chosen)
{
    pccd_query_def def;

    if (!succeeded("pccd_query_def_init", pccd_query_def_init(&def, sizeof def)))
        return 0;
    def.mode = PCCD_MODE_DISCRETE;
    def.method = (uint32_t)chosen->method;
    def.hashing = (uint32_t)chosen->hashing;
    def.flags = (chosen->no_self ? PCCD_QUERY_NO_SELF : 0) | (chosen->pairs != NULL ? PCCD_QUERY_SEGMENTS : 0);
    return succeeded("pccd_query_create", pccd_query_create(current->context, &def, &current->query));
}

/* Runs as often as wanted, and keeps the times of the fastest run. */
static int run_query(const session *current, uint64_t repeats, results *out)
{
    pccd_discrete_stats stats;
    uint64_t repeat;

    for (repeat = 0; repeat < repeats; repeat++) {
        if (!succeeded("pccd_query_run", pccd_query_run(current->context, current->query, current->bvh)) ||
            !succeeded("pccd_discrete_stats_init", pccd_discrete_stats_init(&stats, sizeof stats)) ||
            !succeeded("pccd_discrete_stats_get",
                       pccd_discrete_stats_get(current->context, current->query, &stats)))
            return 0;
        if (repeat == 0 || stats.ms_total < out->stats.ms_total)
            out->stats = stats;
    }
    return succeeded("pccd_query_hash", pccd_query_hash(current->context, current->query, &out->hash));
}

/* Whether a face of a file has more than three corners. */
static int has_polygons(const session *current)
{
    return current->fan_count < current->triangle_count;
}

/* The number of a polygon among those of its mesh. */
static uint64_t number_of(const session *current, const pccd_triangle_k *worst)
{
    uint64_t triangle = 0, fan = worst->polygon;

    if (!has_polygons(current))
        return worst->triangle;
    /* Back to the first of the mesh. */
    while (triangle < worst->triangle)
        triangle += current->fans[--fan];
    return worst->polygon - fan;
}

static int find_k(const session *current, results *out)
{
    if (!succeeded("pccd_k_free_report_init", pccd_k_free_report_init(&out->report, sizeof out->report)))
        return 0;
    if (has_polygons(current)) {
        if (!succeeded("pccd_mesh_k_free_polygons",
                       pccd_mesh_k_free_polygons(current->context, current->meshes, (uint64_t)current->mesh_count,
                                                 current->fans, current->fan_count, &out->report, out->worst,
                                                 out->worst_count)))
            return 0;
    } else if (!succeeded("pccd_mesh_k_free",
                          pccd_mesh_k_free(current->context, current->meshes, (uint64_t)current->mesh_count,
                                           &out->report, out->worst, out->worst_count))) {
        return 0;
    }
    if (out->report.polygon_count < out->worst_count)
        out->worst_count = out->report.polygon_count;
    return 1;
}

/* Handles are of no use outside of the program: meshes are written by their place on the command line. */
static int place_of(const session *current, pccd_mesh mesh)
{
    int i;

    for (i = 0; i < current->mesh_count; i++) {
        if (current->meshes[i].id == mesh.id)
            return i;
    }
    return -1;
}

static int write_pairs(const session *current, const char *path)
{
    const pccd_intersection *found;
    uint64_t count, i;
    FILE *file;

    if (!succeeded("pccd_query_intersections",
                   pccd_query_intersections(current->context, current->query, &found, &count)))
        return 0;
    file = create_file(path);
    if (file == NULL)
        return 0;
    fprintf(file, "mesh_a,triangle_a,mesh_b,triangle_b,coplanar,x0,y0,z0,x1,y1,z1\n");
    for (i = 0; i < count; i++) {
        const pccd_intersection *pair = &found[i];
        fprintf(file, "%d,%lu,%d,%lu,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", place_of(current, pair->mesh_a),
                (unsigned long)pair->triangle_a, place_of(current, pair->mesh_b),
                (unsigned long)pair->triangle_b, (pair->flags & PCCD_INTERSECTION_COPLANAR) != 0,
                pair->segment[0], pair->segment[1], pair->segment[2], pair->segment[3], pair->segment[4],
                pair->segment[5]);
    }
    return finish_file(file, path);
}

static int write_json(const session *current, const char *path, const results *found)
{
    const pccd_discrete_stats *stats = &found->stats;
    const pccd_k_free_report *report = &found->report;
    FILE *file = create_file(path);
    uint64_t i;

    if (file == NULL)
        return 0;
    fprintf(file, "{\n  \"triangles\": %llu,\n  \"polygons\": %llu,\n", (unsigned long long)stats->triangle_count,
            (unsigned long long)report->polygon_count);
    fprintf(file, "  \"intersections\": %llu,\n  \"hash\": \"%016llx\",\n",
            (unsigned long long)stats->intersections, (unsigned long long)found->hash);
    fprintf(file, "  \"method\": \"%s\",\n  \"reason\": \"%s\",\n  \"candidates\": %llu,\n  \"exact\": %llu,\n",
            method_name(stats->method), reason_name(stats->reason), (unsigned long long)stats->candidates,
            (unsigned long long)stats->exact_tests);
    fprintf(file, "  \"ms\": {\"update\": %.6f, \"find\": %.6f, \"sort\": %.6f, \"total\": %.6f},\n",
            stats->ms_update, stats->ms_find, stats->ms_sort, stats->ms_total);
    fprintf(file,
            "  \"k\": {\"max\": %llu, \"mean\": %.6f, \"deviation\": %.6f, \"neighbours\": %.6f, \"share\": %.6f, "
            "\"height\": %.6f, \"bound\": %llu},\n  \"worst\": [",
            (unsigned long long)report->k_max, report->k_mean, report->k_deviation, report->neighbours_mean,
            report->neighbour_share, report->height, (unsigned long long)report->bound);
    for (i = 0; i < found->worst_count; i++)
        fprintf(file, "%s{\"mesh\": %d, \"triangle\": %lu, \"polygon\": %llu, \"k\": %lu, \"neighbours\": %lu}",
                i > 0 ? ", " : "", place_of(current, found->worst[i].mesh),
                (unsigned long)found->worst[i].triangle,
                (unsigned long long)number_of(current, &found->worst[i]), (unsigned long)found->worst[i].k,
                (unsigned long)found->worst[i].neighbours);
    fprintf(file, "]\n}\n");
    return finish_file(file, path);
}

static void print_results(const session *current, char **files, const results *found)
{
    const pccd_discrete_stats *stats = &found->stats;
    const pccd_k_free_report *report = &found->report;
    uint64_t i;

    printf("triangles      %llu", (unsigned long long)stats->triangle_count);
    if (has_polygons(current))
        printf(", of %llu polygons", (unsigned long long)report->polygon_count);
    printf("\nintersections  %llu pairs, of %llu whose boxes overlap\n", (unsigned long long)stats->intersections,
           (unsigned long long)stats->candidates);
    printf("method         %s: %s\n", method_name(stats->method), reason_name(stats->reason));
    printf("milliseconds   %.3f: %.3f update, %.3f find, %.3f sort\n", stats->ms_total, stats->ms_update,
           stats->ms_find, stats->ms_sort);
    printf("k              %llu at most, %.2f on average, standard deviation %.2f; %.0f %% from neighbours\n",
           (unsigned long long)report->k_max, report->k_mean, report->k_deviation, 100 * report->neighbour_share);
    printf("bound          %llu pairs at most between two sets like this one that have as many %s together\n",
           (unsigned long long)report->bound, has_polygons(current) ? "polygons" : "triangles");
    printf("height         %.2f (sizes from %g to %g)\n", report->height, report->diameter_min,
           report->diameter_max);
    for (i = 0; i < found->worst_count; i++)
        printf("%s %s %llu of %s, k = %lu\n", i == 0 ? "worst         " : "              ",
               has_polygons(current) ? "polygon" : "triangle",
               (unsigned long long)number_of(current, &found->worst[i]),
               files[place_of(current, found->worst[i].mesh)], (unsigned long)found->worst[i].k);
}

static int run(const settings *chosen, char **files, int file_count)
{
    session current;
    results found;
    int i, good;

    memset(&current, 0, sizeof current);
    memset(&found, 0, sizeof found);
    current.meshes = calloc((size_t)file_count, sizeof *current.meshes);
    found.worst = calloc(chosen->worst, sizeof *found.worst);
    found.worst_count = chosen->worst;
    good = current.meshes != NULL && found.worst != NULL;
    if (!good)
        complain("out of memory");
    good = good && create_context(chosen->threads, chosen->simd, &current.context);
    if (good) {
        good = succeeded("pccd_bvh_create", pccd_bvh_create(current.context, NULL, &current.bvh)) &&
               create_query(&current, chosen);
        for (i = 0; good && i < file_count; i++)
            good = add_mesh(&current, files[i]);
        good = good && run_query(&current, chosen->repeat, &found) && find_k(&current, &found);
        if (good)
            print_results(&current, files, &found);
        if (good && chosen->pairs != NULL)
            good = write_pairs(&current, chosen->pairs);
        if (good && chosen->json != NULL)
            good = write_json(&current, chosen->json, &found);
        /* Takes everything with it that was created in it. */
        good &= succeeded("pccd_context_destroy", pccd_context_destroy(current.context));
    }
    free(current.meshes);
    free(current.fans);
    free(found.worst);
    return good;
}

int main(int argc, char **argv)
{
    settings chosen = {PCCD_METHOD_AUTO, PCCD_HASHING_MORTON, PCCD_SIMD_AUTO, 1, 1, 5, 0, NULL, NULL};
    const option known[] = {
        {"--method", OPTION_CHOICE, &chosen.method, 0, method_choices},
        {"--hashing", OPTION_CHOICE, &chosen.hashing, 0, hashing_choices},
        {"--threads", OPTION_COUNT, &chosen.threads, 1024, NULL},
        {"--simd", OPTION_CHOICE, &chosen.simd, 0, simd_choices},
        {"--repeat", OPTION_COUNT, &chosen.repeat, 1000000, NULL},
        {"--worst", OPTION_COUNT, &chosen.worst, 1000000, NULL},
        {"--no-self", OPTION_FLAG, &chosen.no_self, 0, NULL},
        {"--pairs", OPTION_TEXT, &chosen.pairs, 0, NULL},
        {"--json", OPTION_TEXT, &chosen.json, 0, NULL},
    };
    int file_count = 0, good;
    options_verdict verdict;

    verdict = command_line_parse(argc, argv, help, known, sizeof known / sizeof known[0], &file_count);
    if (verdict != OPTIONS_RUN)
        return exit_status(verdict);
    if (file_count == 0) {
        command_line_bad("no mesh given");
        return EXIT_CANNOT_RUN;
    }
    good = run(&chosen, argv, file_count);
    good &= finish_output();
    return good ? 0 : EXIT_CANNOT_RUN;
}
