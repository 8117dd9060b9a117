/* Discrete queries as a C program uses them: both methods, any threads, the same bits; nothing allocated once it runs. */
#include "check.h"

#include <math.h>
#include <string.h>

enum { SIZE = 24, VERTICES = SIZE * SIZE, QUADS = (SIZE - 1) * (SIZE - 1), FRAMES = 4 };

static uint32_t triangles[2 * QUADS][3];
static double points[2][VERTICES][3];

static void place(int frame) {
    int sheet, i, j;
    for (sheet = 0; sheet < 2; ++sheet) {
        for (j = 0; j < SIZE; ++j) {
            for (i = 0; i < SIZE; ++i) {
                double u = (double)i / (SIZE - 1), v = (double)j / (SIZE - 1), t = 0.7 * frame;
                double *point = points[sheet][j * SIZE + i];
                point[0] = u + 0.3 * sin(7 * v + t) * sin(5 * u - t);
                point[1] = v + 0.3 * sin(6 * u - 2 * t + sheet);
                point[2] = 0.2 * sin(9 * u + t) * cos(8 * v - t) + 0.05 * sheet * cos(3 * t);
            }
        }
    }
}

static void connect(void) {
    uint32_t quad;
    for (quad = 0; quad < QUADS; ++quad) {
        uint32_t a = quad / (SIZE - 1) * SIZE + quad % (SIZE - 1);
        uint32_t *first = triangles[2 * quad], *second = triangles[2 * quad + 1];
        first[0] = a, first[1] = a + 1, first[2] = a + SIZE;
        second[0] = a + 1, second[1] = a + SIZE + 1, second[2] = a + SIZE;
    }
}

static uint64_t hashes[FRAMES], counts[FRAMES];

/* Runs all frames; the first call keeps what was found, the others compare. */
static void run(uint32_t threads, uint32_t method, uint32_t hashing, int donated) {
    counting memory = {0};
    pccd_context *context = new_context(threads, &memory);
    pccd_query_def def;
    pccd_query query;
    pccd_mesh meshes[2];
    pccd_bvh bvh = new_bvh(context);
    pccd_discrete_stats stats;
    size_t allocations = 0;
    int frame, sheet;
    pccd_query_def_init(&def, sizeof def);
    def.mode = PCCD_MODE_DISCRETE;
    def.method = method;
    def.hashing = hashing;
    def.flags = PCCD_QUERY_SEGMENTS;
    EXPECT(PCCD_OK, pccd_query_create(context, &def, &query), "");
    place(0);
    for (sheet = 0; sheet < 2; ++sheet) {
        meshes[sheet] = new_mesh(context, points[sheet], VERTICES, triangles, 2 * QUADS);
        EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, meshes[sheet]), "");
    }
    for (frame = 0; frame < 2 * FRAMES; ++frame) {
        const pccd_intersection *found;
        uint64_t count, hash;
        place(frame % FRAMES);
        for (sheet = 0; sheet < 2; ++sheet) {
            pccd_view view = view_of(points[sheet], VERTICES, 0, PCCD_FORMAT_F64X3);
            EXPECT(PCCD_OK, pccd_mesh_move(context, meshes[sheet], &view), "");
        }
        if (donated) {
            EXPECT(PCCD_OK, pccd_query_begin(context, query, bvh), "");
            EXPECT(PCCD_ERR_BUSY, pccd_query_run(context, query, bvh), "begun");
            if (donated > 1) EXPECT(PCCD_OK, pccd_query_work(context, query), "");
            EXPECT(PCCD_OK, pccd_query_end(context, query), "");
        } else {
            EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
        }
        EXPECT(PCCD_OK, pccd_query_intersections(context, query, &found, &count), "");
        EXPECT(PCCD_OK, pccd_query_hash(context, query, &hash), "");
        pccd_discrete_stats_init(&stats, sizeof stats);
        EXPECT(PCCD_OK, pccd_discrete_stats_get(context, query, &stats), "");
        CHECK(stats.intersections == count && stats.triangle_count == 4 * QUADS && stats.dropped == 0);
        CHECK(method == PCCD_METHOD_AUTO || (stats.method == method && stats.reason == PCCD_REASON_ASKED));
        CHECK(stats.method == PCCD_METHOD_BVH ? stats.node_pairs > 0 : stats.cells > 0 && stats.entries > stats.cells);
        if (hashes[frame % FRAMES] == 0) {
            hashes[frame % FRAMES] = hash;
            counts[frame % FRAMES] = count;
            CHECK(count > 100);
        }
        CHECK(hash == hashes[frame % FRAMES] && count == counts[frame % FRAMES]);
        if (count > 0) {
            uint64_t i;
            int in_order = 1, have_segments = 1;
            for (i = 0; i < count; ++i) {
                have_segments &= (found[i].flags & PCCD_INTERSECTION_SEGMENT) != 0;
                if (i > 0) {
                    const pccd_intersection *a = &found[i - 1], *b = &found[i];
                    in_order &= a->mesh_a.id < b->mesh_a.id
                                || (a->mesh_a.id == b->mesh_a.id
                                    && (a->triangle_a < b->triangle_a
                                        || (a->triangle_a == b->triangle_a
                                            && (a->mesh_b.id < b->mesh_b.id
                                                || (a->mesh_b.id == b->mesh_b.id && a->triangle_b < b->triangle_b)))));
                }
            }
            CHECK(in_order && have_segments);
        }
        /* With one thread who does what is always the same; the second time around nothing is allocated. */
        if (frame == FRAMES) allocations = memory.allocations;
        if (frame > FRAMES && threads == 1) CHECK(memory.allocations == allocations || stats.method == PCCD_METHOD_BVH);
        if (frame > FRAMES && threads == 1 && method == PCCD_METHOD_GRID) CHECK(memory.allocations == allocations);
    }
    EXPECT(PCCD_OK, pccd_query_cancel(context, query), "");
    if (method != PCCD_METHOD_BVH) {
        uint64_t hash;
        place(FRAMES - 1);
        EXPECT(PCCD_OK, pccd_query_run_meshes(context, query, meshes, 2), "");
        EXPECT(PCCD_OK, pccd_query_hash(context, query, &hash), "");
        CHECK(hash == hashes[FRAMES - 1]);
    }
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.wrong_free == 0);
}

int main(void) {
    connect();
    section("both methods on one thread");
    run(1, PCCD_METHOD_BVH, 0, 0);
    run(1, PCCD_METHOD_GRID, PCCD_HASHING_MORTON, 0);
    run(1, PCCD_METHOD_GRID, PCCD_HASHING_DJB2, 0);
    run(1, PCCD_METHOD_AUTO, 0, 0);
    section("on several");
    run(2, PCCD_METHOD_BVH, 0, 0);
    run(3, PCCD_METHOD_GRID, PCCD_HASHING_MORTON, 0);
    run(5, PCCD_METHOD_GRID, PCCD_HASHING_DJB2, 0);
    section("donated threads");
    run(2, PCCD_METHOD_GRID, 0, 1);
    run(2, PCCD_METHOD_BVH, 0, 2);
    return finish();
}
