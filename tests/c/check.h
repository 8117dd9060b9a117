/* Checks for the C tests: they count, print what failed, and go on. */
#ifndef CHECK_H
#define CHECK_H

#include "pccd.h"

#include <stdint.h>

/* Something holds. */
#define CHECK(condition) check_that(__FILE__, __LINE__, #condition, (condition) != 0)

/* A call returns this status and, if that is an error, leaves a sentence that begins with the name of the function and
   has all the given words in it. At least one has to be given; for a success give "". */
#define EXPECT(status, call, ...) \
    check_call(__FILE__, __LINE__, #call, (call), (status), __VA_ARGS__, (const char *)0)

/* Begins a group of checks. */
void section(const char *name);
void check_that(const char *file, int line, const char *text, int holds);
void check_call(const char *file, int line, const char *text, pccd_status got, pccd_status expected, ...);
/* Prints the counts; 0 if nothing failed. */
int finish(void);

/* Bytes that a call must not touch. */
void fill_canary(void *memory, size_t size);
int is_canary(const void *memory, size_t size);

/* An allocator that counts, and fails as told. The library calls it from one thread at a time, so it has no lock. */
typedef struct counting {
    size_t bytes;
    size_t allocations;
    size_t frees;
    size_t refuse;    /* the number, from 1, of the allocation to refuse; 0: none */
    int misalign;     /* return addresses that are one byte off */
    int wrong_free;   /* frees with another size or alignment than the allocation had */
} counting;

void *counting_alloc(size_t size, size_t alignment, void *user);
void counting_free(void *memory, size_t size, size_t alignment, void *user);

/* A context of so many threads, with this allocator unless null. */
pccd_context *new_context(uint32_t threads, counting *memory);

/* Fills count queries: every third one is a vertex through a triangle, the others miss. */
void fill_queries(double (*points)[3], uint64_t count);
/* Tries every setting of elementary tests that is wrong, with a function that tries one: `name` is what sentences call the struct. */
typedef void (*try_settings)(pccd_context *context, double min_separation, double toi_tolerance, double separation_tolerance, const char *words);
void each_wrong_setting(pccd_context *context, try_settings one, const char *name);

pccd_view view_of(const void *data, uint64_t count, uint64_t stride, uint32_t format);

/* A definition of a mesh from f64 positions and u32 triangles. */
pccd_mesh_def mesh_def_of(const void *positions, uint64_t vertex_count, const void *triangles, uint64_t triangle_count);
/* Create with success: a mesh, an empty hierarchy, a query with defaults. */
pccd_mesh new_mesh(pccd_context *context, const void *positions, uint64_t vertex_count, const void *triangles,
                   uint64_t triangle_count);
pccd_bvh new_bvh(pccd_context *context);
pccd_query new_query(pccd_context *context);
/* A handle that is whatever the test likes. */
pccd_mesh mesh_handle(uint64_t id);
pccd_bvh bvh_handle(uint64_t id);
pccd_query query_handle(uint64_t id);

/* The groups of misuse.c. */
void misuse_of_discrete_queries(void);
void misuse_of_structs(void);
void misuse_of_contexts(void);
void misuse_of_batches(void);
void misuse_of_numbers(void);
void misuse_of_memory(void);
void misuse_of_meshes(void);
void misuse_of_bvhs(void);
void misuse_of_breaking(void);
void misuse_of_queries(void);
void misuse_of_handles(void);
void misuse_of_memory_by_objects(void);
void misuse_of_threads(void);
void misuse_of_pipelines(void);
void too_many_threads_for_the_system(void);

/* Exported by the library of fault.rs only. */
pccd_status pccd_fault_panic(pccd_context *context);
pccd_status pccd_fault_work(pccd_context *context, pccd_query query);

#endif
