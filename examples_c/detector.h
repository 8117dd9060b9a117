/* The library at work: the meshes of cloth and ball, the hierarchy over them, and the two queries. */
#ifndef DETECTOR_H
#define DETECTOR_H

#include "simulation.h"

#include <pccd.h>

typedef struct detector {
    pccd_context *context;
    pccd_mesh cloth, ball;
    pccd_bvh bvh;
    pccd_query near;  /* all that comes closer than a distance: what the simulation should know about */
    pccd_query exact; /* all that really touches: what must not be */
} detector;

/* Milliseconds of the library, by phase, and bytes that it keeps. */
typedef struct detector_times {
    double update, traverse, elementary, sort, total;
    double bytes_per_triangle;
    uint64_t runs;
} detector_times;

/* All functions return 0 after an error, which they have then written to the standard error output. */

/* `near_distance` is what the query `near` looks for. Call detector_free() in any case. */
int detector_create(detector *out, const simulation *sim, uint32_t threads, double near_distance);
int detector_free(detector *detector);

/* Hands over how the ball, or the cloth, moves in this frame: from its positions to the next ones. */
int detector_move_ball(detector *detector, const surface *ball);
int detector_move_cloth(detector *detector, const surface *cloth);

/* Runs one of the queries. The contacts are valid until its next run. Adds to the times. */
int detector_run(detector *detector, pccd_query query, const pccd_contact **contacts, size_t *count,
                 detector_times *times);

#endif
