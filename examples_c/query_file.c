/*
 * CSV: eight rows a query, `x_num,x_den,y_num,y_den,z_num,z_den,collides`; the quotients are exact doubles.
 * Binary: records of 193 bytes, 24 little-endian doubles and one byte that is 1 if the two collide.
 */
#include "query_file.h"
#include "program.h"
#include "quotient.h"

#include <pccd.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, RECORD_BYTES = NUMBERS_PER_QUERY * 8 + 1 };

uint32_t kind_from_path(const char *path)
{
    static const struct {
        const char *word;
        uint32_t kind;
    } words[] = {
        {"edge-edge", PCCD_EDGE_EDGE},
        {"_ee", PCCD_EDGE_EDGE},
        {"vertex-face", PCCD_VERTEX_FACE},
        {"_vf", PCCD_VERTEX_FACE},
    };
    const char *last = NULL;
    uint32_t kind = 0;
    size_t i;

    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = path;

        while ((at = strstr(at, words[i].word)) != NULL) {
            if (last == NULL || at > last) {
                last = at;
                kind = words[i].kind;
            }
            at++;
        }
    }
    return kind;
}

int query_set_reserve(query_set *set, size_t count)
{
    if (count > SIZE_MAX / (NUMBERS_PER_QUERY * sizeof *set->numbers))
        return 0;
    set->numbers = malloc(count * NUMBERS_PER_QUERY * sizeof *set->numbers);
    set->collides = malloc(count);
    set->count = count;
    if (set->numbers != NULL && set->collides != NULL)
        return 1;
    query_set_free(set);
    return 0;
}

void query_set_free(query_set *set)
{
    free(set->numbers);
    free(set->collides);
    set->numbers = NULL;
    set->collides = NULL;
    set->count = 0;
}

static int reserve_for_file(query_set *set, size_t count)
{
    if (count == 0)
        return complain("%s: has no queries", set->name);
    if (!query_set_reserve(set, count))
        return complain("%s: out of memory", set->name);
    return 1;
}

/* ---- binary ---- */

static double little_endian_double(const unsigned char *at)
{
    uint64_t bits = 0;
    double value;
    int i;

    for (i = 7; i >= 0; i--)
        bits = bits << 8 | at[i];
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int parse_binary(const bytes *content, query_set *set)
{
    size_t record, column;

    if (content->size % RECORD_BYTES != 0)
        return complain("%s: record %zu is cut off: %zu of its %d bytes are there", set->name,
                        content->size / RECORD_BYTES + 1, content->size % RECORD_BYTES, (int)RECORD_BYTES);
    if (!reserve_for_file(set, content->size / RECORD_BYTES))
        return 0;
    for (record = 0; record < set->count; record++) {
        const unsigned char *at = (const unsigned char *)content->data + record * RECORD_BYTES;
        unsigned char truth = at[RECORD_BYTES - 1];

        for (column = 0; column < NUMBERS_PER_QUERY; column++) {
            double value = little_endian_double(at + 8 * column);

            if (!isfinite(value))
                return complain("%s: record %zu: number %zu is not finite", set->name, record + 1,
                                column + 1);
            set->numbers[record * NUMBERS_PER_QUERY + column] = value;
        }
        if (truth > 1)
            return complain("%s: record %zu: the last byte is %u, neither 0 nor 1", set->name, record + 1,
                            truth);
        set->collides[record] = truth;
    }
    return 1;
}

/* ---- CSV ---- */

/* Cuts the next line off `rest`, without its end ("\n", "\r\n" or the end of the file). */
static text next_line(text *rest)
{
    const char *newline = memchr(rest->start, '\n', rest->length);
    text line = {rest->start, newline ? (size_t)(newline - rest->start) : rest->length};
    size_t taken = newline ? line.length + 1 : line.length;

    rest->start += taken;
    rest->length -= taken;
    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    return line;
}

/* Returns the number of columns; the first COLUMNS of them are stored. */
static size_t split_columns(text line, text columns[COLUMNS])
{
    size_t found = 0, start = 0, i;

    for (i = 0; i <= line.length; i++) {
        if (i < line.length && line.start[i] != ',')
            continue;
        if (found < COLUMNS) {
            columns[found].start = line.start + start;
            columns[found].length = i - start;
        }
        found++;
        start = i + 1;
    }
    return found;
}

/* Reads one row into three numbers and the truth of its query. */
static int parse_row(const query_set *set, size_t line_number, text line, double *point,
                     unsigned char *collides)
{
    char quoted[QUOTED_SIZE], quoted_2[QUOTED_SIZE];
    text columns[COLUMNS];
    size_t found = split_columns(line, columns), axis;

    if (found != COLUMNS)
        return complain("%s:%zu: %zu columns instead of %d: %s", set->name, line_number, found, (int)COLUMNS,
                        quote(line, quoted));
    for (axis = 0; axis < 3; axis++) {
        text numerator = columns[2 * axis], denominator = columns[2 * axis + 1];
        const char *wrong = exact_quotient(numerator.start, numerator.length, denominator.start,
                                           denominator.length, &point[axis]);

        if (wrong)
            return complain("%s:%zu: %c = %s / %s: %s", set->name, line_number, "xyz"[axis],
                            quote(numerator, quoted), quote(denominator, quoted_2), wrong);
    }
    if (columns[6].length != 1 || (*columns[6].start != '0' && *columns[6].start != '1'))
        return complain("%s:%zu: collides is neither 0 nor 1: %s", set->name, line_number,
                        quote(columns[6], quoted));
    *collides = *columns[6].start == '1';
    return 1;
}

static size_t count_rows(const bytes *content)
{
    text rest = {content->data, content->size};
    size_t rows = 0;

    while (rest.length > 0)
        rows += next_line(&rest).length > 0;
    return rows;
}

static int parse_csv(const bytes *content, query_set *set)
{
    text rest = {content->data, content->size};
    size_t rows = count_rows(content), row = 0, line_number = 0;

    /* A file cut off in the middle of its last query is read up to there: a broken row is the better news. */
    if (!reserve_for_file(set, (rows + POINTS_PER_QUERY - 1) / POINTS_PER_QUERY))
        return 0;
    while (rest.length > 0) {
        text line = next_line(&rest);
        size_t query = row / POINTS_PER_QUERY;
        unsigned char collides = 0;

        line_number++;
        if (line.length == 0)
            continue;
        if (!parse_row(set, line_number, line, &set->numbers[3 * row], &collides))
            return 0;
        if (row % POINTS_PER_QUERY == 0) {
            set->collides[query] = collides;
        } else if (set->collides[query] != collides) {
            return complain("%s:%zu: collides is %d, but %d in the rows of the same query above", set->name,
                            line_number, collides, set->collides[query]);
        }
        row++;
    }
    if (rows % POINTS_PER_QUERY != 0)
        return complain("%s:%zu: the file ends after %zu of the 8 rows of its last query", set->name,
                        line_number, rows % POINTS_PER_QUERY);
    return 1;
}

int query_set_read(const char *path, uint32_t kind, query_set *out)
{
    bytes content;
    int good;

    memset(out, 0, sizeof *out);
    out->name = path;
    out->kind = kind;
    if (!read_all(path, &content))
        return 0;
    good = ends_with(path, ".bin") ? parse_binary(&content, out) : parse_csv(&content, out);
    free(content.data);
    if (!good)
        query_set_free(out);
    return good;
}
