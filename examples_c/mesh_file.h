/* Triangle meshes, and the two file formats that hold them. */
#ifndef MESH_FILE_H
#define MESH_FILE_H

#include "program.h"

#include <stddef.h>
#include <stdint.h>

typedef struct mesh_data {
    const char *name;    /* the path; not owned */
    double *positions;   /* x y z of each vertex */
    size_t vertex_count;
    size_t vertex_capacity;
    uint32_t *triangles; /* three vertex indices each */
    size_t triangle_count;
    size_t triangle_capacity;
    uint32_t *fans;      /* how many triangles each face of the file has become */
    size_t fan_count;
    size_t fan_capacity;
} mesh_data;

/* Reads a PLY or OBJ file: its name ends in .ply or .obj, or else it is PLY if it begins so. On failure
 * writes to stderr the file, the line (or byte, where the file is binary) and what is wrong there, and
 * returns 0. */
int mesh_read(const char *path, mesh_data *out);

/* Frees what the mesh owns. Harmless for one that is all zero. */
void mesh_free(mesh_data *mesh);

/* ---- for the readers ---- */

/* A mesh has at most this many vertices: an index has 32 bits. */
#define MAX_VERTICES UINT32_MAX

/* Both read what is in memory into an empty mesh. On failure they have said what is wrong, and the mesh still
 * has to be freed. */
int ply_parse(const bytes *content, mesh_data *mesh);
int obj_parse(const bytes *content, mesh_data *mesh);

/* Both return 0 when out of memory, after saying so. Room grows with what is added, never with what a file
 * promises. */
int mesh_add_vertex(mesh_data *mesh, const double position[3]);
int mesh_add_triangle(mesh_data *mesh, uint32_t a, uint32_t b, uint32_t c);

/* The corners of a polygon, one after the other, become a fan of triangles around the first. */
typedef struct fan {
    size_t corners;
    uint32_t first, last;
} fan;

/* Returns 0 when out of memory. */
int fan_add(fan *polygon, mesh_data *mesh, uint32_t corner);

/* Whether a word is a number and nothing else. With `single` it is rounded to a float, as what is stored as a
 * float has to be. A zero or white space has to follow the word in memory. */
int parse_real(text word, int single, double *out);

/* Whether a word is a decimal integer and nothing else. What doesn't fit becomes the nearest that does. */
int parse_integer(text word, int64_t *out);

#endif
