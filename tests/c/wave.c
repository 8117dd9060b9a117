/*
 * The scene of the tests of all bindings, and what C finds in it: a cloth with waves that grow until they break. A line for
 * every frame: its number, the number of contacts, and their hash.
 *
 * The positions are made from additions, multiplications and divisions of doubles alone, in this order, and rounded to
 * floats in the end: so they are the same in every language.
 */
#include <pccd.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call) do if ((call) < 0) { printf("%s: %s\n", #call, pccd_last_error()); exit(1); } while (0)

enum { SIDE = 40, FRAMES = 6, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static float positions[VERTICES][3];
static uint32_t triangles[TRIANGLES][3];

/* A wave of parabolas: up from 0 to 0.5, down from 0.5 to 1. */
static double wave(double x) {
    double f = x - floor(x);
    return f < 0.5 ? f * (0.5 - f) * 16.0 : (f - 0.5) * (1.0 - f) * -16.0;
}

static void pose(int frame) {
    int i;
    for (i = 0; i < VERTICES; i++) {
        double u = (double)(i % SIDE) / (SIDE - 1), v = (double)(i / SIDE) / (SIDE - 1);
        double height = 0.02 + 0.02 * frame, phase = 4.0 * u + 0.3 * wave(0.5 * v) + 0.1 * frame;
        positions[i][0] = (float)(u + height * wave(phase));
        positions[i][1] = (float)v;
        positions[i][2] = (float)(height * wave(phase + 0.25));
    }
}

int main(void) {
    pccd_context *context;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
    pccd_mesh_def def;
    int i, frame;
    for (i = 0; i < TRIANGLES / 2; i++) {
        uint32_t a = (uint32_t)(i / (SIDE - 1) * SIDE + i % (SIDE - 1));
        triangles[2 * i][0] = a, triangles[2 * i][1] = a + 1, triangles[2 * i][2] = a + SIDE;
        triangles[2 * i + 1][0] = a + 1, triangles[2 * i + 1][1] = a + SIDE + 1, triangles[2 * i + 1][2] = a + SIDE;
    }
    pose(0);
    TRY(pccd_context_create(NULL, &context));
    TRY(pccd_mesh_def_init(&def, sizeof def));
    def.positions.data = positions;
    def.positions.count = VERTICES;
    def.positions.format = PCCD_FORMAT_F32X3;
    def.triangles.data = triangles;
    def.triangles.count = TRIANGLES;
    def.triangles.format = PCCD_FORMAT_U32X3;
    TRY(pccd_mesh_create(context, &def, &mesh));
    TRY(pccd_bvh_create(context, NULL, &bvh));
    TRY(pccd_bvh_add(context, bvh, mesh));
    TRY(pccd_query_create(context, NULL, &query));
    for (frame = 1; frame <= FRAMES; frame++) {
        const pccd_contact *contacts;
        uint64_t count, hash;
        pose(frame);
        TRY(pccd_mesh_move(context, mesh, &def.positions));
        TRY(pccd_query_run(context, query, bvh));
        TRY(pccd_query_contacts(context, query, &contacts, &count));
        TRY(pccd_query_hash(context, query, &hash));
        printf("%d %" PRIu64 " %016" PRIx64 "\n", frame, count, hash);
    }
    TRY(pccd_context_destroy(context));
    return 0;
}
