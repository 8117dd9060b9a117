/* Options and files of a command line. */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <stddef.h>
#include <stdint.h>

typedef enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD } options_verdict;

typedef enum option_type {
    OPTION_FLAG,     /* int: set to 1; takes no value */
    OPTION_TEXT,     /* const char * */
    OPTION_COUNT,    /* uint64_t: from 1 to limit */
    OPTION_DISTANCE, /* double: finite and not negative */
    OPTION_CHOICE    /* int32_t: one of the choices */
} option_type;

/* A word that stands for a number. A list of them ends with one whose name is NULL. */
typedef struct choice {
    const char *name;
    int32_t value;
} choice;

typedef struct option {
    const char *name;
    option_type type;
    void *target; /* where to put the value; what it points to depends on the type */
    uint64_t limit;
    const choice *choices;
} option;

/* The levels of the library, for an OPTION_CHOICE. */
extern const choice simd_choices[];

/* Puts the values of options into their targets and collects the files at the front of `argv`. Says on stderr
 * what is wrong with OPTIONS_BAD, and prints the help on stdout with OPTIONS_HELP. */
options_verdict command_line_parse(int argc, char **argv, const char *help, const option *known,
                                   size_t known_count, int *file_count);

/* Says what is wrong with a command line as a whole. */
options_verdict command_line_bad(const char *message);

/* How a program ends that is not to run. */
int exit_status(options_verdict verdict);

#endif
