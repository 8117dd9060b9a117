/* The command line of `queries`. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef struct options {
    uint32_t threads;      /* at least 1 */
    int32_t simd;          /* PCCD_SIMD_* */
    double min_separation; /* not negative, finite */
    uint32_t kind;         /* of all files, or 0: to be taken from their paths */
    size_t demo;           /* this many random queries of each kind instead of files; 0: files */
    const char *json;      /* where to write the results, or NULL */
    char **files;
    int file_count;
} options;

typedef enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD } options_verdict;

/* Collects the files at the front of `argv`. Says on stderr what is wrong with OPTIONS_BAD, and prints the
 * help on stdout with OPTIONS_HELP. */
options_verdict options_parse(int argc, char **argv, options *out);

const char *simd_name(int32_t simd);

#endif
