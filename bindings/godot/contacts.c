/* Methods of the class PCCD that give what the last run has found: arrays with so many elements for each contact, sorted as
 * in pccd.h. */
#include "methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define UNUSED (void)self, (void)given

void call_contacts(world *it, const method *self, const argument *given, answer *out) {
    UNUSED;
    out->integer = told(pccd_query_contacts(it->context, it->query, &out->contacts, &out->contact_count), self->name);
    if (out->integer < 0) out->contact_count = 0;
    if (out->contact_count > (uint64_t)(INT32_MAX / self->each)) {
        out->integer = told_wrong(self->name, "more contacts than an array has room for");
        out->contact_count = 0;
    }
}

void call_contact_count(world *it, const method *self, const argument *given, answer *out) {
    UNUSED;
    out->integer = told(pccd_query_contacts(it->context, it->query, &out->contacts, &out->contact_count), self->name);
    if (out->integer >= 0) out->integer = (int64_t)out->contact_count;
}

/* Of every bit of all contacts: 16 hexadecimal digits, the same on every machine. */
void call_hash(world *it, const method *self, const argument *given, answer *out) {
    uint64_t hash = 0;
    UNUSED;
    out->integer = told(pccd_query_hash(it->context, it->query, &hash), self->name);
    if (out->integer >= 0) snprintf(out->text, sizeof out->text, "%016" PRIx64, hash);
}

/* Not before the first contact, also as a 32-bit float. */
static float rounded_down(double value) {
    float result = (float)value;
    return result > value ? nextafterf(result, -1.0f) : result;
}

static void copy_ints(const uint32_t *from, int count, int32_t *to) {
    int i;
    for (i = 0; i < count; i++) to[i] = (int32_t)from[i];
}

static void copy_reals(const double *from, int count, float *to) {
    int i;
    for (i = 0; i < count; i++) to[i] = (float)from[i];
}

void write_kind(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    *(uint8_t *)to = (uint8_t)contact->kind;
}

void write_meshes(const world *it, const pccd_contact *contact, void *to) {
    int32_t *numbers = to;
    numbers[0] = world_number(it, contact->mesh_a);
    numbers[1] = world_number(it, contact->mesh_b);
}

void write_vertices(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    copy_ints(contact->vertices, 4, to);
}

void write_triangles(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    copy_ints(contact->triangles, 2, to);
}

void write_time(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    *(float *)to = rounded_down(contact->toi_lower);
}

void write_weights(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    copy_reals(contact->weights, 4, to);
}

void write_normal(const world *it, const pccd_contact *contact, void *to) {
    (void)it;
    copy_reals(contact->normal, 3, to);
}
