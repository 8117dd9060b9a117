/* Bodies that break: what a program has to keep to tell the library about them. */
#ifndef PIECES_H
#define PIECES_H

#include "pccd.h"
#include "vec3.h"

/* A body: a mesh of the library, and what the program needs to move and break it. */
typedef struct piece {
    pccd_mesh mesh;
    uint32_t vertex_count, triangle_count;
    vec3 *at;               /* where the vertices are */
    uint32_t (*corners)[3]; /* the triangles */
    vec3 velocity;
    int tag;                /* for the scene */
} piece;

/* How a body is going to break. */
typedef struct plan {
    uint32_t broken;
    pccd_split_def def; /* its arrays belong to the plan */
    vec3 *at_new;       /* may be NULL */
} plan;

typedef struct pieces {
    pccd_context *context;
    pccd_bvh bvh;
    pccd_query query;
    piece *list;
    uint32_t count, capacity;
    plan *plans;
    uint32_t plan_count, plan_capacity;
    double ms_change; /* that the library has spent in splits and merges, */
    double ms_move;   /* and in moving bodies, since somebody has set it to 0 */
    int has_changed;
} pieces;

/* All return 0 after having said what went wrong. `room` contacts fit without asking the system for memory. */
int pieces_open(pieces *all, pccd_context *context, int32_t metric, uint32_t grid_limit, uint64_t room);
void pieces_close(pieces *all);

/* Makes a body of vertices and triangles, which are copied. */
int pieces_add(pieces *all, const vec3 *at, uint32_t vertex_count, const uint32_t (*corners)[3],
               uint32_t triangle_count, vec3 velocity, int tag);

/* Plans to break a body by a part number for each triangle. Parts without a triangle are left out; with a single part, the body stays whole.
 * Nothing happens before pieces_break(). */
int pieces_plan(pieces *all, uint32_t broken, const uint32_t *part_of_triangle, uint32_t part_count);

/* The same by a definition, with copies and other corners (packed PCCD_FORMAT_U32X3) if it has any. at_new are the positions of the copies, if they are
 * not those of what they copy. Everything is copied. */
int pieces_plan_with(pieces *all, uint32_t broken, const pccd_split_def *def, const vec3 *at_new);

/* Breaks all bodies for which there is a plan, at once. The parts are the last bodies then, and *first_part is the first of them; the others keep their order. */
int pieces_break(pieces *all, uint32_t *first_part);

/* Makes one of the last `count` bodies; vertices at the same place become one. */
int pieces_merge_last(pieces *all, uint32_t count);

/* Moves every vertex on by the velocity of its body and by what `bend` says, which may be NULL. */
int pieces_move(pieces *all, void (*bend)(const piece *body, uint32_t vertex, double time, vec3 *at), double time);

double milliseconds(void);

#endif
