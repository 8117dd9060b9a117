/* Everything that can be done wrong with the C interface: the right status, the right sentence, nothing touched. */
#include "check.h"

#include <string.h>

int main(int argc, char **argv) {
    CHECK(pccd_last_error()[0] == '\0');
    misuse_of_structs();
    misuse_of_contexts();
    misuse_of_batches();
    misuse_of_numbers();
    misuse_of_memory();
    misuse_of_meshes();
    misuse_of_bvhs();
    misuse_of_breaking();
    misuse_of_queries();
    misuse_of_discrete_queries();
    misuse_of_handles();
    misuse_of_memory_by_objects();
    misuse_of_threads();
    misuse_of_pipelines();
    /* Limits of the address space mean nothing to a program inside valgrind. */
    if (argc < 2 || strcmp(argv[1], "--no-limits") != 0) too_many_threads_for_the_system();
    return finish();
}
