#include "program.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int complain(const char *format, ...)
{
    va_list values;

    fprintf(stderr, "%s: ", program_name);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    return 0;
}

const char *quote(text value, char buffer[QUOTED_SIZE])
{
    size_t shown = value.length < 40 ? value.length : 40, i;
    char *at = buffer;

    *at++ = '\'';
    for (i = 0; i < shown; i++)
        *at++ = isprint((unsigned char)value.start[i]) ? value.start[i] : '?';
    strcpy(at, shown < value.length ? "...'" : "'");
    return buffer;
}

int read_all(const char *path, bytes *out)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 0;

    out->data = NULL;
    out->size = 0;
    if (file == NULL)
        return complain("%s: %s", path, strerror(errno));
    while (!feof(file) && !ferror(file)) {
        /* One byte is left for the zero. */
        if (out->size + 1 >= capacity) {
            char *larger;

            capacity = capacity ? 2 * capacity : 1 << 16;
            larger = capacity > out->size ? realloc(out->data, capacity) : NULL;
            if (larger == NULL) {
                complain("%s: out of memory", path);
                break;
            }
            out->data = larger;
        }
        out->size += fread(out->data + out->size, 1, capacity - 1 - out->size, file);
    }
    if (ferror(file))
        complain("%s: %s", path, strerror(errno));
    if (feof(file) && !ferror(file)) {
        out->data[out->size] = '\0';
        fclose(file);
        return 1;
    }
    fclose(file);
    free(out->data);
    out->data = NULL;
    out->size = 0;
    return 0;
}

int ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), wanted = strlen(ending), i;

    if (length < wanted)
        return 0;
    for (i = 0; i < wanted; i++)
        if (tolower((unsigned char)path[length - wanted + i]) != tolower((unsigned char)ending[i]))
            return 0;
    return 1;
}

FILE *create_file(const char *path)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        complain("%s: %s", path, strerror(errno));
    return file;
}

int finish_file(FILE *file, const char *path)
{
    int good = !ferror(file);

    good &= fclose(file) == 0;
    return good ? 1 : complain("%s: could not be written", path);
}

int finish_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("could not write to standard output");
    return 1;
}

void *room_for_one(void *data, size_t count, size_t *capacity, size_t size)
{
    size_t larger_capacity = *capacity ? 2 * *capacity : 16;
    void *larger;

    if (count < *capacity)
        return data;
    if (larger_capacity <= *capacity || larger_capacity > SIZE_MAX / size)
        return NULL;
    larger = realloc(data, larger_capacity * size);
    if (larger != NULL)
        *capacity = larger_capacity;
    return larger;
}
