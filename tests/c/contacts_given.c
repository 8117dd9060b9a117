/* How meshes are given: layouts, motions, contexts, hierarchies that they leave, and again and again. */
#include "falling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void how_meshes_are_given(void) {
    layouts();
    motions();
    hashes();
    leaving();
    steady();
}
