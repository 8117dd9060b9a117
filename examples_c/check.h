/* A check that knows nothing of the library: do any two triangles intersect? */
#ifndef CHECK_H
#define CHECK_H

#include "simulation.h"

typedef struct check_result {
    size_t pairs;         /* of triangles whose boxes overlap */
    size_t intersections; /* pairs that could not be shown to be apart */
    double narrowest;     /* all pairs without a common vertex are at least this far apart; at most `reach` */
} check_result;

/* Looks at all pairs of triangles, but for two of the ball. Boxes are made larger by half of `reach`. Returns
 * 0 if there is no memory for it. */
int check_surfaces(const surface *cloth, const surface *ball, double reach, check_result *out);

#endif
