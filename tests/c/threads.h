/* The groups of threads.c. */
#ifndef THREADS_H
#define THREADS_H

void threads_of_pools(void);
void threads_of_job_systems(void);
void donated_threads(void);
void cancelled_runs(void);
void cancelled_steps(void);
void begun_runs_and_other_calls(void);
void races_with_the_end(void);
void faults_on_threads(void);
void callers_with_old_headers(void);
void what_workers_tell(void);
/* Limits of the address space. */
void threads_that_the_system_refuses(void);

#endif
