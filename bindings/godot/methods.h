/*
 * The methods of class PCCD, without any engine: a table from which each engine's file registers the class. That file only turns values of the
 * engine into arguments, and answers into values of the engine.
 */
#ifndef PCCD_GODOT_METHODS_H
#define PCCD_GODOT_METHODS_H

#include "world.h"

/* What values are. Arrays are of uint8_t, int32_t, float, and three floats. */
typedef enum kind { KIND_INT, KIND_REAL, KIND_TEXT, KIND_BYTES, KIND_INTS, KIND_REALS, KIND_VECTORS, KINDS } kind;
#define IS_ARRAY(kind) ((kind) >= KIND_BYTES)

enum { MOST_ARGUMENTS = 3 };

/* A value that a script has passed. Arrays are read where the engine has them. */
typedef struct argument {
    int64_t integer;
    double real;
    const void *data;
    uint64_t count;
} argument;

/* What a method answers: an integer, a text, or for each of some contacts a number of elements of an array. */
typedef struct answer {
    int64_t integer;
    char text[32];
    const pccd_contact *contacts;
    uint64_t contact_count;
} answer;

typedef struct method method;
struct method {
    const char *name;
    kind result;
    void (*call)(world *it, const method *self, const argument *given, answer *out);
    /* If the result is an array: each contact has so many elements in it, which this writes. */
    int each;
    void (*write)(const world *it, const pccd_contact *contact, void *to);
    int argument_count;
    struct {
        kind kind;
        const char *name;
    } arguments[MOST_ARGUMENTS];
};

extern const method methods[];
extern const int method_count;

/* Whether a method takes such arguments; tells the engine if not. Kinds of values that are none of these are KINDS. */
int method_accepts(const method *self, int64_t count, const kind *given);

/* Calls it. The world may be NULL. */
answer method_call(world *it, const method *self, const argument *given);
/* What a method answers that was not called. */
answer method_refused(void);

/* How many elements the array has that is the answer, and all of them. */
uint64_t answer_elements(const method *self, const answer *out);
void answer_write(const world *it, const method *self, const answer *out, void *to);

/* In contacts.c: methods that tell what the last run has found, and what they write for a contact. */
void call_contacts(world *it, const method *self, const argument *given, answer *out);
void call_contact_count(world *it, const method *self, const argument *given, answer *out);
void call_hash(world *it, const method *self, const argument *given, answer *out);
void write_kind(const world *it, const pccd_contact *contact, void *to);
void write_meshes(const world *it, const pccd_contact *contact, void *to);
void write_vertices(const world *it, const pccd_contact *contact, void *to);
void write_triangles(const world *it, const pccd_contact *contact, void *to);
void write_time(const world *it, const pccd_contact *contact, void *to);
void write_weights(const world *it, const pccd_contact *contact, void *to);
void write_normal(const world *it, const pccd_contact *contact, void *to);

#endif
