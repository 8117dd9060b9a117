/* Arguments of pccd_ccd_batch that make no sense, and coordinates that are no numbers. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUERIES = 600 }; /* several chunks, so that all threads have something to do */

static double points[8 * QUERIES][3];
static pccd_ccd_result results[QUERIES];

static void arguments(void) {
    pccd_context *context = new_context(2, NULL);
    pccd_view view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    pccd_view good = view;
    section("arguments of batches");
    fill_queries(points, QUERIES);
    fill_canary(results, sizeof results);

    EXPECT(PCCD_ERR_NULL, pccd_ccd_batch(NULL, PCCD_VERTEX_FACE, &view, 1, NULL, results), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_ccd_batch(context, PCCD_VERTEX_FACE, NULL, 1, NULL, results), "positions is null");
    EXPECT(PCCD_ERR_NULL, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, NULL), "results is null");
    EXPECT(PCCD_ERR_STALE_HANDLE,
           pccd_ccd_batch((pccd_context *)0x1234, PCCD_VERTEX_FACE, &view, 1, NULL, results), "context is 0x1234");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, 0, &view, 1, NULL, results), "kind is 0",
           "PCCD_VERTEX_FACE (1)");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, 3, &view, 1, NULL, results), "kind is 3");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, (pccd_ccd_result *)((char *)results + 4)),
           "results is 0x", "aligned to 8");
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, (pccd_ccd_result *)(void *)points[7]),
           "results is 0x", "overlaps");

    view.data = NULL;
    EXPECT(PCCD_ERR_NULL, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->data is null", "4800");
    view = good;
    view.format = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->format is 0", "PCCD_FORMAT_F32X3 (1)", "PCCD_FORMAT_F64X3 (2)");
    view.format = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->format is 7");
    view = good;
    view.reserved = 9;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->reserved is 9");
    view = good;
    view.stride = 23;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->stride is 23", "at least the 24");
    view.format = PCCD_FORMAT_F32X3;
    view.stride = 11;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, 1, NULL, results),
           "positions->stride is 11", "at least the 12");
    CHECK(is_canary(results, sizeof results));
    pccd_context_destroy(context);
}

static void counts(void) {
    pccd_context *context = new_context(1, NULL);
    pccd_view view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    section("counts of batches");

    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, QUERIES + 1, NULL, results),
           "positions->count is 4800", "at least 4808");
    view.count = 7;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, NULL, results),
           "positions->count is 7", "at least 8");
    view.count = UINT64_MAX;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT,
           pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, UINT64_MAX / 8 + 1, NULL, results),
           "count is 2305843009213693952", "positions->count is 18446744073709551615");
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, NULL, results),
           "positions->count is 18446744073709551615");
    view.count = (uint64_t)1 << 62;
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, (uint64_t)1 << 59, NULL, results),
           "positions->count is 4611686018427387904");
    view.count = 8;
    view.stride = UINT64_MAX;
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, NULL, results),
           "positions->stride is 18446744073709551615");
    view.stride = (uint64_t)INT64_MAX / 7;
    EXPECT(PCCD_ERR_OUT_OF_MEMORY, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, NULL, results),
           "positions->stride is 1317624576693539401");
    CHECK(is_canary(results, sizeof results));

    /* None at all is fine, with or without buffers. */
    view = view_of(NULL, 0, 0, PCCD_FORMAT_F32X3);
    EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "");
    view = view_of(points, 8 * QUERIES, 0, PCCD_FORMAT_F64X3);
    EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, NULL, results), "");
    CHECK(is_canary(results, sizeof results));
    view.format = 5;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL),
           "positions->format is 5");
    pccd_context_destroy(context);
}

static void one_setting(pccd_context *context, double separation, double toi, double tolerance, const char *words) {
    pccd_view view = view_of(points, 8, 0, PCCD_FORMAT_F64X3);
    pccd_ccd_settings settings;
    pccd_ccd_settings_init(&settings, sizeof settings);
    settings.min_separation = separation;
    settings.toi_tolerance = toi;
    settings.separation_tolerance = tolerance;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, &settings, results), words);
}

static void wrong_settings(void) {
    pccd_context *context = new_context(1, NULL);
    pccd_view view = view_of(points, 8, 0, PCCD_FORMAT_F64X3);
    pccd_ccd_settings settings;
    section("settings of batches");
    pccd_ccd_settings_init(&settings, sizeof settings);
    settings.reserved = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 1, &settings, results),
           "settings->reserved is 3");
    each_wrong_setting(context, one_setting, "settings");
    CHECK(is_canary(results, sizeof results));
    pccd_context_destroy(context);
}

/* The same queries in another layout: format, stride, and an address that is off by some bytes. The memory ends with the
   last element, so that valgrind sees who reads further. */
static void *lay_out(uint32_t format, size_t stride, size_t shift) {
    size_t size = format == PCCD_FORMAT_F32X3 ? 12 : 24;
    char *memory = malloc(shift + (8 * QUERIES - 1) * stride + size);
    size_t i;
    for (i = 0; i < 8 * QUERIES; ++i) {
        float narrow[3];
        narrow[0] = (float)points[i][0];
        narrow[1] = (float)points[i][1];
        narrow[2] = (float)points[i][2];
        memcpy(memory + shift + i * stride, size == 12 ? (void *)narrow : (void *)points[i], size);
    }
    return memory;
}

static void not_finite_in(pccd_context *context, uint32_t format, size_t stride, size_t shift) {
    static const struct {
        int query, point, axis;
    } places[] = {{0, 0, 0}, {0, 7, 2}, {17, 5, 1}, {255, 7, 2}, {256, 0, 0}, {QUERIES - 1, 0, 0}, {QUERIES - 1, 7, 2}};
    static const char *const values[] = {"NaN", "infinity", "-infinity"};
    size_t place, value;
    for (place = 0; place < sizeof places / sizeof *places; ++place) {
        for (value = 0; value < 3; ++value) {
            char words[80];
            char *memory;
            pccd_view view;
            fill_queries(points, QUERIES);
            points[8 * places[place].query + places[place].point][places[place].axis] =
                value == 0 ? (double)NAN : value == 1 ? (double)INFINITY : -(double)INFINITY;
            /* Another one, later: the first is named, whoever finds it first. */
            points[8 * QUERIES - 1][2] += value == 0 ? (double)INFINITY : 0;
            memory = lay_out(format, stride, shift);
            view = view_of(memory + shift, 8 * QUERIES, stride, format);
            snprintf(words, sizeof words, "positions: query %d, point %d (at t=%d), %c is %s", places[place].query,
                     places[place].point, places[place].point / 4, "xyz"[places[place].axis], values[value]);
            EXPECT(PCCD_ERR_NOT_FINITE,
                   pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results), words);
            CHECK(is_canary(results, sizeof results));
            free(memory);
        }
    }
}

/* After all those errors the context still works, in every layout. */
static void finite_in(pccd_context *context, uint32_t format, size_t stride, size_t shift) {
    char *memory;
    pccd_view view;
    fill_queries(points, QUERIES);
    memory = lay_out(format, stride, shift);
    view = view_of(memory + shift, 8 * QUERIES, stride, format);
    EXPECT(PCCD_OK, pccd_ccd_batch(context, PCCD_VERTEX_FACE, &view, QUERIES, NULL, results), "");
    CHECK(results[0].flags == PCCD_CCD_HIT && results[0].toi_lower <= 0.5 && results[0].toi_upper >= 0.5);
    CHECK(results[1].flags == 0 && isinf(results[1].toi_lower) && isinf(results[1].toi_upper));
    CHECK(results[1].weights[0] == 0 && results[1].normal[2] == 0 && results[1].reserved == 0);
    CHECK(results[QUERIES - 3].flags == PCCD_CCD_HIT && results[QUERIES - 1].flags == 0);
    fill_canary(results, sizeof results);
    free(memory);
}

void misuse_of_numbers(void) {
    uint32_t threads;
    section("numbers that are none");
    fill_canary(results, sizeof results);
    for (threads = 1; threads <= 3; threads += 2) {
        pccd_context *context = new_context(threads, NULL);
        not_finite_in(context, PCCD_FORMAT_F64X3, 24, 0);
        not_finite_in(context, PCCD_FORMAT_F64X3, 24, 4);
        not_finite_in(context, PCCD_FORMAT_F64X3, 31, 1);
        not_finite_in(context, PCCD_FORMAT_F32X3, 12, 0);
        not_finite_in(context, PCCD_FORMAT_F32X3, 12, 3);
        not_finite_in(context, PCCD_FORMAT_F32X3, 40, 0);
        finite_in(context, PCCD_FORMAT_F64X3, 24, 0);
        finite_in(context, PCCD_FORMAT_F64X3, 24, 4);
        finite_in(context, PCCD_FORMAT_F64X3, 31, 1);
        finite_in(context, PCCD_FORMAT_F32X3, 12, 0);
        finite_in(context, PCCD_FORMAT_F32X3, 12, 3);
        finite_in(context, PCCD_FORMAT_F32X3, 40, 0);
        pccd_context_destroy(context);
    }
}

void misuse_of_batches(void) {
    arguments();
    counts();
    wrong_settings();
}
