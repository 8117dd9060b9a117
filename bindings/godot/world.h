/* An object of class PCCD, whatever engine it lives in: a context of the library with one hierarchy and one query. */
#ifndef PCCD_GODOT_WORLD_H
#define PCCD_GODOT_WORLD_H

#include <pccd.h>

/* A mesh as scripts know it: arrays of the engine have 32-bit integers, so meshes have small numbers there. */
typedef struct mesh_entry {
    pccd_mesh mesh;
    int32_t number;
} mesh_entry;

typedef struct world {
    pccd_context *context;
    pccd_bvh bvh;
    pccd_query query;
    mesh_entry *entries; /* sorted by the id of the mesh */
    int entry_count, entry_room;
    int32_t last_number;
} world;

/* To the log of the engine. Every engine has its own. */
void engine_error(const char *what, const char *function);

/* Tells the engine what went wrong. Returns the status. */
pccd_status told(pccd_status status, const char *function);
pccd_status told_wrong(const char *function, const char *what);

/* NULL when there is no memory. When the library refuses, the engine is told, and the world has no context. */
world *world_create(void);
/* NULL is fine. */
void world_destroy(world *it);

/* Makes sure that another mesh can be remembered. */
int world_has_room(world *it);
/* Gives a mesh its number. There must be room. */
int32_t world_remember(world *it, pccd_mesh mesh);
void world_forget(world *it, pccd_mesh mesh);

/* The mesh of a number; the null handle if there is none. */
pccd_mesh world_mesh(const world *it, int64_t number);
/* The number of a mesh; 0 if there is none any more. */
int32_t world_number(const world *it, pccd_mesh mesh);

#endif
