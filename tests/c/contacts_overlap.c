/* The triangles in a box. */
#include "falling.h"

#include <math.h>
#include <string.h>

enum { MANY = 300 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Against a look at every triangle. */
void triangles_in_boxes(void) {
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
