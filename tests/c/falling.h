/* The scenes of contacts.c, in which every contact can be worked out by hand, and its groups. */
#ifndef FALLING_H
#define FALLING_H

#include "check.h"

/* A floor, and a triangle that falls through it, strictly inside its outline: each of its vertices hits the floor, the first
   one at t = 1/4, the others at t = 1/2, and nothing else touches. All numbers are exact in 32 bits. */
extern const double floor_at[3][3], high[3][3], low[3][3];
extern const uint32_t one_triangle[1][3];

typedef struct scene {
    pccd_context *context;
    pccd_mesh floor, falling;
    pccd_bvh bvh;
    pccd_query query;
} scene;

pccd_view f64s(const void *data, uint64_t count);
scene new_scene_in(pccd_context *context);
scene new_scene(void);
void end_scene(scene *it);

/* Both triangles in one mesh: floor and falling are its triangles 0 and 1. Where they are at the start and at the end is
   written by the function. */
extern double both_high[6][3], both_low[6][3];
scene new_self_scene(uint32_t flags, double thickness);

/* Runs, and returns how many contacts there are. */
uint64_t run(const scene *it, const pccd_contact **contacts);
uint64_t run_and_count(const scene *it);
uint64_t hash_of(const scene *it);
/* Replaces the query of a scene. */
void look_for(scene *it, const pccd_query_def *def);
pccd_query_def default_query(void);

int close_to(double a, double b);
/* The three contacts of the falling triangle, whose first vertex has this number. */
void check_fall(const pccd_contact *contacts, uint64_t count, pccd_mesh a, pccd_mesh b, uint32_t first, uint32_t triangle);

/* The groups of contacts.c. */
void what_is_a_contact(void);
void what_is_looked_for(void);
void how_meshes_are_given(void);
void triangles_in_boxes(void);

#endif
