/* Definitions of meshes that make no sense, positions that do not fit, and what is left after such errors. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 20, TRIANGLES = 6 };

static double positions[VERTICES][3];
static uint32_t triangles[TRIANGLES][3];

static void fill(void) {
    uint32_t i;
    for (i = 0; i < VERTICES; ++i) {
        positions[i][0] = i;
        positions[i][1] = i * i;
        positions[i][2] = 0.5 * i;
    }
    for (i = 0; i < TRIANGLES; ++i) {
        triangles[i][0] = i;
        triangles[i][1] = i + 1;
        triangles[i][2] = VERTICES - 1;
    }
}

static pccd_mesh_def good_def(void) {
    fill();
    return mesh_def_of(positions, VERTICES, triangles, TRIANGLES);
}

static void pointers_and_sizes(pccd_context *context) {
    pccd_mesh_def def = good_def();
    pccd_mesh mesh;
    section("pointers and sizes of meshes");
    fill_canary(&mesh, sizeof mesh);
    EXPECT(PCCD_ERR_NULL, pccd_mesh_create(NULL, &def, &mesh), "context is null");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_mesh_create((pccd_context *)0x1234, &def, &mesh), "context is 0x1234");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_create(context, NULL, &mesh), "def is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_create(context, &def, NULL), "out_mesh is null");
    def.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_create(context, &def, &mesh), "def->struct_size is 0",
           "call pccd_mesh_def_init");
    def.struct_size = 103;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_create(context, &def, &mesh), "def->struct_size is 103", "104 bytes");
    def.struct_size = 112;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_create(context, &def, &mesh), "def->struct_size is 112", "older");
    CHECK(is_canary(&mesh, sizeof mesh));
}

/* One view of a definition, which the error calls by this name. */
static void wrong_view(pccd_context *context, pccd_mesh_def *def, pccd_view *view, const char *name, uint64_t size,
                       uint64_t most) {
    const pccd_view good = *view;
    pccd_mesh mesh;
    char words[4][80];
    uint32_t format;
    int i;
    fill_canary(&mesh, sizeof mesh);
    for (format = 0; format < 7; ++format) {
        if ((format + 1) / 2 == (good.format + 1) / 2) continue;
        view->format = format;
        snprintf(words[0], sizeof words[0], "%s.format is %u; expected PCCD_FORMAT_", name, (unsigned)format);
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, def, &mesh), words[0],
               good.format < 3 ? "F64X3 (2)" : "U16X3 (3) or PCCD_FORMAT_U32X3 (4)");
    }
    snprintf(words[0], sizeof words[0], "%s.data is null, but %s.count is %u", name, name, (unsigned)good.count);
    snprintf(words[1], sizeof words[1], "%s.reserved is 9; expected 0", name);
    snprintf(words[2], sizeof words[2], "%s.stride is %u; expected 0 or at least the %u", name, (unsigned)size - 1,
             (unsigned)size);
    *view = good;
    view->data = NULL;
    EXPECT(PCCD_ERR_NULL, pccd_mesh_create(context, def, &mesh), words[0]);
    *view = good;
    view->reserved = 9;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, def, &mesh), words[1]);
    *view = good;
    view->stride = size - 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, def, &mesh), words[2]);
    *view = good;
    view->stride = UINT64_MAX;
    snprintf(words[3], sizeof words[3], "%s.stride is 18446744073709551615", name);
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_mesh_create(context, def, &mesh), words[3]);
    *view = good;
    for (i = 0; i < 2; ++i) {
        view->count = i == 0 ? most + 1 : UINT64_MAX;
        snprintf(words[3], sizeof words[3], "%s.count is %llu; expected at most %llu", name,
                 (unsigned long long)view->count, (unsigned long long)most);
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, def, &mesh), words[3]);
    }
    *view = good;
    CHECK(is_canary(&mesh, sizeof mesh));
}

static void views(pccd_context *context) {
    pccd_mesh_def def = good_def();
    section("views of meshes");
    wrong_view(context, &def, &def.positions, "def->positions", 24, 4294967294u);
    wrong_view(context, &def, &def.triangles, "def->triangles", 12, 1431655765u);
    def.positions.format = PCCD_FORMAT_F32X3;
    wrong_view(context, &def, &def.positions, "def->positions", 12, 4294967294u);
    def.triangles.format = PCCD_FORMAT_U16X3;
    wrong_view(context, &def, &def.triangles, "def->triangles", 6, 1431655765u);
}

static void members(pccd_context *context) {
    static const struct {
        double value;
        const char *words;
    } wrong[] = {{-0.25, "def->thickness is -0.25;"},
                 {(double)NAN, "def->thickness is NaN;"},
                 {(double)INFINITY, "def->thickness is inf;"},
                 {-(double)INFINITY, "def->thickness is -inf;"}};
    pccd_mesh_def def = good_def();
    pccd_mesh mesh;
    size_t i;
    section("members of mesh definitions");
    fill_canary(&mesh, sizeof mesh);
    def.flags = 2;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), "def->flags is 0x2",
           "PCCD_MESH_NO_SELF (1)");
    def.flags = 0x80000001u;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), "def->flags is 0x80000001");
    def.flags = 0;
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        def.thickness = wrong[i].value;
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), wrong[i].words, "at least 0");
    }
    CHECK(is_canary(&mesh, sizeof mesh));
}

/* Copies elements to memory that ends with the last one, so that valgrind sees who reads further. */
static char *lay_out(const void *from, size_t count, size_t size, size_t stride, size_t shift) {
    char *memory = malloc(shift + (count - 1) * stride + size);
    size_t i;
    for (i = 0; i < count; ++i) memcpy(memory + shift + i * stride, (const char *)from + i * size, size);
    return memory;
}

/* The positions with one number changed, in one of the formats and strides. */
static pccd_view broken_positions(uint32_t format, size_t stride, size_t shift, char **memory) {
    float narrow[VERTICES][3];
    int i;
    for (i = 0; i < 3 * VERTICES; ++i) narrow[i / 3][i % 3] = (float)positions[i / 3][i % 3];
    *memory = format == PCCD_FORMAT_F32X3 ? lay_out(narrow, VERTICES, 12, stride, shift)
                                          : lay_out(positions, VERTICES, 24, stride, shift);
    return view_of(*memory + shift, VERTICES, stride, format);
}

static void not_finite(pccd_context *context) {
    static const struct {
        uint32_t format;
        size_t stride, shift;
    } layouts[] = {{PCCD_FORMAT_F64X3, 24, 0}, {PCCD_FORMAT_F64X3, 29, 3}, {PCCD_FORMAT_F32X3, 12, 0}, {PCCD_FORMAT_F32X3, 16, 1}};
    static const int places[][2] = {{0, 0}, {17, 1}, {VERTICES - 1, 2}};
    static const char *const values[] = {"NaN", "infinity", "-infinity"};
    pccd_mesh_def def = good_def();
    pccd_view right = def.positions;
    pccd_mesh other = new_mesh(context, positions, VERTICES, triangles, TRIANGLES);
    size_t layout, place, value;
    section("coordinates of meshes that are no numbers");
    for (layout = 0; layout < sizeof layouts / sizeof *layouts; ++layout) {
        for (place = 0; place < 3; ++place) {
            for (value = 0; value < 3; ++value) {
                const char *names[] = {"def->positions", "positions", "start", "end"};
                char words[4][80];
                char *memory;
                pccd_view view;
                pccd_mesh mesh;
                int i;
                fill();
                positions[places[place][0]][places[place][1]] =
                    value == 0 ? (double)NAN : value == 1 ? (double)INFINITY : -(double)INFINITY;
                for (i = 0; i < 4; ++i) {
                    snprintf(words[i], sizeof words[i], ": %s: vertex %d, %c is %s", names[i], places[place][0],
                             "xyz"[places[place][1]], values[value]);
                }
                view = broken_positions(layouts[layout].format, layouts[layout].stride, layouts[layout].shift, &memory);
                fill();
                fill_canary(&mesh, sizeof mesh);
                def.positions = view;
                EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_create(context, &def, &mesh), words[0]);
                EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_move(context, other, &view), words[1]);
                EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_set_motion(context, other, &view, &right), words[2]);
                EXPECT(PCCD_ERR_NOT_FINITE, pccd_mesh_set_motion(context, other, &right, &view), words[3]);
                CHECK(is_canary(&mesh, sizeof mesh));
                free(memory);
            }
        }
    }
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, other), "");
}

static void indices(pccd_context *context) {
    static const struct {
        int triangle, corner;
        uint32_t value;
    } wrong[] = {{0, 0, VERTICES}, {5, 2, VERTICES}, {3, 1, 65535}, {0, 2, 4294967295u}};
    pccd_mesh_def def = good_def();
    pccd_mesh mesh;
    size_t i;
    section("indices of triangles");
    fill_canary(&mesh, sizeof mesh);
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char words[80];
        char *memory;
        fill();
        snprintf(words, sizeof words, "def->triangles: triangle %d, corner %d is %u; expected less than 20",
                 wrong[i].triangle, wrong[i].corner, (unsigned)wrong[i].value);
        triangles[wrong[i].triangle][wrong[i].corner] = wrong[i].value;
        memory = lay_out(triangles, TRIANGLES, 12, 15, 1);
        def.triangles = view_of(triangles, TRIANGLES, 0, PCCD_FORMAT_U32X3);
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), words);
        def.triangles = view_of(memory + 1, TRIANGLES, 15, PCCD_FORMAT_U32X3);
        EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), words);
        free(memory);
        if (wrong[i].value <= 65535) {
            uint16_t narrow[TRIANGLES][3];
            int j;
            for (j = 0; j < 3 * TRIANGLES; ++j) narrow[j / 3][j % 3] = (uint16_t)triangles[j / 3][j % 3];
            memory = lay_out(narrow, TRIANGLES, 6, 7, 1);
            def.triangles = view_of(narrow, TRIANGLES, 0, PCCD_FORMAT_U16X3);
            EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), words);
            def.triangles = view_of(memory + 1, TRIANGLES, 7, PCCD_FORMAT_U16X3);
            EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh), words);
            free(memory);
        }
    }
    fill();
    /* Without vertices every index is wrong. */
    def = mesh_def_of(NULL, 0, triangles, TRIANGLES);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_create(context, &def, &mesh),
           "def->triangles: triangle 0, corner 0 is 0; expected less than 0");
    CHECK(is_canary(&mesh, sizeof mesh));
}

static void moving(pccd_context *context) {
    pccd_view view, right;
    pccd_mesh mesh;
    section("positions of moves");
    fill();
    mesh = new_mesh(context, positions, VERTICES, triangles, TRIANGLES);
    right = view = view_of(positions, VERTICES, 0, PCCD_FORMAT_F64X3);
    EXPECT(PCCD_ERR_NULL, pccd_mesh_move(NULL, mesh, &view), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_move(context, mesh, NULL), "positions is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_set_motion(NULL, mesh, &view, &view), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_set_motion(context, mesh, NULL, &view), "start is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_set_motion(context, mesh, &view, NULL), "end is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_set_filter(NULL, mesh, 1, 1), "context is null");

    view.count = VERTICES - 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->count is 19; expected 20");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_set_motion(context, mesh, &view, &right),
           "start->count is 19; expected 20");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_set_motion(context, mesh, &right, &view),
           "end->count is 19; expected 20");
    view.count = VERTICES + 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->count is 21; expected 20");
    view = view_of(NULL, 0, 0, PCCD_FORMAT_F32X3);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->count is 0; expected 20");
    view = right;
    view.data = NULL;
    EXPECT(PCCD_ERR_NULL, pccd_mesh_move(context, mesh, &view), "positions->data is null", "positions->count is 20");
    view = right;
    view.format = PCCD_FORMAT_U32X3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->format is 4");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_set_motion(context, mesh, &view, &right), "start->format is 4");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_set_motion(context, mesh, &right, &view), "end->format is 4");
    view = right;
    view.stride = 8;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->stride is 8");
    view = right;
    view.reserved = 1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, mesh, &view), "positions->reserved is 1");
    EXPECT(PCCD_OK, pccd_mesh_move(context, mesh, &right), "");
    EXPECT(PCCD_OK, pccd_mesh_set_motion(context, mesh, &right, &right), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
}

static void information(pccd_context *context) {
    pccd_mesh_def def = good_def();
    pccd_mesh_info info;
    pccd_mesh mesh;
    section("information about meshes");
    def.flags = PCCD_MESH_NO_SELF;
    def.thickness = 0.125;
    def.category = 6;
    def.mask = 10;
    def.user_data = UINT64_MAX - 3;
    EXPECT(PCCD_OK, pccd_mesh_create(context, &def, &mesh), "");
    fill_canary(&info, sizeof info);
    info.struct_size = 0;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_info_get(context, mesh, &info), "out_info->struct_size is 0",
           "call pccd_mesh_info_init");
    info.struct_size = 79;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_info_get(context, mesh, &info), "out_info->struct_size is 79");
    info.struct_size = 88;
    EXPECT(PCCD_ERR_STRUCT_SIZE, pccd_mesh_info_get(context, mesh, &info), "out_info->struct_size is 88");
    CHECK(is_canary(&info.flags, sizeof info - sizeof info.struct_size));
    EXPECT(PCCD_ERR_NULL, pccd_mesh_info_get(NULL, mesh, &info), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_mesh_info_get(context, mesh, NULL), "out_info is null");
    info.struct_size = sizeof info;
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, mesh, &info), "");
    CHECK(info.struct_size == sizeof info && info.flags == PCCD_MESH_NO_SELF && info.thickness == 0.125);
    CHECK(info.vertex_count == VERTICES && info.triangle_count == TRIANGLES);
    CHECK(info.category == 6 && info.mask == 10 && info.user_data == UINT64_MAX - 3);
    EXPECT(PCCD_OK, pccd_mesh_set_filter(context, mesh, 0, UINT64_MAX), "");
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, mesh, &info), "");
    CHECK(info.category == 0 && info.mask == UINT64_MAX && info.thickness == 0.125);
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, mesh), "");
}

/* Nothing at all is a mesh, and so are vertices without triangles; they can be moved and looked for. */
static void empty(pccd_context *context) {
    pccd_mesh_def def = mesh_def_of(NULL, 0, NULL, 0);
    pccd_view none = view_of(NULL, 0, 0, PCCD_FORMAT_F32X3);
    pccd_view all = view_of(positions, VERTICES, 0, PCCD_FORMAT_F64X3);
    pccd_bvh bvh = new_bvh(context);
    pccd_query query = new_query(context);
    pccd_mesh_info info;
    pccd_mesh nothing, points;
    const pccd_contact *contacts;
    uint64_t count;
    section("meshes without triangles");
    fill();
    EXPECT(PCCD_OK, pccd_mesh_create(context, &def, &nothing), "");
    def = mesh_def_of(positions, VERTICES, NULL, 0);
    def.triangles.format = PCCD_FORMAT_U16X3;
    EXPECT(PCCD_OK, pccd_mesh_create(context, &def, &points), "");
    pccd_mesh_info_init(&info, sizeof info);
    EXPECT(PCCD_OK, pccd_mesh_info_get(context, points, &info), "");
    CHECK(info.vertex_count == VERTICES && info.triangle_count == 0 && info.edge_count == 0);
    CHECK(info.degenerate_triangle_count == 0);
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, nothing), "");
    EXPECT(PCCD_OK, pccd_bvh_add(context, bvh, points), "");
    EXPECT(PCCD_OK, pccd_bvh_update(context, bvh), "");
    EXPECT(PCCD_OK, pccd_mesh_move(context, nothing, &none), "");
    EXPECT(PCCD_OK, pccd_mesh_set_motion(context, nothing, &none, &none), "");
    EXPECT(PCCD_OK, pccd_mesh_move(context, points, &all), "");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_mesh_move(context, nothing, &all), "positions->count is 20; expected 0");
    EXPECT(PCCD_OK, pccd_query_run(context, query, bvh), "");
    EXPECT(PCCD_OK, pccd_query_contacts(context, query, &contacts, &count), "");
    CHECK(count == 0 && contacts == NULL);
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, nothing), "");
    EXPECT(PCCD_OK, pccd_mesh_destroy(context, points), "");
    EXPECT(PCCD_OK, pccd_query_destroy(context, query), "");
    EXPECT(PCCD_OK, pccd_bvh_destroy(context, bvh), "");
}

void misuse_of_meshes(void) {
    counting memory = {0};
    pccd_context *context = new_context(1, &memory);
    pointers_and_sizes(context);
    views(context);
    members(context);
    not_finite(context);
    indices(context);
    moving(context);
    information(context);
    empty(context);
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees && memory.wrong_free == 0);
}
