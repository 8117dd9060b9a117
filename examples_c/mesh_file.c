#include "mesh_file.h"

#include <stdlib.h>
#include <string.h>

int mesh_add_vertex(mesh_data *mesh, const double position[3])
{
    double *positions =
        room_for_one(mesh->positions, mesh->vertex_count, &mesh->vertex_capacity, 3 * sizeof *positions);

    if (positions == NULL)
        return complain("%s: out of memory", mesh->name);
    mesh->positions = positions;
    memcpy(positions + 3 * mesh->vertex_count++, position, 3 * sizeof *positions);
    return 1;
}

int mesh_add_triangle(mesh_data *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *triangles =
        room_for_one(mesh->triangles, mesh->triangle_count, &mesh->triangle_capacity, 3 * sizeof *triangles);

    if (triangles == NULL)
        return complain("%s: out of memory", mesh->name);
    mesh->triangles = triangles;
    triangles += 3 * mesh->triangle_count++;
    triangles[0] = a;
    triangles[1] = b;
    triangles[2] = c;
    return 1;
}

/* Begins a fan that has no triangle yet. */
static int add_fan(mesh_data *mesh)
{
    uint32_t *fans = room_for_one(mesh->fans, mesh->fan_count, &mesh->fan_capacity, sizeof *fans);

    if (fans == NULL)
        return complain("%s: out of memory", mesh->name);
    mesh->fans = fans;
    fans[mesh->fan_count++] = 0;
    return 1;
}

int fan_add(fan *polygon, mesh_data *mesh, uint32_t corner)
{
    int good = 1;

    if (polygon->corners == 0)
        polygon->first = corner;
    if (polygon->corners == 2)
        good = add_fan(mesh);
    if (polygon->corners >= 2 && good) {
        good = mesh_add_triangle(mesh, polygon->first, polygon->last, corner);
        mesh->fans[mesh->fan_count - 1] += (uint32_t)good;
    }
    polygon->last = corner;
    polygon->corners++;
    return good;
}

int parse_real(text word, int single, double *out)
{
    char *end;

    if (word.length == 0)
        return 0;
    *out = single ? (double)strtof(word.start, &end) : strtod(word.start, &end);
    return end == word.start + word.length;
}

int parse_integer(text word, int64_t *out)
{
    int negative = word.length > 0 && word.start[0] == '-';
    int has_sign = negative || (word.length > 0 && word.start[0] == '+');
    uint64_t size = 0;
    size_t i;

    if (word.length == (size_t)has_sign)
        return 0;
    for (i = (size_t)has_sign; i < word.length; i++) {
        if (word.start[i] < '0' || word.start[i] > '9')
            return 0;
        if (size > INT64_MAX / 10)
            size = INT64_MAX;
        else
            size = 10 * size + (uint64_t)(word.start[i] - '0');
    }
    if (size > INT64_MAX)
        size = INT64_MAX;
    *out = negative ? -(int64_t)size : (int64_t)size;
    return 1;
}

static int is_ply(const char *path, const bytes *content)
{
    if (ends_with(path, ".ply") || ends_with(path, ".obj"))
        return ends_with(path, ".ply");
    return content->size >= 4 && memcmp(content->data, "ply", 3) == 0 &&
           (content->data[3] == '\n' || content->data[3] == '\r');
}

int mesh_read(const char *path, mesh_data *out)
{
    bytes content;
    int good;

    memset(out, 0, sizeof *out);
    out->name = path;
    if (!read_all(path, &content))
        return 0;
    good = is_ply(path, &content) ? ply_parse(&content, out) : obj_parse(&content, out);
    if (good && out->triangle_count == 0)
        good = complain("%s: has no faces", path);
    free(content.data);
    if (!good)
        mesh_free(out);
    return good;
}

void mesh_free(mesh_data *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
    free(mesh->fans);
    memset(mesh, 0, sizeof *mesh);
}
