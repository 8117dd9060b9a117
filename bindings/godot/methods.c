/*
 * The methods of class PCCD. Those that can fail answer a status as in pccd.h, below 0 for an error, and tell the engine about it;
 * nothing has changed then.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "methods.h"

#include <stdio.h>
#include <string.h>

#define UNUSED (void)it, (void)self, (void)given

/* What does not fit becomes 0, which the library refuses in any case where this is used. */
static uint32_t small(int64_t value) {
    return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

static pccd_view positions_of(const argument *given) {
    pccd_view view = {0};
    view.data = given->data;
    view.count = given->count;
    view.stride = 3 * sizeof(float);
    view.format = PCCD_FORMAT_F32X3;
    return view;
}

static void set_threads(world *it, const method *self, const argument *given, answer *out) {
    out->integer = told(pccd_context_set_threads(it->context, small(given[0].integer)), self->name);
}

/* The contacts of the last run are gone afterwards. */
static void set_query(world *it, const method *self, const argument *given, answer *out) {
    pccd_query_def def;
    pccd_query query;
    pccd_status status = pccd_query_def_init(&def, sizeof def);
    def.mode = small(given[0].integer);
    def.min_separation = given[1].real;
    if (status >= 0) status = pccd_query_create(it->context, &def, &query);
    if (status >= 0) {
        told(pccd_query_destroy(it->context, it->query), self->name);
        it->query = query;
    }
    out->integer = told(status, self->name);
}

/* Answers the number of the mesh, above 0. */
static void create_mesh(world *it, const method *self, const argument *given, answer *out) {
    pccd_mesh_def def;
    pccd_mesh mesh = {0};
    pccd_status status;
    if (!world_has_room(it)) {
        told_wrong(self->name, "too many meshes");
        out->integer = PCCD_ERR_OUT_OF_MEMORY;
        return;
    }
    if (given[1].count % 3 != 0) {
        out->integer = told_wrong(self->name, "the number of indices is not a multiple of three");
        return;
    }
    status = pccd_mesh_def_init(&def, sizeof def);
    def.positions = positions_of(&given[0]);
    /* a negative index is a large one, and refused as such */
    def.triangles.data = given[1].data;
    def.triangles.count = given[1].count / 3;
    def.triangles.format = PCCD_FORMAT_U32X3;
    def.thickness = given[2].real;
    if (status >= 0) status = pccd_mesh_create(it->context, &def, &mesh);
    out->integer = told(status, self->name);
    if (status < 0) return;
    out->integer = told(pccd_bvh_add(it->context, it->bvh, mesh), self->name);
    if (out->integer < 0) pccd_mesh_destroy(it->context, mesh);
    else out->integer = world_remember(it, mesh);
}

static void destroy_mesh(world *it, const method *self, const argument *given, answer *out) {
    pccd_mesh mesh = world_mesh(it, given[0].integer);
    out->integer = told(pccd_mesh_destroy(it->context, mesh), self->name);
    if (out->integer >= 0) world_forget(it, mesh);
}

static void move_mesh(world *it, const method *self, const argument *given, answer *out) {
    pccd_view positions = positions_of(&given[1]);
    out->integer = told(pccd_mesh_move(it->context, world_mesh(it, given[0].integer), &positions), self->name);
}

static void set_motion(world *it, const method *self, const argument *given, answer *out) {
    pccd_view start = positions_of(&given[1]), end = positions_of(&given[2]);
    out->integer = told(pccd_mesh_set_motion(it->context, world_mesh(it, given[0].integer), &start, &end), self->name);
}

static void set_filter(world *it, const method *self, const argument *given, answer *out) {
    pccd_mesh mesh = world_mesh(it, given[0].integer);
    uint64_t category = (uint64_t)given[1].integer, mask = (uint64_t)given[2].integer;
    out->integer = told(pccd_mesh_set_filter(it->context, mesh, category, mask), self->name);
}

static void run(world *it, const method *self, const argument *given, answer *out) {
    UNUSED;
    out->integer = told(pccd_query_run(it->context, it->query, it->bvh), self->name);
}

static void get_version(world *it, const method *self, const argument *given, answer *out) {
    uint32_t version = pccd_version();
    UNUSED;
    snprintf(out->text, sizeof out->text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
}

const method methods[] = {
    {"set_threads", KIND_INT, set_threads, 0, NULL, 1, {{KIND_INT, "count"}}},
    {"set_query", KIND_INT, set_query, 0, NULL, 2, {{KIND_INT, "mode"}, {KIND_REAL, "min_separation"}}},
    {"create_mesh", KIND_INT, create_mesh, 0, NULL, 3, {{KIND_VECTORS, "positions"}, {KIND_INTS, "triangles"}, {KIND_REAL, "thickness"}}},
    {"destroy_mesh", KIND_INT, destroy_mesh, 0, NULL, 1, {{KIND_INT, "mesh"}}},
    {"move_mesh", KIND_INT, move_mesh, 0, NULL, 2, {{KIND_INT, "mesh"}, {KIND_VECTORS, "positions"}}},
    {"set_motion", KIND_INT, set_motion, 0, NULL, 3, {{KIND_INT, "mesh"}, {KIND_VECTORS, "start"}, {KIND_VECTORS, "end"}}},
    {"set_filter", KIND_INT, set_filter, 0, NULL, 3, {{KIND_INT, "mesh"}, {KIND_INT, "category"}, {KIND_INT, "mask"}}},
    {"run", KIND_INT, run, 0, NULL, 0, {{0}}},
    {"get_version", KIND_TEXT, get_version, 0, NULL, 0, {{0}}},
    {"get_contact_count", KIND_INT, call_contact_count, 0, NULL, 0, {{0}}},
    {"get_contact_kinds", KIND_BYTES, call_contacts, 1, write_kind, 0, {{0}}},
    {"get_contact_meshes", KIND_INTS, call_contacts, 2, write_meshes, 0, {{0}}},
    {"get_contact_vertices", KIND_INTS, call_contacts, 4, write_vertices, 0, {{0}}},
    {"get_contact_triangles", KIND_INTS, call_contacts, 2, write_triangles, 0, {{0}}},
    {"get_contact_times", KIND_REALS, call_contacts, 1, write_time, 0, {{0}}},
    {"get_contact_weights", KIND_REALS, call_contacts, 4, write_weights, 0, {{0}}},
    {"get_contact_normals", KIND_VECTORS, call_contacts, 1, write_normal, 0, {{0}}},
    {"get_hash", KIND_TEXT, call_hash, 0, NULL, 0, {{0}}},
};
const int method_count = sizeof methods / sizeof methods[0];

/* ---- calls ---- */

int method_accepts(const method *self, int64_t count, const kind *given) {
    static const char *const names[KINDS] = {"an integer", "a number", "a text", "an array of bytes", "an array of 32-bit integers",
                                             "an array of 32-bit floats", "an array of vectors"};
    char text[160];
    int i;
    if (count != self->argument_count) {
        snprintf(text, sizeof text, "%lld arguments; expected %d", (long long)count, self->argument_count);
        told_wrong(self->name, text);
        return 0;
    }
    for (i = 0; i < self->argument_count; i++) {
        kind wanted = self->arguments[i].kind;
        if (given[i] == wanted || (given[i] == KIND_INT && wanted == KIND_REAL)) continue;
        snprintf(text, sizeof text, "argument %d (%s) is %s; expected %s", i + 1, self->arguments[i].name,
                 given[i] == KINDS ? "something else" : names[given[i]], names[wanted]);
        told_wrong(self->name, text);
        return 0;
    }
    return 1;
}

answer method_refused(void) {
    answer out;
    memset(&out, 0, sizeof out);
    out.integer = PCCD_ERR_INVALID_ARGUMENT;
    return out;
}

answer method_call(world *it, const method *self, const argument *given) {
    answer out = method_refused();
    if (it != NULL) {
        self->call(it, self, given, &out);
    } else {
        told_wrong(self->name, "there was no memory for this object");
        out.integer = PCCD_ERR_OUT_OF_MEMORY;
    }
    return out;
}

uint64_t answer_elements(const method *self, const answer *out) {
    return out->contact_count * (uint64_t)self->each;
}

void answer_write(const world *it, const method *self, const answer *out, void *to) {
    static const size_t sizes[KINDS] = {0, 0, 0, sizeof(uint8_t), sizeof(int32_t), sizeof(float), 3 * sizeof(float)};
    size_t step = sizes[self->result] * (size_t)self->each;
    unsigned char *place = to;
    uint64_t i;
    for (i = 0; i < out->contact_count; i++) self->write(it, out->contacts + i, place + i * step);
}
