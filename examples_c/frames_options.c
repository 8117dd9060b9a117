#include "frames_options.h"

#include <pccd.h>

#include <string.h>

static const char *const help =
    "usage: frames [options] FRAME0 FRAME1 [FRAME2...]\n"
    "\n"
    "Finds all collisions of a deforming mesh with itself, step by step: while its vertices move linearly\n"
    "from their places in one frame to those in the next.\n"
    "\n"
    "  --threads N         threads to use (default 1)\n"
    "  --simd LEVEL        auto, scalar, avx2 or avx512 (default auto)\n"
    "  --repeat R          run each step R times and show the fastest run (default 1)\n"
    "  --min-separation D  distance at which a pair counts as colliding (default 0: the exact test)\n"
    "  --earliest          look only for the first contact of each step, and print how much of it is safe\n"
    "  --json FILE         write the table as JSON, too\n"
    "  --contacts FILE     write the contacts as CSV\n"
    "  --trace FILE        write what each thread did when, in the last run: for the trace viewer of a\n"
    "                      browser, or as CSV if FILE ends in .csv\n"
    "  --help              print this\n"
    "\n"
    "A frame is a PLY file (ascii, or binary of either byte order) or an OBJ file. All have the same\n"
    "vertices and faces, in the same order. Faces with more than three corners are cut into triangles, as a\n"
    "fan around the first corner.\n"
    "\n"
    "Lines of contacts: vf,v,f0,f1,f2,toi_lower,toi_upper (a vertex and a face) and\n"
    "ee,a0,a1,b0,b1,toi_lower,toi_upper (two edges), with vertices counted from 0. With more than one step,\n"
    "those of the first come first, and so on: the counts in the JSON tell how many belong to each.\n"
    "\n"
    "Times are milliseconds, as the library measures them. The positions are handed over anew before every\n"
    "run, so that each has to update the hierarchy. In the very first run of all it is built.\n"
    "\n"
    "The safe step is a time before which nothing touches: 1 if nothing does at all.\n"
    "\n"
    "Exit status: 0 if all went well, 2 if the command line or a file is wrong or the library reports an\n"
    "error.\n";

options_verdict frames_options_parse(int argc, char **argv, frames_options *out)
{
    const option known[] = {
        {"--threads", OPTION_COUNT, &out->threads, UINT32_MAX, NULL},
        {"--simd", OPTION_CHOICE, &out->simd, 0, simd_choices},
        {"--repeat", OPTION_COUNT, &out->repeat, 1000000, NULL},
        {"--min-separation", OPTION_DISTANCE, &out->min_separation, 0, NULL},
        {"--earliest", OPTION_FLAG, &out->earliest, 0, NULL},
        {"--json", OPTION_TEXT, &out->json, 0, NULL},
        {"--contacts", OPTION_TEXT, &out->contacts, 0, NULL},
        {"--trace", OPTION_TEXT, &out->trace, 0, NULL},
    };
    options_verdict verdict;

    memset(out, 0, sizeof *out);
    out->threads = 1;
    out->simd = PCCD_SIMD_AUTO;
    out->repeat = 1;
    out->files = argv;
    verdict =
        command_line_parse(argc, argv, help, known, sizeof known / sizeof known[0], &out->file_count);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if (out->file_count < 2)
        return command_line_bad("a step needs two frames");
    return OPTIONS_RUN;
}
