/*
 * A frame begins with nothing touching, and it ends so, because of the last thing that is done to it: the exact
 * query about just the motion that the cloth and the ball are going to make finds no contact. Until then the
 * motion is changed and asked about again:
 *
 *  1. The contacts found are pushed apart, as an impulse would do. Mostly this is enough.
 *  2. Vertices in contact go only a part of their way: until shortly before they touch.
 *  3. Vertices that are stopped again and again become a zone that moves as one, and so can't come into contact
 *     with itself. A zone that touches the ball turns with the ball.
 *  4. Should that take too many repeats, all of the cloth turns with the ball, and if not even that is free of
 *     contacts (positions are rounded, after all), nothing moves in this frame. Where nothing touches and
 *     nothing moves, an exact query finds nothing.
 */
#define _POSIX_C_SOURCE 199309L /* for clock_gettime, which strict C99 would hide */

#include "response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PUSH_REPEATS = 4, PUSH_SWEEPS = 8, ZONE_HITS = 3, LAST_ZONE_REPEAT = 100 };
/* A vertex stops when this part of its way to the contact is done. */
static const double approach = 0.8;
/* Of the missing distance between touching features, this share is regained in a frame. */
static const double recovery = 0.2;

static double milliseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int response_create(response *out, const simulation *sim)
{
    size_t count = sim->cloth.vertex_count;

    memset(out, 0, sizeof *out);
    out->solved = calloc(count, sizeof *out->solved);
    out->wish = calloc(count, sizeof *out->wish);
    out->fraction = calloc(count, sizeof *out->fraction);
    out->parent = calloc(count + 1, sizeof *out->parent);
    out->member_count = calloc(count + 1, sizeof *out->member_count);
    out->zone_step = calloc(count + 1, sizeof *out->zone_step);
    out->hits = calloc(count, sizeof *out->hits);
    return out->solved && out->wish && out->fraction && out->parent && out->member_count && out->zone_step &&
           out->hits;
}

void response_free(response *response)
{
    free(response->touches.items);
    free(response->solved);
    free(response->wish);
    free(response->fraction);
    free(response->parent);
    free(response->member_count);
    free(response->zone_step);
    free(response->hits);
}

double near_distance(const simulation *sim)
{
    return 1.6 * sim->thickness;
}

/* The library's contact in terms of the simulation. How far the features are apart at the beginning of the
 * frame, along the normal, is the gap for the time being. */
static touch make_touch(const simulation *sim, const detector *detector, const pccd_contact *contact)
{
    int first_count = contact->kind == PCCD_VERTEX_FACE ? 1 : 2, k;
    touch result;
    vec3 apart = vec(0, 0, 0);

    memset(&result, 0, sizeof result);
    for (k = 0; k < 4; k++) {
        uint32_t vertex = contact->vertices[k];
        double weight = k < first_count ? contact->weights[k] : -contact->weights[k];

        if ((k < first_count ? contact->mesh_a : contact->mesh_b).id == detector->ball.id) {
            result.on_ball = 1;
            result.ball_start = add_scaled(result.ball_start, weight, sim->ball.positions[vertex]);
            result.ball_end = add_scaled(result.ball_end, weight, sim->ball.next[vertex]);
        } else {
            result.vertices[result.vertex_count] = vertex;
            result.weights[result.vertex_count++] = weight;
            apart = add_scaled(apart, weight, sim->cloth.positions[vertex]);
        }
    }
    result.normal = vec(contact->normal[0], contact->normal[1], contact->normal[2]);
    result.gap = dot(add(apart, result.ball_start), result.normal);
    return result;
}

/* Whether the point of contact lies within both features. At their borders a neighbour is as close, and the
 * direction between the two is an accident. */
static int is_inside(const pccd_contact *contact)
{
    int k;

    for (k = contact->kind == PCCD_VERTEX_FACE ? 1 : 0; k < 4; k++)
        if (contact->weights[k] < 1e-4)
            return 0;
    return 1;
}

static int reserve(touch_list *list, size_t count)
{
    touch *items;
    size_t capacity = list->capacity ? list->capacity : 1024;

    if (count <= list->capacity)
        return 1;
    while (capacity < count)
        capacity *= 2;
    items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) {
        fprintf(stderr, "cloth: out of memory\n");
        return 0;
    }
    list->items = items;
    list->capacity = capacity;
    return 1;
}

/* Asks for all that comes close in the predicted motion. */
static int find_touches(response *response, simulation *sim, detector *detector, frame_report *report)
{
    const pccd_contact *contacts;
    size_t count, i;

    if (!detector_move_cloth(detector, &sim->cloth) ||
        !detector_run(detector, detector->near, &contacts, &count, &report->times) ||
        !reserve(&response->touches, count))
        return 0;
    report->touches = count;
    response->touches.count = 0;
    for (i = 0; i < count; i++) {
        touch found;

        if (!is_inside(&contacts[i]))
            continue;
        found = make_touch(sim, detector, &contacts[i]);
        /* What is too close already gets the room it needs little by little, or it would be shot out. */
        if (found.gap < sim->thickness)
            found.gap += recovery * (sim->thickness - found.gap);
        else
            found.gap = sim->thickness;
        response->touches.items[response->touches.count++] = found;
    }
    return 1;
}

/* Stage 1. Changes the end of the motion so that the features are on the right side of each other, with some
 * room between them. */
static int push_apart(response *response, simulation *sim, const detector *detector,
                      const pccd_contact *contacts, size_t count)
{
    size_t i;
    int sweep, k;

    if (!reserve(&response->touches, count))
        return 0;
    response->touches.count = count;
    for (i = 0; i < count; i++) {
        touch *found = &response->touches.items[i];

        *found = make_touch(sim, detector, &contacts[i]);
        found->gap = fmin(0.5 * sim->thickness, fmax(0.5 * found->gap, 0.05 * sim->thickness));
    }
    for (sweep = 0; sweep < PUSH_SWEEPS; sweep++)
        for (i = 0; i < count; i++) {
            const touch *t = &response->touches.items[i];
            vec3 apart = t->ball_end;
            double weight = 0, push;

            for (k = 0; k < t->vertex_count; k++) {
                apart = add_scaled(apart, t->weights[k], sim->cloth.next[t->vertices[k]]);
                weight += t->weights[k] * t->weights[k];
            }
            push = (t->gap - dot(apart, t->normal)) / weight;
            if (!(push > 0))
                continue;
            push = fmin(push, sim->edge); /* the weights may be small: nothing is thrown across the scene */
            for (k = 0; k < t->vertex_count; k++) {
                vec3 *moved = &sim->cloth.next[t->vertices[k]];

                *moved = add_scaled(*moved, push * t->weights[k], t->normal);
            }
        }
    return 1;
}

static uint32_t zone_of(response *response, uint32_t vertex)
{
    uint32_t *parent = response->parent;

    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

static void unite(response *response, uint32_t a, uint32_t b)
{
    a = zone_of(response, a);
    b = zone_of(response, b);
    response->parent[a < b ? a : b] = a < b ? b : a; /* the ball has the largest number, and stays the root */
}

static void start_limits(response *response, const simulation *sim)
{
    size_t count = sim->cloth.vertex_count;
    uint32_t i;

    memcpy(response->wish, sim->cloth.next, count * sizeof *response->wish);
    memset(response->hits, 0, count);
    for (i = 0; i <= count; i++)
        response->parent[i] = i;
}

/* The zones move as the mean of their vertices would like to, or with the ball. */
static void move_zones(response *response, simulation *sim)
{
    size_t count = sim->cloth.vertex_count;
    uint32_t ball_zone = (uint32_t)count, v;

    memset(response->member_count, 0, (count + 1) * sizeof *response->member_count);
    memset(response->zone_step, 0, (count + 1) * sizeof *response->zone_step);
    for (v = 0; v < count; v++) {
        uint32_t zone = zone_of(response, v);

        response->member_count[zone]++;
        response->zone_step[zone] =
            add(response->zone_step[zone], sub(response->wish[v], sim->cloth.positions[v]));
    }
    for (v = 0; v < count; v++) {
        uint32_t zone = zone_of(response, v);
        double members = (double)response->member_count[zone];

        if (zone == ball_zone)
            sim->cloth.next[v] = turn_with_ball(sim, sim->cloth.positions[v]);
        else if (members > 1)
            sim->cloth.next[v] = add_scaled(sim->cloth.positions[v], 1 / members, response->zone_step[zone]);
    }
}

/* Stages 2 and 3. */
static void limit(response *response, simulation *sim, const detector *detector, const pccd_contact *contacts,
                  size_t count)
{
    size_t vertices = sim->cloth.vertex_count, i;
    uint32_t v;
    int k;

    for (v = 0; v < vertices; v++)
        response->fraction[v] = 1;
    for (i = 0; i < count; i++) {
        touch found = make_touch(sim, detector, &contacts[i]);

        for (k = 0; k < found.vertex_count; k++) {
            double *fraction = &response->fraction[found.vertices[k]];

            *fraction = fmin(*fraction, approach * contacts[i].toi_lower);
        }
    }
    for (v = 0; v < vertices; v++)
        if (response->fraction[v] < 1) {
            vec3 start = sim->cloth.positions[v];

            sim->cloth.next[v] = add_scaled(start, response->fraction[v], sub(sim->cloth.next[v], start));
            if (response->hits[v] < ZONE_HITS)
                response->hits[v]++;
        }
    for (i = 0; i < count; i++) {
        touch found = make_touch(sim, detector, &contacts[i]);
        int joins = 0;

        for (k = 0; k < found.vertex_count; k++)
            joins |= response->hits[found.vertices[k]] >= ZONE_HITS;
        if (!joins)
            continue;
        for (k = 1; k < found.vertex_count; k++)
            unite(response, found.vertices[0], found.vertices[k]);
        if (found.on_ball)
            unite(response, found.vertices[0], (uint32_t)vertices);
    }
    move_zones(response, sim);
}

/* Stage 4. */
static int give_up(simulation *sim, detector *detector, int nothing_moves, frame_report *report)
{
    size_t i;

    if (nothing_moves) {
        stop_ball(sim);
        report->ball_held = 1;
        if (!detector_move_ball(detector, &sim->ball))
            return 0;
    }
    for (i = 0; i < sim->cloth.vertex_count; i++)
        sim->cloth.next[i] =
            nothing_moves ? sim->cloth.positions[i] : turn_with_ball(sim, sim->cloth.positions[i]);
    return 1;
}

/* Changes the motion until the exact query finds nothing. */
static int make_free(response *response, simulation *sim, detector *detector, frame_report *report)
{
    const pccd_contact *contacts;
    size_t count, repeat;

    for (repeat = 0;; repeat++) {
        if (!detector_move_cloth(detector, &sim->cloth) ||
            !detector_run(detector, detector->exact, &contacts, &count, &report->times))
            return 0;
        if (count == 0)
            return 1;
        report->repeats++;
        report->blocked += count;
        if (repeat > LAST_ZONE_REPEAT + 2) {
            fprintf(stderr, "cloth: frame %zu: there are contacts where nothing moves\n", sim->frame + 1);
            return 0;
        }
        if (repeat == PUSH_REPEATS)
            start_limits(response, sim);
        if (repeat < PUSH_REPEATS) {
            if (!push_apart(response, sim, detector, contacts, count))
                return 0;
        } else if (repeat <= LAST_ZONE_REPEAT) {
            limit(response, sim, detector, contacts, count);
        } else if (!give_up(sim, detector, repeat > LAST_ZONE_REPEAT + 1, report)) {
            return 0;
        }
    }
}

int advance_frame(response *response, simulation *sim, detector *detector, frame_report *report)
{
    size_t count = sim->cloth.vertex_count, i;
    double start = milliseconds_now();
    int turns = simulation_predict(sim);

    memset(report, 0, sizeof *report);
    if ((turns && !detector_move_ball(detector, &sim->ball)) ||
        !find_touches(response, sim, detector, report))
        return 0;
    simulation_solve(sim, &response->touches);
    memcpy(response->solved, sim->cloth.next, count * sizeof *response->solved);
    if (!make_free(response, sim, detector, report))
        return 0;
    for (i = 0; i < count; i++)
        report->held += memcmp(&sim->cloth.next[i], &response->solved[i], sizeof response->solved[i]) != 0;
    simulation_commit(sim, response->solved);
    report->simulation_ms = milliseconds_now() - start - report->times.total;
    return 1;
}
