/* Rigid bodies: a small integrator that keeps them apart where the pipeline says that they touch. */
#ifndef RIGID_H
#define RIGID_H

#include "vec3.h"

#include <pccd.h>

#include <stddef.h>
#include <stdint.h>

typedef struct body {
    pccd_object object;
    vec3 position, velocity, spin;
    double rotation[4];  /* x y z w */
    double inverse_mass; /* 0: it never moves */
    double inverse_inertia;
} body;

typedef struct world {
    pccd_context *context;
    pccd_pipeline pipeline;
    body *bodies; /* in the order in which they were added, which is that of their handles' lower halves */
    size_t count, capacity;
    double gravity;
    double step; /* seconds */
} world;

/* Adds a body with this definition. A mass of 0 makes it static. Returns NULL, and has said why, if that fails. */
body *world_add(world *self, pccd_object_def *def, double mass, double radius);

/* Moves all bodies on, hands their transforms over, and has the pipeline step. Returns 0, and has said why, if that fails. */
int world_step(world *self);

void world_free(world *self);

#endif
