/* Bodies that break: see pieces.h. */
#define _POSIX_C_SOURCE 199309L /* for clock_gettime, which strict C99 would hide */
#include "pieces.h"

#include "library.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void *array(uint64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);

    if (memory == NULL)
        complain("out of memory");
    return memory;
}

int pieces_open(pieces *all, pccd_context *context, int32_t metric, uint32_t grid_limit, uint64_t room)
{
    pccd_bvh_def def;

    memset(all, 0, sizeof *all);
    all->context = context;
    pccd_bvh_def_init(&def, sizeof def);
    def.metric = (uint32_t)metric;
    def.grid_limit = grid_limit;
    return succeeded("pccd_bvh_create", pccd_bvh_create(context, &def, &all->bvh)) &&
           succeeded("pccd_query_create", pccd_query_create(context, NULL, &all->query)) &&
           (room == 0 || succeeded("pccd_query_reserve", pccd_query_reserve(context, all->query, room)));
}

static void forget(piece *body)
{
    free(body->at);
    free(body->corners);
}

static void forget_plans(pieces *all)
{
    uint32_t i;

    for (i = 0; i < all->plan_count; ++i) {
        free((void *)all->plans[i].def.parts);
        free((void *)all->plans[i].def.copies);
        free((void *)all->plans[i].def.triangles.data);
        free(all->plans[i].at_new);
    }
    all->plan_count = 0;
}

void pieces_close(pieces *all)
{
    uint32_t i;

    for (i = 0; i < all->count; ++i) {
        pccd_mesh_destroy(all->context, all->list[i].mesh);
        forget(&all->list[i]);
    }
    free(all->list);
    forget_plans(all);
    free(all->plans);
    pccd_query_destroy(all->context, all->query);
    pccd_bvh_destroy(all->context, all->bvh);
}

/* Makes room for one more element of a list. */
static int grow(void **list, uint32_t count, uint32_t *capacity, size_t size)
{
    uint32_t larger = 2 * *capacity + 64;
    void *moved;

    if (count < *capacity)
        return 1;
    moved = realloc(*list, larger * size);
    if (moved == NULL)
        return complain("out of memory");
    *list = moved;
    *capacity = larger;
    return 1;
}

/* A place for one more body, with room for its arrays. */
static piece *new_piece(pieces *all, uint32_t vertex_count, uint32_t triangle_count)
{
    void *list = all->list;
    piece *body;

    if (!grow(&list, all->count, &all->capacity, sizeof *body))
        return NULL;
    all->list = list;
    body = &all->list[all->count];
    memset(body, 0, sizeof *body);
    body->vertex_count = vertex_count;
    body->triangle_count = triangle_count;
    body->at = array(vertex_count, sizeof *body->at);
    body->corners = array(triangle_count, sizeof *body->corners);
    if (body->at == NULL || body->corners == NULL) {
        forget(body);
        return NULL;
    }
    ++all->count;
    return body;
}

static pccd_view positions_of(const vec3 *at, uint32_t count)
{
    pccd_view view = {0};

    view.data = at;
    view.count = count;
    view.format = PCCD_FORMAT_F64X3;
    return view;
}

int pieces_add(pieces *all, const vec3 *at, uint32_t vertex_count, const uint32_t (*corners)[3],
               uint32_t triangle_count, vec3 velocity, int tag)
{
    piece *body = new_piece(all, vertex_count, triangle_count);
    pccd_mesh_def def;

    if (body == NULL)
        return 0;
    memcpy(body->at, at, vertex_count * sizeof *at);
    memcpy(body->corners, corners, triangle_count * sizeof *corners);
    body->velocity = velocity;
    body->tag = tag;
    pccd_mesh_def_init(&def, sizeof def);
    def.positions = positions_of(at, vertex_count);
    def.triangles.data = corners;
    def.triangles.count = triangle_count;
    def.triangles.format = PCCD_FORMAT_U32X3;
    return succeeded("pccd_mesh_create", pccd_mesh_create(all->context, &def, &body->mesh)) &&
           succeeded("pccd_bvh_add", pccd_bvh_add(all->context, all->bvh, body->mesh));
}

static void *copy_of(const void *from, uint64_t count, size_t size)
{
    void *copy = array(count, size);

    if (copy != NULL && count > 0)
        memcpy(copy, from, (size_t)count * size);
    return copy;
}

int pieces_plan_with(pieces *all, uint32_t broken, const pccd_split_def *def, const vec3 *at_new)
{
    void *plans = all->plans;
    plan *it;

    if (!grow(&plans, all->plan_count, &all->plan_capacity, sizeof *it))
        return 0;
    all->plans = plans;
    it = &all->plans[all->plan_count++];
    it->broken = broken;
    it->def = *def;
    it->def.parts = copy_of(def->parts, def->triangle_count, sizeof *def->parts);
    it->def.copies = copy_of(def->copies, def->copy_count, sizeof *def->copies);
    it->def.triangles.data = copy_of(def->triangles.data, def->triangles.count, 3 * sizeof(uint32_t));
    it->at_new = at_new == NULL ? NULL : copy_of(at_new, def->copy_count, sizeof *at_new);
    return it->def.parts != NULL && it->def.copies != NULL && it->def.triangles.data != NULL &&
           (at_new == NULL || it->at_new != NULL);
}

int pieces_plan(pieces *all, uint32_t broken, const uint32_t *part_of_triangle, uint32_t part_count)
{
    uint32_t count = all->list[broken].triangle_count, t, used = 0;
    uint32_t *numbers = array(part_count, sizeof *numbers), *parts = array(count, sizeof *parts);
    int good = numbers != NULL && parts != NULL;
    pccd_split_def def;

    for (t = 0; good && t < count; ++t) {
        uint32_t part = part_of_triangle[t];
        if (numbers[part] == 0)
            numbers[part] = ++used;
        parts[t] = numbers[part] - 1;
    }
    if (good && used > 1) {
        pccd_split_def_init(&def, sizeof def);
        def.part_count = used;
        def.parts = parts;
        def.triangle_count = count;
        good = pieces_plan_with(all, broken, &def, NULL);
    }
    free(numbers);
    free(parts);
    return good;
}

/* The program's own bookkeeping of one part: its triangles, and the vertices that they use, by the rule of pccd_bvh_split(). */
static int make_part(pieces *all, const piece *old, const plan *it, uint32_t part, uint32_t *numbers, pccd_mesh mesh)
{
    const pccd_split_def *def = &it->def;
    const uint32_t(*corners)[3] =
        (const uint32_t(*)[3])(def->triangles.count > 0 ? def->triangles.data : (const void *)old->corners);
    uint32_t all_vertices = old->vertex_count + (uint32_t)def->copy_count, triangles = 0, vertices = 0, t, v;
    piece *body;

    memset(numbers, 0, all_vertices * sizeof *numbers);
    for (t = 0; t < def->triangle_count; ++t) {
        if (def->parts[t] != part)
            continue;
        ++triangles;
        for (v = 0; v < 3; ++v)
            numbers[corners[t][v]] = 1;
    }
    for (v = 0; v < all_vertices; ++v)
        vertices += numbers[v];
    body = new_piece(all, vertices, triangles);
    if (body == NULL)
        return 0;
    body->mesh = mesh;
    body->velocity = old->velocity;
    body->tag = old->tag;
    for (v = 0, vertices = 0; v < all_vertices; ++v) {
        if (numbers[v] == 0)
            continue;
        numbers[v] = vertices;
        body->at[vertices++] = v < old->vertex_count ? old->at[v]
                               : it->at_new != NULL  ? it->at_new[v - old->vertex_count]
                                                     : old->at[def->copies[v - old->vertex_count]];
    }
    for (t = 0, triangles = 0; t < def->triangle_count; ++t) {
        if (def->parts[t] != part)
            continue;
        for (v = 0; v < 3; ++v)
            body->corners[triangles][v] = numbers[corners[t][v]];
        ++triangles;
    }
    return 1;
}

/* All parts of a body. Copies that are not where the original was have to be told. */
static int make_parts(pieces *all, const piece *old, const plan *it, const pccd_mesh *meshes)
{
    uint32_t part, *numbers = array(old->vertex_count + it->def.copy_count, sizeof *numbers);
    int good = numbers != NULL;

    for (part = 0; good && part < it->def.part_count; ++part) {
        good = make_part(all, old, it, part, numbers, meshes[part]);
        if (good && it->at_new != NULL) {
            const piece *body = &all->list[all->count - 1];
            pccd_view view = positions_of(body->at, body->vertex_count);
            good = succeeded("pccd_mesh_set_motion", pccd_mesh_set_motion(all->context, body->mesh, &view, &view));
        }
    }
    free(numbers);
    return good;
}

/* Takes the bodies that break out of the list, in the order of the plans. */
static void take_out(pieces *all, piece *old)
{
    uint32_t i, kept = 0;

    for (i = 0; i < all->plan_count; ++i) {
        old[i] = all->list[all->plans[i].broken];
        all->list[all->plans[i].broken].vertex_count = 0;
    }
    for (i = 0; i < all->count; ++i)
        if (all->list[i].vertex_count > 0)
            all->list[kept++] = all->list[i];
    all->count = kept;
}

int pieces_break(pieces *all, uint32_t *first_part)
{
    uint32_t count = all->plan_count, i, parts = 0;
    pccd_mesh *broken = array(count, sizeof *broken), *meshes;
    pccd_split_def *defs = array(count, sizeof *defs);
    piece *old = array(count, sizeof *old);
    double began;
    int good;

    for (i = 0; i < count; ++i)
        parts += all->plans[i].def.part_count;
    meshes = array(parts, sizeof *meshes);
    good = broken != NULL && defs != NULL && old != NULL && meshes != NULL;
    for (i = 0; good && i < count; ++i) {
        broken[i] = all->list[all->plans[i].broken].mesh;
        defs[i] = all->plans[i].def;
    }
    began = milliseconds();
    good = good && succeeded("pccd_bvh_split_all", pccd_bvh_split_all(all->context, all->bvh, broken, defs, count, meshes, parts));
    all->ms_change += milliseconds() - began;
    if (good) {
        all->has_changed |= count > 0;
        take_out(all, old);
        *first_part = all->count;
        for (i = 0, parts = 0; i < count; ++i) {
            good = good && make_parts(all, &old[i], &all->plans[i], meshes + parts);
            parts += defs[i].part_count;
            forget(&old[i]);
        }
    }
    forget_plans(all);
    free(broken);
    free(defs);
    free(old);
    free(meshes);
    return good;
}

/* Vertices by place, and then by number. */
typedef struct placed {
    vec3 at;
    uint32_t vertex;
} placed;

static int by_place(const void *first, const void *second)
{
    const placed *a = first, *b = second;

    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y)
        return a->at.y < b->at.y ? -1 : 1;
    if (a->at.z != b->at.z)
        return a->at.z < b->at.z ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

int pieces_merge_last(pieces *all, uint32_t count)
{
    uint32_t first = all->count - count, vertices = 0, triangles = 0, i, v, t, at = 0, kept = 0, done = 0;
    pccd_mesh *meshes = array(count, sizeof *meshes), mesh;
    placed *sorted;
    uint32_t *weld, *numbers;
    piece whole = {{0}, 0, 0, NULL, NULL, {0, 0, 0}, 0};
    pccd_merge_def def;
    double began;
    int good;

    for (i = first; i < all->count; ++i) {
        vertices += all->list[i].vertex_count;
        triangles += all->list[i].triangle_count;
    }
    sorted = array(vertices, sizeof *sorted);
    weld = array(vertices, sizeof *weld);
    numbers = array(vertices, sizeof *numbers);
    whole.at = array(vertices, sizeof *whole.at);
    whole.corners = array(triangles, sizeof *whole.corners);
    good = meshes != NULL && sorted != NULL && weld != NULL && numbers != NULL && whole.at != NULL &&
           whole.corners != NULL;
    for (i = first; good && i < all->count; ++i) {
        meshes[i - first] = all->list[i].mesh;
        for (v = 0; v < all->list[i].vertex_count; ++v, ++at) {
            sorted[at].at = all->list[i].at[v];
            sorted[at].vertex = at;
        }
    }
    if (good) {
        qsort(sorted, vertices, sizeof *sorted, by_place);
        for (v = 0; v < vertices; ++v) {
            int same = v > 0 && sorted[v].at.x == sorted[v - 1].at.x && sorted[v].at.y == sorted[v - 1].at.y &&
                       sorted[v].at.z == sorted[v - 1].at.z;
            weld[sorted[v].vertex] = same ? weld[sorted[v - 1].vertex] : sorted[v].vertex;
        }
        /* A weld needs the same place at t = 0, too: the pieces rest. */
        for (i = first; good && i < all->count; ++i) {
            pccd_view view = positions_of(all->list[i].at, all->list[i].vertex_count);
            good = succeeded("pccd_mesh_set_motion", pccd_mesh_set_motion(all->context, meshes[i - first], &view, &view));
        }
    }
    pccd_merge_def_init(&def, sizeof def);
    def.meshes = meshes;
    def.mesh_count = count;
    def.weld = weld;
    def.vertex_count = vertices;
    began = milliseconds();
    good = good && succeeded("pccd_bvh_merge", pccd_bvh_merge(all->context, all->bvh, &def, &mesh));
    all->ms_change += milliseconds() - began;
    all->has_changed = 1;
    if (good) {
        at = 0;
        whole.velocity = all->list[first].velocity;
        whole.tag = all->list[first].tag;
        for (i = first; i < all->count; ++i) {
            for (v = 0; v < all->list[i].vertex_count; ++v) {
                uint32_t own = at + v;
                if (weld[own] == own) {
                    whole.at[kept] = all->list[i].at[v];
                    numbers[own] = kept++;
                } else {
                    numbers[own] = numbers[weld[own]];
                }
            }
            for (t = 0; t < all->list[i].triangle_count; ++t, ++done)
                for (v = 0; v < 3; ++v)
                    whole.corners[done][v] = numbers[at + all->list[i].corners[t][v]];
            at += all->list[i].vertex_count;
            forget(&all->list[i]);
        }
        whole.mesh = mesh;
        whole.vertex_count = kept;
        whole.triangle_count = triangles;
        all->count = first;
        all->list[all->count++] = whole;
    } else {
        forget(&whole);
    }
    free(meshes);
    free(sorted);
    free(weld);
    free(numbers);
    return good;
}

int pieces_move(pieces *all, void (*bend)(const piece *body, uint32_t vertex, double time, vec3 *at), double time)
{
    uint32_t i, v;
    double began;
    int good = 1;

    for (i = 0; i < all->count; ++i) {
        piece *body = &all->list[i];
        for (v = 0; v < body->vertex_count; ++v) {
            body->at[v] = add(body->at[v], body->velocity);
            if (bend != NULL)
                bend(body, v, time, &body->at[v]);
        }
    }
    began = milliseconds();
    for (i = 0; good && i < all->count; ++i) {
        pccd_view view = positions_of(all->list[i].at, all->list[i].vertex_count);
        good = succeeded("pccd_mesh_move", pccd_mesh_move(all->context, all->list[i].mesh, &view));
    }
    all->ms_move += milliseconds() - began;
    return good;
}
