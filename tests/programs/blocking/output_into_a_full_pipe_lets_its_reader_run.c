// ranks: 2
// timeout: 60
// Standard output is a pipe that another rank of the worker reads: of the rank by dup2(), then of
// the whole process. printf() and write() wait for the reader, not the reader for them.
#define _GNU_SOURCE
#include "pairs.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINES = 20000, LINE_BYTES = 40 };

static void *print(void *unused) {
    for (int i = 0; i < LINES; ++i)
        printf("%-*d\n", LINE_BYTES - 1, i);
    fflush(stdout);
    return unused;
}

static void read_lines(int in, int lines) {
    static char block[1 << 16];
    for (size_t left = (size_t)lines * LINE_BYTES; left > 0;) {
        ssize_t n = read(in, block, left < sizeof block ? left : sizeof block);
        CHECK(n > 0);
        left -= (size_t)n;
    }
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ends[2];
    if (is_first)
        CHECK_EQUAL(pipe(ends), 0);
    share(ends, 2);
    if (is_first) {
        int saved = dup(STDOUT_FILENO);
        CHECK_EQUAL(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
        print(NULL);
        CHECK_EQUAL(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
        MPI_Barrier(MPI_COMM_WORLD);

        // The descriptor that the ranks share; two threads print.
        pthread_t thread;
        CHECK_EQUAL(syscall(SYS_dup2, ends[1], STDOUT_FILENO), STDOUT_FILENO);
        CHECK_EQUAL(pthread_create(&thread, NULL, print, NULL), 0);
        print(NULL);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQUAL(syscall(SYS_dup2, saved, STDOUT_FILENO), STDOUT_FILENO);
    } else {
        read_lines(ends[0], LINES);
        MPI_Barrier(MPI_COMM_WORLD);
        read_lines(ends[0], 2 * LINES);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return finish();
}
