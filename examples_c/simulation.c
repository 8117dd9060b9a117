#include "simulation.h"

#include <stdlib.h>
#include <string.h>

/* Lengths in metres, a cloth of one kilogram per square metre. */
static const double cloth_side = 5.0;
static const double ball_radius = 1.0;
static const double gravity = 9.81;
static const double stretch_stiffness = 4000.0;
static const double shear_stiffness = 250.0;
static const double bend_stiffness = 0.001;
static const double air_drag = 4.0;

const double frame_seconds = 1.0 / 60.0;
enum { SUBSTEPS = 20 };

/* The ball rests while the cloth comes down, then it is spun up. Its axis leans a little. */
enum { SPIN_FRAME = 45, SPIN_UP_FRAMES = 20 };
static const double spin_speed = 2.8;
static const double axis_lean = 0.22;

static const double ball_friction = 0.8, cloth_friction = 0.25;

enum { MIN_BALL_LEVEL = 3, MAX_BALL_LEVEL = 7 };

static void *allocate(size_t count, size_t size)
{
    return calloc(count ? count : 1, size);
}

static int surface_create(surface *out, size_t vertices, size_t triangles)
{
    out->vertex_count = vertices;
    out->triangle_count = triangles;
    out->positions = allocate(vertices, sizeof *out->positions);
    out->next = allocate(vertices, sizeof *out->next);
    out->triangles = allocate(triangles, sizeof *out->triangles);
    return out->positions && out->next && out->triangles;
}

static void surface_free(surface *surface)
{
    free(surface->positions);
    free(surface->next);
    free(surface->triangles);
}

/* The springs of one direction, in two groups that have no vertex in common with themselves as far as that is
 * possible: the order in which springs are relaxed then prefers no side. */
static void add_springs(simulation *sim, size_t size, int di, int dj, double rest, double stiffness)
{
    int n = (int)size, parity, i, j;

    for (parity = 0; parity < 2; parity++)
        for (i = 0; i + di < n; i++)
            for (j = dj < 0 ? -dj : 0; j < n && j + dj < n; j++) {
                spring *added;

                if (((di ? i : j) & 1) != parity)
                    continue;
                added = &sim->springs[sim->spring_count++];
                added->a = (uint32_t)(i * n + j);
                added->b = (uint32_t)((i + di) * n + j + dj);
                added->rest = rest;
                added->stiffness = stiffness;
            }
}

static void add_bends(simulation *sim, size_t size, size_t di, size_t dj)
{
    size_t i, j;

    for (i = 0; i + 2 * di < size; i++)
        for (j = 0; j + 2 * dj < size; j++) {
            bend *added = &sim->bends[sim->bend_count++];

            added->a = (uint32_t)(i * size + j);
            added->middle = (uint32_t)((i + di) * size + j + dj);
            added->b = (uint32_t)((i + 2 * di) * size + j + 2 * dj);
        }
}

static int create_cloth(simulation *sim, size_t size)
{
    surface *cloth = &sim->cloth;
    size_t cells = size - 1, i, j, triangle = 0;

    sim->edge = cloth_side / (double)cells;
    sim->thickness = 0.2 * sim->edge;
    if (!surface_create(cloth, size * size, 2 * cells * cells))
        return 0;
    sim->velocities = allocate(size * size, sizeof *sim->velocities);
    sim->before = allocate(size * size, sizeof *sim->before);
    sim->springs = allocate(4 * size * size, sizeof *sim->springs);
    sim->bends = allocate(2 * size * size, sizeof *sim->bends);
    if (!sim->velocities || !sim->before || !sim->springs || !sim->bends)
        return 0;
    /* Not quite in the middle and not quite straight, so that the folds are not all alike. */
    for (i = 0; i < size; i++)
        for (j = 0; j < size; j++) {
            double x = (double)i * sim->edge - 0.5 * cloth_side, z = (double)j * sim->edge - 0.5 * cloth_side;

            cloth->positions[i * size + j] = vec(0.98 * x - 0.199 * z + 0.06, ball_radius + 0.03,
                                                 0.199 * x + 0.98 * z - 0.04);
        }
    memcpy(cloth->next, cloth->positions, size * size * sizeof *cloth->next);
    /* The diagonals alternate, so that the cloth folds one way as easily as the other. */
    for (i = 0; i < cells; i++)
        for (j = 0; j < cells; j++) {
            uint32_t a = (uint32_t)(i * size + j), b = a + 1, c = a + (uint32_t)size, d = c + 1;
            uint32_t cut[2][2][3] = {{{a, b, d}, {a, d, c}}, {{a, b, c}, {b, d, c}}};

            memcpy(cloth->triangles[triangle], cut[(i + j) & 1], sizeof cut[0]);
            triangle += 2;
        }
    add_springs(sim, size, 1, 0, sim->edge, stretch_stiffness);
    add_springs(sim, size, 0, 1, sim->edge, stretch_stiffness);
    add_springs(sim, size, 1, 1, sqrt(2.0) * sim->edge, shear_stiffness);
    add_springs(sim, size, 1, -1, sqrt(2.0) * sim->edge, shear_stiffness);
    add_bends(sim, size, 1, 0);
    add_bends(sim, size, 0, 1);
    return 1;
}

/* The vertex in the middle of an edge, on the sphere: found again if the other triangle of the edge has
 * already made it. The table holds the two vertices and the one between them. */
static uint32_t middle_vertex(surface *ball, uint32_t (*table)[3], size_t table_size, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t slot = ((size_t)low * 2654435761u + (size_t)high * 40503u) % table_size;
    vec3 middle;

    while (table[slot][2] != 0) {
        if (table[slot][0] == low && table[slot][1] == high)
            return table[slot][2];
        slot = (slot + 1) % table_size;
    }
    middle = add(ball->positions[low], ball->positions[high]);
    table[slot][0] = low;
    table[slot][1] = high;
    table[slot][2] = (uint32_t)ball->vertex_count;
    ball->positions[ball->vertex_count] = scale(middle, ball_radius / length(middle));
    return (uint32_t)ball->vertex_count++;
}

/* Cuts every triangle into four. There is room for the new ones. */
static int subdivide(surface *ball)
{
    size_t old_count = ball->triangle_count, table_size = 4 * old_count + 1, i;
    uint32_t(*table)[3] = allocate(table_size, sizeof *table);

    if (table == NULL)
        return 0;
    for (i = 0; i < old_count; i++) {
        uint32_t a = ball->triangles[i][0], b = ball->triangles[i][1], c = ball->triangles[i][2];
        uint32_t ab = middle_vertex(ball, table, table_size, a, b);
        uint32_t bc = middle_vertex(ball, table, table_size, b, c);
        uint32_t ca = middle_vertex(ball, table, table_size, c, a);
        uint32_t cut[4][3] = {{ab, bc, ca}, {a, ab, ca}, {b, bc, ab}, {c, ca, bc}};

        memcpy(ball->triangles[i], cut[0], sizeof cut[0]);
        memcpy(ball->triangles[ball->triangle_count], cut[1], 3 * sizeof cut[0]);
        ball->triangle_count += 3;
    }
    free(table);
    return 1;
}

/* An icosahedron whose triangles are cut until their edges are about as long as those of the cloth. */
static int create_ball(simulation *sim)
{
    static const uint32_t faces[20][3] = {
        {0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},   {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11},  {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
    };
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const vec3 corners[12] = {
        {-1, g, 0}, {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g},
        {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1},
    };
    surface *ball = &sim->ball;
    size_t triangles = 20, i;
    int level = 0, k;

    while (level < MIN_BALL_LEVEL || (level < MAX_BALL_LEVEL && 1.1 * ball_radius / (1 << level) > 2 * sim->edge))
        level++;
    triangles <<= 2 * level;
    if (!surface_create(ball, triangles / 2 + 2, triangles))
        return 0;
    ball->vertex_count = 12;
    ball->triangle_count = 20;
    for (i = 0; i < 12; i++)
        ball->positions[i] = scale(corners[i], ball_radius / length(corners[i]));
    memcpy(ball->triangles, faces, sizeof faces);
    for (k = 0; k < level; k++)
        if (!subdivide(ball))
            return 0;
    memcpy(ball->next, ball->positions, ball->vertex_count * sizeof *ball->next);
    sim->ball_rest = allocate(ball->vertex_count, sizeof *sim->ball_rest);
    if (sim->ball_rest == NULL)
        return 0;
    memcpy(sim->ball_rest, ball->positions, ball->vertex_count * sizeof *sim->ball_rest);
    return 1;
}

int simulation_create(simulation *sim, size_t size)
{
    memset(sim, 0, sizeof *sim);
    return create_cloth(sim, size) && create_ball(sim);
}

void simulation_free(simulation *sim)
{
    surface_free(&sim->cloth);
    surface_free(&sim->ball);
    free(sim->velocities);
    free(sim->before);
    free(sim->springs);
    free(sim->bends);
    free(sim->ball_rest);
}

size_t simulation_triangles(const simulation *sim)
{
    return sim->cloth.triangle_count + sim->ball.triangle_count;
}

static vec3 turn(vec3 point, double angle)
{
    vec3 axis = vec(sin(axis_lean), cos(axis_lean), 0);
    double c = cos(angle), s = sin(angle);

    return add_scaled(add_scaled(scale(point, c), s, cross(axis, point)), (1 - c) * dot(axis, point), axis);
}

vec3 turn_with_ball(const simulation *sim, vec3 point)
{
    return turn(point, sim->ball_next_angle - sim->ball_angle);
}

void stop_ball(simulation *sim)
{
    memcpy(sim->ball.next, sim->ball.positions, sim->ball.vertex_count * sizeof *sim->ball.next);
    sim->ball_next_angle = sim->ball_angle;
}

int simulation_predict(simulation *sim)
{
    double speed = 0;
    size_t i;

    for (i = 0; i < sim->cloth.vertex_count; i++) {
        vec3 step = scale(sim->velocities[i], frame_seconds);

        step.y -= gravity * frame_seconds * frame_seconds;
        sim->cloth.next[i] = add(sim->cloth.positions[i], step);
    }
    if (sim->frame < SPIN_FRAME)
        return 0;
    if (sim->frame - SPIN_FRAME < SPIN_UP_FRAMES)
        speed = spin_speed * (double)(sim->frame - SPIN_FRAME + 1) / SPIN_UP_FRAMES;
    else
        speed = spin_speed;
    sim->ball_next_angle = sim->ball_angle + speed * frame_seconds;
    for (i = 0; i < sim->ball.vertex_count; i++)
        sim->ball.next[i] = turn(sim->ball_rest[i], sim->ball_next_angle);
    return 1;
}

/* The springs and bends are relaxed one after the other, each as if the others were not there. Compliance is
 * the inverse of the stiffness, and tells how much of the error a spring leaves in so short a time: see Macklin
 * et al., XPBD: Position-Based Simulation of Compliant Constrained Dynamics. */
static void relax_springs(simulation *sim, double dt)
{
    double inverse_mass = 1 / (sim->edge * sim->edge);
    vec3 *at = sim->cloth.next;
    size_t i;

    for (i = 0; i < sim->spring_count; i++) {
        const spring *s = &sim->springs[i];
        vec3 along = sub(at[s->b], at[s->a]);
        double long_is = length(along), factor;

        if (long_is == 0)
            continue;
        factor = inverse_mass / (2 * inverse_mass + 1 / (s->stiffness * dt * dt));
        factor *= (long_is - s->rest) / long_is;
        at[s->a] = add_scaled(at[s->a], factor, along);
        at[s->b] = add_scaled(at[s->b], -factor, along);
    }
}

static void relax_bends(simulation *sim, double dt)
{
    double inverse_mass = 1 / (sim->edge * sim->edge);
    double factor = inverse_mass / (6 * inverse_mass + sim->edge * sim->edge / (bend_stiffness * dt * dt));
    vec3 *at = sim->cloth.next;
    size_t i;

    for (i = 0; i < sim->bend_count; i++) {
        const bend *b = &sim->bends[i];
        vec3 bow = sub(add(at[b->a], at[b->b]), scale(at[b->middle], 2));

        at[b->a] = add_scaled(at[b->a], -factor, bow);
        at[b->b] = add_scaled(at[b->b], -factor, bow);
        at[b->middle] = add_scaled(at[b->middle], 2 * factor, bow);
    }
}

/* The features that touch are pushed apart if they are too close, and friction takes away what they moved
 * past each other, up to a share of the push. `time` is the part of the frame that has passed. */
static void relax_touches(simulation *sim, const touch_list *touches, double time)
{
    vec3 *at = sim->cloth.next;
    size_t i;
    int k;

    for (i = 0; i < touches->count; i++) {
        const touch *t = &touches->items[i];
        vec3 apart = add_scaled(scale(t->ball_start, 1 - time), time, t->ball_end), slide;
        double weight = 0, push, slid, hold;

        for (k = 0; k < t->vertex_count; k++) {
            apart = add_scaled(apart, t->weights[k], at[t->vertices[k]]);
            weight += t->weights[k] * t->weights[k];
        }
        push = (t->gap - dot(apart, t->normal)) / weight;
        if (!(push > 0))
            continue;
        slide = scale(sub(t->ball_end, t->ball_start), 1.0 / SUBSTEPS);
        for (k = 0; k < t->vertex_count; k++) {
            uint32_t v = t->vertices[k];

            slide = add_scaled(slide, t->weights[k], sub(at[v], sim->before[v]));
        }
        slide = add_scaled(slide, -dot(slide, t->normal), t->normal);
        slid = length(slide);
        hold = (t->on_ball ? ball_friction : cloth_friction) * push;
        hold = slid > 0 ? fmin(hold / slid, 1 / weight) : 0;
        for (k = 0; k < t->vertex_count; k++) {
            vec3 *moved = &at[t->vertices[k]];

            *moved = add_scaled(*moved, t->weights[k] * push, t->normal);
            *moved = add_scaled(*moved, -t->weights[k] * hold, slide);
        }
    }
}

void simulation_solve(simulation *sim, const touch_list *touches)
{
    double dt = frame_seconds / SUBSTEPS;
    size_t count = sim->cloth.vertex_count, i;
    vec3 *at = sim->cloth.next;
    int substep;

    memcpy(at, sim->cloth.positions, count * sizeof *at);
    for (substep = 1; substep <= SUBSTEPS; substep++) {
        memcpy(sim->before, at, count * sizeof *at);
        for (i = 0; i < count; i++) {
            sim->velocities[i].y -= gravity * dt;
            at[i] = add_scaled(at[i], dt * (1 - air_drag * dt), sim->velocities[i]);
        }
        relax_springs(sim, dt);
        relax_bends(sim, dt);
        relax_touches(sim, touches, (double)substep / SUBSTEPS);
        for (i = 0; i < count; i++)
            sim->velocities[i] = scale(sub(at[i], sim->before[i]), 1 / dt);
    }
}

void simulation_commit(simulation *sim, const vec3 *solved)
{
    surface *cloth = &sim->cloth;
    size_t i;

    for (i = 0; i < cloth->vertex_count; i++)
        if (memcmp(&cloth->next[i], &solved[i], sizeof solved[i]) != 0)
            sim->velocities[i] = scale(sub(cloth->next[i], cloth->positions[i]), 1 / frame_seconds);
    memcpy(cloth->positions, cloth->next, cloth->vertex_count * sizeof *cloth->next);
    memcpy(sim->ball.positions, sim->ball.next, sim->ball.vertex_count * sizeof *sim->ball.next);
    sim->ball_angle = sim->ball_next_angle;
    sim->frame++;
}
