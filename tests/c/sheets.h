/* Two waving sheets that pass through each other and through themselves: the scene of the tests of threads. */
#ifndef SHEETS_H
#define SHEETS_H

#include "check.h"

enum { SHEETS = 2, SHEET_SIZE = 12, SHEET_VERTICES = SHEET_SIZE * SHEET_SIZE, FRAMES = 3 };

typedef struct sheets {
    pccd_context *context;
    pccd_mesh meshes[SHEETS];
    pccd_bvh bvh;
    pccd_query query;
} sheets;

/* What a run should give, from a context with one thread. */
typedef struct golden {
    uint64_t hash, count;
} golden;
extern golden expected[FRAMES];
void find_expected(void);

/* Without checks, so that any thread may call them: 0 if something fails. */
int sheets_open(sheets *it, pccd_context *context);
int sheets_move(const sheets *it, int frame);
/* Whether the results of the last run are those of a frame. */
int sheets_are_right(const sheets *it, int frame);
int sheets_are_empty(const sheets *it);
/* Moves, runs, and looks at the results. */
int sheets_run(const sheets *it, int frame);

#endif
