#include "sheets.h"

#include <math.h>
#include <stddef.h>

golden expected[FRAMES];

static void place(double (*points)[3], int sheet, int frame) {
    int i, j;
    for (j = 0; j < SHEET_SIZE; ++j) {
        for (i = 0; i < SHEET_SIZE; ++i) {
            double u = (double)i / (SHEET_SIZE - 1), v = (double)j / (SHEET_SIZE - 1), t = 0.7 * frame;
            double *point = points[j * SHEET_SIZE + i];
            /* Folded over itself more and more: boxes get bad, and there are contacts within a sheet. */
            point[0] = u + 0.35 * sin(7 * v + t) * sin(5 * u - t);
            point[1] = v + 0.35 * sin(6 * u - 2 * t + sheet);
            point[2] = 0.2 * sin(9 * u + t) * cos(8 * v - t) + 0.05 * sheet * cos(3 * t);
        }
    }
}

int sheets_open(sheets *it, pccd_context *context) {
    static const size_t quads = (SHEET_SIZE - 1) * (SHEET_SIZE - 1);
    double points[SHEET_VERTICES][3];
    uint32_t triangles[2 * (SHEET_SIZE - 1) * (SHEET_SIZE - 1)][3];
    size_t quad;
    int sheet;
    for (quad = 0; quad < quads; ++quad) {
        uint32_t a = (uint32_t)(quad / (SHEET_SIZE - 1) * SHEET_SIZE + quad % (SHEET_SIZE - 1));
        uint32_t corners[4];
        corners[0] = a;
        corners[1] = a + 1;
        corners[2] = a + SHEET_SIZE;
        corners[3] = a + SHEET_SIZE + 1;
        triangles[2 * quad][0] = corners[0];
        triangles[2 * quad][1] = corners[1];
        triangles[2 * quad][2] = corners[2];
        triangles[2 * quad + 1][0] = corners[1];
        triangles[2 * quad + 1][1] = corners[3];
        triangles[2 * quad + 1][2] = corners[2];
    }
    it->context = context;
    if (pccd_bvh_create(context, NULL, &it->bvh) != PCCD_OK) return 0;
    if (pccd_query_create(context, NULL, &it->query) != PCCD_OK) return 0;
    for (sheet = 0; sheet < SHEETS; ++sheet) {
        pccd_mesh_def def;
        place(points, sheet, 0);
        def = mesh_def_of(points, SHEET_VERTICES, triangles, 2 * quads);
        if (pccd_mesh_create(context, &def, &it->meshes[sheet]) != PCCD_OK) return 0;
        if (pccd_bvh_add(context, it->bvh, it->meshes[sheet]) != PCCD_OK) return 0;
    }
    return 1;
}

int sheets_move(const sheets *it, int frame) {
    double before[SHEET_VERTICES][3], after[SHEET_VERTICES][3];
    int sheet;
    for (sheet = 0; sheet < SHEETS; ++sheet) {
        pccd_view start = view_of(before, SHEET_VERTICES, 0, PCCD_FORMAT_F64X3);
        pccd_view end = view_of(after, SHEET_VERTICES, 0, PCCD_FORMAT_F64X3);
        place(before, sheet, frame);
        place(after, sheet, frame + 1);
        if (pccd_mesh_set_motion(it->context, it->meshes[sheet], &start, &end) != PCCD_OK) return 0;
    }
    return 1;
}

static golden found(const sheets *it) {
    golden result = {0, UINT64_MAX};
    const pccd_contact *contacts;
    if (pccd_query_contacts(it->context, it->query, &contacts, &result.count) != PCCD_OK) result.count = UINT64_MAX;
    if (pccd_query_hash(it->context, it->query, &result.hash) != PCCD_OK) result.count = UINT64_MAX;
    return result;
}

int sheets_are_right(const sheets *it, int frame) {
    golden result = found(it);
    return result.count == expected[frame].count && result.hash == expected[frame].hash;
}

int sheets_are_empty(const sheets *it) {
    return found(it).count == 0;
}

int sheets_run(const sheets *it, int frame) {
    return sheets_move(it, frame) && pccd_query_run(it->context, it->query, it->bvh) == PCCD_OK
           && sheets_are_right(it, frame);
}

void find_expected(void) {
    sheets it;
    int frame;
    section("one thread");
    CHECK(sheets_open(&it, new_context(1, NULL)));
    for (frame = 0; frame < FRAMES; ++frame) {
        CHECK(sheets_move(&it, frame));
        EXPECT(PCCD_OK, pccd_query_run(it.context, it.query, it.bvh), "");
        expected[frame] = found(&it);
        CHECK(expected[frame].count > 100 && expected[frame].count < 100000);
        CHECK(frame == 0 || expected[frame].hash != expected[frame - 1].hash);
    }
    EXPECT(PCCD_OK, pccd_context_destroy(it.context), "");
}
