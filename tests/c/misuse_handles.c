/* Handles that are null, gone, of another context, of another kind, or never were: the same answer from every function. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t triangle[1][3] = {{0, 1, 2}};

/* What a context has that is fine. */
typedef struct objects {
    pccd_context *context;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
} objects;

static objects new_objects(void) {
    objects all;
    all.context = new_context(1, NULL);
    all.mesh = new_mesh(all.context, corners, 3, triangle, 1);
    all.bvh = new_bvh(all.context);
    all.query = new_query(all.context);
    return all;
}

static void as_mesh(const objects *all, uint64_t id, pccd_status expected, const char *words) {
    pccd_view view = view_of(corners, 3, 0, PCCD_FORMAT_F64X3);
    pccd_mesh mesh = mesh_handle(id);
    pccd_mesh_info info;
    fill_canary(&info, sizeof info);
    info.struct_size = sizeof info;
    EXPECT(expected, pccd_mesh_destroy(all->context, mesh), "mesh.id is ", words);
    EXPECT(expected, pccd_mesh_move(all->context, mesh, &view), "mesh.id is ", words);
    EXPECT(expected, pccd_mesh_set_motion(all->context, mesh, &view, &view), "mesh.id is ", words);
    EXPECT(expected, pccd_mesh_set_filter(all->context, mesh, 1, 1), "mesh.id is ", words);
    EXPECT(expected, pccd_mesh_info_get(all->context, mesh, &info), "mesh.id is ", words);
    EXPECT(expected, pccd_bvh_add(all->context, all->bvh, mesh), "mesh.id is ", words);
    EXPECT(expected, pccd_bvh_remove(all->context, all->bvh, mesh), "mesh.id is ", words);
    CHECK(is_canary(&info.flags, sizeof info - sizeof info.struct_size));
}

static void as_bvh(const objects *all, uint64_t id, pccd_status expected, const char *words) {
    const double corner[3] = {0, 0, 0};
    pccd_bvh bvh = bvh_handle(id);
    pccd_bvh_info info;
    pccd_triangle_ref found;
    uint64_t count;
    fill_canary(&info, sizeof info);
    fill_canary(&found, sizeof found);
    fill_canary(&count, sizeof count);
    info.struct_size = sizeof info;
    EXPECT(expected, pccd_bvh_destroy(all->context, bvh), "bvh.id is ", words);
    EXPECT(expected, pccd_bvh_add(all->context, bvh, all->mesh), "bvh.id is ", words);
    EXPECT(expected, pccd_bvh_remove(all->context, bvh, all->mesh), "bvh.id is ", words);
    EXPECT(expected, pccd_bvh_update(all->context, bvh), "bvh.id is ", words);
    EXPECT(expected, pccd_bvh_info_get(all->context, bvh, &info), "bvh.id is ", words);
    EXPECT(expected, pccd_bvh_overlap(all->context, bvh, corner, corner, &found, 1, &count), "bvh.id is ", words);
    EXPECT(expected, pccd_query_run(all->context, all->query, bvh), "bvh.id is ", words);
    CHECK(is_canary(&info.depth, sizeof info - sizeof info.struct_size));
    CHECK(is_canary(&found, sizeof found) && is_canary(&count, sizeof count));
}

static void as_query(const objects *all, uint64_t id, pccd_status expected, const char *words) {
    pccd_query query = query_handle(id);
    const pccd_contact *contacts;
    pccd_contact copy;
    pccd_query_stats stats;
    uint64_t number;
    fill_canary(&contacts, sizeof contacts);
    fill_canary(&copy, sizeof copy);
    fill_canary(&stats, sizeof stats);
    fill_canary(&number, sizeof number);
    stats.struct_size = sizeof stats;
    EXPECT(expected, pccd_query_destroy(all->context, query), "query.id is ", words);
    EXPECT(expected, pccd_query_run(all->context, query, all->bvh), "query.id is ", words);
    EXPECT(expected, pccd_query_contacts(all->context, query, &contacts, &number), "query.id is ", words);
    EXPECT(expected, pccd_query_copy_contacts(all->context, query, &copy, 1, &number), "query.id is ", words);
    EXPECT(expected, pccd_query_hash(all->context, query, &number), "query.id is ", words);
    EXPECT(expected, pccd_query_stats_get(all->context, query, &stats), "query.id is ", words);
    CHECK(is_canary(&contacts, sizeof contacts) && is_canary(&copy, sizeof copy) && is_canary(&number, sizeof number));
    CHECK(is_canary(&stats.reserved, sizeof stats - sizeof stats.struct_size));
}

static void as_all(const objects *all, uint64_t id) {
    char words[80];
    snprintf(words, sizeof words, " is 0x%llx, which is no ", (unsigned long long)id);
    as_mesh(all, id, PCCD_ERR_STALE_HANDLE, words);
    as_bvh(all, id, PCCD_ERR_STALE_HANDLE, words);
    as_query(all, id, PCCD_ERR_STALE_HANDLE, words);
}

static void still_there(const objects *all) {
    pccd_view view = view_of(corners, 3, 0, PCCD_FORMAT_F64X3);
    uint64_t hash;
    EXPECT(PCCD_OK, pccd_mesh_move(all->context, all->mesh, &view), "");
    EXPECT(PCCD_OK, pccd_bvh_update(all->context, all->bvh), "");
    EXPECT(PCCD_OK, pccd_query_hash(all->context, all->query, &hash), "");
}

static void never_were(void) {
    static const uint64_t ids[] = {1, 2, 0x1234, 0xffffffffu, (uint64_t)1 << 32, UINT64_MAX, UINT64_MAX << 32};
    objects all = new_objects();
    size_t i;
    section("handles that are null or never were");
    as_mesh(&all, 0, PCCD_ERR_NULL, "mesh.id is 0: the handle is null");
    as_bvh(&all, 0, PCCD_ERR_NULL, "bvh.id is 0: the handle is null");
    as_query(&all, 0, PCCD_ERR_NULL, "query.id is 0: the handle is null");
    for (i = 0; i < sizeof ids / sizeof *ids; ++i) as_all(&all, ids[i]);
    /* Neighbours of handles that are. */
    as_all(&all, all.mesh.id + 1);
    as_all(&all, all.bvh.id + ((uint64_t)1 << 32));
    as_all(&all, all.query.id - ((uint64_t)1 << 32));
    still_there(&all);
    EXPECT(PCCD_OK, pccd_context_destroy(all.context), "");
}

static void of_another_kind(void) {
    objects all = new_objects();
    char words[80];
    section("handles of another kind");
    snprintf(words, sizeof words, " is 0x%llx, which is no ", (unsigned long long)all.mesh.id);
    as_bvh(&all, all.mesh.id, PCCD_ERR_STALE_HANDLE, words);
    as_query(&all, all.mesh.id, PCCD_ERR_STALE_HANDLE, words);
    snprintf(words, sizeof words, " is 0x%llx, which is no ", (unsigned long long)all.bvh.id);
    as_mesh(&all, all.bvh.id, PCCD_ERR_STALE_HANDLE, words);
    as_query(&all, all.bvh.id, PCCD_ERR_STALE_HANDLE, words);
    snprintf(words, sizeof words, " is 0x%llx, which is no ", (unsigned long long)all.query.id);
    as_mesh(&all, all.query.id, PCCD_ERR_STALE_HANDLE, words);
    as_bvh(&all, all.query.id, PCCD_ERR_STALE_HANDLE, words);
    still_there(&all);
    EXPECT(PCCD_OK, pccd_context_destroy(all.context), "");
}

static void of_another_context(void) {
    enum { CONTEXTS = 8 };
    objects all[CONTEXTS];
    objects gone;
    int i, j;
    section("handles of another context");
    gone = new_objects();
    EXPECT(PCCD_OK, pccd_context_destroy(gone.context), "");
    for (i = 0; i < CONTEXTS; ++i) all[i] = new_objects();
    for (i = 0; i < CONTEXTS; ++i) {
        for (j = 0; j < CONTEXTS; ++j) {
            if (i == j) continue;
            as_all(&all[i], all[j].mesh.id);
            as_all(&all[i], all[j].bvh.id);
            as_all(&all[i], all[j].query.id);
        }
        as_all(&all[i], gone.mesh.id);
        as_all(&all[i], gone.bvh.id);
        as_all(&all[i], gone.query.id);
    }
    for (i = 0; i < CONTEXTS; ++i) {
        still_there(&all[i]);
        EXPECT(PCCD_OK, pccd_context_destroy(all[i].context), "");
    }
}

/* Whoever takes the place of an object that was destroyed has another name. */
static void gone(void) {
    objects all = new_objects(), old;
    int round;
    section("handles of what was destroyed");
    for (round = 0; round < 100; ++round) {
        old = all;
        EXPECT(PCCD_OK, pccd_mesh_destroy(all.context, old.mesh), "");
        EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_destroy(all.context, old.mesh), "mesh.id is 0x", "destroyed before");
        EXPECT(PCCD_OK, pccd_bvh_destroy(all.context, old.bvh), "");
        EXPECT(PCCD_ERR_STALE_HANDLE, pccd_bvh_destroy(all.context, old.bvh), "bvh.id is 0x", "destroyed before");
        EXPECT(PCCD_OK, pccd_query_destroy(all.context, old.query), "");
        EXPECT(PCCD_ERR_STALE_HANDLE, pccd_query_destroy(all.context, old.query), "query.id is 0x", "destroyed before");
        all.mesh = new_mesh(all.context, corners, 3, triangle, 1);
        all.bvh = new_bvh(all.context);
        all.query = new_query(all.context);
        CHECK(all.mesh.id != old.mesh.id && all.bvh.id != old.bvh.id && all.query.id != old.query.id);
        if (round % 10 == 0) {
            as_all(&all, old.mesh.id);
            as_all(&all, old.bvh.id);
            as_all(&all, old.query.id);
        }
    }
    still_there(&all);
    EXPECT(PCCD_OK, pccd_context_destroy(all.context), "");
}

static void poisoned(void) {
    objects all = new_objects();
    pccd_mesh_def def = mesh_def_of(corners, 3, triangle, 1);
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
    section("objects of poisoned contexts");
    fill_canary(&mesh, sizeof mesh);
    fill_canary(&bvh, sizeof bvh);
    fill_canary(&query, sizeof query);
    EXPECT(PCCD_ERR_PANIC, pccd_fault_panic(all.context), "asked to panic");
    EXPECT(PCCD_ERR_POISONED, pccd_mesh_create(all.context, &def, &mesh), "context is 0x");
    EXPECT(PCCD_ERR_POISONED, pccd_bvh_create(all.context, NULL, &bvh), "context is 0x");
    EXPECT(PCCD_ERR_POISONED, pccd_query_create(all.context, NULL, &query), "context is 0x");
    EXPECT(PCCD_ERR_POISONED, pccd_bvh_add(all.context, all.bvh, all.mesh), "context is 0x");
    EXPECT(PCCD_ERR_POISONED, pccd_query_run(all.context, all.query, all.bvh), "context is 0x");
    EXPECT(PCCD_ERR_POISONED, pccd_mesh_destroy(all.context, all.mesh), "context is 0x");
    CHECK(is_canary(&mesh, sizeof mesh) && is_canary(&bvh, sizeof bvh) && is_canary(&query, sizeof query));
    EXPECT(PCCD_OK, pccd_context_destroy(all.context), "");
}

void misuse_of_handles(void) {
    never_were();
    of_another_kind();
    of_another_context();
    gone();
    poisoned();
}
