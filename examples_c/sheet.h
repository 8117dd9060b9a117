/* What the examples with a job system share: a sheet whose waves break, so that it collides with itself. */
#ifndef SHEET_H
#define SHEET_H

#include "command_line.h"

#include <pccd.h>

typedef struct sheet {
    size_t side, vertex_count, triangle_count;
    double (*positions)[3];
    uint32_t (*triangles)[3];
} sheet;

/* So many vertices along a side, at least 2. Says so and returns 0 when out of memory. To be freed in any case. */
int sheet_create(sheet *it, size_t side);
void sheet_free(sheet *it);

/* Where the vertices are: waves of a height that have come so far, across others that have come so far. */
void sheet_pose(sheet *it, double height, double phase, double ripple);

/* The positions, where they are. */
pccd_view sheet_positions(const sheet *it);

/* Creates a mesh. Says what is wrong and returns 0 if that can't be done. */
int sheet_mesh(const sheet *it, pccd_context *context, pccd_mesh *out);

/* As command_line_parse, for a program that reads no files and has a sheet of some size. */
options_verdict sheet_command_line(int argc, char **argv, const char *help, const option *known, size_t known_count, const uint64_t *size);

#endif
