/* Scenes of rigid bodies: things that fall, and one that is so large and thin that hardly anything touches. */
#include "rigid_scenes.h"

#include "library.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

const choice scene_choices[] = {{"screws", SCENE_SCREWS}, {"tori", SCENE_TORI},   {"cubes", SCENE_CUBES},
                                {"spheres", SCENE_SPHERES}, {"boxes", SCENE_BOXES}, {NULL, 0}};

static const double turn = 6.283185307179586;

const char *scene_name(int32_t scene)
{
    return scene_choices[scene - 1].name;
}

/* The same numbers everywhere, from 0 to 1. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A point of an outline: distance from the axis, and height. */
typedef struct outline_point {
    double radius, height;
} outline_point;

/* Turns an outline about the y axis into a mesh: so many segments around. A closed outline ends where it begins. */
static int lathe(pccd_context *context, const outline_point *outline, uint32_t count, int is_closed,
                 uint32_t segments, pccd_mesh *out)
{
    uint32_t rows = is_closed ? count : count - 1, vertices = count * segments, i, j, n = 0;
    double(*at)[3] = malloc(vertices * sizeof *at);
    uint32_t(*triangles)[3] = malloc(2 * (size_t)rows * segments * sizeof *triangles);
    pccd_mesh_def def;
    int done = 0;

    if (at != NULL && triangles != NULL &&
        succeeded("pccd_mesh_def_init", pccd_mesh_def_init(&def, sizeof def))) {
        for (i = 0; i < count; i++) {
            for (j = 0; j < segments; j++) {
                double angle = turn * j / segments;
                at[i * segments + j][0] = outline[i].radius * cos(angle);
                at[i * segments + j][1] = outline[i].height;
                at[i * segments + j][2] = outline[i].radius * sin(angle);
            }
        }
        for (i = 0; i < rows; i++) {
            for (j = 0; j < segments; j++) {
                uint32_t next_row = (i + 1) % count, next = (j + 1) % segments;
                uint32_t a = i * segments + j, b = i * segments + next;
                uint32_t c = next_row * segments + j, d = next_row * segments + next;
                triangles[n][0] = a, triangles[n][1] = b, triangles[n][2] = c;
                n++;
                triangles[n][0] = b, triangles[n][1] = d, triangles[n][2] = c;
                n++;
            }
        }
        def.positions.data = at;
        def.positions.count = vertices;
        def.positions.format = PCCD_FORMAT_F64X3;
        def.triangles.data = triangles;
        def.triangles.count = n;
        def.triangles.format = PCCD_FORMAT_U32X3;
        done = succeeded("pccd_mesh_create", pccd_mesh_create(context, &def, out));
    } else {
        complain("out of memory");
    }
    free(at);
    free(triangles);
    return done;
}

static int torus(pccd_context *context, pccd_mesh *out)
{
    outline_point circle[24];
    int i;

    for (i = 0; i < 24; i++) {
        circle[i].radius = 0.7 + 0.3 * cos(turn * i / 24);
        circle[i].height = 0.3 * sin(turn * i / 24);
    }
    return lathe(context, circle, 24, 1, 24, out);
}

static pccd_object_def object_of(uint32_t shape)
{
    pccd_object_def def;

    pccd_object_def_init(&def, sizeof def);
    def.shape = shape;
    return def;
}

static int add_ground(world *self)
{
    pccd_object_def def = object_of(PCCD_SHAPE_BOX);

    def.half_extents[0] = def.half_extents[2] = 500;
    def.half_extents[1] = 5;
    def.position[1] = -5;
    return world_add(self, &def, 0, 1) != NULL;
}

/* Puts bodies above each other in layers of so many to a side, a little out of line, and each turned in its own way. */
static int add_layers(world *self, pccd_object_def *defs, int kinds, uint64_t count, uint64_t side, double gap,
                      double height, double radius)
{
    uint64_t state = 1, i;

    for (i = 0; i < count; i++) {
        pccd_object_def *def = &defs[i % (uint64_t)kinds];
        uint64_t layer = i / (side * side), row = i / side % side, column = i % side;
        int k;
        def->position[0] = gap * ((double)column - 0.5 * (double)(side - 1)) + 0.2 * gap * draw(&state);
        def->position[1] = height + gap * (double)layer;
        def->position[2] = gap * ((double)row - 0.5 * (double)(side - 1)) + 0.2 * gap * draw(&state);
        for (k = 0; k < 4; k++)
            def->rotation[k] = draw(&state) - 0.5;
        def->rotation[3] += 1;
        if (world_add(self, def, 1, radius) == NULL)
            return 0;
    }
    return 1;
}

static int screws(world *self, uint64_t count)
{
    static const outline_point screw[] = {{0, 0.6},     {0.25, 0.6}, {0.25, 0.4}, {0.1, 0.4},
                                          {0.1, -0.55}, {0, -0.6}};
    static const outline_point nut[] = {{0.15, -0.1}, {0.3, -0.1}, {0.3, 0.1}, {0.15, 0.1}};
    pccd_object_def defs[2], bowl = object_of(PCCD_SHAPE_MESH);
    outline_point round[16];
    int i;

    defs[0] = defs[1] = object_of(PCCD_SHAPE_MESH);
    for (i = 0; i < 16; i++) {
        round[i].radius = 8 * sin(turn / 4 * i / 15);
        round[i].height = 8 - 8 * cos(turn / 4 * i / 15);
    }
    return lathe(self->context, round, 16, 0, 48, &bowl.mesh) && world_add(self, &bowl, 0, 1) != NULL &&
           add_ground(self) && lathe(self->context, screw, 6, 0, 8, &defs[0].mesh) &&
           lathe(self->context, nut, 4, 1, 6, &defs[1].mesh) &&
           add_layers(self, defs, 2, count, 6, 1.3, 6, 0.4);
}

static int tori(world *self, uint64_t count)
{
    static const outline_point cone[] = {{4, 0}, {2, 3}, {0, 6}};
    pccd_object_def def = object_of(PCCD_SHAPE_MESH), fixed = object_of(PCCD_SHAPE_MESH);
    int i;

    if (!add_ground(self) || !lathe(self->context, cone, 3, 0, 24, &fixed.mesh) ||
        !torus(self->context, &def.mesh))
        return 0;
    for (i = 0; i < 25; i++) {
        fixed.position[0] = 9 * (i % 5 - 2);
        fixed.position[2] = 9 * (i / 5 - 2);
        if (world_add(self, &fixed, 0, 1) == NULL)
            return 0;
    }
    return add_layers(self, &def, 1, count, 15, 2.4, 8, 0.8);
}

static int sparse(world *self, uint64_t count)
{
    pccd_object_def def = object_of(PCCD_SHAPE_BOX);
    uint64_t state = 1, i;
    double side = 1.8 * pow((double)count, 1.0 / 3);

    self->gravity = 0;
    def.half_extents[0] = def.half_extents[1] = def.half_extents[2] = 0.3;
    for (i = 0; i < count; i++) {
        body *added;
        int k;
        for (k = 0; k < 3; k++)
            def.position[k] = side * (draw(&state) - 0.5);
        for (k = 0; k < 4; k++)
            def.rotation[k] = draw(&state) - 0.5;
        def.rotation[3] += 1;
        added = world_add(self, &def, 1, 0.4);
        if (added == NULL)
            return 0;
        added->velocity = vec(draw(&state) - 0.5, draw(&state) - 0.5, draw(&state) - 0.5);
        added->spin = vec(draw(&state) - 0.5, draw(&state) - 0.5, draw(&state) - 0.5);
    }
    return 1;
}

int scene_build(int32_t scene, uint64_t count, world *self)
{
    static const uint64_t usual[] = {500, 2000, 3000, 2500, 100000};
    pccd_object_def def;

    if (count == 0)
        count = usual[scene - 1];
    self->gravity = 9.81;
    switch (scene) {
    case SCENE_SCREWS:
        return screws(self, count);
    case SCENE_TORI:
        return tori(self, count);
    case SCENE_CUBES:
        def = object_of(PCCD_SHAPE_BOX);
        def.half_extents[0] = def.half_extents[1] = def.half_extents[2] = 0.5;
        return add_ground(self) && add_layers(self, &def, 1, count, 15, 1.6, 2, 0.6);
    case SCENE_SPHERES:
        def = object_of(PCCD_SHAPE_SPHERE);
        def.radius = 0.5;
        return add_ground(self) && add_layers(self, &def, 1, count, 15, 1.3, 2, 0.5);
    default:
        return sparse(self, count);
    }
}
