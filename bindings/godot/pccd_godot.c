/*
 * libpccd for Godot 3: a GDNative library with the class PCCD.
 *
 * An object is a context of the library with one hierarchy and one query. Methods that can fail return a status as in pccd.h,
 * below 0 for an error, and tell the engine about it; nothing has changed then.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "pccd_godot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

const godot_gdnative_core_api_struct *core;
const godot_gdnative_ext_nativescript_api_struct *nativescript;

/* ---- errors and values ---- */

pccd_status told(pccd_status status, const char *function) {
    if (status < 0) core->godot_print_error(pccd_last_error(), function, "libpccd", 0);
    return status;
}

pccd_status told_wrong(const char *function, const char *what) {
    core->godot_print_error(what, function, "libpccd", 0);
    return PCCD_ERR_INVALID_ARGUMENT;
}

godot_variant variant_int(int64_t value) {
    godot_variant result;
    core->godot_variant_new_int(&result, value);
    return result;
}

godot_variant variant_text(const char *text) {
    godot_variant result;
    godot_string string;
    core->godot_string_new(&string);
    core->godot_string_parse_utf8(&string, text);
    core->godot_variant_new_string(&result, &string);
    core->godot_string_destroy(&string);
    return result;
}

/* Whether there are so many arguments, and each is of the type that is wanted; integers will do for numbers. */
static int fits(const char *function, int count, godot_variant **arguments, const godot_variant_type *types, int wanted) {
    char text[160];
    int i;
    if (count != wanted) {
        snprintf(text, sizeof text, "%d arguments; expected %d", count, wanted);
        told_wrong(function, text);
        return 0;
    }
    for (i = 0; i < count; i++) {
        godot_variant_type type = core->godot_variant_get_type(arguments[i]);
        if (type == types[i] || (type == GODOT_VARIANT_TYPE_INT && types[i] == GODOT_VARIANT_TYPE_REAL)) continue;
        snprintf(text, sizeof text, "argument %d is of type %d; expected type %d", i + 1, (int)type, (int)types[i]);
        told_wrong(function, text);
        return 0;
    }
    return 1;
}

/* ---- meshes by their numbers ---- */

pccd_mesh world_mesh(const world *it, int64_t number) {
    pccd_mesh none = {0};
    int i;
    for (i = 0; i < it->entry_count; i++) {
        if (it->entries[i].number == number) return it->entries[i].mesh;
    }
    return none;
}

/* Where a mesh is, or would be. */
static int place_of(const world *it, pccd_mesh mesh) {
    int low = 0, high = it->entry_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (it->entries[middle].mesh.id < mesh.id) low = middle + 1;
        else high = middle;
    }
    return low;
}

godot_int world_number(const world *it, pccd_mesh mesh) {
    int place = place_of(it, mesh);
    return place < it->entry_count && it->entries[place].mesh.id == mesh.id ? it->entries[place].number : 0;
}

static int make_room(world *it) {
    if (it->entry_count == it->entry_room) {
        int room = it->entry_room ? 2 * it->entry_room : 16;
        mesh_entry *entries = realloc(it->entries, (size_t)room * sizeof *entries);
        if (entries == NULL) return 0;
        it->entries = entries;
        it->entry_room = room;
    }
    return it->last_number < INT_MAX;
}

static godot_int remember(world *it, pccd_mesh mesh) {
    int place = place_of(it, mesh);
    memmove(it->entries + place + 1, it->entries + place, (size_t)(it->entry_count - place) * sizeof *it->entries);
    it->entries[place].mesh = mesh;
    it->entries[place].number = ++it->last_number;
    it->entry_count++;
    return it->last_number;
}

/* ---- arrays of the engine, read where they are ---- */

typedef struct points {
    godot_pool_vector3_array array;
    godot_pool_vector3_array_read_access *access;
    pccd_view view;
} points;

/* The variant and this have the numbers in common. */
static void open_points(points *it, const godot_variant *from) {
    memset(&it->view, 0, sizeof it->view);
    it->array = core->godot_variant_as_pool_vector3_array(from);
    it->access = core->godot_pool_vector3_array_read(&it->array);
    it->view.data = core->godot_pool_vector3_array_read_access_ptr(it->access);
    it->view.count = (uint64_t)core->godot_pool_vector3_array_size(&it->array);
    it->view.stride = sizeof(godot_vector3);
    it->view.format = PCCD_FORMAT_F32X3;
}

static void close_points(points *it) {
    core->godot_pool_vector3_array_read_access_destroy(it->access);
    core->godot_pool_vector3_array_destroy(&it->array);
}

/* ---- methods ---- */

#define METHOD(name) \
    static godot_variant name(godot_object *object, void *data, void *user, int count, godot_variant **arguments)
#define UNUSED (void)object, (void)data, (void)user, (void)count, (void)arguments

/* set_threads(count) */
METHOD(set_threads) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT};
    world *it = user;
    int64_t threads;
    UNUSED;
    if (!fits("set_threads", count, arguments, types, 1)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    threads = core->godot_variant_as_int(arguments[0]);
    /* what does not fit is refused by the library in any case */
    if (threads < 0 || threads > UINT32_MAX) threads = 0;
    return variant_int(told(pccd_context_set_threads(it->context, (uint32_t)threads), "set_threads"));
}

/* set_query(mode, min_separation): what to look for. The contacts of the last run are gone. */
METHOD(set_query) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT, GODOT_VARIANT_TYPE_REAL};
    world *it = user;
    pccd_query_def def;
    pccd_query query;
    pccd_status status;
    int64_t mode;
    UNUSED;
    if (!fits("set_query", count, arguments, types, 2)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    status = pccd_query_def_init(&def, sizeof def);
    mode = core->godot_variant_as_int(arguments[0]);
    def.mode = mode < 0 || mode > UINT32_MAX ? 0 : (uint32_t)mode;
    def.min_separation = core->godot_variant_as_real(arguments[1]);
    if (status >= 0) status = pccd_query_create(it->context, &def, &query);
    if (status >= 0) {
        told(pccd_query_destroy(it->context, it->query), "set_query");
        it->query = query;
    }
    return variant_int(told(status, "set_query"));
}

/* create_mesh(PoolVector3Array positions, PoolIntArray triangles, thickness): its number, above 0 */
METHOD(create_mesh) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY, GODOT_VARIANT_TYPE_POOL_INT_ARRAY,
                                               GODOT_VARIANT_TYPE_REAL};
    world *it = user;
    points positions;
    godot_pool_int_array indices;
    godot_pool_int_array_read_access *access;
    pccd_mesh_def def;
    pccd_mesh mesh = {0};
    pccd_status status;
    godot_int size;
    UNUSED;
    if (!fits("create_mesh", count, arguments, types, 3)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    if (!make_room(it)) return variant_int((told_wrong("create_mesh", "too many meshes"), PCCD_ERR_OUT_OF_MEMORY));
    indices = core->godot_variant_as_pool_int_array(arguments[1]);
    size = core->godot_pool_int_array_size(&indices);
    if (size % 3 != 0) {
        core->godot_pool_int_array_destroy(&indices);
        return variant_int(told_wrong("create_mesh", "the number of indices is not a multiple of three"));
    }
    access = core->godot_pool_int_array_read(&indices);
    open_points(&positions, arguments[0]);
    status = pccd_mesh_def_init(&def, sizeof def);
    def.positions = positions.view;
    /* a negative index is a large one, and refused as such */
    def.triangles.data = core->godot_pool_int_array_read_access_ptr(access);
    def.triangles.count = (uint64_t)size / 3;
    def.triangles.format = PCCD_FORMAT_U32X3;
    def.thickness = core->godot_variant_as_real(arguments[2]);
    if (status >= 0) status = pccd_mesh_create(it->context, &def, &mesh);
    close_points(&positions);
    core->godot_pool_int_array_read_access_destroy(access);
    core->godot_pool_int_array_destroy(&indices);
    if (status >= 0) {
        status = pccd_bvh_add(it->context, it->bvh, mesh);
        if (status < 0) {
            told(status, "create_mesh");
            pccd_mesh_destroy(it->context, mesh);
            return variant_int(status);
        }
    }
    return variant_int(status < 0 ? told(status, "create_mesh") : remember(it, mesh));
}

/* destroy_mesh(number) */
METHOD(destroy_mesh) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT};
    world *it = user;
    pccd_mesh mesh;
    pccd_status status;
    UNUSED;
    if (!fits("destroy_mesh", count, arguments, types, 1)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    mesh = world_mesh(it, core->godot_variant_as_int(arguments[0]));
    status = pccd_mesh_destroy(it->context, mesh);
    if (status >= 0) {
        int place = place_of(it, mesh);
        it->entry_count--;
        memmove(it->entries + place, it->entries + place + 1, (size_t)(it->entry_count - place) * sizeof *it->entries);
    }
    return variant_int(told(status, "destroy_mesh"));
}

/* move_mesh(number, PoolVector3Array positions): what was t = 1 becomes t = 0, and these positions t = 1 */
METHOD(move_mesh) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT, GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY};
    world *it = user;
    points positions;
    pccd_status status;
    UNUSED;
    if (!fits("move_mesh", count, arguments, types, 2)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    open_points(&positions, arguments[1]);
    status = pccd_mesh_move(it->context, world_mesh(it, core->godot_variant_as_int(arguments[0])), &positions.view);
    close_points(&positions);
    return variant_int(told(status, "move_mesh"));
}

/* set_motion(number, PoolVector3Array start, PoolVector3Array end) */
METHOD(set_motion) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT, GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY,
                                               GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY};
    world *it = user;
    points start, end;
    pccd_mesh mesh;
    pccd_status status;
    UNUSED;
    if (!fits("set_motion", count, arguments, types, 3)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    mesh = world_mesh(it, core->godot_variant_as_int(arguments[0]));
    open_points(&start, arguments[1]);
    open_points(&end, arguments[2]);
    status = pccd_mesh_set_motion(it->context, mesh, &start.view, &end.view);
    close_points(&end);
    close_points(&start);
    return variant_int(told(status, "set_motion"));
}

/* set_filter(number, category, mask): bits that tell what a mesh is, and what it meets */
METHOD(set_filter) {
    static const godot_variant_type types[] = {GODOT_VARIANT_TYPE_INT, GODOT_VARIANT_TYPE_INT, GODOT_VARIANT_TYPE_INT};
    world *it = user;
    pccd_mesh mesh;
    UNUSED;
    if (!fits("set_filter", count, arguments, types, 3)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    mesh = world_mesh(it, core->godot_variant_as_int(arguments[0]));
    return variant_int(told(pccd_mesh_set_filter(it->context, mesh, (uint64_t)core->godot_variant_as_int(arguments[1]),
                                                 (uint64_t)core->godot_variant_as_int(arguments[2])),
                            "set_filter"));
}

/* run(): finds the contacts of all meshes while they move from t = 0 to t = 1. 0, or 1 if there are more than fit. */
METHOD(run) {
    world *it = user;
    UNUSED;
    if (!fits("run", count, arguments, NULL, 0)) return variant_int(PCCD_ERR_INVALID_ARGUMENT);
    return variant_int(told(pccd_query_run(it->context, it->query, it->bvh), "run"));
}

/* get_version() */
METHOD(get_version) {
    uint32_t version = pccd_version();
    char text[32];
    UNUSED;
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
    return variant_text(text);
}

/* ---- the class ---- */

static void *create(godot_object *object, void *data) {
    world *it = calloc(1, sizeof *it);
    pccd_context_def def;
    pccd_status status;
    (void)object, (void)data;
    if (it == NULL) return NULL;
    status = pccd_context_def_init(&def, sizeof def);
    def.abi_version = PCCD_ABI_VERSION;
    if (status >= 0) status = pccd_context_create(&def, &it->context);
    if (status >= 0) status = pccd_bvh_create(it->context, NULL, &it->bvh);
    if (status >= 0) status = pccd_query_create(it->context, NULL, &it->query);
    /* Without a context every method tells that there is none. */
    told(status, "PCCD.new");
    return it;
}

static void destroy(godot_object *object, void *data, void *user) {
    world *it = user;
    (void)object, (void)data;
    if (it == NULL) return;
    if (it->context != NULL) told(pccd_context_destroy(it->context), "PCCD.free");
    free(it->entries);
    free(it);
}

void register_method(void *handle, const char *name,
                     godot_variant (*method)(godot_object *, void *, void *, int, godot_variant **)) {
    godot_method_attributes attributes = {GODOT_METHOD_RPC_MODE_DISABLED};
    godot_instance_method described = {method, NULL, NULL};
    nativescript->godot_nativescript_register_method(handle, "PCCD", name, attributes, described);
}

EXPORTED void godot_gdnative_init(godot_gdnative_init_options *options) {
    unsigned int i;
    core = options->api_struct;
    for (i = 0; i < core->num_extensions; i++) {
        if (core->extensions[i]->type == GDNATIVE_EXT_NATIVESCRIPT) {
            nativescript = (const godot_gdnative_ext_nativescript_api_struct *)core->extensions[i];
        }
    }
}

EXPORTED void godot_gdnative_terminate(godot_gdnative_terminate_options *options) {
    (void)options;
    core = NULL;
    nativescript = NULL;
}

EXPORTED void godot_nativescript_init(void *handle) {
    godot_instance_create_func made = {create, NULL, NULL};
    godot_instance_destroy_func unmade = {destroy, NULL, NULL};
    nativescript->godot_nativescript_register_class(handle, "PCCD", "Reference", made, unmade);
    register_method(handle, "set_threads", set_threads);
    register_method(handle, "set_query", set_query);
    register_method(handle, "create_mesh", create_mesh);
    register_method(handle, "destroy_mesh", destroy_mesh);
    register_method(handle, "move_mesh", move_mesh);
    register_method(handle, "set_motion", set_motion);
    register_method(handle, "set_filter", set_filter);
    register_method(handle, "run", run);
    register_method(handle, "get_version", get_version);
    register_contacts(handle);
}
