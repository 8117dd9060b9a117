/* What the cloth simulation shows: its progress, and a table in the end. */
#ifndef CLOTH_REPORT_H
#define CLOTH_REPORT_H

#include "check.h"
#include "response.h"

/* The table has at most this many rows; each stands for as many frames as it takes. */
enum { REPORT_ROWS = 10 };

typedef struct report_row {
    size_t first_frame, frames;
    frame_report sum;
} report_row;

typedef struct cloth_report {
    size_t frames, rows_used;
    report_row rows[REPORT_ROWS];
    frame_report total;
    size_t worst_repeats;
    size_t checks;
    check_result check; /* the sum of all, but the narrowest of gaps */
    double started;
    int on_terminal;
} cloth_report;

double seconds_now(void);

void report_start(cloth_report *report, size_t frames);
void report_add_check(cloth_report *report, const check_result *check);

/* Takes in the numbers of a frame, counted from 1, and shows the progress. */
void report_add_frame(cloth_report *report, size_t frame, const frame_report *numbers);

void report_print(const cloth_report *report, const simulation *sim);

#endif
