/* Quotients of integers, given as decimal text of any length, as exact doubles. */
#ifndef QUOTIENT_H
#define QUOTIENT_H

#include <stddef.h>

/* Computes numerator / denominator. The texts are `length` characters each, not terminated. Returns NULL on
 * success and otherwise what is wrong. Only the numerator may have a sign. */
const char *exact_quotient(const char *numerator, size_t numerator_length, const char *denominator,
                           size_t denominator_length, double *out);

#endif
