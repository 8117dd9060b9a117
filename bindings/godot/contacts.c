/* Methods of the class PCCD that give what the last run has found: arrays with so many elements for each contact, sorted as
 * in pccd.h. */
#include "pccd_godot.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The contacts of the last run; none if there are more than an array of the engine has room for. */
static const pccd_contact *contacts_of(world *it, int each, uint64_t *out_count) {
    const pccd_contact *contacts = NULL;
    *out_count = 0;
    if (told(pccd_query_contacts(it->context, it->query, &contacts, out_count), "contacts") < 0) return NULL;
    if (*out_count > (uint64_t)(INT_MAX / each)) {
        told_wrong("contacts", "more contacts than an array has room for");
        *out_count = 0;
    }
    return contacts;
}

/* Not before the first contact, also as a 32-bit float. */
static float rounded_down(double value) {
    float result = (float)value;
    return result > value ? nextafterf(result, -1.0f) : result;
}

#define UNUSED (void)object, (void)data, (void)count, (void)arguments

/* A method that gives an array. The code sets to[0] to to[each - 1] from a contact. */
#define ARRAY_METHOD(name, kind, element, each, code)                                                              \
    static godot_variant name(godot_object *object, void *data, void *user, int count, godot_variant **arguments) { \
        world *it = user;                                                                                           \
        uint64_t number, i;                                                                                         \
        const pccd_contact *contacts = contacts_of(it, each, &number);                                              \
        godot_pool_##kind##_array array;                                                                            \
        godot_variant result;                                                                                       \
        UNUSED;                                                                                                     \
        core->godot_pool_##kind##_array_new(&array);                                                                \
        core->godot_pool_##kind##_array_resize(&array, (godot_int)(number * each));                                 \
        if (number > 0) {                                                                                           \
            godot_pool_##kind##_array_write_access *access = core->godot_pool_##kind##_array_write(&array);         \
            element *all = core->godot_pool_##kind##_array_write_access_ptr(access);                                \
            for (i = 0; i < number; i++) {                                                                          \
                const pccd_contact *contact = contacts + i;                                                         \
                element *to = all + i * each;                                                                       \
                code                                                                                                \
            }                                                                                                       \
            core->godot_pool_##kind##_array_write_access_destroy(access);                                           \
        }                                                                                                           \
        core->godot_variant_new_pool_##kind##_array(&result, &array);                                               \
        core->godot_pool_##kind##_array_destroy(&array);                                                            \
        return result;                                                                                              \
    }

#define COPY_INT(field, each)                                             \
    {                                                                     \
        int j;                                                            \
        for (j = 0; j < each; j++) to[j] = (godot_int)contact->field[j];  \
    }
#define COPY_REAL(field, each)                                             \
    {                                                                      \
        int j;                                                             \
        for (j = 0; j < each; j++) to[j] = (godot_real)contact->field[j];  \
    }

ARRAY_METHOD(get_contact_kinds, byte, uint8_t, 1, { to[0] = (uint8_t)contact->kind; })
ARRAY_METHOD(get_contact_meshes, int, godot_int, 2, {
    to[0] = world_number(it, contact->mesh_a);
    to[1] = world_number(it, contact->mesh_b);
})
ARRAY_METHOD(get_contact_vertices, int, godot_int, 4, COPY_INT(vertices, 4))
ARRAY_METHOD(get_contact_triangles, int, godot_int, 2, COPY_INT(triangles, 2))
ARRAY_METHOD(get_contact_times, real, godot_real, 1, { to[0] = rounded_down(contact->toi_lower); })
ARRAY_METHOD(get_contact_weights, real, godot_real, 4, COPY_REAL(weights, 4))

/* The type of the engine has three floats, and promises nothing else. */
typedef struct vector3 {
    float at[3];
} vector3;
ARRAY_METHOD(get_contact_normals, vector3, godot_vector3, 1, {
    vector3 *normal = (vector3 *)to;
    int j;
    for (j = 0; j < 3; j++) normal->at[j] = (float)contact->normal[j];
})

/* get_contact_count() */
static godot_variant get_contact_count(godot_object *object, void *data, void *user, int count, godot_variant **arguments) {
    world *it = user;
    const pccd_contact *contacts;
    uint64_t number = 0;
    pccd_status status;
    UNUSED;
    status = told(pccd_query_contacts(it->context, it->query, &contacts, &number), "get_contact_count");
    return variant_int(status < 0 ? status : (int64_t)number);
}

/* get_hash(): of every bit of all contacts; 16 hexadecimal digits, the same on every machine */
static godot_variant get_hash(godot_object *object, void *data, void *user, int count, godot_variant **arguments) {
    world *it = user;
    uint64_t hash = 0;
    char text[32];
    UNUSED;
    if (told(pccd_query_hash(it->context, it->query, &hash), "get_hash") < 0) return variant_text("");
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return variant_text(text);
}

void register_contacts(void *handle) {
    register_method(handle, "get_contact_count", get_contact_count);
    register_method(handle, "get_contact_kinds", get_contact_kinds);
    register_method(handle, "get_contact_meshes", get_contact_meshes);
    register_method(handle, "get_contact_vertices", get_contact_vertices);
    register_method(handle, "get_contact_triangles", get_contact_triangles);
    register_method(handle, "get_contact_times", get_contact_times);
    register_method(handle, "get_contact_weights", get_contact_weights);
    register_method(handle, "get_contact_normals", get_contact_normals);
    register_method(handle, "get_hash", get_hash);
}
