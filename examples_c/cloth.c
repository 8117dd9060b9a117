/*
 * A cloth falls on a ball, the ball begins to spin, the cloth is dragged along and folds on itself: and nothing
 * ever passes through anything. `cloth --help` has the options.
 *
 * simulation.c has the springs, response.c what contacts do, detector.c the calls of the library, and check.c a
 * test of the result that doesn't use it.
 */
#define _POSIX_C_SOURCE 200112L /* for mkdir, which strict C99 would hide */

#include "check.h"
#include "cloth_report.h"
#include "detector.h"
#include "ply_write.h"
#include "response.h"
#include "simulation.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EXIT_INTERSECTION = 1, EXIT_CANNOT_RUN = 2 };
/* The triangles are checked before the first frame, every so many frames, and after the last one. */
enum { CHECK_EVERY = 10 };

static const char *const help =
    "usage: cloth [options]\n"
    "\n"
    "A cloth falls on a ball, the ball begins to spin, the cloth is dragged along and folds on itself.\n"
    "\n"
    "  --frames N   frames to simulate, 60 a second (default 150)\n"
    "  --size N     vertices along a side of the cloth, from 2 to 2000 (default 101: 20000 triangles)\n"
    "  --threads N  threads of the library (default 1); the result is the same with any number\n"
    "  --out DIR    folder for cloth.ply, the last frame (default: the folder of this program)\n"
    "  --help       print this\n"
    "\n"
    "In cloth.ply, vertices of the cloth that touch the ball are red, those that touch the cloth blue, and\n"
    "those that touch both violet.\n"
    "\n"
    "Exit status: 0 if all is well, 1 if triangles intersect, 2 if the command line is wrong, the file can't\n"
    "be written or the library reports an error.\n";

typedef struct options {
    size_t frames, size;
    uint32_t threads;
    const char *out; /* NULL for the default */
} options;

typedef struct scene {
    simulation sim;
    detector detector;
    response response;
    cloth_report report;
} scene;

/* A decimal integer in a range, and nothing else. */
static int parse_number(const char *option, const char *value, unsigned long low, unsigned long high,
                        unsigned long *out)
{
    char *end = NULL;

    errno = 0;
    *out = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
    if (end != NULL && *end == '\0' && errno == 0 && *out >= low && *out <= high)
        return 1;
    fprintf(stderr, "cloth: %s expects an integer from %lu to %lu, not '%s'\n", option, low, high, value);
    return 0;
}

/* Returns 1 to run, 0 if all has been said, -1 if the command line is wrong. */
static int parse_options(int argc, char **argv, options *out)
{
    unsigned long number;
    int i;

    out->frames = 150;
    out->size = 101;
    out->threads = 1;
    out->out = NULL;
    for (i = 1; i < argc; i += 2) {
        const char *option = argv[i], *value = argv[i + 1];
        int is_frames = strcmp(option, "--frames") == 0, is_size = strcmp(option, "--size") == 0;
        int is_threads = strcmp(option, "--threads") == 0, is_out = strcmp(option, "--out") == 0;

        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (!is_frames && !is_size && !is_threads && !is_out) {
            fprintf(stderr, "cloth: unknown option %s; see cloth --help\n", option);
            return -1;
        }
        if (value == NULL) {
            fprintf(stderr, "cloth: %s needs a value; see cloth --help\n", option);
            return -1;
        }
        if (is_out) {
            out->out = value;
            continue;
        }
        if (!parse_number(option, value, is_size ? 2 : 1, is_size ? 2000 : is_threads ? 1024 : 1000000, &number))
            return -1;
        if (is_frames)
            out->frames = number;
        else if (is_size)
            out->size = number;
        else
            out->threads = (uint32_t)number;
    }
    return 1;
}

/* Opens the file of the result before the work begins, so that nobody waits for a file that can't be written.
 * Returns its path, to be freed, or NULL. */
static char *open_result(const options *chosen, const char *program, FILE **out)
{
    const char *slash = strrchr(program, '/');
    const char *folder = chosen->out ? chosen->out : slash ? program : ".";
    size_t length = chosen->out || !slash ? strlen(folder) : (size_t)(slash - program) + 1;
    char *path = malloc(length + sizeof "/cloth.ply");

    if (path == NULL) {
        fprintf(stderr, "cloth: out of memory\n");
        return NULL;
    }
    memcpy(path, folder, length);
    path[length] = '\0';
    if (chosen->out && mkdir(path, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "cloth: %s: %s\n", path, strerror(errno));
        free(path);
        return NULL;
    }
    strcat(path, length > 0 && path[length - 1] == '/' ? "cloth.ply" : "/cloth.ply");
    *out = fopen(path, "wb");
    if (*out == NULL) {
        fprintf(stderr, "cloth: %s: %s\n", path, strerror(errno));
        free(path);
        return NULL;
    }
    return path;
}

/* Returns 0 if there is no memory for it. */
static int check(scene *scene)
{
    check_result result;

    if (!check_surfaces(&scene->sim.cloth, &scene->sim.ball, 0.5 * scene->sim.thickness, &result)) {
        fprintf(stderr, "cloth: out of memory\n");
        return 0;
    }
    if (result.intersections > 0)
        fprintf(stderr, "cloth: %zu pairs of triangles intersect after frame %zu\n", result.intersections,
                scene->sim.frame);
    report_add_check(&scene->report, &result);
    return 1;
}

static int run(scene *scene, const options *chosen)
{
    frame_report numbers;
    size_t frame;

    report_start(&scene->report, chosen->frames);
    if (!check(scene))
        return 0;
    for (frame = 1; frame <= chosen->frames; frame++) {
        if (!advance_frame(&scene->response, &scene->sim, &scene->detector, &numbers))
            return 0;
        if ((frame % CHECK_EVERY == 0 || frame == chosen->frames) && !check(scene))
            return 0;
        report_add_frame(&scene->report, frame, &numbers);
    }
    return 1;
}

enum { TOUCHES_BALL = 1, TOUCHES_CLOTH = 2 };

/* Finds out which vertices touch something where they are now: all vertices of features that are close. */
static int mark_touching(scene *scene, unsigned char *marks)
{
    const pccd_contact *contacts;
    detector_times times = {0};
    size_t count, i;
    int k;

    if (!detector_move_ball(&scene->detector, &scene->sim.ball) ||
        !detector_move_cloth(&scene->detector, &scene->sim.cloth) ||
        !detector_run(&scene->detector, scene->detector.near, &contacts, &count, &times))
        return 0;
    for (i = 0; i < count; i++) {
        const pccd_contact *c = &contacts[i];
        int first_count = c->kind == PCCD_VERTEX_FACE ? 1 : 2;
        int with_ball = c->mesh_a.id == scene->detector.ball.id || c->mesh_b.id == scene->detector.ball.id;

        for (k = 0; k < 4; k++)
            if ((k < first_count ? c->mesh_a : c->mesh_b).id == scene->detector.cloth.id)
                marks[c->vertices[k]] |= with_ball ? TOUCHES_BALL : TOUCHES_CLOTH;
    }
    return 1;
}

static int write_result(scene *scene, FILE *file, const char *path)
{
    static const colour by_mark[4] = {{226, 214, 188}, {214, 69, 38}, {38, 110, 214}, {148, 60, 170}};
    static const colour ball_stripes[2] = {{96, 104, 112}, {168, 176, 184}};
    const simulation *sim = &scene->sim;
    unsigned char *marks = calloc(sim->cloth.vertex_count, 1);
    colour *cloth = calloc(sim->cloth.vertex_count, sizeof *cloth);
    colour *ball = calloc(sim->ball.vertex_count, sizeof *ball);
    int good = marks && cloth && ball;
    size_t i;

    if (!good)
        fprintf(stderr, "cloth: out of memory\n");
    good = good && mark_touching(scene, marks);
    if (good) {
        for (i = 0; i < sim->cloth.vertex_count; i++)
            cloth[i] = by_mark[marks[i]];
        for (i = 0; i < sim->ball.vertex_count; i++)
            ball[i] = ball_stripes[(sim->ball_rest[i].x > 0) == (sim->ball_rest[i].z > 0)];
        good = ply_write(file, &sim->cloth, cloth, &sim->ball, ball);
        if (!good)
            fprintf(stderr, "cloth: %s: could not be written\n", path);
    }
    free(marks);
    free(cloth);
    free(ball);
    return good;
}

static int run_scene(const options *chosen, FILE *file, const char *path)
{
    scene scene;
    int good, status = EXIT_CANNOT_RUN;

    memset(&scene, 0, sizeof scene);
    good = simulation_create(&scene.sim, chosen->size) && response_create(&scene.response, &scene.sim);
    if (!good)
        fprintf(stderr, "cloth: out of memory\n");
    if (good) {
        printf("A cloth of %zu triangles falls on a ball of %zu, which then begins to spin.\n",
               scene.sim.cloth.triangle_count, scene.sim.ball.triangle_count);
        good = detector_create(&scene.detector, &scene.sim, chosen->threads, near_distance(&scene.sim)) &&
               run(&scene, chosen) && write_result(&scene, file, path);
    }
    if (good) {
        report_print(&scene.report, &scene.sim);
        printf("last frame     %s\n", path);
        status = scene.report.check.intersections > 0 ? EXIT_INTERSECTION : 0;
    }
    if (!detector_free(&scene.detector))
        status = EXIT_CANNOT_RUN;
    response_free(&scene.response);
    simulation_free(&scene.sim);
    return status;
}

int main(int argc, char **argv)
{
    options chosen;
    FILE *file;
    char *path;
    int status = parse_options(argc, argv, &chosen);

    if (status <= 0)
        return status == 0 ? 0 : EXIT_CANNOT_RUN;
    path = open_result(&chosen, argc > 0 ? argv[0] : "", &file);
    if (path == NULL)
        return EXIT_CANNOT_RUN;
    status = run_scene(&chosen, file, path);
    if (fclose(file) != 0) {
        fprintf(stderr, "cloth: %s: could not be written\n", path);
        status = EXIT_CANNOT_RUN;
    }
    free(path);
    if (fflush(stdout) != 0)
        status = EXIT_CANNOT_RUN;
    return status;
}
