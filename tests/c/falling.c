/* A triangle that falls through a floor. */
#include "falling.h"

#include <math.h>
#include <string.h>

const double floor_at[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
const double high[3][3] = {{1, 1, 1}, {2, 1, 2}, {1, 2, 2}};
const double low[3][3] = {{1, 1, -3}, {2, 1, -2}, {1, 2, -2}};
const uint32_t one_triangle[1][3] = {{0, 1, 2}};

pccd_view f64s(const void *data, uint64_t count) {
    return view_of(data, count, 0, PCCD_FORMAT_F64X3);
}

scene new_scene_in(pccd_context *context) {
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

scene new_scene(void) {
    return new_scene_in(new_context(1, NULL));
}

void end_scene(scene *it) {
    EXPECT(PCCD_OK, pccd_context_destroy(it->context), "");
}

uint64_t run(const scene *it, const pccd_contact **contacts) {
    uint64_t count = UINT64_MAX;
    EXPECT(PCCD_OK, pccd_query_run(it->context, it->query, it->bvh), "");
    EXPECT(PCCD_OK, pccd_query_contacts(it->context, it->query, contacts, &count), "");
    CHECK((count == 0) == (*contacts == NULL));
    return count;
}

uint64_t run_and_count(const scene *it) {
    const pccd_contact *contacts;
    return run(it, &contacts);
}

uint64_t hash_of(const scene *it) {
    uint64_t hash = 0;
    EXPECT(PCCD_OK, pccd_query_hash(it->context, it->query, &hash), "");
    return hash;
}

void look_for(scene *it, const pccd_query_def *def) {
    EXPECT(PCCD_OK, pccd_query_destroy(it->context, it->query), "");
    EXPECT(PCCD_OK, pccd_query_create(it->context, def, &it->query), "");
}

pccd_query_def default_query(void) {
    pccd_query_def def;
    pccd_query_def_init(&def, sizeof def);
    return def;
}

int close_to(double a, double b) {
    return fabs(a - b) < 1e-5;
}

void check_fall(const pccd_contact *contacts, uint64_t count, pccd_mesh a, pccd_mesh b, uint32_t first,
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

static const uint32_t two_triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
double both_high[6][3], both_low[6][3];

scene new_self_scene(uint32_t flags, double thickness) {
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
