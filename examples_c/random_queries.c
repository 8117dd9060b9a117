#include "random_queries.h"

#include <stdlib.h>
#include <string.h>

/* SplitMix64: short, and the same numbers on every machine, which rand() doesn't promise. */
static double random_in_unit_interval(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) / 9007199254740992.0; /* 2^53 */
}

int random_queries(const char *name, uint32_t kind, size_t count, query_set *out)
{
    uint64_t state = kind;
    size_t query, i;

    memset(out, 0, sizeof *out);
    out->name = name;
    out->kind = kind;
    if (!query_set_reserve(out, count))
        return 0;
    /* What is true of these is for the library to say. */
    free(out->collides);
    out->collides = NULL;
    for (query = 0; query < count; query++) {
        double *numbers = out->numbers + query * NUMBERS_PER_QUERY;

        /* Points anywhere in the unit cube, each moving by up to half its width: a mixture of near and far
         * pairs, a few in a hundred of which collide. */
        for (i = 0; i < NUMBERS_PER_QUERY / 2; i++) {
            numbers[i] = random_in_unit_interval(&state);
            numbers[i + NUMBERS_PER_QUERY / 2] = numbers[i] + random_in_unit_interval(&state) - 0.5;
        }
    }
    return 1;
}
