/* Rigid bodies: impulses at the points of contact, a few times over all of them. */
#include "rigid.h"

#include "library.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4 };

static const double friction = 0.4;
/* The share of a depth that is corrected in a step, and the depth that is left alone. */
static const double correction = 0.2, slop = 0.005;

body *world_add(world *self, pccd_object_def *def, double mass, double radius)
{
    body *grown = room_for_one(self->bodies, self->count, &self->capacity, sizeof *self->bodies);
    body *added;

    if (grown == NULL) {
        complain("out of memory");
        return NULL;
    }
    self->bodies = grown;
    added = &self->bodies[self->count];
    memset(added, 0, sizeof *added);
    if (mass == 0)
        def->flags |= PCCD_OBJECT_STATIC;
    added->position = vec(def->position[0], def->position[1], def->position[2]);
    memcpy(added->rotation, def->rotation, sizeof added->rotation);
    if (mass > 0) {
        added->inverse_mass = 1 / mass;
        added->inverse_inertia = 1 / (0.4 * mass * radius * radius);
    }
    if (!succeeded("pccd_pipeline_add",
                   pccd_pipeline_add(self->context, self->pipeline, def, &added->object)))
        return NULL;
    self->count++;
    return added;
}

void world_free(world *self)
{
    free(self->bodies);
}

/* Places are handed out from 1 on, and nothing is ever removed. */
static body *body_of(world *self, pccd_object object)
{
    return &self->bodies[(uint32_t)object.id - 1];
}

static vec3 velocity_at(const body *self, vec3 arm)
{
    return add(self->velocity, cross(self->spin, arm));
}

static void push(body *self, vec3 arm, vec3 impulse)
{
    self->velocity = add_scaled(self->velocity, self->inverse_mass, impulse);
    self->spin = add_scaled(self->spin, self->inverse_inertia, cross(arm, impulse));
}

/* How much a velocity along a direction gives way to an impulse along it. */
static double yielding(const body *self, vec3 arm, vec3 along)
{
    vec3 turned = cross(arm, along);

    return self->inverse_mass + self->inverse_inertia * dot(turned, turned);
}

/* Keeps two bodies from coming closer at a point. */
static void resolve(world *self, const pccd_pair *pair, const pccd_contact_point *contact)
{
    body *a = body_of(self, pair->object_a), *b = body_of(self, pair->object_b);
    vec3 normal = vec(contact->normal[0], contact->normal[1], contact->normal[2]);
    vec3 point = vec(contact->point[0], contact->point[1], contact->point[2]);
    vec3 arm_a = sub(point, a->position), arm_b = sub(point, b->position);
    vec3 relative = sub(velocity_at(a, arm_a), velocity_at(b, arm_b));
    double deeper = contact->depth - slop;
    double wanted = deeper > 0 ? correction * deeper / self->step : deeper / self->step;
    double gives = yielding(a, arm_a, normal) + yielding(b, arm_b, normal);
    double strength, slip;
    vec3 along;

    if (gives <= 0)
        return;
    /* Bodies that are deep in each other are moved apart slowly. */
    if (wanted > 2)
        wanted = 2;
    strength = (wanted - dot(relative, normal)) / gives;
    if (strength <= 0)
        return;
    strength /= pair->point_count;
    push(a, arm_a, scale(normal, strength));
    push(b, arm_b, scale(normal, -strength));
    along = add_scaled(relative, -dot(relative, normal), normal);
    slip = length(along);
    if (slip > 1e-9) {
        double brake;
        along = scale(along, 1 / slip);
        gives = yielding(a, arm_a, along) + yielding(b, arm_b, along);
        brake = slip / gives / pair->point_count;
        if (brake > friction * strength)
            brake = friction * strength;
        push(a, arm_a, scale(along, -brake));
        push(b, arm_b, scale(along, brake));
    }
}

static void move(body *self, double step)
{
    double *q = self->rotation, x = q[0], y = q[1], z = q[2], w = q[3], norm;
    vec3 s = scale(self->spin, 0.5 * step);
    int i;

    self->position = add_scaled(self->position, step, self->velocity);
    q[0] += s.x * w + s.y * z - s.z * y;
    q[1] += s.y * w + s.z * x - s.x * z;
    q[2] += s.z * w + s.x * y - s.y * x;
    q[3] += -s.x * x - s.y * y - s.z * z;
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (i = 0; i < 4; i++)
        q[i] /= norm;
}

static int hand_over(world *self)
{
    pccd_object *objects = malloc((self->count + 1) * sizeof *objects);
    pccd_view positions, rotations;
    size_t i;
    int done;

    if (objects == NULL)
        return complain("out of memory");
    for (i = 0; i < self->count; i++)
        objects[i] = self->bodies[i].object;
    memset(&positions, 0, sizeof positions);
    positions.data = &self->bodies->position;
    positions.count = self->count;
    positions.stride = sizeof *self->bodies;
    positions.format = PCCD_FORMAT_F64X3;
    rotations = positions;
    rotations.data = self->bodies->rotation;
    rotations.format = PCCD_FORMAT_F64X4;
    done = succeeded("pccd_pipeline_set_transforms",
                     pccd_pipeline_set_transforms(self->context, self->pipeline, objects, self->count,
                                                  &positions, &rotations));
    free(objects);
    return done;
}

int world_step(world *self)
{
    const pccd_pair *pairs;
    const pccd_contact_point *points;
    uint64_t pair_count, point_count, pair, point;
    size_t i;
    int round;

    for (i = 0; i < self->count; i++) {
        if (self->bodies[i].inverse_mass > 0)
            self->bodies[i].velocity.y -= self->gravity * self->step;
    }
    if (!succeeded("pccd_pipeline_pairs",
                   pccd_pipeline_pairs(self->context, self->pipeline, &pairs, &pair_count)) ||
        !succeeded("pccd_pipeline_points",
                   pccd_pipeline_points(self->context, self->pipeline, &points, &point_count)))
        return 0;
    for (round = 0; round < ROUNDS; round++) {
        for (pair = 0; pair < pair_count; pair++) {
            for (point = 0; point < pairs[pair].point_count; point++)
                resolve(self, &pairs[pair], &points[pairs[pair].first_point + point]);
        }
    }
    for (i = 0; i < self->count; i++) {
        body *here = &self->bodies[i];
        if (here->inverse_mass > 0) {
            /* A little drag, so that heaps come to rest. */
            here->velocity = scale(here->velocity, 0.999);
            here->spin = scale(here->spin, 0.99);
            move(here, self->step);
        }
    }
    return hand_over(self) &&
           succeeded("pccd_pipeline_step", pccd_pipeline_step(self->context, self->pipeline));
}
