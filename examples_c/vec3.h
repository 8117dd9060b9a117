/* Three doubles, and what is done with them. */
#ifndef VEC3_H
#define VEC3_H

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec(double x, double y, double z)
{
    vec3 result = {x, y, z};

    return result;
}

static inline vec3 add(vec3 a, vec3 b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 sub(vec3 a, vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 scale(vec3 a, double factor)
{
    return vec(a.x * factor, a.y * factor, a.z * factor);
}

/* a + factor * b */
static inline vec3 add_scaled(vec3 a, double factor, vec3 b)
{
    return vec(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z);
}

static inline double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 cross(vec3 a, vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double length(vec3 a)
{
    return sqrt(dot(a, a));
}

#endif
