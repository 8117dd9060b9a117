/* A cloth of masses and springs, a ball that it falls on, and how both move from frame to frame. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "vec3.h"

#include <stddef.h>
#include <stdint.h>

/* A spring keeps two vertices at a distance. */
typedef struct spring {
    uint32_t a, b;
    double rest, stiffness;
} spring;

/* A bend keeps three vertices in a row straight. */
typedef struct bend {
    uint32_t a, middle, b;
} bend;

typedef struct surface {
    vec3 *positions; /* where the vertices are */
    vec3 *next;      /* where they will be at the end of the frame */
    uint32_t (*triangles)[3];
    size_t vertex_count, triangle_count;
} surface;

/* Two features that touch, or will soon: the point sum(weight * vertex) of the first minus that of the second
 * must not get closer than `gap` along the normal. The ball's share is not solved for, so only its two points
 * are kept: where it is at the beginning and at the end of the frame. Weights of the second are negative. */
typedef struct touch {
    uint32_t vertices[4];
    double weights[4];
    int vertex_count; /* of the cloth */
    int on_ball;
    vec3 ball_start, ball_end;
    vec3 normal;
    double gap;
} touch;

typedef struct touch_list {
    touch *items;
    size_t count, capacity;
} touch_list;

typedef struct simulation {
    surface cloth, ball;
    vec3 *velocities;
    vec3 *before; /* positions before the substep */
    spring *springs;
    bend *bends;
    size_t spring_count, bend_count;
    vec3 *ball_rest; /* the ball's vertices before it turned */
    double ball_angle, ball_next_angle;
    double edge;      /* length of the cloth's edges */
    double thickness; /* distance that touching surfaces keep, if nothing forces them closer */
    size_t frame;
} simulation;

/* Seconds that a frame takes. */
extern const double frame_seconds;

/* A cloth of size * size vertices that hovers above a ball. Returns 0 if there is no memory for it; call
 * simulation_free() in any case. */
int simulation_create(simulation *sim, size_t size);
void simulation_free(simulation *sim);

/* Where the ball and, if nothing is in its way, the cloth will be at the end of the frame. Returns whether
 * the ball turns. */
int simulation_predict(simulation *sim);

/* Lets springs, weight and the touching features decide where the cloth will be at the end of the frame. */
void simulation_solve(simulation *sim, const touch_list *touches);

/* Where a point would be at the end of the frame if it stuck to the ball. */
vec3 turn_with_ball(const simulation *sim, vec3 point);

/* Makes the ball stay as it is during this frame. */
void stop_ball(simulation *sim);

/* Ends the frame: the vertices arrive. `solved` are the positions at which simulation_solve() wanted them;
 * those that had to go elsewhere change their velocity. */
void simulation_commit(simulation *sim, const vec3 *solved);

/* How many triangles there are, all in all. */
size_t simulation_triangles(const simulation *sim);

#endif
