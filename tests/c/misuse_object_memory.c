/* Allocators that refuse meshes, hierarchies and queries: nothing leaks, nothing changes, the next try succeeds. */
#include "check.h"

#include <string.h>

/* A sheet and the same one below it, to which the first one falls. */
enum { SIDE = 5, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static double sheet[VERTICES][3], above[VERTICES][3], below[VERTICES][3];
static uint32_t triangles[TRIANGLES][3];

static void fill(void) {
    uint32_t i, j, n = 0;
    for (i = 0; i < SIDE; ++i) {
        for (j = 0; j < SIDE; ++j) {
            double *at = sheet[i * SIDE + j];
            at[0] = i;
            at[1] = j;
            at[2] = 0.01 * ((i * 7 + j * 3) % 5);
            memcpy(above[i * SIDE + j], at, sizeof *above);
            memcpy(below[i * SIDE + j], at, sizeof *below);
            above[i * SIDE + j][0] += 0.3;
            above[i * SIDE + j][2] += 1;
            below[i * SIDE + j][0] += 0.3;
            below[i * SIDE + j][2] -= 1;
        }
    }
    for (i = 0; i + 1 < SIDE; ++i) {
        for (j = 0; j + 1 < SIDE; ++j) {
            uint32_t a = i * SIDE + j, b = a + 1, c = a + SIDE, d = c + 1;
            triangles[n][0] = a, triangles[n][1] = b, triangles[n][2] = c;
            ++n;
            triangles[n][0] = b, triangles[n][1] = d, triangles[n][2] = c;
            ++n;
        }
    }
}

typedef struct life {
    counting memory;
    pccd_context *context;
    pccd_mesh resting, falling;
    pccd_bvh bvh;
    pccd_query query;
    uint64_t hash, found;
} life;

/* Does something that may be refused once; the second try has what it needs. Returns whether it was refused. */
#define TRY(self, call, untouched)                                          \
    do {                                                                    \
        size_t before = (self)->memory.bytes;                               \
        pccd_status status = (call);                                        \
        if (status == PCCD_ERR_OUT_OF_MEMORY) {                             \
            CHECK(strstr(pccd_last_error(), ": no memory for ") != NULL);   \
            CHECK(strstr(pccd_last_error(), "bytes") != NULL);              \
            CHECK(untouched);                                               \
            (void)before;                                                   \
            EXPECT(PCCD_OK, (call), "");                                    \
        } else {                                                            \
            CHECK(status == PCCD_OK);                                       \
        }                                                                   \
    } while (0)

static void live(life *self) {
    pccd_mesh_def def = mesh_def_of(sheet, VERTICES, triangles, TRIANGLES);
    pccd_view start = view_of(above, VERTICES, 0, PCCD_FORMAT_F64X3), end = view_of(below, VERTICES, 0, PCCD_FORMAT_F64X3);
    const double lower[3] = {-100, -100, -100}, upper[3] = {100, 100, 100};
    pccd_triangle_ref box[2 * TRIANGLES];
    const pccd_contact *contacts;
    pccd_mesh_info info;
    pccd_bvh_info bvh_info;
    uint64_t hash;
    fill_canary(&self->resting, sizeof self->resting);
    fill_canary(&self->falling, sizeof self->falling);
    fill_canary(&self->bvh, sizeof self->bvh);
    fill_canary(&self->query, sizeof self->query);
    fill_canary(&self->found, sizeof self->found);
    TRY(self, pccd_mesh_create(self->context, &def, &self->resting),
        is_canary(&self->resting, sizeof self->resting) && self->memory.bytes == before);
    TRY(self, pccd_mesh_create(self->context, &def, &self->falling),
        is_canary(&self->falling, sizeof self->falling) && self->memory.bytes == before);
    TRY(self, pccd_bvh_create(self->context, NULL, &self->bvh),
        is_canary(&self->bvh, sizeof self->bvh) && self->memory.bytes == before);
    TRY(self, pccd_query_create(self->context, NULL, &self->query),
        is_canary(&self->query, sizeof self->query) && self->memory.bytes == before);
    pccd_bvh_info_init(&bvh_info, sizeof bvh_info);
    TRY(self, pccd_bvh_add(self->context, self->bvh, self->resting),
        pccd_bvh_info_get(self->context, self->bvh, &bvh_info) == PCCD_OK && bvh_info.mesh_count == 0);
    TRY(self, pccd_bvh_add(self->context, self->bvh, self->falling),
        pccd_bvh_info_get(self->context, self->bvh, &bvh_info) == PCCD_OK && bvh_info.mesh_count <= 1);
    /* Added, whatever happened before. */
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_add(self->context, self->bvh, self->resting), "already");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_bvh_add(self->context, self->bvh, self->falling), "already");
    TRY(self, pccd_mesh_set_motion(self->context, self->falling, &start, &end), 0);
    TRY(self, pccd_bvh_update(self->context, self->bvh), 1);
    TRY(self, pccd_query_run(self->context, self->query, self->bvh),
        pccd_query_contacts(self->context, self->query, &contacts, &self->found) == PCCD_OK && self->found == 0 &&
            contacts == NULL);
    /* A run after another motion, to see what was there before: after a refusal nothing. */
    EXPECT(PCCD_OK, pccd_query_hash(self->context, self->query, &self->hash), "");
    TRY(self, pccd_mesh_set_motion(self->context, self->falling, &end, &start), 0);
    TRY(self, pccd_query_run(self->context, self->query, self->bvh),
        pccd_query_contacts(self->context, self->query, &contacts, &self->found) == PCCD_OK && self->found == 0);
    TRY(self, pccd_mesh_set_motion(self->context, self->falling, &start, &end), 0);
    TRY(self, pccd_query_run(self->context, self->query, self->bvh), 1);
    EXPECT(PCCD_OK, pccd_query_hash(self->context, self->query, &hash), "");
    CHECK(hash == self->hash);
    EXPECT(PCCD_OK, pccd_query_contacts(self->context, self->query, &contacts, &self->found), "");
    fill_canary(box, sizeof box);
    fill_canary(&hash, sizeof hash);
    TRY(self, pccd_bvh_overlap(self->context, self->bvh, lower, upper, box, 2 * TRIANGLES, &hash),
        is_canary(box, sizeof box) && is_canary(&hash, sizeof hash));
    pccd_mesh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_mesh_info_get(self->context, self->falling, &info), "");
    CHECK(info.vertex_count == VERTICES && info.triangle_count == TRIANGLES);
}

/* Refuses one allocation after the other, until a whole life gets by without meeting it. */
static void refuse_each(uint32_t threads) {
    life right;
    size_t refuse, created;
    memset(&right, 0, sizeof right);
    right.context = new_context(threads, &right.memory);
    created = right.memory.allocations;
    live(&right);
    CHECK(right.memory.allocations > created + 3);
    for (refuse = created + 1; refuse <= right.memory.allocations + 1; ++refuse) {
        life self;
        memset(&self, 0, sizeof self);
        self.memory.refuse = refuse;
        self.context = new_context(threads, &self.memory);
        live(&self);
        /* With more threads it also depends on who gets which work, and differs a little from time to time. */
        CHECK(threads > 1 || self.memory.allocations + 1 >= refuse);
        CHECK(self.hash == right.hash && self.found == right.found);
        EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");
        CHECK(self.memory.bytes == 0 && self.memory.wrong_free == 0);
    }
    EXPECT(PCCD_OK, pccd_context_destroy(right.context), "");
    CHECK(right.memory.bytes == 0 && right.memory.allocations == right.memory.frees && right.memory.wrong_free == 0);
}

/* What is destroyed is given back, without the context being destroyed. */
static void given_back(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    size_t high = 0;
    int round;
    for (round = 0; round < 50; ++round) {
        pccd_mesh mesh = new_mesh(context, sheet, VERTICES, triangles, TRIANGLES);
        pccd_bvh bvh = new_bvh(context);
        pccd_query query = new_query(context);
        EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, mesh), "");
        EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
        EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
        EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
        EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
        if (round == 0) high = memory.bytes;
        CHECK(memory.bytes == high);
    }
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}

void misuse_of_memory_by_objects(void) {
    section("allocators of objects");
    fill();
    refuse_each(1);
    refuse_each(3);
    given_back();
}
