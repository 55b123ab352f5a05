// ranks: 4
// clock, times, getrusage and CLOCK_PROCESS_CPUTIME_ID tell the CPU time of the calling rank: a
// rank that computes uses some, one that waits does not, whoever computes beside it.
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
    struct timespec t;
    CHECK_EQUAL(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double from_usage(int who) {
    struct rusage usage;
    CHECK_EQUAL(getrusage(who, &usage), 0);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Until the calling thread has used so much, by a clock that is the kernel's.
static void compute(double seconds) {
    volatile double x = 1;
    double start = cpu();
    while (cpu() - start < seconds)
        for (int i = 0; i < 20000; ++i)
            x = x * 1.0000001;
}

static void *compute_in_thread(void *unused) {
    volatile double x = 1;
    struct timespec t;
    do {
        for (int i = 0; i < 20000; ++i)
            x = x * 1.0000001;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (t.tv_sec == 0 && t.tv_nsec < 100000000);
    return NULL;
}

int main(int argc, char **argv) {
    int rank;
    struct tms ticks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = cpu(), usage = from_usage(RUSAGE_SELF);
    clock_t first = clock();
    if (rank % 2)
        compute(0.2);
    else
        usleep(50000);
    MPI_Barrier(MPI_COMM_WORLD); // the others wait here for those who compute
    double used = cpu() - start;
    CHECK(rank % 2 ? used >= 0.19 && used < 0.6 : used < 0.05);
    CHECK(from_usage(RUSAGE_SELF) - usage > used - 0.05);
    CHECK((double)(clock() - first) / CLOCKS_PER_SEC > used - 0.05);
    CHECK(times(&ticks) != (clock_t)-1);
    CHECK((double)(ticks.tms_utime + ticks.tms_stime) / (double)sysconf(_SC_CLK_TCK) > used - 0.05);
    // A thread of the rank counts.
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, compute_in_thread, NULL);
        pthread_join(thread, NULL);
        CHECK(cpu() - start >= 0.1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    // Children count for the rank that has waited for them.
    if (rank == 1)
        CHECK_EQUAL(system("i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(from_usage(RUSAGE_CHILDREN) > 0, rank == 1);
    MPI_Finalize();
    return 0;
}
