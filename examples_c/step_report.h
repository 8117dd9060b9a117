/* What `frames` found out about each step, as a table and as JSON, and the contacts as CSV. */
#ifndef STEP_REPORT_H
#define STEP_REPORT_H

#include <pccd.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct step_report {
    const char *start, *end; /* the files */
    uint64_t triangles;
    uint64_t contacts_vf, contacts_ee;
    double ms_total, ms_update, ms_traverse, ms_elementary, ms_sort;
    uint64_t hash;
    double safe_step; /* no contact before this time */
} step_report;

/* `earliest` adds the safe step. */
void print_steps_header(int earliest);
void print_step(const step_report *report, int earliest);

/* Writes {"threads": N, "steps": [...]}. Says on stderr what is wrong and returns 0 if the file can't be
 * written. */
int write_steps_json(const char *path, uint64_t threads, int earliest, const step_report *reports,
                     size_t count);

/* Writes a line for each contact. Whether that worked is known when the file is closed. */
void write_contacts(FILE *out, const pccd_contact *contacts, uint64_t count);

#endif
