#define _GNU_SOURCE
#include "ranks.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ranks_max = 64 };

struct job {
    struct device *device;
    int ranks;
    int (*body)(struct endpoint *endpoint, int rank, const void *argument);
    const void *argument;
    cpu_set_t cores;
};

struct part {
    const struct job *job;
    int rank;
};

static void bind_to_core(const struct job *job, int rank) {
    if (CPU_COUNT(&job->cores) < job->ranks)
        return;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &job->cores) && rank-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
        }
}

static int run_rank(const struct job *job, int rank) {
    bind_to_core(job, rank);
    struct endpoint *endpoint = open_endpoint(job->device, rank);
    int code = job->body(endpoint, rank, job->argument);
    close_endpoint(endpoint);
    return code;
}

static void *run_thread(void *argument) {
    const struct part *part = argument;
    int code = run_rank(part->job, part->rank);
    if (code) /* the others would wait for it */
        exit(code);
    return NULL;
}

static int run_threads(const struct job *job) {
    pthread_t threads[ranks_max];
    struct part parts[ranks_max];
    for (int rank = 0; rank < job->ranks; rank++) {
        parts[rank] = (struct part){job, rank};
        if (pthread_create(&threads[rank], NULL, run_thread, &parts[rank])) {
            fprintf(stderr, "sx4: cannot create a thread\n");
            exit(2);
        }
    }
    for (int rank = 0; rank < job->ranks; rank++)
        pthread_join(threads[rank], NULL);
    return 0;
}

/* Returns the process, or -1 after a message. */
static pid_t fork_rank(const struct job *job, int rank) {
    pid_t process = fork();
    if (process < 0)
        perror("sx4: cannot fork");
    if (process)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    forget_semaphores();
    int code = run_rank(job, rank);
    fflush(NULL);
    _exit(code);
}

static int run_processes(const struct job *job) {
    pid_t processes[ranks_max];
    int started = 0, failed = 0, status;
    fflush(NULL);
    for (; started < job->ranks && !failed; started += !failed)
        failed = (processes[started] = fork_rank(job, started)) < 0;
    for (int left = started; left > 0; left--) {
        if (failed) /* the others would wait for the one that is missing */
            for (int rank = 0; rank < started; rank++)
                if (processes[rank] > 0)
                    kill(processes[rank], SIGKILL);
        pid_t ended = wait(&status);
        failed |= status != 0;
        for (int rank = 0; rank < started; rank++)
            if (processes[rank] == ended)
                processes[rank] = 0;
    }
    return failed;
}

int run_ranks(const struct design *design, int ranks, enum ranks_are kind,
              int (*body)(struct endpoint *endpoint, int rank, const void *argument),
              const void *argument) {
    if (ranks > ranks_max) {
        fprintf(stderr, "sx4: %d ranks; at most %d can run\n", ranks, ranks_max);
        return 2;
    }
    if (design->single_copy && kind == ranks_are_processes) {
        fprintf(stderr, "sx4: a single copy needs threads: processes cannot read each other\n");
        return 2;
    }
    struct job job = {create_device(design, ranks), ranks, body, argument, {{0}}};
    sched_getaffinity(0, sizeof job.cores, &job.cores);
    int failed = kind == ranks_are_threads ? run_threads(&job) : run_processes(&job);
    destroy_device(job.device);
    return failed;
}
