/*
 * Generated from include/pccd.h. To change it: make header
 *
 * All functions of the header, doing nothing. What a compiler makes of this describes the binary interface, for
 * tools that compare such: make abidiff.
 */
#include <pccd.h>

uint32_t pccd_version(void) {
    return 0;
}
uint32_t pccd_abi_version(void) {
    return 0;
}
const char *pccd_status_name(pccd_status status) {
    (void)status;
    return 0;
}
const char *pccd_last_error(void) {
    return 0;
}
pccd_status pccd_context_set_threads(pccd_context *context, uint32_t thread_count) {
    (void)context;
    (void)thread_count;
    return 0;
}
pccd_status pccd_context_def_init(pccd_context_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_context_info_init(pccd_context_info *info, size_t size) {
    (void)info;
    (void)size;
    return 0;
}
pccd_status pccd_context_create(const pccd_context_def *def, pccd_context **out_context) {
    (void)def;
    (void)out_context;
    return 0;
}
pccd_status pccd_context_destroy(pccd_context *context) {
    (void)context;
    return 0;
}
pccd_status pccd_context_info_get(pccd_context *context, pccd_context_info *out_info) {
    (void)context;
    (void)out_info;
    return 0;
}
pccd_status pccd_ccd_settings_init(pccd_ccd_settings *settings, size_t size) {
    (void)settings;
    (void)size;
    return 0;
}
pccd_status pccd_ccd_batch(pccd_context *context, uint32_t kind, const pccd_view *positions, uint64_t count, const pccd_ccd_settings *settings, pccd_ccd_result *results) {
    (void)context;
    (void)kind;
    (void)positions;
    (void)count;
    (void)settings;
    (void)results;
    return 0;
}
pccd_status pccd_mesh_def_init(pccd_mesh_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_mesh_create(pccd_context *context, const pccd_mesh_def *def, pccd_mesh *out_mesh) {
    (void)context;
    (void)def;
    (void)out_mesh;
    return 0;
}
pccd_status pccd_mesh_destroy(pccd_context *context, pccd_mesh mesh) {
    (void)context;
    (void)mesh;
    return 0;
}
pccd_status pccd_mesh_move(pccd_context *context, pccd_mesh mesh, const pccd_view *positions) {
    (void)context;
    (void)mesh;
    (void)positions;
    return 0;
}
pccd_status pccd_mesh_set_motion(pccd_context *context, pccd_mesh mesh, const pccd_view *start, const pccd_view *end) {
    (void)context;
    (void)mesh;
    (void)start;
    (void)end;
    return 0;
}
pccd_status pccd_mesh_set_filter(pccd_context *context, pccd_mesh mesh, uint64_t category, uint64_t mask) {
    (void)context;
    (void)mesh;
    (void)category;
    (void)mask;
    return 0;
}
pccd_status pccd_mesh_info_init(pccd_mesh_info *info, size_t size) {
    (void)info;
    (void)size;
    return 0;
}
pccd_status pccd_mesh_info_get(pccd_context *context, pccd_mesh mesh, pccd_mesh_info *out_info) {
    (void)context;
    (void)mesh;
    (void)out_info;
    return 0;
}
pccd_status pccd_bvh_def_init(pccd_bvh_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_bvh_info_init(pccd_bvh_info *info, size_t size) {
    (void)info;
    (void)size;
    return 0;
}
pccd_status pccd_bvh_create(pccd_context *context, const pccd_bvh_def *def, pccd_bvh *out_bvh) {
    (void)context;
    (void)def;
    (void)out_bvh;
    return 0;
}
pccd_status pccd_bvh_destroy(pccd_context *context, pccd_bvh bvh) {
    (void)context;
    (void)bvh;
    return 0;
}
pccd_status pccd_bvh_add(pccd_context *context, pccd_bvh bvh, pccd_mesh mesh) {
    (void)context;
    (void)bvh;
    (void)mesh;
    return 0;
}
pccd_status pccd_bvh_remove(pccd_context *context, pccd_bvh bvh, pccd_mesh mesh) {
    (void)context;
    (void)bvh;
    (void)mesh;
    return 0;
}
pccd_status pccd_bvh_update(pccd_context *context, pccd_bvh bvh) {
    (void)context;
    (void)bvh;
    return 0;
}
pccd_status pccd_bvh_info_get(pccd_context *context, pccd_bvh bvh, pccd_bvh_info *out_info) {
    (void)context;
    (void)bvh;
    (void)out_info;
    return 0;
}
pccd_status pccd_bvh_overlap(pccd_context *context, pccd_bvh bvh, const double lower[3], const double upper[3], pccd_triangle_ref *out_triangles, uint64_t capacity, uint64_t *out_count) {
    (void)context;
    (void)bvh;
    (void)lower;
    (void)upper;
    (void)out_triangles;
    (void)capacity;
    (void)out_count;
    return 0;
}
pccd_status pccd_split_def_init(pccd_split_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_bvh_split(pccd_context *context, pccd_bvh bvh, pccd_mesh mesh, const pccd_split_def *def, pccd_mesh *out_meshes, uint64_t capacity) {
    (void)context;
    (void)bvh;
    (void)mesh;
    (void)def;
    (void)out_meshes;
    (void)capacity;
    return 0;
}
pccd_status pccd_bvh_split_all(pccd_context *context, pccd_bvh bvh, const pccd_mesh *meshes, const pccd_split_def *defs, uint64_t count, pccd_mesh *out_meshes, uint64_t capacity) {
    (void)context;
    (void)bvh;
    (void)meshes;
    (void)defs;
    (void)count;
    (void)out_meshes;
    (void)capacity;
    return 0;
}
pccd_status pccd_merge_def_init(pccd_merge_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_bvh_merge(pccd_context *context, pccd_bvh bvh, const pccd_merge_def *def, pccd_mesh *out_mesh) {
    (void)context;
    (void)bvh;
    (void)def;
    (void)out_mesh;
    return 0;
}
pccd_status pccd_mesh_vertex_origin(pccd_context *context, pccd_mesh mesh, uint64_t first, uint64_t count, pccd_vertex_ref *out_origins) {
    (void)context;
    (void)mesh;
    (void)first;
    (void)count;
    (void)out_origins;
    return 0;
}
pccd_status pccd_query_def_init(pccd_query_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_query_create(pccd_context *context, const pccd_query_def *def, pccd_query *out_query) {
    (void)context;
    (void)def;
    (void)out_query;
    return 0;
}
pccd_status pccd_query_reserve(pccd_context *context, pccd_query query, uint64_t contact_count) {
    (void)context;
    (void)query;
    (void)contact_count;
    return 0;
}
pccd_status pccd_query_destroy(pccd_context *context, pccd_query query) {
    (void)context;
    (void)query;
    return 0;
}
pccd_status pccd_query_run(pccd_context *context, pccd_query query, pccd_bvh bvh) {
    (void)context;
    (void)query;
    (void)bvh;
    return 0;
}
pccd_status pccd_query_begin(pccd_context *context, pccd_query query, pccd_bvh bvh) {
    (void)context;
    (void)query;
    (void)bvh;
    return 0;
}
pccd_status pccd_query_work(pccd_context *context, pccd_query query) {
    (void)context;
    (void)query;
    return 0;
}
pccd_status pccd_query_end(pccd_context *context, pccd_query query) {
    (void)context;
    (void)query;
    return 0;
}
pccd_status pccd_query_cancel(pccd_context *context, pccd_query query) {
    (void)context;
    (void)query;
    return 0;
}
pccd_status pccd_query_contacts(pccd_context *context, pccd_query query, const pccd_contact **out_contacts, uint64_t *out_count) {
    (void)context;
    (void)query;
    (void)out_contacts;
    (void)out_count;
    return 0;
}
pccd_status pccd_query_copy_contacts(pccd_context *context, pccd_query query, pccd_contact *out_contacts, uint64_t capacity, uint64_t *out_count) {
    (void)context;
    (void)query;
    (void)out_contacts;
    (void)capacity;
    (void)out_count;
    return 0;
}
pccd_status pccd_query_hash(pccd_context *context, pccd_query query, uint64_t *out_hash) {
    (void)context;
    (void)query;
    (void)out_hash;
    return 0;
}
pccd_status pccd_query_stats_init(pccd_query_stats *stats, size_t size) {
    (void)stats;
    (void)size;
    return 0;
}
pccd_status pccd_query_stats_get(pccd_context *context, pccd_query query, pccd_query_stats *out_stats) {
    (void)context;
    (void)query;
    (void)out_stats;
    return 0;
}
pccd_status pccd_query_worker_stats_init(pccd_query_worker_stats *stats, size_t size) {
    (void)stats;
    (void)size;
    return 0;
}
pccd_status pccd_query_worker_stats_get(pccd_context *context, pccd_query query, uint32_t worker, pccd_query_worker_stats *out_stats) {
    (void)context;
    (void)query;
    (void)worker;
    (void)out_stats;
    return 0;
}
pccd_status pccd_trace_enable(pccd_context *context, pccd_query query, uint32_t on) {
    (void)context;
    (void)query;
    (void)on;
    return 0;
}
pccd_status pccd_trace_write(pccd_context *context, pccd_query query, const char *path) {
    (void)context;
    (void)query;
    (void)path;
    return 0;
}
pccd_status pccd_query_run_meshes(pccd_context *context, pccd_query query, const pccd_mesh *meshes, uint64_t mesh_count) {
    (void)context;
    (void)query;
    (void)meshes;
    (void)mesh_count;
    return 0;
}
pccd_status pccd_discrete_stats_init(pccd_discrete_stats *stats, size_t size) {
    (void)stats;
    (void)size;
    return 0;
}
pccd_status pccd_discrete_stats_get(pccd_context *context, pccd_query query, pccd_discrete_stats *out_stats) {
    (void)context;
    (void)query;
    (void)out_stats;
    return 0;
}
pccd_status pccd_query_intersections(pccd_context *context, pccd_query query, const pccd_intersection **out_intersections, uint64_t *out_count) {
    (void)context;
    (void)query;
    (void)out_intersections;
    (void)out_count;
    return 0;
}
pccd_status pccd_query_copy_intersections(pccd_context *context, pccd_query query, pccd_intersection *out_intersections, uint64_t capacity, uint64_t *out_count) {
    (void)context;
    (void)query;
    (void)out_intersections;
    (void)capacity;
    (void)out_count;
    return 0;
}
pccd_status pccd_k_free_report_init(pccd_k_free_report *report, size_t size) {
    (void)report;
    (void)size;
    return 0;
}
pccd_status pccd_mesh_k_free(pccd_context *context, const pccd_mesh *meshes, uint64_t mesh_count, pccd_k_free_report *out_report, pccd_triangle_k *out_triangles, uint64_t capacity) {
    (void)context;
    (void)meshes;
    (void)mesh_count;
    (void)out_report;
    (void)out_triangles;
    (void)capacity;
    return 0;
}
pccd_status pccd_mesh_k_free_polygons(pccd_context *context, const pccd_mesh *meshes, uint64_t mesh_count, const uint32_t *fans, uint64_t fan_count, pccd_k_free_report *out_report, pccd_triangle_k *out_polygons, uint64_t capacity) {
    (void)context;
    (void)meshes;
    (void)mesh_count;
    (void)fans;
    (void)fan_count;
    (void)out_report;
    (void)out_polygons;
    (void)capacity;
    return 0;
}
pccd_status pccd_pipeline_def_init(pccd_pipeline_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_pipeline_create(pccd_context *context, const pccd_pipeline_def *def, pccd_pipeline *out_pipeline) {
    (void)context;
    (void)def;
    (void)out_pipeline;
    return 0;
}
pccd_status pccd_pipeline_destroy(pccd_context *context, pccd_pipeline pipeline) {
    (void)context;
    (void)pipeline;
    return 0;
}
pccd_status pccd_pipeline_set_split(pccd_context *context, pccd_pipeline pipeline, uint32_t broad_threads, uint32_t narrow_threads) {
    (void)context;
    (void)pipeline;
    (void)broad_threads;
    (void)narrow_threads;
    return 0;
}
pccd_status pccd_object_def_init(pccd_object_def *def, size_t size) {
    (void)def;
    (void)size;
    return 0;
}
pccd_status pccd_object_info_init(pccd_object_info *info, size_t size) {
    (void)info;
    (void)size;
    return 0;
}
pccd_status pccd_pipeline_add(pccd_context *context, pccd_pipeline pipeline, const pccd_object_def *def, pccd_object *out_object) {
    (void)context;
    (void)pipeline;
    (void)def;
    (void)out_object;
    return 0;
}
pccd_status pccd_pipeline_remove(pccd_context *context, pccd_pipeline pipeline, pccd_object object) {
    (void)context;
    (void)pipeline;
    (void)object;
    return 0;
}
pccd_status pccd_pipeline_set_transforms(pccd_context *context, pccd_pipeline pipeline, const pccd_object *objects, uint64_t count, const pccd_view *positions, const pccd_view *rotations) {
    (void)context;
    (void)pipeline;
    (void)objects;
    (void)count;
    (void)positions;
    (void)rotations;
    return 0;
}
pccd_status pccd_pipeline_set_filter(pccd_context *context, pccd_pipeline pipeline, pccd_object object, uint64_t category, uint64_t mask) {
    (void)context;
    (void)pipeline;
    (void)object;
    (void)category;
    (void)mask;
    return 0;
}
pccd_status pccd_object_info_get(pccd_context *context, pccd_pipeline pipeline, pccd_object object, pccd_object_info *out_info) {
    (void)context;
    (void)pipeline;
    (void)object;
    (void)out_info;
    return 0;
}
pccd_status pccd_pipeline_step(pccd_context *context, pccd_pipeline pipeline) {
    (void)context;
    (void)pipeline;
    return 0;
}
pccd_status pccd_pipeline_cancel(pccd_context *context, pccd_pipeline pipeline) {
    (void)context;
    (void)pipeline;
    return 0;
}
pccd_status pccd_pipeline_pairs(pccd_context *context, pccd_pipeline pipeline, const pccd_pair **out_pairs, uint64_t *out_count) {
    (void)context;
    (void)pipeline;
    (void)out_pairs;
    (void)out_count;
    return 0;
}
pccd_status pccd_pipeline_points(pccd_context *context, pccd_pipeline pipeline, const pccd_contact_point **out_points, uint64_t *out_count) {
    (void)context;
    (void)pipeline;
    (void)out_points;
    (void)out_count;
    return 0;
}
pccd_status pccd_pipeline_hash(pccd_context *context, pccd_pipeline pipeline, uint64_t *out_hash) {
    (void)context;
    (void)pipeline;
    (void)out_hash;
    return 0;
}
pccd_status pccd_pipeline_balance(pccd_context *context, pccd_pipeline pipeline, const pccd_balance_record **out_records, uint64_t *out_count) {
    (void)context;
    (void)pipeline;
    (void)out_records;
    (void)out_count;
    return 0;
}
pccd_status pccd_pipeline_stats_init(pccd_pipeline_stats *stats, size_t size) {
    (void)stats;
    (void)size;
    return 0;
}
pccd_status pccd_pipeline_stats_get(pccd_context *context, pccd_pipeline pipeline, pccd_pipeline_stats *out_stats) {
    (void)context;
    (void)pipeline;
    (void)out_stats;
    return 0;
}
