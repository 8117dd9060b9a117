/* What the programs share: calls of the library. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <pccd.h>

#include <stdint.h>

/* Says what went wrong in a call of the library. Returns whether all is well. */
int succeeded(const char *function, pccd_status status);

const char *simd_name(int32_t simd);

/* Creates a context and prints a line about it. Says what is wrong and returns 0 if that can't be done. */
int create_context(uint64_t threads, int32_t simd, pccd_context **out);

#endif
