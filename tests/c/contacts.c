/* What is found, seen from C: contacts that can be worked out by hand, in every layout, mode and order of calls. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A floor, and a triangle that falls through it, strictly inside its outline: each of its vertices hits the floor, the first
   one at t = 1/4, the others at t = 1/2, and nothing else touches. All numbers are exact in 32 bits. */
static const double floor_at[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
static const double high[3][3] = {{1, 1, 1}, {2, 1, 2}, {1, 2, 2}};
static const double low[3][3] = {{1, 1, -3}, {2, 1, -2}, {1, 2, -2}};
static const uint32_t one_triangle[1][3] = {{0, 1, 2}};

typedef struct scene {
    pccd_context *context;
    pccd_mesh floor, falling;
    pccd_bvh bvh;
    pccd_query query;
} scene;

static pccd_view f64s(const void *data, uint64_t count) {
    return view_of(data, count, 0, PCCD_FORMAT_F64X3);
}

static scene new_scene_in(pccd_context *context) {
    pccd_view end = f64s(low, 3);
    scene it;
    it.context = context;
    it.floor = new_mesh(context, floor_at, 3, one_triangle, 1);
    it.falling = new_mesh(context, high, 3, one_triangle, 1);
    it.bvh = new_bvh(context);
    it.query = new_query(context);
    CHECK(it.floor.id < it.falling.id);
    EXPECT(PCCD_OK, pccd_bvh_add(context, it.bvh, it.floor), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, it.bvh, it.falling), "");
    EXPECT(PCCD_OK, pccd_mesh_move(context, it.falling, &end), "");
    return it;
}

static scene new_scene(void) {
    return new_scene_in(new_context(1, NULL));
}

static void end_scene(scene *it) {
    EXPECT(PCCD_OK, pccd_context_destroy(it->context), "");
}

/* Runs, and returns how many contacts there are. */
static uint64_t run(const scene *it, const pccd_contact **contacts) {
    uint64_t count = UINT64_MAX;
    EXPECT(PCCD_OK, pccd_query_run(it->context, it->query, it->bvh), "");
    EXPECT(PCCD_OK, pccd_query_contacts(it->context, it->query, contacts, &count), "");
    CHECK((count == 0) == (*contacts == NULL));
    return count;
}

static uint64_t run_and_count(const scene *it) {
    const pccd_contact *contacts;
    return run(it, &contacts);
}

static uint64_t hash_of(const scene *it) {
    uint64_t hash = 0;
    EXPECT(PCCD_OK, pccd_query_hash(it->context, it->query, &hash), "");
    return hash;
}

/* Replaces the query of a scene. */
static void look_for(scene *it, const pccd_query_def *def) {
    EXPECT(PCCD_OK, pccd_query_destroy(it->context, it->query), "");
    EXPECT(PCCD_OK, pccd_query_create(it->context, def, &it->query), "");
}

static pccd_query_def default_query(void) {
    pccd_query_def def;
    pccd_query_def_init(&def, sizeof def);
    return def;
}

static int close_to(double a, double b) {
    return fabs(a - b) < 1e-5;
}

/* The three contacts of the falling triangle, whose first vertex has this number. */
static void check_fall(const pccd_contact *contacts, uint64_t count, pccd_mesh a, pccd_mesh b, uint32_t first,
                       uint32_t triangle) {
    static const double when[] = {0.25, 0.5, 0.5};
    static const double weights[3][4] = {{1, 0.5, 0.25, 0.25}, {1, 0.25, 0.5, 0.25}, {1, 0.25, 0.25, 0.5}};
    uint32_t i, j;
    CHECK(count == 3);
    if (count != 3) return;
    for (i = 0; i < 3; ++i) {
        const pccd_contact *c = &contacts[i];
        CHECK(c->mesh_a.id == a.id && c->mesh_b.id == b.id);
        CHECK(c->kind == PCCD_VERTEX_FACE && c->flags == 0);
        CHECK(c->vertices[0] == first + i);
        CHECK(c->vertices[1] == 0 && c->vertices[2] == 1 && c->vertices[3] == 2);
        CHECK(c->triangles[0] == triangle && c->triangles[1] == 0);
        CHECK(c->toi_lower <= when[i] && c->toi_upper >= when[i] && c->toi_upper - c->toi_lower <= 1e-6);
        for (j = 0; j < 4; ++j) CHECK(close_to(c->weights[j], weights[i][j]));
        CHECK(close_to(c->normal[0], 0) && close_to(c->normal[1], 0) && close_to(c->normal[2], 1));
    }
}

static void vertices_and_faces(void) {
    scene it = new_scene();
    const pccd_contact *contacts;
    pccd_query_stats stats;
    pccd_bvh_info bvh_info;
    pccd_mesh_info mesh_info;
    uint64_t count;
    section("vertices through a face");
    count = run(&it, &contacts);
    check_fall(contacts, count, it.falling, it.floor, 0, 0);

    pccd_query_stats_init(&stats, sizeof stats);
    EXPECT(PCCD_OK, pccd_query_stats_get(it.context, it.query, &stats), "");
    CHECK(stats.triangle_count == 2 && stats.contacts_vf == 3 && stats.contacts_ee == 0 && stats.dropped == 0);
    CHECK(stats.candidates_vf >= 3 && stats.state_bytes > 0);
    CHECK(stats.bytes_per_triangle == (double)stats.state_bytes / 2);
    CHECK(stats.ms_update >= 0 && stats.ms_traverse >= 0 && stats.ms_elementary >= 0 && stats.ms_sort >= 0);
    CHECK(stats.ms_total >= 0);

    pccd_bvh_info_init(&bvh_info, sizeof bvh_info);
    EXPECT(PCCD_OK, pccd_bvh_info_get(it.context, it.bvh, &bvh_info), "");
    CHECK(bvh_info.mesh_count == 2 && bvh_info.triangle_count == 2 && bvh_info.node_count > 0 && bvh_info.depth > 0);
    CHECK(bvh_info.bytes > 0 && bvh_info.quality > 0 && bvh_info.quality <= 1);
    pccd_mesh_info_init(&mesh_info, sizeof mesh_info);
    EXPECT(PCCD_OK, pccd_mesh_info_get(it.context, it.floor, &mesh_info), "");
    CHECK(mesh_info.edge_count == 3 && mesh_info.degenerate_triangle_count == 0 && mesh_info.bytes > 0);
    end_scene(&it);
}

/* A triangle that stands on its tip meets one that hangs from above: edge on edge at t = 1/2, and nothing else. */
static void edges_and_edges(void) {
    static const double standing[3][3] = {{-2, 0, 0}, {2, 0, 0}, {0, 0, -5}};
    static const double hanging[3][3] = {{0, -2, 1}, {0, 2, 1}, {0, 0, 6}};
    static const double lower[3][3] = {{0, -2, -1}, {0, 2, -1}, {0, 0, 4}};
    pccd_view end = f64s(lower, 3);
    const pccd_contact *c;
    scene it;
    int i;
    section("edges through edges");
    it.context = new_context(1, NULL);
    it.floor = new_mesh(it.context, standing, 3, one_triangle, 1);
    it.falling = new_mesh(it.context, hanging, 3, one_triangle, 1);
    it.bvh = new_bvh(it.context);
    it.query = new_query(it.context);
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.falling), "");
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.floor), "");
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &end), "");
    CHECK(run(&it, &c) == 1);
    if (c != NULL) {
        CHECK(c->kind == PCCD_EDGE_EDGE && c->flags == 0);
        CHECK(c->mesh_a.id == it.floor.id && c->mesh_b.id == it.falling.id);
        CHECK(c->vertices[0] == 0 && c->vertices[1] == 1 && c->vertices[2] == 0 && c->vertices[3] == 1);
        CHECK(c->triangles[0] == 0 && c->triangles[1] == 0);
        CHECK(c->toi_lower <= 0.5 && c->toi_upper >= 0.5 && c->toi_upper - c->toi_lower <= 1e-6);
        for (i = 0; i < 4; ++i) CHECK(close_to(c->weights[i], 0.5));
        CHECK(close_to(c->normal[0], 0) && close_to(c->normal[1], 0) && close_to(c->normal[2], -1));
    }
    end_scene(&it);
}

/* Both triangles in one mesh: floor and falling are its triangles 0 and 1. */
static const uint32_t two_triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
static double both_high[6][3], both_low[6][3];

static scene new_self_scene(uint32_t flags, double thickness) {
    pccd_mesh_def def;
    pccd_view end = f64s(both_low, 6);
    scene it;
    memcpy(both_high, floor_at, sizeof floor_at);
    memcpy(both_high + 3, high, sizeof high);
    memcpy(both_low, floor_at, sizeof floor_at);
    memcpy(both_low + 3, low, sizeof low);
    def = mesh_def_of(both_high, 6, two_triangles, 2);
    def.flags = flags;
    def.thickness = thickness;
    it.context = new_context(1, NULL);
    EXPECT(PCCD_OK, pccd_mesh_create(it.context, &def, &it.floor), "");
    it.falling = it.floor;
    it.bvh = new_bvh(it.context);
    it.query = new_query(it.context);
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.floor), "");
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.floor, &end), "");
    return it;
}

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

static void at_start(void) {
    static const double touching[3][3] = {{1, 1, 0}, {2, 1, 1}, {1, 2, 1}};
    pccd_view start = f64s(touching, 3), end = f64s(high, 3);
    scene it = new_scene();
    const pccd_contact *c;
    section("contacts at the start");
    EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.falling, &start, &end), "");
    CHECK(run(&it, &c) == 1);
    if (c != NULL) {
        CHECK(c->kind == PCCD_VERTEX_FACE && c->vertices[0] == 0 && c->flags == PCCD_CONTACT_AT_START);
        CHECK(c->toi_lower == 0 && c->toi_upper >= 0 && c->toi_upper <= 1e-6);
    }
    end_scene(&it);
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

/* Elements in another format, with this stride, in memory that ends with the last of them. */
static pccd_view lay_out(const void *from, int is_index, int narrow, size_t stride, size_t shift, char **memory) {
    size_t size = is_index ? (narrow ? 6 : 12) : narrow ? 12 : 24;
    size_t count = is_index ? 1 : 3, i, j;
    *memory = malloc(shift + (count - 1) * stride + size);
    for (i = 0; i < count; ++i) {
        char *to = *memory + shift + i * stride;
        for (j = 0; j < 3; ++j) {
            if (is_index) {
                uint32_t wide = ((const uint32_t(*)[3])from)[i][j];
                uint16_t half = (uint16_t)wide;
                memcpy(to + j * size / 3, narrow ? (void *)&half : (void *)&wide, size / 3);
            } else {
                double wide = ((const double(*)[3])from)[i][j];
                float half = (float)wide;
                memcpy(to + j * size / 3, narrow ? (void *)&half : (void *)&wide, size / 3);
            }
        }
    }
    return view_of(*memory + shift, count, stride,
                   is_index ? (narrow ? PCCD_FORMAT_U16X3 : PCCD_FORMAT_U32X3)
                            : narrow ? PCCD_FORMAT_F32X3 : PCCD_FORMAT_F64X3);
}

static void layouts(void) {
    scene right = new_scene();
    uint64_t hash;
    int variant;
    section("layouts");
    CHECK(run_and_count(&right) == 3);
    hash = hash_of(&right);
    for (variant = 0; variant < 16; ++variant) {
        int narrow = variant & 1, short_index = variant >> 1 & 1, stride = variant >> 2 & 1, shift = variant >> 3 & 1;
        size_t position_stride = (narrow ? 12 : 24) + 13 * (size_t)stride;
        size_t index_stride = (short_index ? 6 : 12) + 5 * (size_t)stride;
        const void *starts[2] = {floor_at, high};
        pccd_mesh meshes[2];
        pccd_view end;
        char *memory, *indices;
        scene it;
        int i;
        it.context = new_context(1, NULL);
        it.bvh = new_bvh(it.context);
        it.query = new_query(it.context);
        for (i = 0; i < 2; ++i) {
            pccd_mesh_def def;
            pccd_mesh_def_init(&def, sizeof def);
            def.positions = lay_out(starts[i], 0, narrow, position_stride, (size_t)shift, &memory);
            def.triangles = lay_out(one_triangle, 1, short_index, index_stride, (size_t)shift, &indices);
            EXPECT(PCCD_OK, pccd_mesh_create(it.context, &def, &meshes[i]), "");
            /* Copied: the buffers may go. */
            free(memory);
            free(indices);
            EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, meshes[i]), "");
        }
        it.floor = meshes[0];
        it.falling = meshes[1];
        end = lay_out(low, 0, narrow, position_stride, (size_t)shift, &memory);
        EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &end), "");
        free(memory);
        CHECK(run_and_count(&it) == 3);
        CHECK(hash_of(&it) == hash);
        end_scene(&it);
    }
    end_scene(&right);
}

static void motions(void) {
    double broken[3][3];
    pccd_view start = f64s(high, 3), end = f64s(low, 3), wrong = f64s(broken, 3);
    scene it = new_scene();
    uint64_t hash;
    section("motions");
    CHECK(run_and_count(&it) == 3);
    hash = hash_of(&it);
    /* What was refused has changed nothing. */
    memcpy(broken, high, sizeof broken);
    broken[2][2] = (double)NAN;
    EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_move(it.context, it.falling, &wrong), "positions: vertex 2, z is NaN");
    EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_set_motion(it.context, it.falling, &end, &wrong), "end: vertex 2, z is NaN");
    wrong.count = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_set_motion(it.context, it.floor, &wrong, &end), "start->count is 2");
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    /* At rest below the floor, then back up through it, then the same motion as before. */
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &end), "");
    CHECK(run_and_count(&it) == 0);
    CHECK(hash_of(&it) != hash);
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &start), "");
    CHECK(run_and_count(&it) == 3);
    CHECK(hash_of(&it) != hash);
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &end), "");
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.falling, &start, &start), "");
    CHECK(run_and_count(&it) == 0);
    EXPECT(PCCD_OK, pccd_mesh_set_motion(it.context, it.falling, &start, &end), "");
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    end_scene(&it);
}

/* The ids are others in each of these contexts; the hash is not. */
static void hashes(void) {
    scene right = new_scene();
    uint64_t hash;
    uint32_t threads;
    int32_t simd;
    section("hashes");
    CHECK(run_and_count(&right) == 3);
    hash = hash_of(&right);
    CHECK(run_and_count(&right) == 3 && hash_of(&right) == hash);
    for (threads = 1; threads <= 3; ++threads) {
        for (simd = PCCD_SIMD_AUTO; simd <= PCCD_SIMD_AVX512; ++simd) {
            pccd_context_def def;
            pccd_context *context;
            pccd_mesh before;
            scene it;
            pccd_context_def_init(&def, sizeof def);
            def.thread_count = threads;
            def.simd = simd;
            if (pccd_context_create(&def, &context) == PCCD_ERR_UNSUPPORTED) continue;
            before = new_mesh(context, floor_at, 3, one_triangle, 1);
            it = new_scene_in(context);
            EXPECT(PCCD_OK, pccd_mesh_destroy(context, before), "");
            CHECK(it.floor.id != right.floor.id);
            CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
            end_scene(&it);
        }
    }
    end_scene(&right);
}

static void leaving(void) {
    scene it = new_scene();
    pccd_bvh other = new_bvh(it.context), first = it.bvh;
    pccd_contact copies[3];
    const pccd_contact *contacts;
    pccd_bvh_info info;
    uint64_t count, hash;
    section("meshes that leave");
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, other, it.falling), "");
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, other, it.floor), "");
    CHECK(run_and_count(&it) == 3);
    hash = hash_of(&it);
    it.bvh = other;
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    /* Out of one, still in the other. */
    EXPECT(PCCD_OK, pccd_bvh_remove(it.context, other, it.floor), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_remove(it.context, other, it.floor), "is not in bvh");
    CHECK(run_and_count(&it) == 0);
    it.bvh = first;
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, other, it.floor), "");
    it.bvh = other;
    CHECK(run_and_count(&it) == 3 && hash_of(&it) == hash);
    /* Contacts outlive the mesh and the hierarchy. */
    count = run(&it, &contacts);
    CHECK(count == 3);
    if (count == 3) memcpy(copies, contacts, sizeof copies);
    EXPECT(PCCD_OK, pccd_mesh_destroy(it.context, it.floor), "");
    if (count == 3) CHECK(memcmp(copies, contacts, sizeof copies) == 0);
    CHECK(hash_of(&it) == hash);
    EXPECT(PCCD_OK, pccd_bvh_destroy(it.context, first), "");
    if (count == 3) CHECK(memcmp(copies, contacts, sizeof copies) == 0);
    pccd_bvh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_bvh_update(it.context, other), "");
    EXPECT(PCCD_OK, pccd_bvh_info_get(it.context, other, &info), "");
    CHECK(info.mesh_count == 1 && info.triangle_count == 1);
    CHECK(run_and_count(&it) == 0);
    /* A new mesh in the place of the old one is not in the hierarchy. */
    it.floor = new_mesh(it.context, floor_at, 3, one_triangle, 1);
    CHECK(run_and_count(&it) == 0);
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, other, it.floor), "");
    CHECK(run_and_count(&it) == 3);
    end_scene(&it);
}

/* A vertex without triangles falls through the floor, and nobody cares. */
static void unusual_meshes(void) {
    static const double from[4][3] = {{1.25, 1.25, 1}, {1, 1, 1}, {2, 1, 2}, {1, 2, 2}};
    static const double to[4][3] = {{1.25, 1.25, -3}, {1, 1, -3}, {2, 1, -2}, {1, 2, -2}};
    static const uint32_t last_three[1][3] = {{1, 2, 3}};
    static const double line[4][3] = {{0, 0, 9}, {1, 1, 9}, {2, 2, 9}, {0, 1, 9}};
    static const uint32_t degenerate[4][3] = {{0, 0, 1}, {0, 1, 2}, {3, 3, 3}, {0, 1, 3}};
    pccd_view end = f64s(to, 4);
    const pccd_contact *contacts;
    pccd_mesh_info info;
    uint64_t count;
    scene it = new_scene();
    pccd_mesh lines;
    section("vertices without triangles");
    EXPECT(PCCD_OK, pccd_mesh_destroy(it.context, it.falling), "");
    it.falling = new_mesh(it.context, from, 4, last_three, 1);
    EXPECT(PCCD_OK, pccd_bvh_add(it.context, it.bvh, it.falling), "");
    EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, &end), "");
    count = run(&it, &contacts);
    check_fall(contacts, count, it.falling, it.floor, 1, 0);
    lines = new_mesh(it.context, line, 4, degenerate, 4);
    pccd_mesh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_mesh_info_get(it.context, lines, &info), "");
    /* Edges 0-1, 1-2, 0-2, 1-3 and 0-3; only the last triangle has an area. */
    CHECK(info.edge_count == 5 && info.degenerate_triangle_count == 3);
    end_scene(&it);
}

enum { MANY = 300 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Against a look at every triangle. */
static void overlaps(void) {
    static double start[3 * MANY][3], end[3 * MANY][3];
    static uint32_t triangles[MANY][3];
    static pccd_triangle_ref found[2 * MANY], expected[2 * MANY];
    pccd_context *context = new_context(1, NULL);
    pccd_view from = f64s(start, 3 * MANY), to = f64s(end, 3 * MANY);
    pccd_bvh bvh = new_bvh(context);
    pccd_mesh meshes[2];
    uint32_t random = 1, i, axis;
    uint64_t count;
    int round;
    section("overlap");
    for (i = 0; i < 3 * MANY; ++i) {
        triangles[i / 3][i % 3] = i;
        for (axis = 0; axis < 3; ++axis) {
            /* Small whole numbers, so that boxes often just touch. */
            start[i][axis] = i / 3 % 20 + next_random(&random) % 4;
            end[i][axis] = start[i][axis] + (double)(next_random(&random) % 3) - 1;
        }
    }
    meshes[0] = new_mesh(context, start, 3 * MANY, triangles, MANY);
    meshes[1] = new_mesh(context, start, 3 * MANY, triangles, MANY);
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, meshes[1]), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, meshes[0]), "");
    /* Mesh 0 moves, mesh 1 rests: the query updates by itself. */
    EXPECT(PCCD_OK, pccd_mesh_set_motion(context, meshes[0], &from, &to), "");
    for (round = 0; round < 60; ++round) {
        double lower[3], upper[3];
        uint64_t right = 0, capacity;
        uint32_t mesh;
        for (axis = 0; axis < 3; ++axis) {
            lower[axis] = next_random(&random) % 24 - 1.0;
            upper[axis] = lower[axis] + next_random(&random) % 8;
        }
        for (mesh = 0; mesh < 2; ++mesh) {
            for (i = 0; i < MANY; ++i) {
                int meets = 1;
                for (axis = 0; axis < 3; ++axis) {
                    double least = INFINITY, most = -INFINITY;
                    uint32_t corner;
                    for (corner = 0; corner < 3; ++corner) {
                        double a = start[3 * i + corner][axis], b = mesh == 0 ? end[3 * i + corner][axis] : a;
                        least = fmin(least, fmin(a, b));
                        most = fmax(most, fmax(a, b));
                    }
                    meets = meets && least <= upper[axis] && most >= lower[axis];
                }
                if (!meets) continue;
                expected[right].mesh = meshes[mesh];
                expected[right].triangle = i;
                expected[right].reserved = 0;
                ++right;
            }
        }
        fill_canary(found, sizeof found);
        EXPECT(PCCD_OK, pccd_bvh_overlap(context, bvh, lower, upper, found, 2 * MANY, &count), "");
        CHECK(count == right && memcmp(found, expected, right * sizeof *found) == 0);
        CHECK(is_canary(found + right, sizeof found - right * sizeof *found));
        if (right == 0) continue;
        /* Less room: the first of them. */
        capacity = (uint64_t)round % right;
        fill_canary(found, sizeof found);
        EXPECT(PCCD_INCOMPLETE, pccd_bvh_overlap(context, bvh, lower, upper, capacity == 0 ? NULL : found, capacity, &count), "");
        CHECK(count == right && memcmp(found, expected, capacity * sizeof *found) == 0);
        CHECK(is_canary(found + capacity, sizeof found - capacity * sizeof *found));
    }
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
}

/* Up and down, again and again: after the first rounds nothing is allocated. */
static void steady(void) {
    counting memory = {0};
    scene it = new_scene_in(new_context(1, &memory));
    pccd_view start = f64s(high, 3), end = f64s(low, 3);
    size_t allocations = 0;
    int round;
    section("steady state");
    for (round = 0; round < 20; ++round) {
        EXPECT(PCCD_OK, pccd_mesh_move(it.context, it.falling, round % 2 == 0 ? &start : &end), "");
        CHECK(run_and_count(&it) == 3);
        if (round == 3) allocations = memory.allocations;
    }
    CHECK(memory.allocations == allocations);
    end_scene(&it);
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

int main(void) {
    vertices_and_faces();
    edges_and_edges();
    within_and_between();
    filters();
    thickness();
    at_start();
    modes();
    capacities();
    layouts();
    motions();
    hashes();
    leaving();
    unusual_meshes();
    overlaps();
    steady();
    return finish();
}
