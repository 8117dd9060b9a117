/* What the programs share: messages, files and memory. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdio.h>

enum { EXIT_CANNOT_RUN = 2 };

#ifdef __GNUC__
#define LIKE_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define LIKE_PRINTF(text, values)
#endif

/* ---- messages ---- */

/* Begins every message. Each program defines it. */
extern const char program_name[];

/* Writes a line to stderr, and returns 0. */
int complain(const char *format, ...) LIKE_PRINTF(1, 2);

/* Some characters of a file, not terminated. */
typedef struct text {
    const char *start;
    size_t length;
} text;

enum { QUOTED_SIZE = 48 };

/* Text of a file for a message, in quotes: short, and without anything that could upset a terminal. Returns
 * the buffer. */
const char *quote(text value, char buffer[QUOTED_SIZE]);

/* ---- files ---- */

typedef struct bytes {
    char *data; /* to be freed; a zero follows the last byte */
    size_t size;
} bytes;

/* Reads all there is, without asking for the size first: the file may be a pipe. On failure says why, and
 * returns 0 with nothing to be freed. */
int read_all(const char *path, bytes *out);

/* Whether a path ends so, in capital letters or small ones. */
int ends_with(const char *path, const char *ending);

/* Opens a file for writing. Says what is wrong and returns NULL if that can't be done. */
FILE *create_file(const char *path);

/* Closes it. Says so and returns 0 if not everything could be written. */
int finish_file(FILE *file, const char *path);

/* The same for standard output, at the end of a program. */
int finish_output(void);

/* ---- memory ---- */

/* Makes room for one more of `count` elements. Returns where they are then. NULL when out of memory, and then
 * they are still where they were. */
void *room_for_one(void *data, size_t count, size_t *capacity, size_t size);

#endif
