/*
 * A first look at libpccd: does a moving point hit a triangle, and when?
 *
 * Continuous collision detection asks about everything that happens between two frames. Each of the four
 * points involved (one vertex, three corners of a face) moves in a straight line from where it is at time
 * t = 0 to where it is at time t = 1. A fast point that is above the triangle in one frame and below it in
 * the next is found, although it touches the triangle in neither.
 *
 * Build and run:   make -C examples_c && examples_c/build/hello
 */
#include <pccd.h>

#include <stdio.h>

/* Every function of the library returns a status: 0 is success, a negative value an error. After an error,
 * pccd_last_error() has a sentence that names the argument and what is wrong with it. */
static int failed(const char *function, pccd_status status)
{
    if (status >= PCCD_OK)
        return 0;
    fprintf(stderr, "hello: %s failed with %s: %s\n", function, pccd_status_name(status), pccd_last_error());
    return 1;
}

static void print_result(const char *title, const pccd_ccd_result *result)
{
    printf("%s\n", title);
    if (!(result->flags & PCCD_CCD_HIT)) {
        printf("  no collision between t=0 and t=1: this is certain, not a guess\n");
        return;
    }
    /* The first contact lies in this bracket. Moving everything to t = toi_lower is safe: nothing has
     * passed through anything by then. */
    printf("  first contact at a time in [%.9f, %.9f]\n", result->toi_lower, result->toi_upper);
    if (result->flags & PCCD_CCD_AT_START)
        printf("  (they touch already at t=0)\n");
    /* One weight for each of the four points, in the order in which they were given. The vertex always has
     * weight 1; the contact point on the face is w0*f0 + w1*f1 + w2*f2, and w0 + w1 + w2 = 1. */
    printf("  contact point on the face: %.3f*f0 + %.3f*f1 + %.3f*f2\n", result->weights[1],
           result->weights[2], result->weights[3]);
    /* A unit vector that points from the face towards the vertex: the direction in which to push it back. */
    printf("  contact normal: (%.3f, %.3f, %.3f)\n", result->normal[0], result->normal[1],
           result->normal[2]);
}

int main(void)
{
    /* Two queries of eight points each: v f0 f1 f2 at t=0, then the same four at t=1. The triangle lies
     * still on the floor (z = 0). The first vertex falls through it, the second falls beside it. */
    static const double points[2 * 8][3] = {
        /* falls through the triangle */
        {0.25, 0.25, 1.0},  {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, /* t = 0 */
        {0.25, 0.25, -3.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, /* t = 1 */
        /* falls beside it */
        {0.75, 0.75, 1.0},  {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, /* t = 0 */
        {0.75, 0.75, -3.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, /* t = 1 */
    };
    pccd_ccd_result results[2];
    pccd_context_def def;
    pccd_context *context = NULL;
    pccd_view positions = {0};
    int failures = 0;

    /* 1. A context holds what the library needs: its threads, memory and log. Fill the definition with
     *    defaults first, then change what you like. Giving the size of the struct lets a program that was
     *    built with an older header keep working with a newer library. */
    if (failed("pccd_context_def_init", pccd_context_def_init(&def, sizeof def)))
        return 1;
    def.abi_version = PCCD_ABI_VERSION; /* have creation fail, should header and library not fit together */
    def.thread_count = 1;               /* with 1 the library creates no threads of its own */
    if (failed("pccd_context_create", pccd_context_create(&def, &context)))
        return 1;

    /* 2. A view tells where your numbers are; the library reads them in place and keeps nothing. A stride
     *    of 0 means that one point follows the other without a gap. */
    positions.data = points;
    positions.count = 2 * 8;
    positions.stride = 0;
    positions.format = PCCD_FORMAT_F64X3;

    /* 3. Ask. NULL settings are the defaults: the exact test, with a time bracket no wider than 1e-6. */
    if (failed("pccd_ccd_batch", pccd_ccd_batch(context, PCCD_VERTEX_FACE, &positions, 2, NULL, results))) {
        failures++;
    } else {
        print_result("a vertex that falls through a triangle:", &results[0]);
        print_result("a vertex that falls beside it:", &results[1]);
    }

    /* 4. Give everything back. */
    failures += failed("pccd_context_destroy", pccd_context_destroy(context));
    return failures ? 1 : 0;
}
