/* The command line of `frames`. */
#ifndef FRAMES_OPTIONS_H
#define FRAMES_OPTIONS_H

#include "command_line.h"

#include <stdint.h>

typedef struct frames_options {
    uint64_t threads;      /* at least 1 */
    int32_t simd;          /* PCCD_SIMD_* */
    uint64_t repeat;       /* at least 1 */
    double min_separation; /* not negative, finite */
    int earliest;          /* look only for the first contact of a step */
    const char *json;      /* where to write the results, or NULL */
    const char *contacts;  /* where to write the contacts, or NULL */
    const char *trace;     /* where to write what the workers did in the last run, or NULL */
    char **files;
    int file_count; /* at least 2 */
} frames_options;

/* Collects the files at the front of `argv`. Says on stderr what is wrong with OPTIONS_BAD, and prints the
 * help on stdout with OPTIONS_HELP. */
options_verdict frames_options_parse(int argc, char **argv, frames_options *out);

#endif
