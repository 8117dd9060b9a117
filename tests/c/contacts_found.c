/* What is a contact, and what is said about it. */
#include "falling.h"

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

void what_is_a_contact(void) {
    vertices_and_faces();
    edges_and_edges();
    at_start();
    unusual_meshes();
}
