/* Pipelines and their objects: wrong definitions, handles that name nothing, transforms that are none. */
#include "check.h"

#include <math.h>
#include <string.h>

static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t triangle[1][3] = {{0, 1, 2}};

static pccd_pipeline pipeline_handle(uint64_t id) {
    pccd_pipeline handle;
    handle.id = id;
    return handle;
}

static pccd_object object_handle(uint64_t id) {
    pccd_object handle;
    handle.id = id;
    return handle;
}

static pccd_object_def sphere_at(double x) {
    pccd_object_def def;
    EXPECT(PCCD_OK, pccd_object_def_init(&def, sizeof def), "");
    def.shape = PCCD_SHAPE_SPHERE;
    def.radius = 1;
    def.position[0] = x;
    return def;
}

static void definitions(pccd_context *context) {
    pccd_pipeline_def def;
    pccd_pipeline pipeline;
    const double wrong[3] = {-1, (double)NAN, (double)INFINITY};
    uint32_t i;
    section("definitions of pipelines");
    fill_canary(&pipeline, sizeof pipeline);
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_def_init(NULL, sizeof def), "def is null");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_pipeline_def_init(&def, 8), "size is 8");
    EXPECT(PCCD_OK, pccd_pipeline_def_init(&def, sizeof def), "");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_create(NULL, &def, &pipeline), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_create((pccd_context *)0x1234, &def, &pipeline), "context is 0x1234");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_create(context, &def, NULL), "out_pipeline is null");
    def.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_pipeline_create(context, &def, &pipeline), "def->struct_size is 0",
           "pccd_pipeline_def_init");
    def.struct_size = 40;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_pipeline_create(context, &def, &pipeline), "def->struct_size is 40", "older");
    def.struct_size = sizeof def;
    def.flags = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_create(context, &def, &pipeline), "def->flags is 0x2",
           "PCCD_PIPELINE_STAY (1)");
    def.flags = 0;
    def.phases = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_create(context, &def, &pipeline), "def->phases is 0",
           "PCCD_PHASES_SIMULTANEOUS (3)");
    def.phases = PCCD_PHASES_AUTO;
    def.broad = 4;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_create(context, &def, &pipeline), "def->broad is 4",
           "PCCD_BROAD_SWEEP (3)");
    def.broad = PCCD_BROAD_AUTO;
    def.broad_threads = 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_create(context, &def, &pipeline), "def->broad_threads is 1",
           "def->narrow_threads is 0");
    def.broad_threads = 0;
    for (i = 0; i < 3; ++i) {
        def.margin = wrong[i];
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_create(context, &def, &pipeline), "def->margin is ",
               "expected a finite number, at least 0");
    }
    CHECK(is_canary(&pipeline, sizeof pipeline));
    EXPECT(PCCD_OK, pccd_pipeline_create(context, NULL, &pipeline), "");
    EXPECT(PCCD_OK, pccd_pipeline_destroy(context, pipeline), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_destroy(context, pipeline), "pipeline.id is 0x");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_destroy(context, pipeline_handle(0)), "pipeline.id is 0");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_destroy(NULL, pipeline), "context is null");
}

static void refused(pccd_context *context, pccd_pipeline pipeline, const pccd_object_def *def, pccd_status status,
                    const char *words) {
    pccd_object object;
    fill_canary(&object, sizeof object);
    EXPECT(status, pccd_pipeline_add(context, pipeline, def, &object), words);
    CHECK(is_canary(&object, sizeof object));
}

static void shapes(pccd_context *context, pccd_pipeline pipeline) {
    pccd_object_def def = sphere_at(0);
    pccd_object object;
    pccd_mesh mesh = new_mesh(context, corners, 3, triangle, 1);
    double points[2][3] = {{0, 0, 0}, {1, 1, 1}};
    section("shapes of objects");
    EXPECT(PCCD_ERR_NULL, pccd_object_def_init(NULL, sizeof def), "def is null");
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_object_def_init(&def, 1000), "size is 1000");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_add(NULL, pipeline, &def, &object), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_add(context, pipeline_handle(0), &def, &object), "pipeline.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_add(context, pipeline_handle(77), &def, &object), "pipeline.id is 0x4d");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_add(context, pipeline, NULL, &object), "def is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_add(context, pipeline, &def, NULL), "out_object is null");
    def.struct_size = 100;
    refused(context, pipeline, &def, PCCD_ERR_STRUCT_SIZE, "def->struct_size is 100");
    def = sphere_at(0);
    def.shape = 0;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->shape is 0; expected PCCD_SHAPE_SPHERE (1)");
    def.shape = 6;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->shape is 6");
    def = sphere_at(0);
    def.flags = 4;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->flags is 0x4");
    def.flags = 0;
    def.reserved = 9;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->reserved is 9");
    def.reserved = 0;
    def.radius = 0;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->radius is 0;");
    def.radius = (double)NAN;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->radius is NaN;");
    def = sphere_at((double)INFINITY);
    refused(context, pipeline, &def, PCCD_ERR_NOT_FINITE, "def->position[0] is infinity");
    def = sphere_at(0);
    def.rotation[3] = 0;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->rotation is 0 0 0 0");
    def.rotation[2] = (double)NAN;
    refused(context, pipeline, &def, PCCD_ERR_NOT_FINITE, "def->rotation, z is NaN");
    def = sphere_at(0);
    def.shape = PCCD_SHAPE_CAPSULE;
    def.half_height = -1;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->half_height is -1;");
    def.shape = PCCD_SHAPE_BOX;
    def.half_extents[0] = def.half_extents[2] = 1;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->half_extents[1] is 0;");
    def.shape = PCCD_SHAPE_HULL;
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->points.format is 0");
    def.points = view_of(points, 0, 0, PCCD_FORMAT_F64X3);
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->points.count is 0; expected at least 1");
    def.points = view_of(points, 70000, 0, PCCD_FORMAT_F64X3);
    refused(context, pipeline, &def, PCCD_ERR_INVALID_ARGUMENT, "def->points.count is 70000; expected at most 65535");
    def.points = view_of(NULL, 2, 0, PCCD_FORMAT_F64X3);
    refused(context, pipeline, &def, PCCD_ERR_NULL, "def->points.data is null");
    points[1][2] = (double)NAN;
    def.points = view_of(points, 2, 0, PCCD_FORMAT_F64X3);
    refused(context, pipeline, &def, PCCD_ERR_NOT_FINITE, "def->points: vertex 1, z is NaN");
    def.shape = PCCD_SHAPE_MESH;
    refused(context, pipeline, &def, PCCD_ERR_NULL, "mesh.id is 0");
    def.mesh = mesh_handle(99);
    refused(context, pipeline, &def, PCCD_ERR_STALE_HANDLE, "mesh.id is 0x63");
    def.mesh = mesh;
    EXPECT(PCCD_OK, pccd_pipeline_add(context, pipeline, &def, &object), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_remove(context, pipeline, object), "object.id is 0x");
}

static void objects(pccd_context *context, pccd_pipeline pipeline, pccd_pipeline other) {
    pccd_object_def def = sphere_at(0);
    pccd_object object, both[2];
    pccd_object_info info;
    float turns[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 2}};
    double places[2][3] = {{1, 2, 3}, {4, 5, 6}};
    pccd_view positions = view_of(places, 2, 0, PCCD_FORMAT_F64X3);
    pccd_view rotations = view_of(turns, 2, 0, PCCD_FORMAT_F32X4);
    pccd_view wrong;
    section("objects");
    EXPECT(PCCD_OK, pccd_pipeline_add(context, pipeline, &def, &object), "");
    EXPECT(PCCD_OK, pccd_pipeline_add(context, pipeline, &def, &both[1]), "");
    both[0] = object;
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_remove(context, other, object), "object.id is 0x");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_remove(context, pipeline, object_handle(0)), "object.id is 0");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_set_filter(context, pipeline, object_handle(3), 1, 1), "object.id is 0x3");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_set_filter(NULL, pipeline, object, 1, 1), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_object_info_init(NULL, sizeof info), "info is null");
    info.struct_size = 1;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_object_info_get(context, pipeline, object, &info), "out_info->struct_size is 1");
    EXPECT(PCCD_ERR_NULL, pccd_object_info_get(context, pipeline, object, NULL), "out_info is null");
    EXPECT(PCCD_OK, pccd_object_info_init(&info, sizeof info), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_object_info_get(context, other, object, &info), "object.id is 0x");
    CHECK(info.shape == 0);

    EXPECT(PCCD_ERR_NULL, pccd_pipeline_set_transforms(NULL, pipeline, both, 2, &positions, NULL), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_set_transforms(context, pipeline, NULL, 2, &positions, NULL), "objects is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_set_transforms(context, pipeline, both, 2, NULL, &rotations), "positions is null");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, both, 1, &positions, NULL),
           "positions->count is 2; expected 1");
    wrong = rotations;
    wrong.count = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &wrong),
           "rotations->count is 3; expected 2");
    wrong = rotations;
    wrong.format = PCCD_FORMAT_F64X3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &wrong),
           "rotations->format is 2", "PCCD_FORMAT_F32X4 (5)", "PCCD_FORMAT_F64X4 (6)");
    wrong = rotations;
    wrong.stride = 12;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &wrong),
           "rotations->stride is 12", "the 16 of PCCD_FORMAT_F32X4");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY,
           pccd_pipeline_set_transforms(context, pipeline, both, UINT64_MAX / 4, &positions, NULL), "objects->count is ");
    turns[1][3] = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &rotations),
           "rotations: object 1 is 0 0 0 0");
    turns[1][0] = (float)INFINITY;
    EXPECT(PCCD_ERR_NOT_FINITE, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &rotations),
           "rotations: object 1, x is infinity");
    turns[1][0] = 3;
    places[1][1] = (double)NAN;
    EXPECT(PCCD_ERR_NOT_FINITE, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &rotations),
           "positions: object 1, y is NaN");
    places[1][1] = 5;
    both[1] = object_handle(5);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &rotations),
           "object.id is 0x5");
    /* Nothing of it has moved anything. */
    EXPECT(PCCD_OK, pccd_object_info_get(context, pipeline, object, &info), "");
    CHECK(info.position[0] == 0 && info.position[1] == 0 && info.rotation[3] == 1 && info.shape == PCCD_SHAPE_SPHERE);
    both[1] = object;
    EXPECT(PCCD_OK, pccd_pipeline_set_transforms(context, pipeline, both, 2, &positions, &rotations), "");
    EXPECT(PCCD_OK, pccd_object_info_get(context, pipeline, object, &info), "");
    CHECK(info.position[0] == 4 && info.position[2] == 6 && info.rotation[0] == 1 && info.rotation[3] == 0);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_transforms(context, pipeline, NULL, 0, &positions, NULL),
           "positions->count is 2; expected 0");
    positions.count = 0;
    EXPECT(PCCD_OK, pccd_pipeline_set_transforms(context, pipeline, NULL, 0, &positions, NULL), "");
    EXPECT(PCCD_OK, pccd_pipeline_remove(context, pipeline, object), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_remove(context, pipeline, object), "object.id is 0x");
}

static void results(pccd_context *context, pccd_pipeline pipeline) {
    const pccd_pair *pairs;
    const pccd_contact_point *points;
    const pccd_balance_record *records;
    pccd_pipeline_stats stats;
    uint64_t count, hash;
    section("results of pipelines");
    fill_canary(&pairs, sizeof pairs);
    fill_canary(&count, sizeof count);
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_pairs(context, pipeline, NULL, &count), "out_pairs is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_pairs(context, pipeline, &pairs, NULL), "out_count is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_points(context, pipeline, NULL, &count), "out_points is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_points(context, pipeline, &points, NULL), "out_count is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_balance(context, pipeline, NULL, &count), "out_records is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_balance(context, pipeline, &records, NULL), "out_count is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_hash(context, pipeline, NULL), "out_hash is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_stats_get(context, pipeline, NULL), "out_stats is null");
    stats.struct_size = 12;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_pipeline_stats_get(context, pipeline, &stats), "out_stats->struct_size is 12");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_pairs(context, pipeline_handle(1), &pairs, &count), "pipeline.id is 0x1");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_points(context, pipeline_handle(1), &points, &count), "pipeline.id");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_balance(context, pipeline_handle(1), &records, &count), "pipeline.id");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_hash(context, pipeline_handle(1), &hash), "pipeline.id");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_step(context, pipeline_handle(1)), "pipeline.id");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_step(NULL, pipeline), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_cancel(NULL, pipeline), "context is null");
    EXPECT(PCCD_OK, pccd_pipeline_cancel(context, pipeline), "");
    CHECK(is_canary(&pairs, sizeof pairs) && is_canary(&count, sizeof count));

    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_set_split(context, pipeline, 0, 2), "broad_threads is 0",
           "narrow_threads is 2");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_pipeline_set_split(context, pipeline_handle(1), 1, 1), "pipeline.id");
    EXPECT(PCCD_OK, pccd_pipeline_set_split(context, pipeline, 1, 1), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_pipeline_step(context, pipeline), "broad_threads is 1", "narrow_threads is 1",
           "thread_count of the context is 1");
    EXPECT(PCCD_OK, pccd_pipeline_set_split(context, pipeline, 0, 0), "");

    EXPECT(PCCD_OK, pccd_pipeline_pairs(context, pipeline, &pairs, &count), "");
    CHECK(pairs == NULL && count == 0);
    EXPECT(PCCD_OK, pccd_pipeline_step(context, pipeline), "");
    EXPECT(PCCD_OK, pccd_pipeline_points(context, pipeline, &points, &count), "");
    CHECK(points == NULL && count == 0);
    EXPECT(PCCD_OK, pccd_pipeline_balance(context, pipeline, &records, &count), "");
    CHECK(count == 1 && records[0].step == 1 && records[0].flags == PCCD_BALANCE_SEQUENTIAL);
    EXPECT(PCCD_OK, pccd_pipeline_stats_init(&stats, sizeof stats), "");
    EXPECT(PCCD_ERR_NULL, pccd_pipeline_stats_init(NULL, sizeof stats), "stats is null");
    EXPECT(PCCD_OK, pccd_pipeline_stats_get(context, pipeline, &stats), "");
    CHECK(stats.step_count == 1 && stats.phases == PCCD_PHASES_SEQUENTIAL && stats.broad == PCCD_BROAD_BRUTE_FORCE);
}

/* Every allocation of a small life is refused once: errors, nothing lost, the last results still there, and it goes on. */
static void memory_that_is_refused(void) {
    size_t refuse, refused_steps = 0;
    section("pipelines without memory");
    for (refuse = 1; refuse < 200; ++refuse) {
        counting memory = {0};
        pccd_context *context = new_context(2, &memory);
        pccd_pipeline pipeline;
        pccd_object object;
        pccd_object_def def;
        pccd_mesh mesh = new_mesh(context, corners, 3, triangle, 1);
        const pccd_pair *pairs;
        uint64_t count, hash, again, i;
        pccd_status status;
        int was_refused;
        EXPECT(PCCD_OK, pccd_pipeline_create(context, NULL, &pipeline), "");
        for (i = 0; i < 3; ++i) {
            def = sphere_at(1.5 * (double)i);
            EXPECT(PCCD_OK, pccd_pipeline_add(context, pipeline, &def, &object), "");
        }
        EXPECT(PCCD_OK, pccd_pipeline_step(context, pipeline), "");
        EXPECT(PCCD_OK, pccd_pipeline_hash(context, pipeline, &hash), "");
        memory.refuse = memory.allocations + refuse;
        for (i = 0; i < 40; ++i) {
            def = sphere_at(1.5 * (double)i);
            def.position[1] = 0.5;
            if (i % 3 == 1) {
                def.shape = PCCD_SHAPE_HULL;
                def.points = view_of(corners, 3, 0, PCCD_FORMAT_F64X3);
            } else if (i % 3 == 2) {
                def.shape = PCCD_SHAPE_MESH;
                def.mesh = mesh;
            }
            fill_canary(&object, sizeof object);
            status = pccd_pipeline_add(context, pipeline, &def, &object);
            if (status == PCCD_ERR_OUT_OF_MEMORY) {
                CHECK(is_canary(&object, sizeof object));
                EXPECT(PCCD_OK, pccd_pipeline_add(context, pipeline, &def, &object), "");
            } else {
                CHECK(status == PCCD_OK);
            }
        }
        status = pccd_pipeline_step(context, pipeline);
        was_refused = status == PCCD_ERR_OUT_OF_MEMORY;
        if (was_refused) {
            ++refused_steps;
            EXPECT(PCCD_OK, pccd_pipeline_hash(context, pipeline, &again), "");
            EXPECT(PCCD_OK, pccd_pipeline_pairs(context, pipeline, &pairs, &count), "");
            CHECK(again == hash && count == 2 && pairs[0].state == PCCD_PAIR_BEGUN);
            EXPECT(PCCD_OK, pccd_pipeline_step(context, pipeline), "");
        } else {
            CHECK(status == PCCD_OK);
        }
        EXPECT(PCCD_OK, pccd_pipeline_pairs(context, pipeline, &pairs, &count), "");
        CHECK(count > 20 && pairs[0].state == PCCD_PAIR_KEPT);
        i = memory.refuse > memory.allocations;
        EXPECT(PCCD_OK, pccd_context_destroy(context), "");
        /* The refused one counts, too. */
        CHECK(memory.bytes == 0 && memory.allocations == memory.frees + (i ? 0 : 1) && memory.wrong_free == 0);
        if (i) break;
    }
    CHECK(refuse > 10 && refuse < 200 && refused_steps > 5);
}

void misuse_of_pipelines(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    pccd_pipeline pipeline, other;
    definitions(context);
    EXPECT(PCCD_OK, pccd_pipeline_create(context, NULL, &pipeline), "");
    EXPECT(PCCD_OK, pccd_pipeline_create(context, NULL, &other), "");
    shapes(context, pipeline);
    objects(context, pipeline, other);
    results(context, other);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
    memory_that_is_refused();
}
