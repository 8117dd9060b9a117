/* What contacts do to the motion of the cloth. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include "detector.h"
#include "simulation.h"

/* Counts of a frame. */
typedef struct frame_report {
    size_t touches;   /* contacts that the simulation was told about */
    size_t blocked;   /* contacts that were left in its result, over all repeats */
    size_t repeats;   /* how often the step was tried again until none was left */
    size_t held;      /* vertices that could not go where they were meant to */
    size_t ball_held; /* 1 if the ball had to wait */
    double simulation_ms;
    detector_times times;
} frame_report;

/* Working memory. */
typedef struct response {
    touch_list touches;
    vec3 *solved;       /* where the simulation wanted the vertices */
    vec3 *wish;         /* the same after the contacts left had been pushed apart */
    double *fraction;   /* of its way that a vertex may go */
    uint32_t *parent;   /* zones: vertices that move as one; the last entry is the ball */
    uint32_t *member_count;
    vec3 *zone_step;
    unsigned char *hits;
} response;

/* Returns 0 if there is no memory for it; call response_free() in any case. */
int response_create(response *out, const simulation *sim);
void response_free(response *response);

/* How close features have to come for the simulation to know about them. */
double near_distance(const simulation *sim);

/* Moves the simulation on by a frame. When it returns 1, nothing has passed through anything; 0 is an error,
 * which has been reported. */
int advance_frame(response *response, simulation *sim, detector *detector, frame_report *report);

#endif
