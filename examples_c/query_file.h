/* Sets of elementary queries, and the two file formats that hold them. */
#ifndef QUERY_FILE_H
#define QUERY_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { POINTS_PER_QUERY = 8, NUMBERS_PER_QUERY = 24 };

typedef struct query_set {
    const char *name;        /* the path; not owned */
    uint32_t kind;           /* PCCD_VERTEX_FACE or PCCD_EDGE_EDGE */
    size_t count;            /* queries */
    double *numbers;         /* NUMBERS_PER_QUERY each: x y z of the points at t=0, then at t=1 */
    unsigned char *collides; /* the true answer of each, 0 or 1; NULL where it is not known */
} query_set;

/* The kind that a path speaks of: "edge-edge" or "_ee", "vertex-face" or "_vf", whichever comes last.
 * 0 if it has none of them. */
uint32_t kind_from_path(const char *path);

/* Reads a file: binary if its name ends in ".bin", otherwise CSV. On failure writes to stderr the file, the
 * line or record and what is wrong there, and returns 0. */
int query_set_read(const char *path, uint32_t kind, query_set *out);

/* Makes room for `count` queries. Returns 0 when out of memory. */
int query_set_reserve(query_set *set, size_t count);

/* Frees what the set owns. Harmless for a set that is all zero. */
void query_set_free(query_set *set);

#endif
