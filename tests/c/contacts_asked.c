/* What a query looks for: within and between meshes, in its modes, from which distance on, and how much of it. */
#include "falling.h"

#include <string.h>

static void within_and_between(void) {
    pccd_query_def no_self = default_query(), no_inter = default_query(), neither = default_query();
    const pccd_contact *contacts;
    uint64_t count;
    scene it;
    section("within and between meshes");
    no_self.flags = PCCD_QUERY_NO_SELF;
    no_inter.flags = PCCD_QUERY_NO_INTER;
    neither.flags = PCCD_QUERY_NO_SELF | PCCD_QUERY_NO_INTER;

    it = new_self_scene(0, 0);
    count = run(&it, &contacts);
    check_fall(contacts, count, it.floor, it.floor, 3, 1);
    look_for(&it, &no_inter);
    count = run(&it, &contacts);
    check_fall(contacts, count, it.floor, it.floor, 3, 1);
    look_for(&it, &no_self);
    CHECK(run_and_count(&it) == 0);
    look_for(&it, &neither);
    CHECK(run_and_count(&it) == 0);
    /* What a mesh is and meets is about others. */
    look_for(&it, NULL);
    EXPECT(PCCD_OK, pccd_mesh_set_filter(it.context, it.floor, 1, 2), "");
    CHECK(run_and_count(&it) == 3);
    end_scene(&it);

    it = new_self_scene(PCCD_MESH_NO_SELF, 0);
    CHECK(run_and_count(&it) == 0);
    end_scene(&it);

    it = new_scene();
    look_for(&it, &no_self);
    count = run(&it, &contacts);
    check_fall(contacts, count, it.falling, it.floor, 0, 0);
    look_for(&it, &no_inter);
    CHECK(run_and_count(&it) == 0);
    look_for(&it, &neither);
    CHECK(run_and_count(&it) == 0);
    end_scene(&it);
}

static void filters(void) {
    static const struct {
        uint64_t floor_category, floor_mask, falling_category, falling_mask;
        uint64_t contacts;
    } cases[] = {{1, UINT64_MAX, 1, UINT64_MAX, 3},
                 {1, UINT64_MAX, 2, 1, 3},
                 {1, UINT64_MAX, 2, 2, 0},
                 {1, 2, 1, UINT64_MAX, 0},
                 {1, 2, 2, 1, 3},
                 {(uint64_t)1 << 63, 1, 1, (uint64_t)1 << 63, 3},
                 {(uint64_t)1 << 63, 1, 1, UINT64_MAX >> 1, 0},
                 {0, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0},
                 {UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, 0}};
    scene it = new_scene();
    size_t i;
    section("filters");
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EXPECT(PCCD_OK, pccd_mesh_set_filter(it.context, it.floor, cases[i].floor_category, cases[i].floor_mask), "");
        EXPECT(PCCD_OK, pccd_mesh_set_filter(it.context, it.falling, cases[i].falling_category, cases[i].falling_mask), "");
        CHECK(run_and_count(&it) == cases[i].contacts);
    }
    end_scene(&it);
}

/* A flat triangle that comes down to half a unit above the floor; with a distance of 3/4 it is met at t = 5/6. */
static void thickness(void) {
    static const double flat_high[3][3] = {{1, 1, 2}, {2, 1, 2}, {1, 2, 2}};
    static const double flat_low[3][3] = {{1, 1, 0.5}, {2, 1, 0.5}, {1, 2, 0.5}};
    static const struct {
        double floor, falling, query;
        uint64_t contacts;
    } cases[] = {{0, 0, 0.75, 3}, {0.25, 0.25, 0.25, 3}, {0.75, 0, 0, 3}, {0, 0.5, 0.25, 3}, {0, 0, 0, 0},
                 {0.125, 0.125, 0.125, 0}};
    pccd_view start = f64s(flat_high, 3), end = f64s(flat_low, 3);
    uint64_t first_hash = 0;
    size_t i;
    section("thickness");
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pccd_query_def query_def = default_query();
        pccd_mesh_def floor_def = mesh_def_of(floor_at, 3, one_triangle, 1);
        pccd_mesh_def falling_def = mesh_def_of(flat_high, 3, one_triangle, 1);
        const pccd_contact *contacts;
        uint64_t count, j;
        scene it;
        it.context = new_context(1, NULL);
        floor_def.thickness = cases[i].floor;
        falling_def.thickness = cases[i].falling;
        query_def.min_separation = cases[i].query;
        EXPECT(PCCD_OK, pccd_mesh_create(it.context, &floor_def, &it.floor), "");
        EXPECT(PCCD_OK, pccd_mesh_create(it.context, &falling_def, &it.falling), "");
        EXPECT(PCCD_OK, pccd_query_create(it.context, &query_def, &it.query), "");
        it.bvh = new_bvh(it.context);
        EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.floor), "");
        EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.falling), "");
        EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.falling, &start, &end), "");
        count = run(&it, &contacts);
        CHECK(count == cases[i].contacts);
        for (j = 0; j < count; ++j) {
            CHECK(contacts[j].kind == PCCD_VERTEX_FACE && contacts[j].flags == 0);
            CHECK(contacts[j].mesh_a.id == it.falling.id && contacts[j].vertices[0] == j);
            CHECK(contacts[j].toi_lower <= 5.0 / 6 && close_to(contacts[j].toi_upper, 5.0 / 6));
            CHECK(close_to(contacts[j].normal[2], 1));
        }
        /* Only the sum matters. */
        if (i == 0) first_hash = hash_of(&it);
        if (count == 3) CHECK(hash_of(&it) == first_hash);
        end_scene(&it);
    }
    for (i = 0; i < 2; ++i) {
        /* With itself, a mesh is twice as thick. */
        scene it = new_self_scene(0, i == 0 ? 0.375 : 0.2);
        pccd_view both_start = f64s(both_high, 6), both_end = f64s(both_low, 6);
        memcpy(both_high + 3, flat_high, sizeof flat_high);
        memcpy(both_low + 3, flat_low, sizeof flat_low);
        EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.floor, &both_start, &both_end), "");
        CHECK(run_and_count(&it) == (i == 0 ? 3 : 0));
        end_scene(&it);
    }
}

static void modes(void) {
    pccd_query_def def = default_query();
    scene it = new_scene();
    const pccd_contact *contacts;
    uint64_t count, i, j;
    static const double aside[3][3] = {{1001, 1, -3}, {1002, 1, -2}, {1001, 2, -2}};
    pccd_view far_away = f64s(aside, 3);
    section("modes");
    def.mode = PCCD_MODE_EARLIEST;
    look_for(&it, &def);
    CHECK(run(&it, &contacts) == 1);
    if (contacts != NULL) {
        CHECK(contacts->mesh_a.id == it.falling.id && contacts->mesh_b.id == it.floor.id);
        CHECK(contacts->kind == PCCD_VERTEX_FACE && contacts->vertices[0] == 0);
        CHECK(contacts->toi_lower <= 0.25 && contacts->toi_upper >= 0.25);
    }
    def.mode = PCCD_MODE_CANDIDATES;
    look_for(&it, &def);
    count = run(&it, &contacts);
    CHECK(count >= 3);
    for (i = 0; i < count; ++i) {
        CHECK(contacts[i].flags == 0 && contacts[i].toi_lower == 0 && contacts[i].toi_upper == 1);
        for (j = 0; j < 4; ++j) CHECK(contacts[i].weights[j] == 0);
        for (j = 0; j < 3; ++j) CHECK(contacts[i].normal[j] == 0);
    }
    for (i = 0; i < 3; ++i) {
        int found = 0;
        for (j = 0; j < count; ++j) {
            found += contacts[j].kind == PCCD_VERTEX_FACE && contacts[j].mesh_a.id == it.falling.id &&
                     contacts[j].mesh_b.id == it.floor.id && contacts[j].vertices[0] == i;
        }
        CHECK(found == 1);
    }
    /* Nothing to be found in any mode. */
    EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.falling, &far_away, &far_away), "");
    for (def.mode = PCCD_MODE_ALL; def.mode <= PCCD_MODE_CANDIDATES; ++def.mode) {
        look_for(&it, &def);
        CHECK(run_and_count(&it) == 0);
    }
    end_scene(&it);
}

static void culling(void) {
    pccd_query_def exact = default_query(), cones = default_query();
    const pccd_contact *contacts;
    pccd_query_stats stats;
    uint64_t count;
    scene it = new_self_scene(0, 0);
    section("culling");
    exact.culling = PCCD_CULL_EXACT;
    cones.culling = PCCD_CULL_DUAL_CONE;
    look_for(&it, &exact);
    count = run(&it, &contacts);
    check_fall(contacts, count, it.floor, it.floor, 3, 1);
    pccd_query_stats_init(&stats, sizeof stats);
    EXPECT(PCCD_OK, pccd_query_stats_get(it.context, it.query, &stats), "");
    CHECK(stats.culled_triangles == 0 && stats.ms_cull >= 0);
    /* Two triangles that are not connected: cones say nothing of them. */
    look_for(&it, &cones);
    count = run(&it, &contacts);
    check_fall(contacts, count, it.floor, it.floor, 3, 1);
    end_scene(&it);
}

static void capacities(void) {
    scene it = new_scene();
    const pccd_contact *contacts;
    pccd_contact all[3], room[5];
    pccd_query_stats stats;
    uint64_t count, capacity;
    section("capacities");
    pccd_query_stats_init(&stats, sizeof stats);
    CHECK(run_and_count(&it) == 3);
    for (capacity = 0; capacity <= 5; ++capacity) {
        size_t kept = capacity < 3 ? capacity : 3;
        fill_canary(room, sizeof room);
        fill_canary(&count, sizeof count);
        EXPECT(capacity < 3 ? PCCD_INCOMPLETE : PCCD_OK,
               pccd_query_copy_contacts(it.context, it.query, capacity == 0 ? NULL : room, capacity, &count), "");
        CHECK(count == 3);
        EXPECT(PCCD_OK, pccd_query_contacts(it.context, it.query, &contacts, &count), "");
        CHECK(contacts != NULL && memcmp(room, contacts, kept * sizeof *room) == 0);
        CHECK(is_canary(room + kept, sizeof room - kept * sizeof *room));
        memcpy(all, room, sizeof all);
    }
    for (capacity = 1; capacity <= 4; ++capacity) {
        size_t kept = capacity < 3 ? capacity : 3;
        pccd_query_def def = default_query();
        def.capacity = capacity;
        look_for(&it, &def);
        EXPECT(capacity < 3 ? PCCD_INCOMPLETE : PCCD_OK, pccd_query_run(it.context, it.query, it.bvh), "");
        EXPECT(PCCD_OK, pccd_query_contacts(it.context, it.query, &contacts, &count), "");
        CHECK(count == kept && contacts != NULL && memcmp(all, contacts, kept * sizeof *all) == 0);
        EXPECT(PCCD_OK, pccd_query_stats_get(it.context, it.query, &stats), "");
        CHECK(stats.dropped == 3 - kept);
    }
    end_scene(&it);
}

void what_is_looked_for(void) {
    within_and_between();
    filters();
    thickness();
    modes();
    culling();
    capacities();
}
