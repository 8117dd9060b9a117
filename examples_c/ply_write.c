#include "ply_write.h"

#include <string.h>

/* The lowest byte first, whatever the machine does. */
static void write_bytes(FILE *out, uint64_t value, int count)
{
    unsigned char bytes[8];
    int i;

    for (i = 0; i < count; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    fwrite(bytes, 1, (size_t)count, out);
}

static void write_double(FILE *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    write_bytes(out, bits, 8);
}

static void write_vertices(FILE *out, const surface *surface, const colour *colours)
{
    size_t i;

    for (i = 0; i < surface->vertex_count; i++) {
        write_double(out, surface->positions[i].x);
        write_double(out, surface->positions[i].y);
        write_double(out, surface->positions[i].z);
        fputc(colours[i].red, out);
        fputc(colours[i].green, out);
        fputc(colours[i].blue, out);
    }
}

static void write_faces(FILE *out, const surface *surface, size_t first_vertex)
{
    size_t i;
    int k;

    for (i = 0; i < surface->triangle_count; i++) {
        fputc(3, out);
        for (k = 0; k < 3; k++)
            write_bytes(out, surface->triangles[i][k] + first_vertex, 4);
    }
}

int ply_write(FILE *out, const surface *first, const colour *first_colours, const surface *second,
              const colour *second_colours)
{
    fprintf(out,
            "ply\n"
            "format binary_little_endian 1.0\n"
            "element vertex %zu\n"
            "property double x\n"
            "property double y\n"
            "property double z\n"
            "property uchar red\n"
            "property uchar green\n"
            "property uchar blue\n"
            "element face %zu\n"
            "property list uchar int vertex_indices\n"
            "end_header\n",
            first->vertex_count + second->vertex_count, first->triangle_count + second->triangle_count);
    write_vertices(out, first, first_colours);
    write_vertices(out, second, second_colours);
    write_faces(out, first, 0);
    write_faces(out, second, first->vertex_count);
    return !ferror(out) && fflush(out) == 0;
}
