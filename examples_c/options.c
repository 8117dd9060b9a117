#include "options.h"

#include <pccd.h>

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

static const choice kind_choices[] = {{"ee", PCCD_EDGE_EDGE}, {"vf", PCCD_VERTEX_FACE}, {NULL, 0}};

options_verdict options_parse(int argc, char **argv, options *out)
{
    const option known[] = {
        {"--threads", OPTION_COUNT, &out->threads, UINT32_MAX, NULL},
        {"--simd", OPTION_CHOICE, &out->simd, 0, simd_choices},
        {"--min-separation", OPTION_DISTANCE, &out->min_separation, 0, NULL},
        {"--kind", OPTION_CHOICE, &out->kind, 0, kind_choices},
        {"--json", OPTION_TEXT, &out->json, 0, NULL},
        {"--demo", OPTION_COUNT, &out->demo, 1000000000, NULL},
    };
    options_verdict verdict;

    memset(out, 0, sizeof *out);
    out->threads = 1;
    out->simd = PCCD_SIMD_AUTO;
    out->files = argv;
    verdict =
        command_line_parse(argc, argv, help, known, sizeof known / sizeof known[0], &out->file_count);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if (out->demo > 0 && out->file_count > 0)
        return command_line_bad("--demo runs without files");
    if (out->demo == 0 && out->file_count == 0)
        return command_line_bad("no files were given");
    return OPTIONS_RUN;
}
