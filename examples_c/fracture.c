/* Things that break, frame by frame, and what the library takes for it.
 *
 *   wall    a wall of bricks that a ball goes through: in eight frames bricks shatter
 *   shell   a sphere that bursts at four frames into more and more shards
 *   sheet   a sheet that tears a little more in every frame, and falls apart at last
 *   tiles   tiles that lie side by side and become one again
 *
 * Each frame moves all bodies and runs a query for all contacts. Frames with an asterisk are those in which something broke
 * or became one. Milliseconds are those of the library: of splits and merges, of moving bodies, of the query, and of all of that.
 * Contacts are only counted: this is not a simulation. */
#include "command_line.h"
#include "library.h"
#include "pieces.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "fracture";

static const char help[] =
    "usage: fracture [options]\n"
    "Breaks bodies and prints a table of frames; those marked with * broke something.\n"
    "  --scene NAME    wall, shell, sheet, tiles or all (the default)\n"
    "  --frames N      frames of each scene (default 80)\n"
    "  --percent N     size of the scenes in percent of the full one, 1 to 100 (default 100)\n"
    "  --threads N     threads of the library (default 1)\n"
    "  --metric NAME   when nodes are sorted anew: volume (the default) or cost\n"
    "  --grid N        build hierarchies by a grid down to N triangles a cell\n"
    "  --room N        make room for N contacts before anything breaks\n"
    "  --summary       only the last lines of each table\n"
    "  --help          this text\n";

enum { WALL = 1, SHELL = 2, SHEET = 4, TILES = 8, ALL = 15, LONGEST = 1000 };

static const choice scene_choices[] = {{"wall", WALL}, {"shell", SHELL}, {"sheet", SHEET}, {"tiles", TILES}, {"all", ALL}, {NULL, 0}};
static const choice metric_choices[] = {{"volume", PCCD_METRIC_VOLUME_RATIO}, {"cost", PCCD_METRIC_TRAVERSAL_COST}, {NULL, 0}};

typedef struct settings {
    int32_t scene, metric;
    uint64_t frames, percent, threads, grid, room;
    int summary;
} settings;

typedef struct scene {
    const char *name;
    int (*begin)(pieces *all, double percent);
    /* What breaks before a frame. */
    int (*change)(pieces *all, int frame, int frames);
    void (*bend)(const piece *body, uint32_t vertex, double time, vec3 *at);
} scene;

/* The same numbers everywhere. */
static uint32_t random_state;

static double random_between(double low, double high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * ((random_state >> 8) / 16777216.0);
}

static vec3 random_velocity(double most)
{
    double x = random_between(-most, most), y = random_between(-most, most);

    return vec(x, y, random_between(-most, most));
}

/* ---- the wall ---- */

/* A brick has SIDE cells a side. Its surface is made of the points of a lattice that are on it; when it shatters every cell becomes a cube. */
enum { SIDE = 4, LINE = SIDE + 1, LATTICE = LINE * LINE * LINE, BRICK = 1, SHARD = 2, BALL = 3, EVENTS = 8 };

/* The number of a lattice point as a vertex: first those on the surface, then those inside. */
static uint32_t surface_count;
static uint32_t number_of[LATTICE];

static int is_inside(int i)
{
    return i > 0 && i < SIDE;
}

static void number_lattice(void)
{
    uint32_t inside = 0;
    int x, y, z;

    surface_count = 0;
    for (x = 0; x < LINE; ++x)
        for (y = 0; y < LINE; ++y)
            for (z = 0; z < LINE; ++z)
                surface_count += !(is_inside(x) && is_inside(y) && is_inside(z));
    {
        uint32_t next = 0;
        for (x = 0; x < LINE; ++x)
            for (y = 0; y < LINE; ++y)
                for (z = 0; z < LINE; ++z) {
                    int in = is_inside(x) && is_inside(y) && is_inside(z);
                    number_of[(x * LINE + y) * LINE + z] = in ? surface_count + inside++ : next++;
                }
    }
}

/* The triangles of the cubes: for each cube and each of its six faces two. Those on the surface of the brick come first if `surface` is 1, and the others if it is 0. */
static uint32_t cube_faces(int surface, uint32_t (*corners)[3], uint32_t *cubes)
{
    uint32_t count = 0;
    int cell[3], axis, side;

    for (cell[0] = 0; cell[0] < SIDE; ++cell[0])
        for (cell[1] = 0; cell[1] < SIDE; ++cell[1])
            for (cell[2] = 0; cell[2] < SIDE; ++cell[2])
                for (axis = 0; axis < 3; ++axis)
                    for (side = 0; side < 2; ++side) {
                        int at_surface = side == 0 ? cell[axis] == 0 : cell[axis] == SIDE - 1;
                        int u = (axis + 1) % 3, v = (axis + 2) % 3, i;
                        uint32_t quad[4];
                        if (at_surface != surface)
                            continue;
                        for (i = 0; i < 4; ++i) {
                            int p[3];
                            p[axis] = cell[axis] + side;
                            /* around the quad, seen from outside */
                            p[u] = cell[u] + (side == 1 ? (i == 1 || i == 2) : (i == 2 || i == 3));
                            p[v] = cell[v] + (side == 1 ? (i == 2 || i == 3) : (i == 1 || i == 2));
                            quad[i] = number_of[(p[0] * LINE + p[1]) * LINE + p[2]];
                        }
                        corners[count][0] = quad[0], corners[count][1] = quad[1], corners[count][2] = quad[2];
                        corners[count + 1][0] = quad[0], corners[count + 1][1] = quad[2], corners[count + 1][2] = quad[3];
                        cubes[count] = cubes[count + 1] = (uint32_t)((cell[0] * SIDE + cell[1]) * SIDE + cell[2]);
                        count += 2;
                    }
    return count;
}

enum { CUBES = SIDE * SIDE * SIDE, BRICK_TRIANGLES = 12 * SIDE * SIDE, ALL_TRIANGLES = 12 * CUBES };

static uint32_t brick_corners[ALL_TRIANGLES][3], brick_cubes[ALL_TRIANGLES];
static uint32_t bricks_left, bricks_of_event;

static const vec3 brick_size = {1.0, 2.0, 1.0};

static vec3 lattice_point(vec3 low, int x, int y, int z)
{
    return add(low, vec(brick_size.x * x / SIDE, brick_size.y * y / SIDE, brick_size.z * z / SIDE));
}

static int add_ball(pieces *all, vec3 centre, double radius, vec3 velocity)
{
    enum { ROWS = 20, COLUMNS = 32 };
    vec3 at[(ROWS + 1) * COLUMNS];
    uint32_t corners[2 * ROWS * COLUMNS][3], count = 0, r, c;

    for (r = 0; r <= ROWS; ++r)
        for (c = 0; c < COLUMNS; ++c) {
            double polar = 3.14159265358979 * r / ROWS, around = 6.28318530717959 * c / COLUMNS;
            at[r * COLUMNS + c] = add(centre, vec(radius * sin(polar) * cos(around), radius * sin(polar) * sin(around),
                                                  radius * cos(polar)));
        }
    for (r = 0; r < ROWS; ++r)
        for (c = 0; c < COLUMNS; ++c) {
            uint32_t right = (c + 1) % COLUMNS, a = r * COLUMNS + c, b = r * COLUMNS + right;
            uint32_t triangles[2][3];
            triangles[0][0] = a, triangles[0][1] = a + COLUMNS, triangles[0][2] = b;
            triangles[1][0] = b, triangles[1][1] = a + COLUMNS, triangles[1][2] = b + COLUMNS;
            memcpy(corners[count], triangles, sizeof triangles);
            count += 2;
        }
    return pieces_add(all, at, (ROWS + 1) * COLUMNS, (const uint32_t(*)[3])corners, count, velocity, BALL);
}

static int begin_wall(pieces *all, double percent)
{
    int columns = (int)ceil(11 * sqrt(percent / 100)), rows = (int)ceil(20 * sqrt(percent / 100)), row, column;
    vec3 at[LATTICE];
    uint32_t first;

    number_lattice();
    first = cube_faces(1, brick_corners, brick_cubes);
    cube_faces(0, brick_corners + first, brick_cubes + first);
    for (row = 0; row < rows; ++row)
        for (column = 0; column < columns; ++column) {
            vec3 low = vec(0, (column + 0.5 * (row % 2)) * 1.01 * brick_size.y, row * 1.01 * brick_size.z);
            int x, y, z;
            for (x = 0; x < LINE; ++x)
                for (y = 0; y < LINE; ++y)
                    for (z = 0; z < LINE; ++z)
                        at[number_of[(x * LINE + y) * LINE + z]] = lattice_point(low, x, y, z);
            if (!pieces_add(all, at, surface_count, (const uint32_t(*)[3])brick_corners, BRICK_TRIANGLES, vec(0, 0, 0), BRICK))
                return 0;
        }
    bricks_left = (uint32_t)(rows * columns);
    bricks_of_event = bricks_left * 21 / 220;
    if (bricks_of_event == 0)
        bricks_of_event = 1;
    return add_ball(all, vec(-4, columns * brick_size.y / 2, rows * brick_size.z / 2), 1.5, vec(0.12, 0, 0));
}

static int plan_to_shatter(pieces *all, uint32_t brick)
{
    uint32_t copies[LATTICE], corners = 0;
    vec3 inner[LATTICE], low = all->list[brick].at[number_of[0]];
    pccd_split_def def;
    int x, y, z;

    pccd_split_def_init(&def, sizeof def);
    for (x = 1; x < SIDE; ++x)
        for (y = 1; y < SIDE; ++y)
            for (z = 1; z < SIDE; ++z) {
                /* What is inside was not there before: it is a copy of any vertex, and gets its own place then. */
                copies[corners] = 0;
                inner[corners++] = lattice_point(low, x, y, z);
            }
    def.part_count = CUBES;
    def.parts = brick_cubes;
    def.triangle_count = ALL_TRIANGLES;
    def.copies = copies;
    def.copy_count = corners;
    def.triangles.data = brick_corners;
    def.triangles.count = ALL_TRIANGLES;
    def.triangles.format = PCCD_FORMAT_U32X3;
    all->list[brick].tag = SHARD;
    return pieces_plan_with(all, brick, &def, inner);
}

/* The bricks nearest to the ball, which are not broken yet. */
static int change_wall(pieces *all, int frame, int frames)
{
    int step = frames / (EVENTS + 1);
    uint32_t n, i, first;

    if (step == 0 || frame % step != 0 || frame == 0 || frame / step > EVENTS)
        return 1;
    for (n = 0; n < bricks_of_event && bricks_left > 0; ++n) {
        vec3 ball = vec(0, 0, 0);
        double nearest = INFINITY;
        uint32_t found = 0;
        for (i = 0; i < all->count; ++i)
            if (all->list[i].tag == BALL)
                ball = all->list[i].at[0];
        for (i = 0; i < all->count; ++i) {
            vec3 away = sub(all->list[i].at[0], ball);
            if (all->list[i].tag == BRICK && dot(away, away) < nearest) {
                nearest = dot(away, away);
                found = i;
            }
        }
        if (!plan_to_shatter(all, found))
            return 0;
        --bricks_left;
    }
    if (!pieces_break(all, &first))
        return 0;
    for (i = first; i < all->count; ++i)
        all->list[i].velocity = add(vec(0.03, 0, 0), random_velocity(0.02));
    return 1;
}

/* ---- the shell ---- */

static int begin_shell(pieces *all, double percent)
{
    uint32_t rows = (uint32_t)ceil(250 * sqrt(percent / 100)), columns = (uint32_t)ceil(504 * sqrt(percent / 100)), r, c, count = 0;
    vec3 *at = malloc((rows + 1) * columns * sizeof *at);
    uint32_t(*corners)[3] = malloc(2 * (size_t)rows * columns * sizeof *corners);
    int good;

    if (at == NULL || corners == NULL) {
        free(at);
        free(corners);
        return complain("out of memory");
    }
    for (r = 0; r <= rows; ++r)
        for (c = 0; c < columns; ++c) {
            double polar = 0.02 + 3.1 * r / rows, around = 6.28318530717959 * c / columns;
            double bumps = 1 + 0.03 * sin(9 * polar) * sin(11 * around);
            at[r * columns + c] = scale(vec(sin(polar) * cos(around), sin(polar) * sin(around), cos(polar)), bumps);
        }
    for (r = 0; r < rows; ++r)
        for (c = 0; c < columns; ++c) {
            uint32_t right = (c + 1) % columns, a = r * columns + c, b = r * columns + right;
            corners[count][0] = a, corners[count][1] = a + columns, corners[count][2] = b;
            ++count;
            corners[count][0] = b, corners[count][1] = a + columns, corners[count][2] = b + columns;
            ++count;
        }
    good = pieces_add(all, at, (rows + 1) * columns, (const uint32_t(*)[3])corners, count, vec(0, 0, 0), SHARD);
    free(at);
    free(corners);
    return good;
}

/* At four frames every shard is cut by three planes through its middle. */
static int change_shell(pieces *all, int frame, int frames)
{
    uint32_t body, first, i, t;

    if (frames < 10 || frame == 0 || frame % (frames / 5) != 0 || frame / (frames / 5) > 4)
        return 1;
    for (body = 0; body < all->count; ++body) {
        piece *it = &all->list[body];
        vec3 planes[3], middle = vec(0, 0, 0);
        uint32_t *parts = malloc(it->triangle_count * sizeof *parts);
        int good;
        if (parts == NULL)
            return complain("out of memory");
        for (i = 0; i < it->vertex_count; ++i)
            middle = add_scaled(middle, 1.0 / it->vertex_count, it->at[i]);
        for (i = 0; i < 3; ++i)
            planes[i] = random_velocity(1);
        for (t = 0; t < it->triangle_count; ++t) {
            vec3 from = sub(it->at[it->corners[t][0]], middle);
            parts[t] = (dot(from, planes[0]) > 0) + 2u * (dot(from, planes[1]) > 0) + 4u * (dot(from, planes[2]) > 0);
        }
        good = pieces_plan(all, body, parts, 8);
        free(parts);
        if (!good)
            return 0;
    }
    if (!pieces_break(all, &first))
        return 0;
    for (i = first; i < all->count; ++i)
        all->list[i].velocity = add(scale(all->list[i].at[0], 0.004), random_velocity(0.004));
    return 1;
}

/* ---- the sheet ---- */

static uint32_t sheet_columns, sheet_rows, torn_columns;

static int begin_sheet(pieces *all, double percent)
{
    uint32_t r, c, count = 0, stride;
    vec3 *at;
    uint32_t(*corners)[3];
    int good;

    sheet_columns = (uint32_t)ceil(160 * sqrt(percent / 100));
    sheet_rows = 2 * (uint32_t)ceil(60 * sqrt(percent / 100));
    torn_columns = 0;
    stride = sheet_columns + 1;
    at = malloc((size_t)stride * (sheet_rows + 1) * sizeof *at);
    corners = malloc(2 * (size_t)sheet_columns * sheet_rows * sizeof *corners);
    if (at == NULL || corners == NULL) {
        free(at);
        free(corners);
        return complain("out of memory");
    }
    for (r = 0; r <= sheet_rows; ++r)
        for (c = 0; c < stride; ++c)
            at[r * stride + c] = vec(4.0 * c / sheet_columns, 3.0 * r / sheet_rows - 1.5, 0.02 * sin(0.7 * c) * cos(0.9 * r));
    for (r = 0; r < sheet_rows; ++r)
        for (c = 0; c < sheet_columns; ++c) {
            uint32_t a = r * stride + c;
            corners[count][0] = a, corners[count][1] = a + 1, corners[count][2] = a + stride;
            ++count;
            corners[count][0] = a + 1, corners[count][1] = a + stride + 1, corners[count][2] = a + stride;
            ++count;
        }
    good = pieces_add(all, at, stride * (sheet_rows + 1), (const uint32_t(*)[3])corners, count, vec(0, 0, 0), 0);
    free(at);
    free(corners);
    return good;
}

/* Tears along the row in the middle, some columns a frame: vertices there are doubled, and triangles above get the new ones. At the
 * end there are two sheets. */
static int change_sheet(pieces *all, int frame, int frames)
{
    uint32_t wanted = (uint32_t)(frame * (double)(sheet_columns + 1) / (frames - frames / 5) + 0.5);
    uint32_t middle = sheet_rows / 2 * (sheet_columns + 1), count, first, t, i;
    piece *it = &all->list[0];
    uint32_t *copies, *parts, (*corners)[3];
    pccd_split_def def;
    int good;

    if (wanted > sheet_columns + 1)
        wanted = sheet_columns + 1;
    if (wanted <= torn_columns || all->count > 1)
        return 1;
    count = wanted - torn_columns;
    copies = malloc(count * sizeof *copies);
    parts = calloc(it->triangle_count, sizeof *parts);
    corners = malloc(it->triangle_count * sizeof *corners);
    if (copies == NULL || parts == NULL || corners == NULL) {
        good = complain("out of memory");
    } else {
        for (i = 0; i < count; ++i)
            copies[i] = middle + torn_columns + i;
        memcpy(corners, it->corners, it->triangle_count * sizeof *corners);
        for (t = 0; t < it->triangle_count; ++t) {
            int above = t >= it->triangle_count / 2;
            for (i = 0; above && i < 3; ++i)
                if (corners[t][i] >= copies[0] && corners[t][i] < copies[0] + count)
                    corners[t][i] = it->vertex_count + corners[t][i] - copies[0];
            parts[t] = wanted == sheet_columns + 1 && above;
        }
        pccd_split_def_init(&def, sizeof def);
        def.part_count = wanted == sheet_columns + 1 ? 2 : 1;
        def.parts = parts;
        def.triangle_count = it->triangle_count;
        def.copies = copies;
        def.copy_count = count;
        def.triangles.data = corners;
        def.triangles.count = it->triangle_count;
        def.triangles.format = PCCD_FORMAT_U32X3;
        good = pieces_plan_with(all, 0, &def, NULL) && pieces_break(all, &first);
        torn_columns = wanted;
    }
    free(copies);
    free(parts);
    free(corners);
    return good;
}

/* Waves, in which the sheet meets itself. */
static void bend_sheet(const piece *body, uint32_t vertex, double time, vec3 *at)
{
    double amount = 0.02 * sin(12 * at->x + 9 * time) * cos(10 * at->y);

    (void)body;
    (void)vertex;
    at->z += amount;
    at->x += 0.5 * amount;
}

/* ---- the tiles ---- */

static int begin_tiles(pieces *all, double percent)
{
    enum { CELLS = 12 };
    int side = (int)ceil(16 * sqrt(percent / 100)), row, column, r, c;
    static vec3 at[(CELLS + 1) * (CELLS + 1)];
    static uint32_t corners[2 * CELLS * CELLS][3];

    for (row = 0; row < side; ++row)
        for (column = 0; column < side; ++column) {
            uint32_t count = 0;
            for (r = 0; r <= CELLS; ++r)
                for (c = 0; c <= CELLS; ++c)
                    at[r * (CELLS + 1) + c] = vec((column * CELLS + c) / 16.0, (row * CELLS + r) / 16.0, 0);
            for (r = 0; r < CELLS; ++r)
                for (c = 0; c < CELLS; ++c) {
                    uint32_t a = (uint32_t)(r * (CELLS + 1) + c), up = CELLS + 1;
                    corners[count][0] = a, corners[count][1] = a + 1, corners[count][2] = a + up;
                    ++count;
                    corners[count][0] = a + 1, corners[count][1] = a + up + 1, corners[count][2] = a + up;
                    ++count;
                }
            if (!pieces_add(all, at, (CELLS + 1) * (CELLS + 1), (const uint32_t(*)[3])corners, count, vec(0, 0, 0), 0))
                return 0;
        }
    return 1;
}

/* The last two become one, again and again. */
static int change_tiles(pieces *all, int frame, int frames)
{
    uint32_t left = (uint32_t)((double)all->count * (frames - frame) / (frames - frame + 1));

    while (frame > 0 && all->count > 1 && all->count > left) {
        uint32_t count = all->count - left + 1;
        if (!pieces_merge_last(all, count < 8 ? count : 8))
            return 0;
    }
    return 1;
}

/* Depends on the place alone, so that tiles stay together. */
static void bend_tiles(const piece *body, uint32_t vertex, double time, vec3 *at)
{
    (void)body;
    (void)vertex;
    at->z = 0.1 * sin(1.5 * at->x + 4 * time) * cos(1.2 * at->y);
}

/* ---- frames ---- */

static int compare_numbers(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;

    return a < b ? -1 : a > b;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return count > 0 ? values[count / 2] : 0;
}

static int run_scene(pccd_context *context, const scene *it, const settings *options)
{
    static double times[LONGEST], breaking[LONGEST];
    int frame, frames = (int)options->frames, events = 0, calm = 0, good;
    double worst = 0, middle;
    uint64_t contacts_in_all = 0;
    pieces all;

    random_state = 1;
    good = pieces_open(&all, context, options->metric, (uint32_t)options->grid, options->room) &&
           it->begin(&all, (double)options->percent);
    printf("\n%s\n", it->name);
    if (good && !options->summary)
        printf(" frame   bodies  triangles   contacts  ms change    ms move     ms run   ms frame\n");
    for (frame = 0; good && frame < frames; ++frame) {
        const pccd_contact *contacts;
        pccd_bvh_info info;
        uint64_t count = 0;
        double began, ms_run, whole;
        all.ms_change = all.ms_move = 0;
        all.has_changed = 0;
        good = it->change(&all, frame, frames) && pieces_move(&all, it->bend, (double)frame / frames);
        began = milliseconds();
        good = good && succeeded("pccd_query_run", pccd_query_run(context, all.query, all.bvh)) &&
               succeeded("pccd_query_contacts", pccd_query_contacts(context, all.query, &contacts, &count));
        ms_run = milliseconds() - began;
        whole = all.ms_change + all.ms_move + ms_run;
        pccd_bvh_info_init(&info, sizeof info);
        good = good && succeeded("pccd_bvh_info_get", pccd_bvh_info_get(context, all.bvh, &info));
        if (!good)
            break;
        contacts_in_all += count;
        if (all.has_changed) {
            breaking[events++] = whole;
            worst = whole > worst ? whole : worst;
        }
        /* The first frame makes room for everything. */
        if (frame > 0)
            times[calm++] = whole;
        if (!options->summary)
            printf("%5d %c %8llu %10llu %10llu %10.3f %10.3f %10.3f %10.3f\n", frame, all.has_changed ? '*' : ' ',
                   (unsigned long long)info.mesh_count, (unsigned long long)info.triangle_count,
                   (unsigned long long)count, all.ms_change, all.ms_move, ms_run, whole);
    }
    if (good) {
        middle = median(times, calm);
        printf("%d frames, %d with changes, %llu contacts\n", frames, events, (unsigned long long)contacts_in_all);
        printf("median frame %.3f ms; of those with changes the median %.3f ms, the longest %.3f ms: %.2f times the median frame\n",
               middle, median(breaking, events), worst, middle > 0 ? worst / middle : 0.0);
    }
    pieces_close(&all);
    return good;
}

int main(int argc, char **argv)
{
    static const scene scenes[] = {{"wall", begin_wall, change_wall, NULL},
                                   {"shell", begin_shell, change_shell, NULL},
                                   {"sheet", begin_sheet, change_sheet, bend_sheet},
                                   {"tiles", begin_tiles, change_tiles, bend_tiles}};
    settings options = {ALL, PCCD_METRIC_VOLUME_RATIO, 80, 100, 1, 0, 0, 0};
    const option known[] = {{"--scene", OPTION_CHOICE, &options.scene, 0, scene_choices},
                            {"--frames", OPTION_COUNT, &options.frames, LONGEST, NULL},
                            {"--percent", OPTION_COUNT, &options.percent, 100, NULL},
                            {"--threads", OPTION_COUNT, &options.threads, 1024, NULL},
                            {"--metric", OPTION_CHOICE, &options.metric, 0, metric_choices},
                            {"--grid", OPTION_COUNT, &options.grid, 1000000, NULL},
                            {"--room", OPTION_COUNT, &options.room, 100000000, NULL},
                            {"--summary", OPTION_FLAG, &options.summary, 0, NULL}};
    pccd_context *context;
    int file_count, good = 1;
    size_t i;

    switch (command_line_parse(argc, argv, help, known, sizeof known / sizeof *known, &file_count)) {
    case OPTIONS_HELP:
        return EXIT_SUCCESS;
    case OPTIONS_BAD:
        return EXIT_CANNOT_RUN;
    case OPTIONS_RUN:
        break;
    }
    if (file_count > 0) {
        command_line_bad("there are no files to read");
        return EXIT_CANNOT_RUN;
    }
    if (!create_context(options.threads, PCCD_SIMD_AUTO, &context))
        return EXIT_CANNOT_RUN;
    for (i = 0; good && i < sizeof scenes / sizeof *scenes; ++i)
        if (options.scene & (1 << i))
            good = run_scene(context, &scenes[i], &options);
    pccd_context_destroy(context);
    return good && finish_output() ? EXIT_SUCCESS : EXIT_CANNOT_RUN;
}
