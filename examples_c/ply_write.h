/* Writes meshes as PLY: binary, doubles for the positions, a colour for each vertex. */
#ifndef PLY_WRITE_H
#define PLY_WRITE_H

#include "simulation.h"

#include <stdio.h>

typedef struct colour {
    unsigned char red, green, blue;
} colour;

/* Writes two meshes as one. Returns whether all was written. */
int ply_write(FILE *out, const surface *first, const colour *first_colours, const surface *second,
              const colour *second_colours);

#endif
