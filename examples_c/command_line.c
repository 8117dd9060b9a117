#include "command_line.h"
#include "program.h"

#include <pccd.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const choice simd_choices[] = {
    {"auto", PCCD_SIMD_AUTO},     {"scalar", PCCD_SIMD_SCALAR}, {"avx2", PCCD_SIMD_AVX2},
    {"avx512", PCCD_SIMD_AVX512}, {NULL, 0},
};

/* A decimal integer from 1 to `limit`, and nothing else. */
static int parse_count(const char *value, uint64_t limit, uint64_t *out)
{
    unsigned long long number;
    char *end;

    if (!isdigit((unsigned char)*value))
        return 0;
    errno = 0;
    number = strtoull(value, &end, 10);
    *out = number;
    return *end == '\0' && errno == 0 && number >= 1 && number <= limit;
}

static int parse_distance(const char *value, double *out)
{
    char *end;

    *out = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(*out) && *out >= 0;
}

static int parse_choice(const char *value, const choice *choices, int32_t *out)
{
    for (; choices->name != NULL; choices++) {
        if (strcmp(choices->name, value) == 0) {
            *out = choices->value;
            return 1;
        }
    }
    return 0;
}

/* Returns whether the value is one that the option can have. */
static int apply(const option *known, const char *value)
{
    switch (known->type) {
    case OPTION_FLAG:
        *(int *)known->target = 1;
        return 1;
    case OPTION_TEXT:
        *(const char **)known->target = value;
        return 1;
    case OPTION_COUNT:
        return parse_count(value, known->limit, known->target);
    case OPTION_DISTANCE:
        return parse_distance(value, known->target);
    case OPTION_CHOICE:
        return parse_choice(value, known->choices, known->target);
    }
    return 0;
}

/* Appends to a line of limited length. */
static void append(char *line, size_t size, const char *word)
{
    strncat(line, word, size - 1 - strlen(line));
}

static options_verdict refuse(const option *known, const char *value)
{
    char expected[128] = "";
    const choice *at;

    if (known->type == OPTION_COUNT) {
        snprintf(expected, sizeof expected, "an integer from 1 to %llu", (unsigned long long)known->limit);
    } else if (known->type == OPTION_DISTANCE) {
        append(expected, sizeof expected, "a number that is finite and not negative");
    } else {
        for (at = known->choices; at->name != NULL; at++) {
            append(expected, sizeof expected, at->name);
            if (at[1].name != NULL)
                append(expected, sizeof expected, at[2].name != NULL ? ", " : " or ");
        }
    }
    complain("%s expects %s, not '%s'", known->name, expected, value);
    return OPTIONS_BAD;
}

options_verdict command_line_bad(const char *message)
{
    complain("%s; see %s --help", message, program_name);
    return OPTIONS_BAD;
}

int exit_status(options_verdict verdict)
{
    return verdict == OPTIONS_BAD ? EXIT_CANNOT_RUN : 0;
}

options_verdict command_line_parse(int argc, char **argv, const char *help, const option *known,
                                   size_t known_count, int *file_count)
{
    int i, only_files = 0;
    size_t found;

    *file_count = 0;
    for (i = 1; i < argc; i++) {
        if (only_files || argv[i][0] != '-') {
            argv[(*file_count)++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_files = 1;
            continue;
        }
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return OPTIONS_HELP;
        }
        for (found = 0; found < known_count && strcmp(known[found].name, argv[i]) != 0; found++)
            ;
        if (found == known_count) {
            complain("unknown option %s; see %s --help", argv[i], program_name);
            return OPTIONS_BAD;
        }
        if (known[found].type != OPTION_FLAG && i + 1 == argc) {
            complain("%s needs a value; see %s --help", argv[i], program_name);
            return OPTIONS_BAD;
        }
        if (known[found].type != OPTION_FLAG)
            i++;
        if (!apply(&known[found], argv[i]))
            return refuse(&known[found], argv[i]);
    }
    return OPTIONS_RUN;
}
