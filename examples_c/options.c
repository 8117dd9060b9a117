#include "options.h"

#include <pccd.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const help =
    "usage: queries [options] FILE...\n"
    "       queries [options] --demo N\n"
    "\n"
    "Runs files of elementary collision queries and compares the answers with those in the files.\n"
    "\n"
    "  --threads N         threads to use (default 1)\n"
    "  --simd LEVEL        auto, scalar, avx2 or avx512 (default auto)\n"
    "  --min-separation D  distance at which a pair counts as colliding (default 0: the exact test)\n"
    "  --kind KIND         ee (edge-edge) or vf (vertex-face) for all files; otherwise the path says it:\n"
    "                      edge-edge or _ee, vertex-face or _vf, whichever comes last\n"
    "  --json FILE         write the results as JSON, too\n"
    "  --demo N            run N random queries of each kind instead of files\n"
    "  --help              print this\n"
    "\n"
    "A FILE that ends in .bin has records of 193 bytes: 24 little-endian doubles, and a byte that is 1 if\n"
    "the pair collides. Any other is CSV: eight rows a query, x_num,x_den,y_num,y_den,z_num,z_den,collides.\n"
    "The points are a0 a1 b0 b1 (edge-edge) or v f0 f1 f2 (vertex-face) at t=0, then at t=1.\n"
    "\n"
    "mean: the time of one call with all queries of a file, divided by their number; the best of several\n"
    "calls. max: the slowest query in a call of its own; each is run three times and the best counts, so\n"
    "that an interruption by the system isn't taken for a slow query.\n"
    "\n"
    "With --min-separation a pair that doesn't touch may be a hit: false hits are not counted then (null in\n"
    "the JSON). A pair that touches has to be a hit in any case.\n"
    "\n"
    "Exit status: 0 if no collision was missed, 1 if one was, 2 if the command line or a file is wrong or\n"
    "the library reports an error.\n";

static const struct {
    const char *name;
    int32_t level;
} simd_levels[] = {
    {"auto", PCCD_SIMD_AUTO},
    {"scalar", PCCD_SIMD_SCALAR},
    {"avx2", PCCD_SIMD_AVX2},
    {"avx512", PCCD_SIMD_AVX512},
};
enum { SIMD_LEVELS = sizeof simd_levels / sizeof simd_levels[0] };

const char *simd_name(int32_t simd)
{
    int i;

    for (i = 0; i < SIMD_LEVELS; i++)
        if (simd_levels[i].level == simd)
            return simd_levels[i].name;
    return "unknown";
}

/* A decimal integer from 1 to `limit`, and nothing else. */
static int parse_count(const char *value, unsigned long long limit, unsigned long long *out)
{
    char *end;

    if (!isdigit((unsigned char)*value))
        return 0;
    errno = 0;
    *out = strtoull(value, &end, 10);
    return *end == '\0' && errno == 0 && *out >= 1 && *out <= limit;
}

/* Returns what the option expects, or NULL if `value` was good. */
static const char *apply(const char *option, const char *value, options *out)
{
    unsigned long long count;
    char *end;
    int i;

    if (strcmp(option, "--threads") == 0) {
        if (!parse_count(value, UINT32_MAX, &count))
            return "an integer from 1 to 4294967295";
        out->threads = (uint32_t)count;
    } else if (strcmp(option, "--demo") == 0) {
        if (!parse_count(value, 1000000000, &count))
            return "an integer from 1 to 1000000000";
        out->demo = (size_t)count;
    } else if (strcmp(option, "--min-separation") == 0) {
        out->min_separation = strtod(value, &end);
        if (end == value || *end != '\0' || !isfinite(out->min_separation) || out->min_separation < 0)
            return "a number that is finite and not negative";
    } else if (strcmp(option, "--kind") == 0) {
        if (strcmp(value, "ee") != 0 && strcmp(value, "vf") != 0)
            return "ee or vf";
        out->kind = strcmp(value, "ee") == 0 ? PCCD_EDGE_EDGE : PCCD_VERTEX_FACE;
    } else if (strcmp(option, "--simd") == 0) {
        for (i = 0; i < SIMD_LEVELS && strcmp(simd_levels[i].name, value) != 0; i++)
            ;
        if (i == SIMD_LEVELS)
            return "auto, scalar, avx2 or avx512";
        out->simd = simd_levels[i].level;
    } else {
        out->json = value;
    }
    return NULL;
}

static int takes_value(const char *option)
{
    static const char *const with_value[] = {"--threads", "--simd", "--min-separation",
                                             "--kind",    "--json", "--demo"};
    size_t i;

    for (i = 0; i < sizeof with_value / sizeof with_value[0]; i++)
        if (strcmp(option, with_value[i]) == 0)
            return 1;
    return 0;
}

static options_verdict bad(const char *message)
{
    fprintf(stderr, "queries: %s; see queries --help\n", message);
    return OPTIONS_BAD;
}

options_verdict options_parse(int argc, char **argv, options *out)
{
    int i, only_files = 0;

    memset(out, 0, sizeof *out);
    out->threads = 1;
    out->simd = PCCD_SIMD_AUTO;
    out->files = argv;
    for (i = 1; i < argc; i++) {
        const char *expected;

        if (only_files || argv[i][0] != '-') {
            out->files[out->file_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            only_files = 1;
        } else if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return OPTIONS_HELP;
        } else if (!takes_value(argv[i])) {
            fprintf(stderr, "queries: unknown option %s; see queries --help\n", argv[i]);
            return OPTIONS_BAD;
        } else if (i + 1 == argc) {
            fprintf(stderr, "queries: %s needs a value; see queries --help\n", argv[i]);
            return OPTIONS_BAD;
        } else {
            expected = apply(argv[i], argv[i + 1], out);
            if (expected) {
                fprintf(stderr, "queries: %s expects %s, not '%s'\n", argv[i], expected, argv[i + 1]);
                return OPTIONS_BAD;
            }
            i++;
        }
    }
    if (out->demo > 0 && out->file_count > 0)
        return bad("--demo runs without files");
    if (out->demo == 0 && out->file_count == 0)
        return bad("no files were given");
    return OPTIONS_RUN;
}
