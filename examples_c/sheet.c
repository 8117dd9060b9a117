#include "sheet.h"
#include "library.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

int sheet_create(sheet *it, size_t side)
{
    size_t row, column;

    it->side = side;
    it->vertex_count = side * side;
    it->triangle_count = 0;
    it->positions = malloc(it->vertex_count * sizeof *it->positions);
    it->triangles = malloc(2 * it->vertex_count * sizeof *it->triangles);
    if (it->positions == NULL || it->triangles == NULL)
        return complain("out of memory");
    for (row = 0; row + 1 < side; row++) {
        for (column = 0; column + 1 < side; column++) {
            uint32_t a = (uint32_t)(row * side + column), b = a + 1, c = a + (uint32_t)side, d = c + 1;
            uint32_t *first = it->triangles[it->triangle_count++];
            uint32_t *second = it->triangles[it->triangle_count++];
            first[0] = a, first[1] = b, first[2] = c;
            second[0] = b, second[1] = d, second[2] = c;
        }
    }
    return 1;
}

void sheet_free(sheet *it)
{
    free(it->positions);
    free(it->triangles);
}

void sheet_pose(sheet *it, double height, double phase, double ripple)
{
    size_t i;

    for (i = 0; i < it->vertex_count; i++) {
        double u = (double)(i % it->side) / (double)(it->side - 1);
        double v = (double)(i / it->side) / (double)(it->side - 1);
        double angle = 25.0 * u + 2.0 * sin(3.0 * v) + phase;

        it->positions[i][0] = u + height * sin(angle);
        it->positions[i][1] = v;
        it->positions[i][2] = height * cos(angle) + 0.03 * sin(9.0 * v + ripple);
    }
}

pccd_view sheet_positions(const sheet *it)
{
    pccd_view view = {0};

    view.data = it->positions;
    view.count = it->vertex_count;
    view.format = PCCD_FORMAT_F64X3;
    return view;
}

int sheet_mesh(const sheet *it, pccd_context *context, pccd_mesh *out)
{
    pccd_mesh_def def;

    if (!succeeded("pccd_mesh_def_init", pccd_mesh_def_init(&def, sizeof def)))
        return 0;
    def.positions = sheet_positions(it);
    def.triangles.data = it->triangles;
    def.triangles.count = it->triangle_count;
    def.triangles.format = PCCD_FORMAT_U32X3;
    return succeeded("pccd_mesh_create", pccd_mesh_create(context, &def, out));
}

options_verdict sheet_command_line(int argc, char **argv, const char *help, const option *known, size_t known_count, const uint64_t *size)
{
    int files;
    options_verdict verdict = command_line_parse(argc, argv, help, known, known_count, &files);

    if (verdict == OPTIONS_RUN && files > 0)
        verdict = command_line_bad("no files are read");
    if (verdict == OPTIONS_RUN && *size < 2)
        verdict = command_line_bad("--size expects at least 2");
    return verdict;
}
