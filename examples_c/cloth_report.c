#define _POSIX_C_SOURCE 199309L /* for clock_gettime and isatty, which strict C99 would hide */

#include "cloth_report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_LENGTH = 30, PLAIN_LINES = 10 };

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void report_start(cloth_report *report, size_t frames)
{
    memset(report, 0, sizeof *report);
    report->frames = frames;
    report->on_terminal = isatty(STDOUT_FILENO);
    report->started = seconds_now();
    report->check.narrowest = HUGE_VAL;
}

void report_add_check(cloth_report *report, const check_result *check)
{
    report->checks++;
    report->check.pairs += check->pairs;
    report->check.intersections += check->intersections;
    report->check.narrowest = fmin(report->check.narrowest, check->narrowest);
}

static void add_numbers(frame_report *sum, const frame_report *numbers)
{
    sum->touches += numbers->touches;
    sum->blocked += numbers->blocked;
    sum->repeats += numbers->repeats;
    sum->held += numbers->held;
    sum->ball_held += numbers->ball_held;
    sum->simulation_ms += numbers->simulation_ms;
    sum->times.update += numbers->times.update;
    sum->times.traverse += numbers->times.traverse;
    sum->times.elementary += numbers->times.elementary;
    sum->times.sort += numbers->times.sort;
    sum->times.total += numbers->times.total;
    sum->times.runs += numbers->times.runs;
    sum->times.bytes_per_triangle = numbers->times.bytes_per_triangle;
}

static void show_progress(const cloth_report *report, size_t frame, const frame_report *numbers)
{
    size_t step = (report->frames + PLAIN_LINES - 1) / PLAIN_LINES, filled, i;

    if (report->on_terminal) {
        filled = frame * BAR_LENGTH / report->frames;
        printf("\r[");
        for (i = 0; i < BAR_LENGTH; i++)
            putchar(i < filled ? '#' : '.');
        printf("] frame %zu of %zu, %zu contacts, %zu repeats, %.1f s \033[K", frame, report->frames,
               numbers->touches, numbers->repeats, seconds_now() - report->started);
        if (frame == report->frames)
            printf("\n");
        fflush(stdout);
    } else if (frame % step == 0 || frame == report->frames) {
        printf("frame %zu of %zu: %zu contacts, %zu repeats, %.1f s\n", frame, report->frames,
               numbers->touches, numbers->repeats, seconds_now() - report->started);
        fflush(stdout);
    }
}

void report_add_frame(cloth_report *report, size_t frame, const frame_report *numbers)
{
    size_t step = (report->frames + REPORT_ROWS - 1) / REPORT_ROWS;
    report_row *row = &report->rows[(frame - 1) / step];

    if (row->frames++ == 0) {
        row->first_frame = frame;
        report->rows_used++;
    }
    add_numbers(&row->sum, numbers);
    add_numbers(&report->total, numbers);
    if (numbers->repeats > report->worst_repeats)
        report->worst_repeats = numbers->repeats;
    show_progress(report, frame, numbers);
}

static void print_row(size_t first, size_t frames, const frame_report *sum)
{
    double n = (double)frames;
    char range[64];

    sprintf(range, "%zu-%zu", first, first + frames - 1);
    printf("%11s %9.0f %8.1f %8.2f %8.2f %8.2f %8.2f %10.2f %8.2f %10.2f\n", range, (double)sum->touches / n,
           (double)sum->held / n, (double)sum->repeats / n, sum->times.total / n, sum->times.update / n,
           sum->times.traverse / n, sum->times.elementary / n, sum->times.sort / n, sum->simulation_ms / n);
}

void report_print(const cloth_report *report, const simulation *sim)
{
    const frame_report *total = &report->total;
    size_t i;

    printf("\n%30s  %8s  |            milliseconds of a frame\n", "mean of a frame", "");
    printf("%11s %9s %8s %8s %8s %8s %8s %10s %8s %10s\n", "frames", "contacts", "held", "repeats", "library",
           "update", "traverse", "elementary", "sort", "simulation");
    for (i = 0; i < report->rows_used; i++)
        print_row(report->rows[i].first_frame, report->rows[i].frames, &report->rows[i].sum);
    print_row(1, report->frames, total);
    printf("\n"
           "triangles      %zu (cloth %zu, ball %zu)\n",
           simulation_triangles(sim), sim->cloth.triangle_count, sim->ball.triangle_count);
    printf("contacts       %zu close ones handed to the simulation; %zu left in its steps and resolved\n",
           total->touches, total->blocked);
    printf("repeats        %zu in %zu frames, at most %zu in one; the ball had to wait in %zu\n", total->repeats,
           report->frames, report->worst_repeats, total->ball_held);
    printf("library        %llu runs, %.2f ms each; %.0f bytes a triangle\n",
           (unsigned long long)total->times.runs, total->times.total / (double)total->times.runs,
           total->times.bytes_per_triangle);
    printf("time           %.1f s\n", seconds_now() - report->started);
    printf("check          %zu frames, %zu pairs of close triangles: %zu intersections, gaps of at least %.2g "
           "edge lengths\n",
           report->checks, report->check.pairs, report->check.intersections,
           report->check.narrowest / sim->edge);
}
