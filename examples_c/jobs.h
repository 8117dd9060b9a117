/* A small job system of the kind that engines have: some threads, queues of jobs by priority, and a way to
 * wait for a job that helps instead of idling. It knows nothing of collision detection. */
#ifndef JOBS_H
#define JOBS_H

#include <stddef.h>

typedef enum job_priority { JOB_URGENT, JOB_LATER, JOB_PRIORITIES } job_priority;

typedef void (*job_function)(void *data);

typedef struct jobs jobs;
typedef struct job job;

/* Starts thread_count - 1 threads; the calling one is number 0 and works when it waits. NULL when there is no
 * memory, or a thread is refused. */
jobs *jobs_start(int thread_count);

/* Ends the threads, which have nothing to do any more. */
void jobs_stop(jobs *all);

/* Queues a job. NULL if there are too many: then the caller may just do it. Every job has to be waited for,
 * once. */
job *jobs_submit(jobs *all, job_priority priority, job_function function, void *data);

/* Returns when the job is done. Until then the thread works on jobs that are at least as urgent, or sleeps if
 * there are none. */
void jobs_wait(jobs *all, job *waited_for);

/* How many jobs of a priority a thread has run since the last call, and forgets it. */
unsigned jobs_count(jobs *all, int thread, job_priority priority);

#endif
