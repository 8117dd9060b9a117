/* Queries for a demonstration that needs no data. */
#ifndef RANDOM_QUERIES_H
#define RANDOM_QUERIES_H

#include "query_file.h"

/* Fills `out` with `count` random moving pairs, the same ones in every run. Returns 0 when out of memory. */
int random_queries(const char *name, uint32_t kind, size_t count, query_set *out);

#endif
