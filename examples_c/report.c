#include "report.h"
#include "program.h"

#include <pccd.h>

#include <stdio.h>
#include <string.h>

void print_table_header(void)
{
    printf("%10s %10s %10s %10s %10s %10s  %s\n", "queries", "hits", "missed", "false", "mean us", "max us",
           "file");
}

static void print_count(int known, size_t count)
{
    if (known)
        printf(" %10zu", count);
    else
        printf(" %10s", "-");
}

void print_table_row(const file_report *report)
{
    printf("%10zu %10zu", report->queries, report->hits);
    print_count(report->truth_known, report->false_negatives);
    print_count(report->false_positives_known, report->false_positives);
    printf(" %10.3f %10.3f  %s", report->mean_us, report->max_us, report->file);
    if (report->kind != 0)
        printf(" (%s)", report->kind == PCCD_EDGE_EDGE ? "edge-edge" : "vertex-face");
    printf("\n");
}

file_report report_total(const file_report *reports, size_t count)
{
    file_report total;
    size_t i;

    memset(&total, 0, sizeof total);
    total.file = "total";
    total.truth_known = 1;
    total.false_positives_known = 1;
    for (i = 0; i < count; i++) {
        total.queries += reports[i].queries;
        total.hits += reports[i].hits;
        total.truth_known &= reports[i].truth_known;
        total.false_negatives += reports[i].false_negatives;
        total.false_positives_known &= reports[i].false_positives_known;
        total.false_positives += reports[i].false_positives;
        total.mean_us += reports[i].mean_us * (double)reports[i].queries;
        if (reports[i].max_us > total.max_us)
            total.max_us = reports[i].max_us;
    }
    if (total.queries > 0)
        total.mean_us /= (double)total.queries;
    return total;
}

/* Length of the UTF-8 character at `at`, or 0 if there is none. Overlong forms, surrogates and what lies
 * beyond U+10FFFF are none. The text ends with a zero byte, which is no continuation: nothing is read past
 * it. */
static int utf8_length(const unsigned char *at)
{
    int length = 0, i;

    if (at[0] < 0x80)
        length = 1;
    else if (at[0] >= 0xc2 && at[0] < 0xe0)
        length = 2;
    else if (at[0] >= 0xe0 && at[0] < 0xf0)
        length = 3;
    else if (at[0] >= 0xf0 && at[0] < 0xf5)
        length = 4;
    for (i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

/* A file name may have any bytes; JSON is UTF-8. What isn't becomes U+FFFD, the replacement character. */
static void write_json_string(FILE *out, const char *value)
{
    const unsigned char *at = (const unsigned char *)value;

    fputc('"', out);
    while (*at) {
        int length = utf8_length(at);

        if (length == 0)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length ? length : 1;
    }
    fputc('"', out);
}

static void write_json_count(FILE *out, const char *key, int known, size_t count)
{
    if (known)
        fprintf(out, ", \"%s\": %zu", key, count);
    else
        fprintf(out, ", \"%s\": null", key);
}

int write_json(const char *path, const file_report *reports, size_t count)
{
    FILE *out = create_file(path);
    size_t i;

    if (out == NULL)
        return 0;
    fputs("{\"files\": [", out);
    for (i = 0; i < count; i++) {
        fputs(i == 0 ? "\n  {\"file\": " : ",\n  {\"file\": ", out);
        write_json_string(out, reports[i].file);
        write_json_count(out, "queries", 1, reports[i].queries);
        write_json_count(out, "hits", 1, reports[i].hits);
        write_json_count(out, "false_negatives", reports[i].truth_known, reports[i].false_negatives);
        write_json_count(out, "false_positives", reports[i].false_positives_known,
                         reports[i].false_positives);
        fprintf(out, ", \"mean_us\": %.6f, \"max_us\": %.6f}", reports[i].mean_us, reports[i].max_us);
    }
    fputs("\n]}\n", out);
    return finish_file(out, path);
}
