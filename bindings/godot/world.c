#include "world.h"

#include <stdlib.h>
#include <string.h>

pccd_status told(pccd_status status, const char *function) {
    if (status < 0) engine_error(pccd_last_error(), function);
    return status;
}

pccd_status told_wrong(const char *function, const char *what) {
    engine_error(what, function);
    return PCCD_ERR_INVALID_ARGUMENT;
}

world *world_create(void) {
    world *it = calloc(1, sizeof *it);
    pccd_context_def def;
    pccd_status status;
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

void world_destroy(world *it) {
    if (it == NULL) return;
    if (it->context != NULL) told(pccd_context_destroy(it->context), "PCCD.free");
    free(it->entries);
    free(it);
}

/* ---- meshes by their numbers ---- */

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

int world_has_room(world *it) {
    if (it->entry_count == it->entry_room) {
        int room = it->entry_room ? 2 * it->entry_room : 16;
        mesh_entry *entries = realloc(it->entries, (size_t)room * sizeof *entries);
        if (entries == NULL) return 0;
        it->entries = entries;
        it->entry_room = room;
    }
    return it->last_number < INT32_MAX;
}

int32_t world_remember(world *it, pccd_mesh mesh) {
    int place = place_of(it, mesh);
    memmove(it->entries + place + 1, it->entries + place, (size_t)(it->entry_count - place) * sizeof *it->entries);
    it->entries[place].mesh = mesh;
    it->entries[place].number = ++it->last_number;
    it->entry_count++;
    return it->last_number;
}

void world_forget(world *it, pccd_mesh mesh) {
    int place = place_of(it, mesh);
    it->entry_count--;
    memmove(it->entries + place, it->entries + place + 1, (size_t)(it->entry_count - place) * sizeof *it->entries);
}

pccd_mesh world_mesh(const world *it, int64_t number) {
    pccd_mesh none = {0};
    int i;
    for (i = 0; i < it->entry_count; i++) {
        if (it->entries[i].number == number) return it->entries[i].mesh;
    }
    return none;
}

int32_t world_number(const world *it, pccd_mesh mesh) {
    int place = place_of(it, mesh);
    return place < it->entry_count && it->entries[place].mesh.id == mesh.id ? it->entries[place].number : 0;
}
