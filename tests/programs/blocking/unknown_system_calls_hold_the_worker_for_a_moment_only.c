// ranks: 2 8
// timeout: 60
// A system call that no function of the C library makes (here by its instruction, as libgomp waits
// for its threads): after some milliseconds others run the ranks of the worker.
#define _GNU_SOURCE
#include "pairs.h"

#include <sys/syscall.h>
#include <unistd.h>

static long raw_read(int descriptor, void *data, size_t size_bytes) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_read), "D"((long)descriptor), "S"(data), "d"(size_bytes)
                     : "rcx", "r11", "memory");
    return result;
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ends[4];
    if (is_first) {
        CHECK_EQUAL(pipe(ends), 0);
        CHECK_EQUAL(pipe(ends + 2), 0);
    }
    share(ends, 4);
    int in = is_first ? ends[0] : ends[2], out = is_first ? ends[3] : ends[1];
    for (int round = 0; round < 10; ++round) {
        char byte = 0;
        if (is_first)
            CHECK_EQUAL(raw_read(in, &byte, 1), 1);
        CHECK_EQUAL(write(out, "x", 1), 1);
        if (!is_first)
            CHECK_EQUAL(raw_read(in, &byte, 1), 1);
    }
    // The ranks find their ways back to the workers.
    for (int round = 0; round < 1000; ++round)
        MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
