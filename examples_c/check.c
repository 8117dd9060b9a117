/*
 * Two triangles are apart if there is a direction along which all of one comes before all of the other. For
 * triangles that are apart, one of a few directions will do: the normals, the cross products of edges, and, if
 * they lie in a plane, the perpendiculars of edges in it. Distances along a direction are computed with doubles,
 * and what rounding may have done to them is subtracted: a pair that passes is apart for certain, and one that
 * doesn't is counted as an intersection.
 *
 * Neighbours need more care, for they do touch. Two triangles with one common vertex meet elsewhere only if the
 * edge of one that is opposite the vertex meets the other triangle. Two with a common edge overlap only if they
 * are folded flat onto each other.
 */
#include "check.h"

#include <float.h>
#include <stdlib.h>

typedef struct boxed {
    double lower[3], upper[3];
    uint32_t triangle;
    int is_ball;
} boxed;

/* A point, a segment or a triangle. */
typedef struct shape {
    vec3 points[3];
    int count;
} shape;

static vec3 largest_coordinates(const shape *a, const shape *b)
{
    vec3 result = vec(0, 0, 0);
    int i;

    for (i = 0; i < a->count + b->count; i++) {
        vec3 point = i < a->count ? a->points[i] : b->points[i - a->count];

        result = vec(fmax(result.x, fabs(point.x)), fmax(result.y, fabs(point.y)),
                     fmax(result.z, fabs(point.z)));
    }
    return result;
}

/* How far the shapes are apart along an axis, at least; negative if it separates them not for certain. */
static double gap_along(vec3 axis, const shape *a, const shape *b, vec3 largest)
{
    double a_low = HUGE_VAL, a_high = -HUGE_VAL, b_low = HUGE_VAL, b_high = -HUGE_VAL;
    double norm = length(axis);
    double error = 8 * DBL_EPSILON *
                   (fabs(axis.x) * largest.x + fabs(axis.y) * largest.y + fabs(axis.z) * largest.z);
    int i;

    if (!(norm > 0))
        return -HUGE_VAL;
    for (i = 0; i < a->count; i++) {
        double along = dot(axis, a->points[i]);

        a_low = fmin(a_low, along);
        a_high = fmax(a_high, along);
    }
    for (i = 0; i < b->count; i++) {
        double along = dot(axis, b->points[i]);

        b_low = fmin(b_low, along);
        b_high = fmax(b_high, along);
    }
    return (fmax(a_low - b_high, b_low - a_high) - error) / norm * (1 - 8 * DBL_EPSILON);
}

static vec3 edge_of(const shape *s, int i)
{
    return sub(s->points[(i + 1) % s->count], s->points[i]);
}

/* The widest gap along the directions that matter; positive if the shapes are apart for certain. */
static double certain_gap(const shape *a, const shape *b)
{
    vec3 largest = largest_coordinates(a, b);
    int a_edges = a->count == 3 ? 3 : 1, b_edges = b->count == 3 ? 3 : 1, i, j;
    double best = -HUGE_VAL;

    for (i = 0; i < 2; i++) {
        const shape *triangle = i ? b : a;
        vec3 normal;

        if (triangle->count != 3)
            continue;
        normal = cross(edge_of(triangle, 0), edge_of(triangle, 1));
        best = fmax(best, gap_along(normal, a, b, largest));
        for (j = 0; j < 3; j++)
            best = fmax(best, gap_along(cross(normal, edge_of(triangle, j)), a, b, largest));
    }
    for (i = 0; i < a_edges; i++)
        for (j = 0; j < b_edges; j++)
            best = fmax(best, gap_along(cross(edge_of(a, i), edge_of(b, j)), a, b, largest));
    return best;
}

/* The triangles a b c and a b d: on different sides of the edge, or not in a plane. */
static int fold_is_open(vec3 a, vec3 b, vec3 c, vec3 d)
{
    vec3 ab = sub(b, a), ac = sub(c, a), ad = sub(d, a);
    double size = length(ab) * length(ac) * length(ad);

    if (fabs(dot(cross(ab, ac), ad)) > 32 * DBL_EPSILON * size)
        return 1;
    return dot(cross(ab, ac), cross(ab, ad)) < -64 * DBL_EPSILON * size * length(ab);
}

/* Sets the gap only for triangles without a common vertex. */
static int are_apart(const vec3 *a_positions, const uint32_t *a, const vec3 *b_positions, const uint32_t *b,
                     int same_surface, double *gap)
{
    uint32_t a_own[3], b_own[3], shared[3];
    int a_count = 0, b_count = 0, shared_count = 0, i;
    shape first, second, part;

    for (i = 0; i < 3; i++) {
        int in_b = same_surface && (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]);
        int in_a = same_surface && (b[i] == a[0] || b[i] == a[1] || b[i] == a[2]);

        if (in_b)
            shared[shared_count++] = a[i];
        else
            a_own[a_count++] = a[i];
        if (!in_a)
            b_own[b_count++] = b[i];
        first.points[i] = a_positions[a[i]];
        second.points[i] = b_positions[b[i]];
    }
    first.count = second.count = 3;
    if (shared_count == 0) {
        *gap = certain_gap(&first, &second);
        return *gap > 0;
    }
    if (shared_count == 1) {
        part.count = 2;
        part.points[0] = a_positions[a_own[0]];
        part.points[1] = a_positions[a_own[1]];
        if (!(certain_gap(&part, &second) > 0))
            return 0;
        part.points[0] = b_positions[b_own[0]];
        part.points[1] = b_positions[b_own[1]];
        return certain_gap(&part, &first) > 0;
    }
    return shared_count == 2 && fold_is_open(a_positions[shared[0]], a_positions[shared[1]],
                                             a_positions[a_own[0]], b_positions[b_own[0]]);
}

static void box_triangles(const surface *surface, int is_ball, double margin, boxed *out)
{
    size_t i;
    int k;

    for (i = 0; i < surface->triangle_count; i++) {
        vec3 a = surface->positions[surface->triangles[i][0]], b = surface->positions[surface->triangles[i][1]],
             c = surface->positions[surface->triangles[i][2]];
        double points[3][3] = {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};

        for (k = 0; k < 3; k++) {
            out[i].lower[k] = fmin(points[k][0], fmin(points[k][1], points[k][2])) - margin;
            out[i].upper[k] = fmax(points[k][0], fmax(points[k][1], points[k][2])) + margin;
        }
        out[i].triangle = (uint32_t)i;
        out[i].is_ball = is_ball;
    }
}

static int by_lower_x(const void *first, const void *second)
{
    const boxed *a = first, *b = second;

    return (a->lower[0] > b->lower[0]) - (a->lower[0] < b->lower[0]);
}

int check_surfaces(const surface *cloth, const surface *ball, double reach, check_result *out)
{
    size_t count = cloth->triangle_count + ball->triangle_count, i, j;
    boxed *boxes = calloc(count, sizeof *boxes);

    out->pairs = 0;
    out->intersections = 0;
    out->narrowest = reach;
    if (boxes == NULL)
        return 0;
    box_triangles(cloth, 0, 0.5 * reach, boxes);
    box_triangles(ball, 1, 0.5 * reach, boxes + cloth->triangle_count);
    /* Sorted by their lower x, the boxes that a box may overlap follow it, up to its upper x. */
    qsort(boxes, count, sizeof *boxes, by_lower_x);
    for (i = 0; i < count; i++)
        for (j = i + 1; j < count && boxes[j].lower[0] <= boxes[i].upper[0]; j++) {
            const boxed *a = &boxes[i], *b = &boxes[j];
            const surface *a_of = a->is_ball ? ball : cloth, *b_of = b->is_ball ? ball : cloth;
            double gap = reach;

            if (a->lower[1] > b->upper[1] || b->lower[1] > a->upper[1] || a->lower[2] > b->upper[2] ||
                b->lower[2] > a->upper[2] || (a->is_ball && b->is_ball))
                continue;
            out->pairs++;
            if (!are_apart(a_of->positions, a_of->triangles[a->triangle], b_of->positions,
                           b_of->triangles[b->triangle], a_of == b_of, &gap)) {
                out->intersections++;
                gap = 0;
            }
            out->narrowest = fmin(out->narrowest, gap);
        }
    free(boxes);
    return 1;
}
