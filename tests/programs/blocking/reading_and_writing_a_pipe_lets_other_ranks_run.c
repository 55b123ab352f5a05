// ranks: 2 8
// timeout: 60
// The ranks of a pair talk over pipes. On one worker the reader waits for a writer that only this
// worker can run; large blocks also make the writer wait.
#define _GNU_SOURCE
#include "pairs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 20 };

static char block[BLOCK_BYTES], copy[BLOCK_BYTES];

static void read_whole(int descriptor, char *data, size_t size_bytes) {
    while (size_bytes > 0) {
        ssize_t n = read(descriptor, data, size_bytes);
        CHECK(n > 0);
        data += n;
        size_bytes -= (size_t)n;
    }
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

    for (int round = 0; round < ROUNDS; ++round) { // the first waits first
        int number = -1;
        if (is_first) {
            CHECK_EQUAL(read(in, &number, sizeof number), sizeof number);
            CHECK_EQUAL(number, round);
            CHECK_EQUAL(write(out, &number, sizeof number), sizeof number);
        } else {
            CHECK_EQUAL(write(out, &round, sizeof round), sizeof round);
            struct iovec pieces[2] = {{&number, 2}, {(char *)&number + 2, 2}};
            CHECK_EQUAL(readv(in, pieces, 2), sizeof number);
            CHECK_EQUAL(number, round);
        }
    }

    // Both directions with more than a pipe holds: write() returns when all has been taken.
    for (int i = 0; i < BLOCK_BYTES; ++i)
        block[i] = (char)(i * 7 + rank);
    for (int round = 0; round < 4; ++round) {
        if ((round % 2 == 0) == is_first) {
            CHECK_EQUAL(write(out, block, BLOCK_BYTES), BLOCK_BYTES);
            struct iovec pieces[3] = {
                {block, 1000}, {block + 1000, 0}, {block + 1000, BLOCK_BYTES - 1000}};
            CHECK_EQUAL(writev(out, pieces, 3), BLOCK_BYTES);
        } else {
            for (int times = 0; times < 2; ++times) {
                memset(copy, 0, sizeof copy);
                read_whole(in, copy, BLOCK_BYTES);
                for (int i = 0; i < BLOCK_BYTES; i += 997)
                    CHECK_EQUAL(copy[i], (char)(i * 7 + partner));
            }
        }
    }

    // A program that polls a non-blocking descriptor gets EAGAIN at once, and lets the other run.
    CHECK_EQUAL(fcntl(in, F_SETFL, O_NONBLOCK), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    char byte = 0;
    if (is_first) {
        while (read(in, &byte, 1) < 0)
            CHECK_EQUAL(errno, EAGAIN);
        CHECK_EQUAL(byte, 'x');
    } else {
        CHECK_EQUAL(write(out, "x", 1), 1);
    }

    // The end of the data, and nobody who reads, are told as ever.
    MPI_Barrier(MPI_COMM_WORLD);
    if (!is_first)
        close(out);
    CHECK_SUCCESS(MPI_Sendrecv(NULL, 0, MPI_INT, partner, 2, NULL, 0, MPI_INT, partner, 2,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (is_first)
        CHECK_EQUAL(read(in, &byte, 1), 0);
    CHECK_EQUAL(read(-1, &byte, 1), -1);
    CHECK_EQUAL(errno, EBADF);
    return finish();
}
