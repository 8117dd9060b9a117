/*
 * Gives the readers of examples_c broken files: every beginning of the given ones, and the given ones with bytes
 * changed, cut out and doubled. Whatever they make of it, they must neither read nor write where they shouldn't (the
 * sanitizers see to that), and a mesh that they accept has to be one.
 *
 *   fuzz_meshes ROUNDS FILE...
 */
#include "mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "fuzz_meshes";

static uint64_t state = 1;
static unsigned long accepted, refused;

static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

static int is_mesh(const mesh_data *mesh)
{
    size_t i;

    for (i = 0; i < 3 * mesh->vertex_count; i++)
        if (!isfinite(mesh->positions[i]))
            return 0;
    for (i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangles[i] >= mesh->vertex_count)
            return 0;
    return 1;
}

/* From memory that ends where the data ends, so that reading on is noticed. */
static void try(const char *path, const char *data, size_t size)
{
    mesh_data mesh;
    bytes content;
    int good;

    memset(&mesh, 0, sizeof mesh);
    mesh.name = path;
    content.size = size;
    content.data = malloc(size + 1);
    if (content.data == NULL)
        exit(EXIT_FAILURE);
    memcpy(content.data, data, size);
    content.data[size] = '\0';
    good = ends_with(path, ".obj") ? obj_parse(&content, &mesh) : ply_parse(&content, &mesh);
    if (good)
        accepted++;
    else
        refused++;
    if (good && !is_mesh(&mesh)) {
        printf("%s: accepted what is no mesh\n", path);
        fwrite(data, 1, size, stdout);
        exit(EXIT_FAILURE);
    }
    mesh_free(&mesh);
    free(content.data);
}

/* Changes a few bytes: to anything, or to something that means something. */
static size_t mutate(char *data, size_t size, size_t capacity)
{
    static const char meaning[] = "0123456789-+./\\# \n\r\txyz\xff\x7f\x80";
    size_t changes = 1 + random_below(4), at, length;

    for (; changes > 0 && size > 0; changes--) {
        at = random_below(size);
        length = 1 + random_below(8);
        if (length > size - at)
            length = size - at;
        switch (random_below(6)) {
        case 0:
            data[at] = (char)random_below(256);
            break;
        case 1:
        case 2:
            data[at] = meaning[random_below(sizeof meaning)];
            break;
        case 3:
            data[at] = (char)(data[at] ^ 1 << random_below(8));
            break;
        case 4:
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        default:
            if (length > capacity - size)
                break;
            memmove(data + at + length, data + at, size - at);
            size += length;
            break;
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0, round;
    int i;

    for (i = 2; i < argc; i++) {
        bytes original;
        size_t capacity, size;
        char *changed;

        if (!read_all(argv[i], &original))
            return EXIT_FAILURE;
        for (size = 0; size <= original.size; size++)
            try(argv[i], original.data, size);
        capacity = original.size + 64;
        changed = malloc(capacity);
        if (changed == NULL)
            return EXIT_FAILURE;
        for (round = 0; round < rounds; round++) {
            memcpy(changed, original.data, original.size);
            try(argv[i], changed, mutate(changed, original.size, capacity));
        }
        free(changed);
        free(original.data);
    }
    printf("%lu accepted, %lu refused\n", accepted, refused);
    return EXIT_SUCCESS;
}
