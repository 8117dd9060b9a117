/*
 * A program that was compiled with the header of version 0.1, kept as it was then. It has to work with every later library of the same
 * generation of the interface: all structs are used, with what follows them in memory watched.
 */
#include "pccd-0.1.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) do if (!(condition)) { printf("%d: does not hold: %s\n  %s\n", __LINE__, #condition, pccd_last_error()); exit(1); } while (0)

/* A struct, and memory behind it that nobody may touch. */
#define WATCHED(type, name) struct { type it; unsigned char behind[64]; } name; memset(&name, 0xA5, sizeof name)
static int untouched(const unsigned char *behind) {
    int i;
    for (i = 0; i < 64; i++) if (behind[i] != 0xA5) return 0;
    return 1;
}
#define UNTOUCHED(name) CHECK(untouched(name.behind))

static const double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const double above[3][3] = {{0.2, 0.2, 1}, {0.6, 0.2, 1}, {0.2, 0.6, 1}};
static const double below[3][3] = {{0.2, 0.2, -1}, {0.6, 0.2, -1}, {0.2, 0.6, -1}};
static const uint32_t square_faces[2][3] = {{0, 1, 2}, {1, 3, 2}};
static const uint16_t faces[1][3] = {{0, 1, 2}};

static pccd_view view(const void *data, uint64_t count, uint32_t format) {
    pccd_view it;
    memset(&it, 0, sizeof it);
    it.data = data;
    it.count = count;
    it.format = format;
    return it;
}

static uint64_t logged;
static void log_it(int32_t level, const char *message, void *user) {
    (void)level, (void)message;
    ++*(uint64_t *)user;
}
static void *alloc(size_t size, size_t alignment, void *user) {
    void *block = malloc(size + alignment + sizeof(void *));
    size_t address;
    if (block == NULL) return NULL;
    ++*(int64_t *)user;
    address = ((size_t)block + sizeof(void *) + alignment - 1) / alignment * alignment;
    ((void **)address)[-1] = block;
    return (void *)address;
}
static void release(void *memory, size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment;
    --*(int64_t *)user;
    free(((void **)memory)[-1]);
}

int main(void) {
    WATCHED(pccd_context_def, context_def);
    WATCHED(pccd_context_info, context_info);
    WATCHED(pccd_ccd_settings, settings);
    WATCHED(pccd_mesh_def, mesh_def);
    WATCHED(pccd_mesh_info, mesh_info);
    WATCHED(pccd_bvh_def, bvh_def);
    WATCHED(pccd_bvh_info, bvh_info);
    WATCHED(pccd_query_def, query_def);
    WATCHED(pccd_query_stats, stats);
    WATCHED(pccd_query_worker_stats, worker);
    WATCHED(pccd_ccd_result, result);
    WATCHED(pccd_contact, contact);
    WATCHED(pccd_triangle_ref, triangle);
    pccd_context *context;
    pccd_mesh floor, body;
    pccd_bvh bvh;
    pccd_query query;
    pccd_view positions;
    const pccd_contact *contacts;
    uint64_t count, copied, hash;
    double points[8][3], lower[3] = {0.9, 0.9, -0.5}, upper[3] = {2, 2, 0.5};
    int64_t blocks = 0;

    CHECK(pccd_abi_version() == PCCD_ABI_VERSION);
    CHECK(pccd_context_def_init(&context_def.it, sizeof context_def.it) == PCCD_OK);
    UNTOUCHED(context_def);
    CHECK(context_def.it.struct_size == sizeof context_def.it && context_def.it.thread_count == 1);
    context_def.it.abi_version = PCCD_ABI_VERSION;
    context_def.it.thread_count = 2;
    context_def.it.log = log_it;
    context_def.it.log_user = &logged;
    context_def.it.alloc = alloc;
    context_def.it.free = release;
    context_def.it.memory_user = &blocks;
    CHECK(pccd_context_create(&context_def.it, &context) == PCCD_OK);
    CHECK(pccd_context_info_init(&context_info.it, sizeof context_info.it) == PCCD_OK);
    CHECK(pccd_context_info_get(context, &context_info.it) == PCCD_OK);
    UNTOUCHED(context_info);
    CHECK(context_info.it.thread_count == 2 && context_info.it.scheduler == PCCD_SCHEDULER_ASSIGNMENT);

    memcpy(points[0], above[0], 3 * sizeof(double));
    memcpy(points[1], square, 9 * sizeof(double));
    memcpy(points[4], below[0], 3 * sizeof(double));
    memcpy(points[5], square, 9 * sizeof(double));
    CHECK(pccd_ccd_settings_init(&settings.it, sizeof settings.it) == PCCD_OK);
    UNTOUCHED(settings);
    positions = view(points, 8, PCCD_FORMAT_F64X3);
    CHECK(pccd_ccd_batch(context, PCCD_VERTEX_FACE, &positions, 1, &settings.it, &result.it) == PCCD_OK);
    UNTOUCHED(result);
    CHECK(result.it.flags == PCCD_CCD_HIT && result.it.toi_lower <= 0.5 && result.it.toi_upper >= 0.5 && result.it.normal[2] == 1.0);

    CHECK(pccd_mesh_def_init(&mesh_def.it, sizeof mesh_def.it) == PCCD_OK);
    UNTOUCHED(mesh_def);
    mesh_def.it.positions = view(square, 4, PCCD_FORMAT_F64X3);
    mesh_def.it.triangles = view(square_faces, 2, PCCD_FORMAT_U32X3);
    mesh_def.it.user_data = 77;
    CHECK(pccd_mesh_create(context, &mesh_def.it, &floor) == PCCD_OK);
    mesh_def.it.positions = view(above, 3, PCCD_FORMAT_F64X3);
    mesh_def.it.triangles = view(faces, 1, PCCD_FORMAT_U16X3);
    CHECK(pccd_mesh_create(context, &mesh_def.it, &body) == PCCD_OK);
    CHECK(pccd_mesh_info_init(&mesh_info.it, sizeof mesh_info.it) == PCCD_OK);
    CHECK(pccd_mesh_info_get(context, floor, &mesh_info.it) == PCCD_OK);
    UNTOUCHED(mesh_info);
    CHECK(mesh_info.it.edge_count == 5 && mesh_info.it.user_data == 77);

    CHECK(pccd_bvh_def_init(&bvh_def.it, sizeof bvh_def.it) == PCCD_OK);
    UNTOUCHED(bvh_def);
    CHECK(pccd_bvh_create(context, &bvh_def.it, &bvh) == PCCD_OK);
    CHECK(pccd_bvh_add(context, bvh, floor) == PCCD_OK && pccd_bvh_add(context, bvh, body) == PCCD_OK);
    CHECK(pccd_query_def_init(&query_def.it, sizeof query_def.it) == PCCD_OK);
    UNTOUCHED(query_def);
    CHECK(pccd_query_create(context, &query_def.it, &query) == PCCD_OK);
    positions = view(below, 3, PCCD_FORMAT_F64X3);
    CHECK(pccd_mesh_move(context, body, &positions) == PCCD_OK);
    CHECK(pccd_query_run(context, query, bvh) == PCCD_OK);
    CHECK(pccd_query_contacts(context, query, &contacts, &count) == PCCD_OK);
    /* three vertices through the first triangle, and edges of the body over its diagonal if they cross it: they do not */
    CHECK(count == 3 && contacts[2].mesh_a.id == body.id && contacts[2].vertices[0] == 2 && contacts[2].triangles[1] == 0);
    CHECK(pccd_query_copy_contacts(context, query, &contact.it, 1, &copied) == PCCD_INCOMPLETE && copied == count);
    UNTOUCHED(contact);
    CHECK(memcmp(&contact.it, contacts, sizeof contact.it) == 0);
    CHECK(pccd_query_hash(context, query, &hash) == PCCD_OK && hash != 0);
    CHECK(pccd_query_stats_init(&stats.it, sizeof stats.it) == PCCD_OK);
    CHECK(pccd_query_stats_get(context, query, &stats.it) == PCCD_OK);
    UNTOUCHED(stats);
    CHECK(stats.it.contacts_vf == 3 && stats.it.triangle_count == 3 && stats.it.worker_count == 2);
    CHECK(pccd_query_worker_stats_init(&worker.it, sizeof worker.it) == PCCD_OK);
    CHECK(pccd_query_worker_stats_get(context, query, 0, &worker.it) == PCCD_OK);
    UNTOUCHED(worker);
    CHECK(pccd_bvh_info_init(&bvh_info.it, sizeof bvh_info.it) == PCCD_OK);
    CHECK(pccd_bvh_info_get(context, bvh, &bvh_info.it) == PCCD_OK);
    UNTOUCHED(bvh_info);
    CHECK(bvh_info.it.mesh_count == 2);
    CHECK(pccd_bvh_overlap(context, bvh, lower, upper, &triangle.it, 1, &count) == PCCD_INCOMPLETE && count == 2);
    UNTOUCHED(triangle);
    CHECK(triangle.it.mesh.id == floor.id && triangle.it.triangle == 0);
    CHECK(pccd_context_destroy(context) == PCCD_OK);
    CHECK(blocks == 0 && logged > 0);
    printf("all is as it was in 0.1\n");
    return 0;
}
