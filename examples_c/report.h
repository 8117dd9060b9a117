/* What `queries` found out about each file, as a table and as JSON. */
#ifndef REPORT_H
#define REPORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct file_report {
    const char *file;
    uint32_t kind;
    size_t queries;
    size_t hits;
    int truth_known;           /* whether the next one means anything */
    size_t false_negatives;    /* reported as a miss, but collides */
    int false_positives_known; /* whether the next one means anything */
    size_t false_positives;    /* reported as a hit, but doesn't collide */
    double mean_us;
    double max_us;
} file_report;

void print_table_header(void);
void print_table_row(const file_report *report);

/* The sum of all rows. */
file_report report_total(const file_report *reports, size_t count);

/* Writes {"files": [...]}; a number that isn't known is null. Says on stderr what is wrong and returns 0 if
 * the file can't be written. */
int write_json(const char *path, const file_report *reports, size_t count);

#endif
