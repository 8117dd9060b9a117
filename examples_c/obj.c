/*
 * Wavefront OBJ: the vertices (v) and faces (f) of a file. Everything else that the format knows is passed
 * over; what it doesn't know is an error, as a file that is something else should not be read as half a mesh.
 */
#include "mesh_file.h"

#include <math.h>
#include <string.h>

typedef struct scanner {
    const char *name;
    const char *at, *end;
    size_t line;
} scanner;

/* Bytes of an end of line at `at`: "\n", "\r\n" or "\r". 0 if there is none. */
static size_t line_end(const scanner *in, const char *at)
{
    if (at == in->end)
        return 0;
    if (*at == '\r')
        return at + 1 < in->end && at[1] == '\n' ? 2 : 1;
    return *at == '\n';
}

/* Bytes of a backslash and the end of line that it hides. */
static size_t continuation(const scanner *in, const char *at)
{
    size_t length = at < in->end && *at == '\\' ? line_end(in, at + 1) : 0;

    return length ? length + 1 : 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* The next word of the statement. Of length 0 at its end, which is left where it is. */
static text next_word(scanner *in)
{
    text word;
    size_t hidden;

    while ((hidden = continuation(in, in->at)) > 0 || (in->at < in->end && is_blank(*in->at))) {
        in->line += hidden > 0;
        in->at += hidden ? hidden : 1;
    }
    word.start = in->at;
    while (in->at < in->end && !is_blank(*in->at) && *in->at != '#' && !line_end(in, in->at) &&
           !continuation(in, in->at))
        in->at++;
    word.length = (size_t)(in->at - word.start);
    return word;
}

/* Goes to the beginning of the next statement. A comment ends with its line: a backslash there is part of the
 * comment, such as the last one of a path. */
static void finish_statement(scanner *in)
{
    int comment = 0;
    size_t length;

    while (in->at < in->end) {
        if ((length = line_end(in, in->at)) > 0) {
            in->at += length;
            in->line++;
            return;
        }
        comment |= *in->at == '#';
        length = comment ? 0 : continuation(in, in->at);
        in->line += length > 0;
        in->at += length ? length : 1;
    }
}

static int is(text word, const char *wanted)
{
    return word.length == strlen(wanted) && memcmp(word.start, wanted, word.length) == 0;
}

/* x y z, and after them any numbers: a weight, a colour. */
static int parse_vertex(scanner *in, mesh_data *mesh)
{
    double position[3], number;
    char quoted[QUOTED_SIZE];
    size_t count = 0, i;
    text word;

    for (word = next_word(in); word.length > 0; word = next_word(in)) {
        if (!parse_real(word, 0, &number))
            return complain("%s:%zu: not a number: %s", in->name, in->line, quote(word, quoted));
        if (count < 3)
            position[count++] = number;
    }
    if (count < 3)
        return complain("%s:%zu: a vertex has %zu coordinates instead of 3", in->name, in->line, count);
    for (i = 0; i < 3; i++)
        if (!isfinite(position[i]))
            return complain("%s:%zu: %c is not finite", in->name, in->line, "xyz"[i]);
    if (mesh->vertex_count == MAX_VERTICES)
        return complain("%s:%zu: more than %lu vertices", in->name, in->line, (unsigned long)MAX_VERTICES);
    return mesh_add_vertex(mesh, position);
}

/* Splits v, v/vt, v//vn or v/vt/vn. Returns whether it is one of them. */
static int parse_corner(text word, int64_t *vertex)
{
    text parts[3];
    size_t count = 0, start = 0, i;
    int64_t ignored;

    for (i = 0; i <= word.length; i++) {
        if (i < word.length && word.start[i] != '/')
            continue;
        if (count == 3)
            return 0;
        parts[count].start = word.start + start;
        parts[count++].length = i - start;
        start = i + 1;
    }
    if (!parse_integer(parts[0], vertex))
        return 0;
    if (count == 2)
        return parse_integer(parts[1], &ignored);
    return count == 1 ||
           ((parts[1].length == 0 || parse_integer(parts[1], &ignored)) && parse_integer(parts[2], &ignored));
}

/* A face may be given before its vertices. So whether they are there is known at the end of the file. */
typedef struct highest_index {
    uint32_t index;
    size_t line;
} highest_index;

static int parse_face(scanner *in, mesh_data *mesh, highest_index *highest)
{
    fan polygon = {0, 0, 0};
    char quoted[QUOTED_SIZE];
    int64_t vertex = 0;
    text word;

    for (word = next_word(in); word.length > 0; word = next_word(in)) {
        if (!parse_corner(word, &vertex))
            return complain("%s:%zu: not a corner of a face: %s", in->name, in->line, quote(word, quoted));
        if (vertex == 0)
            return complain("%s:%zu: vertex 0: they are counted from 1", in->name, in->line);
        if (vertex < 0 && vertex < -(int64_t)mesh->vertex_count)
            return complain("%s:%zu: vertex %lld, but there are only %zu up to here", in->name, in->line,
                            (long long)vertex, mesh->vertex_count);
        if (vertex > (int64_t)MAX_VERTICES)
            return complain("%s:%zu: vertex %s is out of range", in->name, in->line, quote(word, quoted));
        vertex = vertex < 0 ? vertex + (int64_t)mesh->vertex_count : vertex - 1;
        if (highest->line == 0 || vertex > (int64_t)highest->index) {
            highest->index = (uint32_t)vertex;
            highest->line = in->line;
        }
        if (!fan_add(&polygon, mesh, (uint32_t)vertex))
            return 0;
    }
    if (polygon.corners < 3)
        return complain("%s:%zu: a face has %zu corners", in->name, in->line, polygon.corners);
    return 1;
}

/* Whether a statement is one of the others that the format has. */
static int is_other_statement(text word)
{
    static const char *const others[] = {
        "vt",     "vn",       "vp",       "g",      "o",      "s",    "mg",         "l",         "p",
        "usemtl", "mtllib",   "usemap",   "maplib", "cstype", "deg",  "bmat",       "step",      "curv",
        "curv2",  "surf",     "parm",     "trim",   "hole",   "scrv", "sp",         "end",       "con",
        "bevel",  "c_interp", "d_interp", "lod",    "ctech",  "stech", "shadow_obj", "trace_obj", "call",
        "csh",
    };
    size_t i;

    for (i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is(word, others[i]))
            return 1;
    return 0;
}

int obj_parse(const bytes *content, mesh_data *mesh)
{
    scanner in;
    highest_index highest = {0, 0};
    char quoted[QUOTED_SIZE];

    in.name = mesh->name;
    in.at = content->data;
    in.end = content->data + content->size;
    in.line = 1;
    while (in.at < in.end) {
        text statement = next_word(&in);
        int good = 1;

        if (is(statement, "v"))
            good = parse_vertex(&in, mesh);
        else if (is(statement, "f") || is(statement, "fo"))
            good = parse_face(&in, mesh, &highest);
        else if (statement.length > 0 && !is_other_statement(statement))
            good = complain("%s:%zu: unknown statement: %s", in.name, in.line, quote(statement, quoted));
        if (!good)
            return 0;
        finish_statement(&in);
    }
    if (highest.line > 0 && highest.index >= mesh->vertex_count)
        return complain("%s:%zu: vertex %lu, but there are only %zu", in.name, highest.line,
                        (unsigned long)highest.index + 1, mesh->vertex_count);
    return 1;
}
