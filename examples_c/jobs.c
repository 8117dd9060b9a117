#define _XOPEN_SOURCE 700
#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_JOBS = 256, MOST_THREADS = 64 };

struct job {
    job_function function;
    void *data;
    job_priority priority;
    int done;
    job *next_free;
};

/* A ring of jobs that wait. It has room for all jobs there can be. */
typedef struct queue {
    job *waiting[MOST_JOBS];
    size_t first, count;
} queue;

struct jobs {
    pthread_mutex_t mutex; /* for all that follows */
    pthread_cond_t changed; /* a job was queued or is done, or the end has come */
    queue queues[JOB_PRIORITIES];
    job slots[MOST_JOBS];
    job *free_slots;
    unsigned counts[MOST_THREADS][JOB_PRIORITIES];
    pthread_t threads[MOST_THREADS]; /* number 0 is not used */
    int thread_count;
    int ending;
};

/* The most urgent job that waits and is at least so urgent. */
static job *take(jobs *all, job_priority least)
{
    int priority;

    for (priority = 0; priority <= (int)least; priority++) {
        queue *from = &all->queues[priority];
        if (from->count > 0) {
            job *taken = from->waiting[from->first];
            from->first = (from->first + 1) % MOST_JOBS;
            from->count--;
            return taken;
        }
    }
    return NULL;
}

/* Called and left with the mutex locked; without it while the job runs. */
static void run(jobs *all, int thread, job *taken)
{
    all->counts[thread][taken->priority]++;
    pthread_mutex_unlock(&all->mutex);
    taken->function(taken->data);
    pthread_mutex_lock(&all->mutex);
    taken->done = 1;
    pthread_cond_broadcast(&all->changed);
}

/* Threads are few: looking them up is as good as keeping a number in each. */
static int own_number(jobs *all)
{
    int thread;

    for (thread = 1; thread < all->thread_count; thread++) {
        if (pthread_equal(all->threads[thread], pthread_self()))
            return thread;
    }
    return 0;
}

static void *serve(void *data)
{
    jobs *all = data;
    int number;

    /* Whoever starts the threads has the mutex until all of them have their numbers. */
    pthread_mutex_lock(&all->mutex);
    number = own_number(all);
    while (!all->ending) {
        job *taken = take(all, JOB_LATER);
        if (taken != NULL)
            run(all, number, taken);
        else
            pthread_cond_wait(&all->changed, &all->mutex);
    }
    pthread_mutex_unlock(&all->mutex);
    return NULL;
}

jobs *jobs_start(int thread_count)
{
    jobs *all = thread_count >= 1 && thread_count <= MOST_THREADS ? calloc(1, sizeof *all) : NULL;
    int slot, failed = 0;

    if (all == NULL)
        return NULL;
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->changed, NULL);
    for (slot = 0; slot < MOST_JOBS; slot++) {
        all->slots[slot].next_free = all->free_slots;
        all->free_slots = &all->slots[slot];
    }
    pthread_mutex_lock(&all->mutex);
    all->thread_count = 1;
    while (all->thread_count < thread_count && !failed) {
        failed = pthread_create(&all->threads[all->thread_count], NULL, serve, all);
        if (!failed)
            all->thread_count++;
    }
    pthread_mutex_unlock(&all->mutex);
    if (!failed)
        return all;
    jobs_stop(all);
    return NULL;
}

void jobs_stop(jobs *all)
{
    int thread;

    if (all == NULL)
        return;
    pthread_mutex_lock(&all->mutex);
    all->ending = 1;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->mutex);
    for (thread = 1; thread < all->thread_count; thread++)
        pthread_join(all->threads[thread], NULL);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

job *jobs_submit(jobs *all, job_priority priority, job_function function, void *data)
{
    queue *to = &all->queues[priority];
    job *added;

    pthread_mutex_lock(&all->mutex);
    added = all->free_slots;
    if (added != NULL) {
        all->free_slots = added->next_free;
        added->function = function;
        added->data = data;
        added->priority = priority;
        added->done = 0;
        to->waiting[(to->first + to->count) % MOST_JOBS] = added;
        to->count++;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->mutex);
    return added;
}

void jobs_wait(jobs *all, job *waited_for)
{
    int number;

    pthread_mutex_lock(&all->mutex);
    number = own_number(all);
    while (!waited_for->done) {
        /* Not something less urgent: who waits would have to wait for that as well. */
        job *taken = take(all, waited_for->priority);
        if (taken != NULL)
            run(all, number, taken);
        else
            pthread_cond_wait(&all->changed, &all->mutex);
    }
    waited_for->next_free = all->free_slots;
    all->free_slots = waited_for;
    pthread_mutex_unlock(&all->mutex);
}

unsigned jobs_count(jobs *all, int thread, job_priority priority)
{
    unsigned count;

    pthread_mutex_lock(&all->mutex);
    count = all->counts[thread][priority];
    all->counts[thread][priority] = 0;
    pthread_mutex_unlock(&all->mutex);
    return count;
}
