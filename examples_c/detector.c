#include "detector.h"

#include <stdio.h>
#include <string.h>

/* Says what went wrong in a call of the library. Returns whether all is well. */
static int succeeded(const char *function, pccd_status status)
{
    if (status >= PCCD_OK)
        return 1;
    fprintf(stderr, "cloth: %s: %s: %s\n", function, pccd_status_name(status), pccd_last_error());
    return 0;
}

static pccd_view view(const void *data, size_t count, uint32_t format)
{
    pccd_view result;

    memset(&result, 0, sizeof result);
    result.data = data;
    result.count = count;
    result.format = format;
    return result;
}

static int create_mesh(pccd_context *context, const surface *surface, uint32_t flags, pccd_mesh *out)
{
    pccd_mesh_def def;

    if (!succeeded("pccd_mesh_def_init", pccd_mesh_def_init(&def, sizeof def)))
        return 0;
    def.flags = flags;
    def.positions = view(surface->positions, surface->vertex_count, PCCD_FORMAT_F64X3);
    def.triangles = view(surface->triangles, surface->triangle_count, PCCD_FORMAT_U32X3);
    return succeeded("pccd_mesh_create", pccd_mesh_create(context, &def, out));
}

static int create_query(pccd_context *context, double min_separation, pccd_query *out)
{
    pccd_query_def def;

    if (!succeeded("pccd_query_def_init", pccd_query_def_init(&def, sizeof def)))
        return 0;
    def.min_separation = min_separation;
    /* How finely times and distances are told apart doesn't matter for what is closer than a distance that
     * was chosen freely. What touches is decided exactly in any case. */
    def.toi_tolerance = 1e-3;
    def.separation_tolerance = 1e-6;
    return succeeded("pccd_query_create", pccd_query_create(context, &def, out));
}

int detector_create(detector *out, const simulation *sim, uint32_t threads, double near_distance)
{
    pccd_context_def def;

    memset(out, 0, sizeof *out);
    if (!succeeded("pccd_context_def_init", pccd_context_def_init(&def, sizeof def)))
        return 0;
    def.abi_version = PCCD_ABI_VERSION;
    def.thread_count = threads;
    /* The cloth may touch itself and the ball. The ball, which keeps its shape, needs no such test. */
    return succeeded("pccd_context_create", pccd_context_create(&def, &out->context)) &&
           create_mesh(out->context, &sim->cloth, 0, &out->cloth) &&
           create_mesh(out->context, &sim->ball, PCCD_MESH_NO_SELF, &out->ball) &&
           succeeded("pccd_bvh_create", pccd_bvh_create(out->context, NULL, &out->bvh)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(out->context, out->bvh, out->cloth)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(out->context, out->bvh, out->ball)) &&
           create_query(out->context, near_distance, &out->near) && create_query(out->context, 0, &out->exact);
}

int detector_free(detector *detector)
{
    int good = 1;

    if (detector->context == NULL)
        return 1;
    /* The context would do so on its own for all that is left in it. */
    if (detector->near.id)
        good &= succeeded("pccd_query_destroy", pccd_query_destroy(detector->context, detector->near));
    if (detector->exact.id)
        good &= succeeded("pccd_query_destroy", pccd_query_destroy(detector->context, detector->exact));
    if (detector->bvh.id)
        good &= succeeded("pccd_bvh_destroy", pccd_bvh_destroy(detector->context, detector->bvh));
    if (detector->cloth.id)
        good &= succeeded("pccd_mesh_destroy", pccd_mesh_destroy(detector->context, detector->cloth));
    if (detector->ball.id)
        good &= succeeded("pccd_mesh_destroy", pccd_mesh_destroy(detector->context, detector->ball));
    good &= succeeded("pccd_context_destroy", pccd_context_destroy(detector->context));
    detector->context = NULL;
    return good;
}

static int set_motion(detector *detector, pccd_mesh mesh, const surface *surface)
{
    pccd_view start = view(surface->positions, surface->vertex_count, PCCD_FORMAT_F64X3);
    pccd_view end = view(surface->next, surface->vertex_count, PCCD_FORMAT_F64X3);

    return succeeded("pccd_mesh_set_motion", pccd_mesh_set_motion(detector->context, mesh, &start, &end));
}

int detector_move_ball(detector *detector, const surface *ball)
{
    return set_motion(detector, detector->ball, ball);
}

int detector_move_cloth(detector *detector, const surface *cloth)
{
    return set_motion(detector, detector->cloth, cloth);
}

int detector_run(detector *detector, pccd_query query, const pccd_contact **contacts, size_t *count,
                 detector_times *times)
{
    pccd_query_stats stats;
    uint64_t found;

    if (!succeeded("pccd_query_run", pccd_query_run(detector->context, query, detector->bvh)) ||
        !succeeded("pccd_query_contacts", pccd_query_contacts(detector->context, query, contacts, &found)) ||
        !succeeded("pccd_query_stats_init", pccd_query_stats_init(&stats, sizeof stats)) ||
        !succeeded("pccd_query_stats_get", pccd_query_stats_get(detector->context, query, &stats)))
        return 0;
    *count = (size_t)found;
    times->update += stats.ms_update;
    times->traverse += stats.ms_traverse;
    times->elementary += stats.ms_elementary;
    times->sort += stats.ms_sort;
    times->total += stats.ms_total;
    times->bytes_per_triangle = stats.bytes_per_triangle;
    times->runs++;
    return 1;
}
