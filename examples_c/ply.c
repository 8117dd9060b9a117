/*
 * PLY, all three formats of it. The vertices have x, y and z of any scalar type, the faces a list
 * `vertex_indices` or `vertex_index` of any integer types. All other elements and properties are passed over.
 *
 * A file says in its header how much of everything follows. Nothing is allocated on its word: the mesh grows
 * with the data that is really there.
 */
#include "mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a header describes ---- */

typedef struct scalar {
    const char *names[2];
    char family; /* 'i'nteger, 'u'nsigned integer or 'f'loating point */
    unsigned size;
} scalar;

static const scalar scalars[] = {
    {{"char", "int8"}, 'i', 1},      {{"uchar", "uint8"}, 'u', 1},   {{"short", "int16"}, 'i', 2},
    {{"ushort", "uint16"}, 'u', 2},  {{"int", "int32"}, 'i', 4},     {{"uint", "uint32"}, 'u', 4},
    {{"float", "float32"}, 'f', 4},  {{"double", "float64"}, 'f', 8}, {{"int64", "long"}, 'i', 8},
    {{"uint64", "ulong"}, 'u', 8},
};

/* What to do with the values of a property. */
typedef enum role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS, ROLE_NONE } role;

typedef struct property {
    const scalar *count_type; /* of a list; NULL if it is none */
    const scalar *type;
    role role;
} property;

typedef struct element {
    text name;
    uint64_t count;
    int is_vertex, is_face;
    size_t first_property, property_count;
} element;

typedef enum format { FORMAT_NONE, FORMAT_ASCII, FORMAT_LITTLE_ENDIAN, FORMAT_BIG_ENDIAN } format;

/* The header, and the place in the file that has been reached. */
typedef struct reader {
    const char *name;
    const char *begin, *at, *end;
    char line_end; /* '\r' in a file that has nothing else, otherwise '\n' */
    size_t line;   /* number of the one that was taken last */
    text rest;     /* of this line */
    format format;
    element *elements;
    size_t element_count, element_capacity;
    property *properties; /* of all elements */
    size_t property_count, property_capacity;
    uint64_t vertex_count;
    int has_vertices, has_faces;
    char found[QUOTED_SIZE]; /* what was found in the wrong place, for a message; may be empty */
    mesh_data *mesh;
} reader;

/* ---- lines and words ---- */

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/* Takes the next line, if there is one. */
static int next_line(reader *in)
{
    const char *stop;

    if (in->at == in->end)
        return 0;
    stop = memchr(in->at, in->line_end, (size_t)(in->end - in->at));
    in->rest.start = in->at;
    in->rest.length = (size_t)((stop ? stop : in->end) - in->at);
    in->at = stop ? stop + 1 : in->end;
    in->line++;
    return 1;
}

/* The next word of the line. Of length 0 at its end. */
static text next_word(reader *in)
{
    text word;

    while (in->rest.length > 0 && is_space(*in->rest.start)) {
        in->rest.start++;
        in->rest.length--;
    }
    word.start = in->rest.start;
    while (in->rest.length > 0 && !is_space(*in->rest.start)) {
        in->rest.start++;
        in->rest.length--;
    }
    word.length = (size_t)(in->rest.start - word.start);
    return word;
}

static int is(text word, const char *wanted)
{
    return word.length == strlen(wanted) && memcmp(word.start, wanted, word.length) == 0;
}

/* ---- the header ---- */

static int parse_format(reader *in)
{
    text name = next_word(in), version = next_word(in);
    char quoted[QUOTED_SIZE];

    if (in->format != FORMAT_NONE)
        return complain("%s:%zu: a second format", in->name, in->line);
    if (is(name, "ascii"))
        in->format = FORMAT_ASCII;
    else if (is(name, "binary_little_endian"))
        in->format = FORMAT_LITTLE_ENDIAN;
    else if (is(name, "binary_big_endian"))
        in->format = FORMAT_BIG_ENDIAN;
    else
        return complain("%s:%zu: unknown format %s", in->name, in->line, quote(name, quoted));
    if (!is(version, "1.0"))
        return complain("%s:%zu: version %s instead of 1.0", in->name, in->line, quote(version, quoted));
    return 1;
}

static int parse_element(reader *in)
{
    element added, *elements;
    text count;
    int64_t number = 0;
    char quoted[QUOTED_SIZE];

    memset(&added, 0, sizeof added);
    added.name = next_word(in);
    count = next_word(in);
    if (added.name.length == 0)
        return complain("%s:%zu: an element without a name", in->name, in->line);
    if (!parse_integer(count, &number) || number < 0)
        return complain("%s:%zu: not a number of elements: %s", in->name, in->line, quote(count, quoted));
    added.count = (uint64_t)number;
    added.first_property = in->property_count;
    added.is_vertex = is(added.name, "vertex");
    added.is_face = is(added.name, "face");
    if ((added.is_vertex && in->has_vertices) || (added.is_face && in->has_faces))
        return complain("%s:%zu: a second element %s", in->name, in->line, quote(added.name, quoted));
    if (added.is_vertex) {
        if (added.count > MAX_VERTICES)
            return complain("%s:%zu: more than %lu vertices", in->name, in->line,
                            (unsigned long)MAX_VERTICES);
        in->vertex_count = added.count;
        in->has_vertices = 1;
    }
    in->has_faces |= added.is_face;
    elements = room_for_one(in->elements, in->element_count, &in->element_capacity, sizeof added);
    if (elements == NULL)
        return complain("%s: out of memory", in->name);
    in->elements = elements;
    elements[in->element_count++] = added;
    return 1;
}

/* NULL, after saying so, if there is no such type. */
static const scalar *parse_type(reader *in, text word)
{
    char quoted[QUOTED_SIZE];
    size_t i;

    for (i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        if (is(word, scalars[i].names[0]) || is(word, scalars[i].names[1]))
            return &scalars[i];
    complain("%s:%zu: unknown type %s", in->name, in->line, quote(word, quoted));
    return NULL;
}

/* Finds out what a property is for. Says what is wrong and returns 0 if it can't be used for that. */
static int find_role(const reader *in, const element *owner, text name, property *added)
{
    char quoted[QUOTED_SIZE];
    size_t i;

    added->role = ROLE_NONE;
    if (owner->is_vertex && name.length == 1 && *name.start >= 'x' && *name.start <= 'z') {
        added->role = (role)(ROLE_X + (*name.start - 'x'));
        if (added->count_type != NULL)
            return complain("%s:%zu: %s of a vertex is a list", in->name, in->line, quote(name, quoted));
    }
    if (owner->is_face && (is(name, "vertex_indices") || is(name, "vertex_index"))) {
        added->role = ROLE_CORNERS;
        if (added->count_type == NULL || added->type->family == 'f')
            return complain("%s:%zu: %s is not a list of integers", in->name, in->line, quote(name, quoted));
    }
    for (i = 0; added->role != ROLE_NONE && i < owner->property_count; i++)
        if (in->properties[owner->first_property + i].role == added->role)
            return complain("%s:%zu: a second property %s", in->name, in->line, quote(name, quoted));
    return 1;
}

static int parse_property(reader *in)
{
    text word = next_word(in);
    element *owner;
    property added, *properties;
    char quoted[QUOTED_SIZE];

    if (in->element_count == 0)
        return complain("%s:%zu: a property before the first element", in->name, in->line);
    owner = &in->elements[in->element_count - 1];
    added.count_type = NULL;
    if (is(word, "list")) {
        word = next_word(in);
        added.count_type = parse_type(in, word);
        if (added.count_type == NULL)
            return 0;
        if (added.count_type->family == 'f')
            return complain("%s:%zu: a list can't have a length of type %s", in->name, in->line,
                            quote(word, quoted));
        word = next_word(in);
    }
    added.type = parse_type(in, word);
    if (added.type == NULL)
        return 0;
    word = next_word(in);
    if (word.length == 0)
        return complain("%s:%zu: a property without a name", in->name, in->line);
    if (!find_role(in, owner, word, &added))
        return 0;
    properties = room_for_one(in->properties, in->property_count, &in->property_capacity, sizeof added);
    if (properties == NULL)
        return complain("%s: out of memory", in->name);
    in->properties = properties;
    properties[in->property_count++] = added;
    owner->property_count++;
    return 1;
}

static int has_role(const reader *in, const element *owner, role wanted)
{
    size_t i;

    for (i = 0; i < owner->property_count; i++)
        if (in->properties[owner->first_property + i].role == wanted)
            return 1;
    return 0;
}

/* Called on the line `end_header`: is all there that a mesh needs? */
static int check_header(const reader *in)
{
    size_t i;
    int axis;

    if (in->format == FORMAT_NONE)
        return complain("%s:%zu: the header has no format", in->name, in->line);
    if (!in->has_vertices)
        return complain("%s:%zu: the header has no element 'vertex'", in->name, in->line);
    if (!in->has_faces)
        return complain("%s:%zu: the header has no element 'face'", in->name, in->line);
    for (i = 0; i < in->element_count; i++) {
        const element *current = &in->elements[i];

        for (axis = 0; current->is_vertex && axis < 3; axis++)
            if (!has_role(in, current, (role)(ROLE_X + axis)))
                return complain("%s:%zu: the vertices have no property '%c'", in->name, in->line,
                                "xyz"[axis]);
        if (current->is_face && !has_role(in, current, ROLE_CORNERS))
            return complain("%s:%zu: the faces have no list 'vertex_indices'", in->name, in->line);
    }
    return 1;
}

/* Takes all lines up to `end_header`. */
static int parse_header(reader *in)
{
    const char *carriage_return = memchr(in->at, '\r', (size_t)(in->end - in->at));
    const char *newline = memchr(in->at, '\n', (size_t)(in->end - in->at));
    char quoted[QUOTED_SIZE];

    /* Only the first line decides: further on, either may be part of binary data. */
    in->line_end = '\n';
    if (carriage_return != NULL && (newline == NULL || newline > carriage_return + 1))
        in->line_end = '\r';
    if (!next_line(in) || !is(next_word(in), "ply"))
        return complain("%s:1: not a PLY file: the first line is not 'ply'", in->name);
    while (next_line(in)) {
        text keyword = next_word(in);
        int good = 1;

        if (is(keyword, "end_header"))
            return check_header(in);
        if (is(keyword, "format"))
            good = parse_format(in);
        else if (is(keyword, "element"))
            good = parse_element(in);
        else if (is(keyword, "property"))
            good = parse_property(in);
        else if (is(keyword, "comment") || is(keyword, "obj_info"))
            in->rest.length = 0;
        else if (keyword.length > 0)
            good = complain("%s:%zu: unknown word in the header: %s", in->name, in->line,
                            quote(keyword, quoted));
        if (!good)
            return 0;
        keyword = next_word(in);
        if (keyword.length > 0)
            return complain("%s:%zu: more than expected: %s", in->name, in->line, quote(keyword, quoted));
    }
    return complain("%s:%zu: the file ends within the header", in->name, in->line);
}

/* ---- values ---- */

/* Says where in the file something is wrong, and what: something about a row of an element. */
static int complain_here(const reader *in, const element *owner, uint64_t row, const char *what)
{
    char place[32], quoted[QUOTED_SIZE];

    if (in->format == FORMAT_ASCII)
        snprintf(place, sizeof place, "%zu", in->line);
    else
        snprintf(place, sizeof place, " byte %zu", (size_t)(in->at - in->begin));
    return complain("%s:%s: element %s number %llu: %s%s%s", in->name, place, quote(owner->name, quoted),
                    (unsigned long long)row, what, in->found[0] ? ": " : "", in->found);
}

/* The bits of a binary value, which is there: the caller has made sure. */
static uint64_t take_bits(reader *in, unsigned size)
{
    uint64_t bits = 0;
    unsigned i;

    for (i = 0; i < size; i++)
        bits = bits << 8 | (unsigned char)in->at[in->format == FORMAT_BIG_ENDIAN ? i : size - 1 - i];
    in->at += size;
    return bits;
}

static int64_t to_signed(uint64_t bits, unsigned size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);

    /* Without relying on what a conversion of numbers that don't fit does. */
    return (bits & sign) ? -(int64_t)(~(bits | ~(sign | (sign - 1)))) - 1 : (int64_t)bits;
}

static int fits(int64_t value, const scalar *type)
{
    int64_t limit;

    if (type->size == 8)
        return type->family == 'i' || value >= 0;
    limit = (int64_t)1 << (type->family == 'i' ? 8 * type->size - 1 : 8 * type->size);
    return value < limit && value >= (type->family == 'i' ? -limit : 0);
}

static const char *const TOO_SHORT = "the line is too short";
static const char *const CUT_OFF = "the file ends before its data does";

/* A word of a line that can't be what it should. */
static const char *bad_word(reader *in, text word, const char *what)
{
    quote(word, in->found);
    return what;
}

static const char *bad_number(reader *in, int64_t number, const char *what)
{
    snprintf(in->found, sizeof in->found, "%lld", (long long)number);
    return what;
}

/* What is wrong with the next value, or NULL. An unsigned one that doesn't fit becomes the largest. */
static const char *take_integer(reader *in, const scalar *type, int64_t *out)
{
    uint64_t bits;

    if (in->format == FORMAT_ASCII) {
        text word = next_word(in);

        if (word.length == 0)
            return TOO_SHORT;
        if (!parse_integer(word, out))
            return bad_word(in, word, "not an integer");
        return fits(*out, type) ? NULL : bad_word(in, word, "an integer that its type can't hold");
    }
    if ((size_t)(in->end - in->at) < type->size)
        return CUT_OFF;
    bits = take_bits(in, type->size);
    if (type->family == 'i')
        *out = to_signed(bits, type->size);
    else
        *out = bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    return NULL;
}

static const char *take_real(reader *in, const scalar *type, double *out)
{
    const char *wrong;
    uint64_t bits;
    uint32_t half;
    int64_t integer = 0;
    float single;

    if (type->family != 'f') {
        wrong = take_integer(in, type, &integer);
        *out = (double)integer;
        return wrong;
    }
    if (in->format == FORMAT_ASCII) {
        text word = next_word(in);

        if (word.length == 0)
            return TOO_SHORT;
        return parse_real(word, type->size == 4, out) ? NULL : bad_word(in, word, "not a number");
    }
    if ((size_t)(in->end - in->at) < type->size)
        return CUT_OFF;
    bits = take_bits(in, type->size);
    if (type->size == 4) {
        half = (uint32_t)bits;
        memcpy(&single, &half, sizeof single);
        *out = single;
    } else {
        memcpy(out, &bits, sizeof *out);
    }
    return NULL;
}

/* Passes over values that nobody needs. */
static const char *skip(reader *in, const scalar *type, uint64_t count)
{
    double ignored;
    text word;

    if (in->format != FORMAT_ASCII) {
        if (count > (uint64_t)(in->end - in->at) / type->size)
            return CUT_OFF;
        in->at += (size_t)count * type->size;
        return NULL;
    }
    for (; count > 0; count--) {
        word = next_word(in);
        if (word.length == 0)
            return TOO_SHORT;
        if (!parse_real(word, 0, &ignored))
            return bad_word(in, word, "not a number");
    }
    return NULL;
}

/* ---- the data ---- */

static const char *const NO_MEMORY = "out of memory";

/* The corners of a face. */
static const char *take_corners(reader *in, const property *list, uint64_t count)
{
    fan polygon = {0, 0, 0};
    const char *wrong;
    int64_t corner = 0;

    if (count < 3)
        return bad_number(in, (int64_t)count, "a face with less than 3 corners");
    for (; count > 0; count--) {
        wrong = take_integer(in, list->type, &corner);
        if (wrong != NULL)
            return wrong;
        if (corner < 0 || (uint64_t)corner >= in->vertex_count)
            return bad_number(in, corner, "a vertex index that is out of range");
        if (!fan_add(&polygon, in->mesh, (uint32_t)corner))
            return NO_MEMORY;
    }
    return NULL;
}

/* One property of one row. */
static const char *take_property(reader *in, const property *current, double position[3])
{
    const char *wrong;
    int64_t count = 0;

    if (current->count_type != NULL) {
        wrong = take_integer(in, current->count_type, &count);
        if (wrong != NULL)
            return wrong;
        if (count < 0)
            return bad_number(in, count, "a list of negative length");
        if (current->role == ROLE_CORNERS)
            return take_corners(in, current, (uint64_t)count);
        return skip(in, current->type, (uint64_t)count);
    }
    if (current->role == ROLE_NONE)
        return skip(in, current->type, 1);
    wrong = take_real(in, current->type, &position[current->role - ROLE_X]);
    if (wrong == NULL && !isfinite(position[current->role - ROLE_X]))
        return "a coordinate that is not finite";
    return wrong;
}

/* One row: in a text file a line. */
static const char *take_row(reader *in, const element *owner)
{
    double position[3] = {0, 0, 0};
    const char *wrong;
    text word;
    size_t i;

    if (in->format == FORMAT_ASCII) {
        do {
            if (!next_line(in))
                return CUT_OFF;
            word = next_word(in);
        } while (word.length == 0);
        in->rest.length += (size_t)(in->rest.start - word.start);
        in->rest.start = word.start;
    }
    for (i = 0; i < owner->property_count; i++) {
        wrong = take_property(in, &in->properties[owner->first_property + i], position);
        if (wrong != NULL)
            return wrong;
    }
    if (in->format == FORMAT_ASCII && next_word(in).length > 0)
        return "the line is too long";
    if (owner->is_vertex && !mesh_add_vertex(in->mesh, position))
        return NO_MEMORY;
    return NULL;
}

/* All rows of an element. Each takes at least a byte: the file sets a limit to what a large count can do. */
static int take_rows(reader *in, const element *owner)
{
    const char *wrong;
    uint64_t row;

    if (owner->property_count == 0)
        return 1;
    for (row = 0; row < owner->count; row++) {
        const char *begin = in->at;

        wrong = take_row(in, owner);
        if (wrong == NO_MEMORY)
            return 0;
        if (wrong != NULL) {
            /* The row is what can be found again in binary data, not where within it the trouble was met. */
            if (in->format != FORMAT_ASCII)
                in->at = begin;
            return complain_here(in, owner, row, wrong);
        }
    }
    return 1;
}

/* White space may follow the data. Anything else means that the header is wrong. */
static int check_end(reader *in)
{
    const char *at = in->at;

    if (in->format == FORMAT_ASCII) {
        while (next_line(in))
            if (next_word(in).length > 0)
                return complain("%s:%zu: more lines than the header has promised", in->name, in->line);
        return 1;
    }
    while (at < in->end && is_space(*at))
        at++;
    if (at < in->end)
        return complain("%s: byte %zu: more data than the header has promised", in->name,
                        (size_t)(in->at - in->begin));
    return 1;
}

int ply_parse(const bytes *content, mesh_data *mesh)
{
    reader in;
    size_t i;
    int good;

    memset(&in, 0, sizeof in);
    in.name = mesh->name;
    in.begin = in.at = content->data;
    in.end = content->data + content->size;
    in.mesh = mesh;
    good = parse_header(&in);
    for (i = 0; good && i < in.element_count; i++)
        good = take_rows(&in, &in.elements[i]);
    good = good && check_end(&in);
    free(in.elements);
    free(in.properties);
    return good;
}
