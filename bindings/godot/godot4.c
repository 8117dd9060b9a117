/*
 * libpccd for Godot 4: a GDExtension with the class PCCD, whose methods are in methods.c.
 *
 * Values of the engine are opaque here: a place of the right size, and functions of the engine that know what is in it.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "methods.h"

#include <gdextension_interface.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* Large enough on every system: a String or StringName is a pointer, a packed array two, a Variant of an engine with floats three. */
typedef struct opaque {
    uint64_t words[3];
} opaque;
/* Headers differ in the types of pointers to such values. All take this one. */
#define AT(value) ((void *)&(value))

/* What the engine's functions are called, and where they are kept. All are there since 4.2. */
#define FUNCTIONS(X)                                                                                       \
    X(GDExtensionInterfacePrintError, print_error)                                                         \
    X(GDExtensionInterfaceStringNewWithUtf8Chars, string_new_with_utf8_chars)                              \
    X(GDExtensionInterfaceStringNameNewWithLatin1Chars, string_name_new_with_latin1_chars)                 \
    X(GDExtensionInterfaceVariantGetType, variant_get_type)                                                \
    X(GDExtensionInterfaceGetVariantFromTypeConstructor, get_variant_from_type_constructor)                \
    X(GDExtensionInterfaceGetVariantToTypeConstructor, get_variant_to_type_constructor)                    \
    X(GDExtensionInterfaceVariantGetPtrConstructor, variant_get_ptr_constructor)                           \
    X(GDExtensionInterfaceVariantGetPtrDestructor, variant_get_ptr_destructor)                             \
    X(GDExtensionInterfaceVariantGetPtrBuiltinMethod, variant_get_ptr_builtin_method)                      \
    X(GDExtensionInterfacePackedByteArrayOperatorIndex, packed_byte_array_operator_index)                  \
    X(GDExtensionInterfacePackedInt32ArrayOperatorIndex, packed_int32_array_operator_index)                \
    X(GDExtensionInterfacePackedInt32ArrayOperatorIndexConst, packed_int32_array_operator_index_const)     \
    X(GDExtensionInterfacePackedFloat32ArrayOperatorIndex, packed_float32_array_operator_index)            \
    X(GDExtensionInterfacePackedVector3ArrayOperatorIndex, packed_vector3_array_operator_index)            \
    X(GDExtensionInterfacePackedVector3ArrayOperatorIndexConst, packed_vector3_array_operator_index_const) \
    X(GDExtensionInterfaceClassdbRegisterExtensionClass2, classdb_register_extension_class2)               \
    X(GDExtensionInterfaceClassdbRegisterExtensionClassMethod, classdb_register_extension_class_method)    \
    X(GDExtensionInterfaceClassdbUnregisterExtensionClass, classdb_unregister_extension_class)             \
    X(GDExtensionInterfaceClassdbConstructObject, classdb_construct_object)                                \
    X(GDExtensionInterfaceObjectSetInstance, object_set_instance)

/* Set when the engine loads the library. */
static struct {
#define MEMBER(type, name) type name;
    FUNCTIONS(MEMBER)
    GDExtensionClassLibraryPtr library;
    GDExtensionPtrDestructor destroy_name;
    /* by kind */
    GDExtensionVariantFromTypeConstructorFunc to_variant[KINDS];
    GDExtensionTypeFromVariantConstructorFunc from_variant[KINDS];
    GDExtensionPtrConstructor construct[KINDS];
    GDExtensionPtrDestructor destroy[KINDS];
    GDExtensionPtrBuiltInMethod size[KINDS], resize[KINDS];
} engine;

static const GDExtensionVariantType types[KINDS] = {
    GDEXTENSION_VARIANT_TYPE_INT,
    GDEXTENSION_VARIANT_TYPE_FLOAT,
    GDEXTENSION_VARIANT_TYPE_STRING,
    GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY,
};

void engine_error(const char *what, const char *function) {
    engine.print_error(what, function, "libpccd", 0, 0);
}

static kind kind_of(GDExtensionConstVariantPtr value) {
    GDExtensionVariantType type = engine.variant_get_type(value);
    int i = 0;
    while (i < KINDS && types[i] != type) i++;
    return (kind)i;
}

/* ---- values of the engine, which are read where they are ---- */

/* From what the engine passes to who knows the types: int64_t, double, or a packed array. */
static argument argument_of(kind wanted, GDExtensionConstTypePtr value) {
    argument result;
    memset(&result, 0, sizeof result);
    if (wanted == KIND_INT) result.integer = *(const int64_t *)value;
    if (wanted == KIND_REAL) result.real = *(const double *)value;
    if (IS_ARRAY(wanted)) {
        int64_t size = 0;
        engine.size[wanted]((GDExtensionTypePtr)value, NULL, AT(size), 0);
        result.count = (uint64_t)size;
        /* The engine complains about the first element of an empty array. */
        if (size > 0 && wanted == KIND_INTS) result.data = engine.packed_int32_array_operator_index_const(value, 0);
        if (size > 0 && wanted == KIND_VECTORS) result.data = engine.packed_vector3_array_operator_index_const(value, 0);
    }
    return result;
}

static void *first_element(kind of, GDExtensionTypePtr array) {
    switch (of) {
    case KIND_BYTES: return engine.packed_byte_array_operator_index(array, 0);
    case KIND_INTS: return engine.packed_int32_array_operator_index(array, 0);
    case KIND_REALS: return engine.packed_float32_array_operator_index(array, 0);
    default: return engine.packed_vector3_array_operator_index(array, 0);
    }
}

/* Assigns to a value of the result's type, which there is already. */
static void assign(const world *it, const method *self, const answer *out, GDExtensionTypePtr to) {
    if (self->result == KIND_INT) *(int64_t *)to = out->integer;
    if (self->result == KIND_TEXT) {
        engine.destroy[KIND_TEXT](to);
        engine.string_new_with_utf8_chars((void *)to, out->text);
    }
    if (IS_ARRAY(self->result)) {
        int64_t size = (int64_t)answer_elements(self, out), failed = 0;
        GDExtensionConstTypePtr arguments[1];
        arguments[0] = AT(size);
        engine.resize[self->result](to, arguments, AT(failed), 1);
        if (failed != 0) told_wrong(self->name, "the engine has no memory for the array");
        else if (size > 0) answer_write(it, self, out, first_element(self->result, to));
    }
}

/* ---- calls ---- */

/* From who knows the types, such as scripts that declare them. */
static void call_typed(void *data, GDExtensionClassInstancePtr instance, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result) {
    const method *self = data;
    world *it = (void *)instance;
    argument given[MOST_ARGUMENTS];
    answer out;
    int i;
    for (i = 0; i < self->argument_count; i++) given[i] = argument_of(self->arguments[i].kind, arguments[i]);
    out = method_call(it, self, given);
    assign(it, self, &out, result);
}

/* From who does not: with variants, which may be anything. */
static void call(void *data, GDExtensionClassInstancePtr instance, const GDExtensionConstVariantPtr *arguments, GDExtensionInt count,
                 GDExtensionVariantPtr result, GDExtensionCallError *error) {
    const method *self = data;
    kind kinds[MOST_ARGUMENTS];
    opaque values[MOST_ARGUMENTS], returned = {{0}};
    GDExtensionConstTypePtr typed[MOST_ARGUMENTS] = {NULL};
    int i;
    error->error = GDEXTENSION_CALL_OK;
    if (self->result != KIND_INT) engine.construct[self->result](AT(returned), NULL);
    for (i = 0; i < count && i < MOST_ARGUMENTS; i++) kinds[i] = kind_of(arguments[i]);
    if (method_accepts(self, count, kinds)) {
        /* An array has its numbers in common with the variant it comes from. */
        for (i = 0; i < count; i++) {
            engine.from_variant[self->arguments[i].kind](AT(values[i]), (GDExtensionVariantPtr)arguments[i]);
            typed[i] = AT(values[i]);
        }
        call_typed(data, instance, typed, AT(returned));
        while (i-- > 0) {
            if (IS_ARRAY(self->arguments[i].kind)) engine.destroy[self->arguments[i].kind](AT(values[i]));
        }
    } else {
        answer out = method_refused();
        assign(NULL, self, &out, AT(returned));
    }
    engine.to_variant[self->result]((void *)result, AT(returned));
    if (self->result != KIND_INT) engine.destroy[self->result](AT(returned));
}

/* ---- the class ---- */

static void name(opaque *it, const char *text) {
    engine.string_name_new_with_latin1_chars(AT(*it), text, 0);
}

static GDExtensionObjectPtr create(void *data) {
    opaque own, parent;
    GDExtensionObjectPtr object;
    (void)data;
    name(&own, "PCCD"), name(&parent, "RefCounted");
    object = engine.classdb_construct_object(AT(parent));
    engine.object_set_instance(object, AT(own), (void *)world_create());
    engine.destroy_name(AT(parent)), engine.destroy_name(AT(own));
    return object;
}

static void destroy(void *data, GDExtensionClassInstancePtr instance) {
    (void)data;
    world_destroy((void *)instance);
}

static void register_method(opaque *class_name, const method *self) {
    enum { PROPERTY_USAGE_DEFAULT = 6 };
    /* The result comes after the arguments. */
    opaque names[MOST_ARGUMENTS + 1], own, no_class, no_hint;
    GDExtensionPropertyInfo properties[MOST_ARGUMENTS + 1];
    GDExtensionClassMethodArgumentMetadata metadata[MOST_ARGUMENTS + 1];
    GDExtensionClassMethodInfo info;
    int i, last = self->argument_count;
    memset(&info, 0, sizeof info);
    memset(properties, 0, sizeof properties);
    name(&own, self->name), name(&no_class, "");
    engine.string_new_with_utf8_chars(AT(no_hint), "");
    for (i = 0; i <= last; i++) {
        name(&names[i], i < last ? self->arguments[i].name : "");
        properties[i].type = types[i < last ? self->arguments[i].kind : self->result];
        properties[i].name = AT(names[i]);
        properties[i].class_name = AT(no_class);
        properties[i].hint_string = AT(no_hint);
        properties[i].usage = PROPERTY_USAGE_DEFAULT;
        metadata[i] = GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE;
    }
    info.name = AT(own);
    info.method_userdata = (void *)self; /* handed back, and not written to */
    info.call_func = call;
    info.ptrcall_func = call_typed;
    info.method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT;
    info.has_return_value = 1;
    info.return_value_info = &properties[last];
    info.return_value_metadata = metadata[last];
    info.argument_count = (uint32_t)last;
    info.arguments_info = properties;
    info.arguments_metadata = metadata;
    engine.classdb_register_extension_class_method(engine.library, AT(*class_name), &info);
    for (i = 0; i <= last; i++) engine.destroy_name(AT(names[i]));
    engine.destroy[KIND_TEXT](AT(no_hint));
    engine.destroy_name(AT(no_class)), engine.destroy_name(AT(own));
}

/* What the functions are that deal with values of each kind. The numbers are those by which the engine knows the methods since 4.0. */
static void find_functions(void) {
    opaque size, resize;
    int i;
    engine.destroy_name = engine.variant_get_ptr_destructor(GDEXTENSION_VARIANT_TYPE_STRING_NAME);
    name(&size, "size"), name(&resize, "resize");
    for (i = 0; i < KINDS; i++) {
        engine.to_variant[i] = engine.get_variant_from_type_constructor(types[i]);
        engine.from_variant[i] = engine.get_variant_to_type_constructor(types[i]);
        if (i == KIND_INT || i == KIND_REAL) continue;
        engine.construct[i] = engine.variant_get_ptr_constructor(types[i], 0);
        engine.destroy[i] = engine.variant_get_ptr_destructor(types[i]);
        if (!IS_ARRAY(i)) continue;
        engine.size[i] = engine.variant_get_ptr_builtin_method(types[i], AT(size), 3173160232);
        engine.resize[i] = engine.variant_get_ptr_builtin_method(types[i], AT(resize), 848867239);
    }
    engine.destroy_name(AT(resize)), engine.destroy_name(AT(size));
}

static void initialize(void *data, GDExtensionInitializationLevel level) {
    GDExtensionClassCreationInfo2 info;
    opaque own, parent;
    int i;
    (void)data;
    if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
    find_functions();
    memset(&info, 0, sizeof info);
    info.is_exposed = 1;
    info.create_instance_func = create;
    info.free_instance_func = destroy;
    name(&own, "PCCD"), name(&parent, "RefCounted");
    engine.classdb_register_extension_class2(engine.library, AT(own), AT(parent), &info);
    for (i = 0; i < method_count; i++) register_method(AT(own), &methods[i]);
    engine.destroy_name(AT(parent)), engine.destroy_name(AT(own));
}

static void deinitialize(void *data, GDExtensionInitializationLevel level) {
    opaque own;
    (void)data;
    if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
    name(&own, "PCCD");
    engine.classdb_unregister_extension_class(engine.library, AT(own));
    engine.destroy_name(AT(own));
}

/* An engine that lacks a function is not what this was written for: it says that the extension cannot be loaded. */
EXPORTED GDExtensionBool pccd_gdextension_init(GDExtensionInterfaceGetProcAddress find, GDExtensionClassLibraryPtr library,
                                               GDExtensionInitialization *out) {
    engine.library = library;
#define FIND(type, name)                             \
    engine.name = (type)(void (*)(void))find(#name); \
    if (engine.name == NULL) return 0;
    FUNCTIONS(FIND)
    out->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    out->userdata = NULL;
    out->initialize = initialize;
    out->deinitialize = deinitialize;
    return 1;
}
