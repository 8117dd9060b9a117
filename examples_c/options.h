/* The command line of `queries`. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "command_line.h"

#include <stdint.h>

typedef struct options {
    uint64_t threads;      /* at least 1 */
    int32_t simd;          /* PCCD_SIMD_* */
    double min_separation; /* not negative, finite */
    int32_t kind;          /* of all files, or 0: to be taken from their paths */
    uint64_t demo;         /* this many random queries of each kind instead of files; 0: files */
    const char *json;      /* where to write the results, or NULL */
    char **files;
    int file_count;
} options;

/* Collects the files at the front of `argv`. Says on stderr what is wrong with OPTIONS_BAD, and prints the
 * help on stdout with OPTIONS_HELP. */
options_verdict options_parse(int argc, char **argv, options *out);

#endif
