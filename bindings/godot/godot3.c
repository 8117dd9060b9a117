/*
 * libpccd for Godot 3: a GDNative library with the class PCCD, whose methods are in methods.c.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "methods.h"

#include <gdnative_api_struct.gen.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* Set when the engine loads the library. */
static const godot_gdnative_core_api_struct *core;
static const godot_gdnative_ext_nativescript_api_struct *nativescript;

void engine_error(const char *what, const char *function) {
    core->godot_print_error(what, function, "libpccd", 0);
}

static kind kind_of(const godot_variant *value) {
    switch (core->godot_variant_get_type(value)) {
    case GODOT_VARIANT_TYPE_INT: return KIND_INT;
    case GODOT_VARIANT_TYPE_REAL: return KIND_REAL;
    case GODOT_VARIANT_TYPE_STRING: return KIND_TEXT;
    case GODOT_VARIANT_TYPE_POOL_BYTE_ARRAY: return KIND_BYTES;
    case GODOT_VARIANT_TYPE_POOL_INT_ARRAY: return KIND_INTS;
    case GODOT_VARIANT_TYPE_POOL_REAL_ARRAY: return KIND_REALS;
    case GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY: return KIND_VECTORS;
    default: return KINDS;
    }
}

/* ---- arrays of the engine, read where they are ---- */

/* An array that has its numbers in common with the variant it came from. */
typedef struct opened {
    kind kind;
    union {
        godot_pool_vector3_array vectors;
        godot_pool_int_array ints;
    } array;
    union {
        godot_pool_vector3_array_read_access *vectors;
        godot_pool_int_array_read_access *ints;
    } access;
} opened;

static void open_argument(opened *it, kind wanted, const godot_variant *from, argument *to) {
    memset(to, 0, sizeof *to);
    it->kind = wanted;
    if (wanted == KIND_INT) to->integer = core->godot_variant_as_int(from);
    if (wanted == KIND_REAL) to->real = core->godot_variant_as_real(from);
    if (wanted == KIND_VECTORS) {
        it->array.vectors = core->godot_variant_as_pool_vector3_array(from);
        it->access.vectors = core->godot_pool_vector3_array_read(&it->array.vectors);
        to->data = core->godot_pool_vector3_array_read_access_ptr(it->access.vectors);
        to->count = (uint64_t)core->godot_pool_vector3_array_size(&it->array.vectors);
    }
    if (wanted == KIND_INTS) {
        it->array.ints = core->godot_variant_as_pool_int_array(from);
        it->access.ints = core->godot_pool_int_array_read(&it->array.ints);
        to->data = core->godot_pool_int_array_read_access_ptr(it->access.ints);
        to->count = (uint64_t)core->godot_pool_int_array_size(&it->array.ints);
    }
}

static void close_argument(opened *it) {
    if (it->kind == KIND_VECTORS) {
        core->godot_pool_vector3_array_read_access_destroy(it->access.vectors);
        core->godot_pool_vector3_array_destroy(&it->array.vectors);
    }
    if (it->kind == KIND_INTS) {
        core->godot_pool_int_array_read_access_destroy(it->access.ints);
        core->godot_pool_int_array_destroy(&it->array.ints);
    }
}

/* ---- answers ---- */

static godot_variant variant_text(const char *text) {
    godot_variant result;
    godot_string string;
    core->godot_string_new(&string);
    core->godot_string_parse_utf8(&string, text);
    core->godot_variant_new_string(&result, &string);
    core->godot_string_destroy(&string);
    return result;
}

/* The four kinds of arrays have functions of the same names. */
#define ARRAY_ANSWER(type)                                                                             \
    {                                                                                                  \
        godot_pool_##type##_array array;                                                               \
        core->godot_pool_##type##_array_new(&array);                                                   \
        core->godot_pool_##type##_array_resize(&array, (godot_int)answer_elements(self, out));         \
        if (out->contact_count > 0) {                                                                  \
            godot_pool_##type##_array_write_access *access = core->godot_pool_##type##_array_write(&array); \
            answer_write(it, self, out, core->godot_pool_##type##_array_write_access_ptr(access));     \
            core->godot_pool_##type##_array_write_access_destroy(access);                              \
        }                                                                                              \
        core->godot_variant_new_pool_##type##_array(&result, &array);                                  \
        core->godot_pool_##type##_array_destroy(&array);                                               \
        return result;                                                                                 \
    }

static godot_variant variant_of(const world *it, const method *self, const answer *out) {
    godot_variant result;
    switch (self->result) {
    case KIND_TEXT: return variant_text(out->text);
    case KIND_BYTES: ARRAY_ANSWER(byte)
    case KIND_INTS: ARRAY_ANSWER(int)
    case KIND_REALS: ARRAY_ANSWER(real)
    case KIND_VECTORS: ARRAY_ANSWER(vector3)
    default: core->godot_variant_new_int(&result, out->integer); return result;
    }
}

/* ---- the class ---- */

static godot_variant call(godot_object *object, void *data, void *user, int count, godot_variant **arguments) {
    const method *self = data;
    kind kinds[MOST_ARGUMENTS];
    opened arrays[MOST_ARGUMENTS];
    argument given[MOST_ARGUMENTS];
    answer out = method_refused();
    int i;
    (void)object;
    for (i = 0; i < count && i < MOST_ARGUMENTS; i++) kinds[i] = kind_of(arguments[i]);
    if (method_accepts(self, count, kinds)) {
        for (i = 0; i < count; i++) open_argument(&arrays[i], self->arguments[i].kind, arguments[i], &given[i]);
        out = method_call(user, self, given);
        while (i-- > 0) close_argument(&arrays[i]);
    }
    return variant_of(user, self, &out);
}

static void *create(godot_object *object, void *data) {
    (void)object, (void)data;
    return world_create();
}

static void destroy(godot_object *object, void *data, void *user) {
    (void)object, (void)data;
    world_destroy(user);
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
    godot_method_attributes attributes = {GODOT_METHOD_RPC_MODE_DISABLED};
    int i;
    nativescript->godot_nativescript_register_class(handle, "PCCD", "Reference", made, unmade);
    for (i = 0; i < method_count; i++) {
        /* the engine hands the pointer back, and does not write to it */
        godot_instance_method described = {call, (void *)&methods[i], NULL};
        nativescript->godot_nativescript_register_method(handle, "PCCD", methods[i].name, attributes, described);
    }
}
