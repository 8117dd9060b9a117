#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long passed, failed, before_section;
static const char *current;

static void end_section(void) {
    if (current != NULL) printf("%-40s %lu checks\n", current, passed + failed - before_section);
    before_section = passed + failed;
}

void section(const char *name) {
    end_section();
    current = name;
}

void check_that(const char *file, int line, const char *text, int holds) {
    if (holds) {
        ++passed;
    } else {
        ++failed;
        printf("%s:%d: FAILED: %s\n", file, line, text);
    }
}

void check_call(const char *file, int line, const char *text, pccd_status got, pccd_status expected, ...) {
    const char *sentence = pccd_last_error();
    const char *word;
    size_t name = strcspn(text, "(");
    va_list words;
    if (got != expected) {
        ++failed;
        printf("%s:%d: FAILED: %s is %s, expected %s\n", file, line, text, pccd_status_name(got),
               pccd_status_name(expected));
        if (got < 0) printf("    %s\n", sentence);
        return;
    }
    ++passed;
    if (expected >= 0) return;
    if (strncmp(sentence, text, name) != 0 || strncmp(sentence + name, ": ", 2) != 0) {
        ++failed;
        printf("%s:%d: FAILED: the sentence does not begin with the function: %s\n", file, line, sentence);
    } else {
        ++passed;
    }
    va_start(words, expected);
    while ((word = va_arg(words, const char *)) != NULL) {
        if (strstr(sentence, word) == NULL) {
            ++failed;
            printf("%s:%d: FAILED: no \"%s\" in: %s\n", file, line, word, sentence);
        } else {
            ++passed;
        }
    }
    va_end(words);
}

int finish(void) {
    end_section();
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

void fill_canary(void *memory, size_t size) {
    memset(memory, 0xA5, size);
}

int is_canary(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    size_t i;
    for (i = 0; i < size; ++i) {
        if (bytes[i] != 0xA5) return 0;
    }
    return 1;
}

/* In front of every allocation, at a distance that keeps the alignment: what free has to be told. */
typedef struct label {
    void *start;
    size_t size, alignment;
} label;

void *counting_alloc(size_t size, size_t alignment, void *user) {
    counting *counter = user;
    uintptr_t address;
    char *start;
    label *note;
    ++counter->allocations;
    if (counter->allocations == counter->refuse) return NULL;
    start = malloc(sizeof(label) + alignment + size + 1);
    if (start == NULL) {
        --counter->allocations;
        return NULL;
    }
    address = ((uintptr_t)start + sizeof(label) + alignment - 1) / alignment * alignment;
    note = (label *)(start + (address - (uintptr_t)start) - sizeof(label));
    note->start = start;
    note->size = size;
    note->alignment = alignment;
    counter->bytes += size;
    return (char *)(note + 1) + (counter->misalign ? 1 : 0);
}

void counting_free(void *memory, size_t size, size_t alignment, void *user) {
    counting *counter = user;
    label *note = (label *)((char *)memory - (counter->misalign ? 1 : 0)) - 1;
    if (note->size != size || note->alignment != alignment) ++counter->wrong_free;
    counter->bytes -= size;
    ++counter->frees;
    free(note->start);
}

pccd_context *new_context(uint32_t threads, counting *memory) {
    pccd_context_def def;
    pccd_context *context = NULL;
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = threads;
    if (memory != NULL) {
        def.alloc = counting_alloc;
        def.free = counting_free;
        def.memory_user = memory;
    }
    if (pccd_context_create(&def, &context) != PCCD_OK) printf("no context: %s\n", pccd_last_error());
    return context;
}

void fill_queries(double (*points)[3], uint64_t count) {
    static const double through[8][3] = {{0.25, 0.25, 1},  {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                         {0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint64_t i;
    for (i = 0; i < count; ++i) {
        memcpy(points[8 * i], through, sizeof through);
        if (i % 3 != 0) points[8 * i + 4][2] = 0.5;
    }
}

pccd_view view_of(const void *data, uint64_t count, uint64_t stride, uint32_t format) {
    pccd_view view;
    memset(&view, 0, sizeof view);
    view.data = data;
    view.count = count;
    view.stride = stride;
    view.format = format;
    return view;
}

pccd_mesh_def mesh_def_of(const void *positions, uint64_t vertex_count, const void *triangles, uint64_t triangle_count) {
    pccd_mesh_def def;
    pccd_mesh_def_init(&def, sizeof def);
    def.positions = view_of(positions, vertex_count, 0, PCCD_FORMAT_F64X3);
    def.triangles = view_of(triangles, triangle_count, 0, PCCD_FORMAT_U32X3);
    return def;
}

pccd_mesh new_mesh(pccd_context *context, const void *positions, uint64_t vertex_count, const void *triangles,
                   uint64_t triangle_count) {
    pccd_mesh_def def = mesh_def_of(positions, vertex_count, triangles, triangle_count);
    pccd_mesh mesh = {0};
    EXPECT(PCCD_OK, pccd_mesh_create(context, &def, &mesh), "");
    CHECK(mesh.id != 0);
    return mesh;
}

pccd_bvh new_bvh(pccd_context *context) {
    pccd_bvh bvh = {0};
    EXPECT(PCCD_OK, pccd_bvh_create(context, NULL, &bvh), "");
    CHECK(bvh.id != 0);
    return bvh;
}

pccd_query new_query(pccd_context *context) {
    pccd_query query = {0};
    EXPECT(PCCD_OK, pccd_query_create(context, NULL, &query), "");
    CHECK(query.id != 0);
    return query;
}

pccd_mesh mesh_handle(uint64_t id) {
    pccd_mesh mesh;
    mesh.id = id;
    return mesh;
}

pccd_bvh bvh_handle(uint64_t id) {
    pccd_bvh bvh;
    bvh.id = id;
    return bvh;
}

pccd_query query_handle(uint64_t id) {
    pccd_query query;
    query.id = id;
    return query;
}

void each_wrong_setting(pccd_context *context, try_settings one, const char *name) {
    static const struct {
        double min_separation, toi_tolerance, separation_tolerance;
        const char *words;
    } wrong[] = {
        {-0.5, 1e-6, 1e-9, "min_separation is -0.5;"},
        {(double)NAN, 1e-6, 1e-9, "min_separation is NaN;"},
        {(double)INFINITY, 1e-6, 1e-9, "min_separation is inf;"},
        {0, 0, 1e-9, "toi_tolerance is 0;"},
        {0, 1.5, 1e-9, "toi_tolerance is 1.5;"},
        {0, (double)NAN, 1e-9, "toi_tolerance is NaN;"},
        {0, 1e-6, 0, "separation_tolerance is 0;"},
        {0, 1e-6, 2, "separation_tolerance is 2;"},
        {0, 1e-6, (double)NAN, "separation_tolerance is NaN;"},
    };
    size_t i;
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s->%s", name, wrong[i].words);
        one(context, wrong[i].min_separation, wrong[i].toi_tolerance, wrong[i].separation_tolerance, words);
    }
}
