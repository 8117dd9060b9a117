/* The same contacts however the threads come: from the library, from a job system, or donated; and what they may do to
   each other. */
#include "sheets.h"
#include "threads.h"

#include <string.h>

int main(int argc, char **argv) {
    find_expected();
    threads_of_pools();
    threads_of_job_systems();
    donated_threads();
    cancelled_runs();
    cancelled_steps();
    begun_runs_and_other_calls();
    races_with_the_end();
    faults_on_threads();
    callers_with_old_headers();
    what_workers_tell();
    if (argc < 2 || strcmp(argv[1], "--no-limits") != 0) threads_that_the_system_refuses();
    return finish();
}
