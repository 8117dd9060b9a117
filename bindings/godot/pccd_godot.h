/* What the files of the Godot binding share: the interfaces that the engine hands over, and what an object of class PCCD is. */
#ifndef PCCD_GODOT_H
#define PCCD_GODOT_H

#include <gdnative_api_struct.gen.h>
#include <pccd.h>

/* Set when the engine loads the library. */
extern const godot_gdnative_core_api_struct *core;
extern const godot_gdnative_ext_nativescript_api_struct *nativescript;

/* A mesh as scripts know it: pool arrays have 32-bit integers, so meshes have small numbers there. */
typedef struct mesh_entry {
    pccd_mesh mesh;
    godot_int number;
} mesh_entry;

/* An object of class PCCD: a context with one hierarchy and one query. */
typedef struct world {
    pccd_context *context;
    pccd_bvh bvh;
    pccd_query query;
    mesh_entry *entries; /* sorted by the id of the mesh */
    int entry_count, entry_room;
    godot_int last_number;
} world;

/* Tells the engine what went wrong. Returns the status. */
pccd_status told(pccd_status status, const char *function);
pccd_status told_wrong(const char *function, const char *what);

/* The mesh of a number; the null handle if there is none. */
pccd_mesh world_mesh(const world *it, int64_t number);
/* The number of a mesh; 0 if there is none any more. */
godot_int world_number(const world *it, pccd_mesh mesh);

/* Methods that give contacts, in contacts.c. */
void register_contacts(void *handle);
void register_method(void *handle, const char *name,
                     godot_variant (*method)(godot_object *, void *, void *, int, godot_variant **));

godot_variant variant_int(int64_t value);
godot_variant variant_text(const char *text);

#endif
