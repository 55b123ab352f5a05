// ranks: 8
// POSIX fcntl, lockf and flock: a lock of one process keeps the others out; here of one rank.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int rank, size;

static struct flock record(short type) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_len = 8;
    return lock;
}

// A counter in a file: without the lock, increments would be lost.
static void increment(int file) {
    long value = 0;
    CHECK(pread(file, &value, sizeof value, 0) >= 0);
    usleep(500);
    ++value;
    CHECK_EQUAL(pwrite(file, &value, sizeof value, 0), sizeof value);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char path[] = "/tmp/thrum-lock-XXXXXX";
    if (rank == 0)
        CHECK(mkstemp(path) >= 0);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    int file = open(path, O_RDWR);
    CHECK(file >= 0);
    struct flock lock = record(F_WRLCK);
    // One kind at a time: they do not exclude each other.
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL(fcntl(file, F_SETLKW, &lock), 0);
        increment(file);
        struct flock none = record(F_UNLCK);
        CHECK_EQUAL(fcntl(file, F_SETLK, &none), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL(lockf(file, F_LOCK, 8), 0);
        increment(file);
        CHECK_EQUAL(lockf(file, F_ULOCK, 8), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL(flock(file, LOCK_EX), 0);
        increment(file);
        CHECK_EQUAL(flock(file, LOCK_UN), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    long value = 0;
    CHECK_EQUAL(pread(file, &value, sizeof value, 0), sizeof value);
    CHECK_EQUAL(value, 15 * size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_EQUAL(fcntl(file, F_SETLK, &lock), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    struct flock test = record(F_WRLCK);
    CHECK_EQUAL(fcntl(file, F_GETLK, &test), 0);
    CHECK_EQUAL(test.l_type, rank == 0 ? F_UNLCK : F_WRLCK);
    if (rank != 0) {
        CHECK_EQUAL(fcntl(file, F_SETLK, &lock), -1);
        CHECK(errno == EAGAIN || errno == EACCES);
        CHECK_EQUAL(lockf(file, F_TEST, 8), -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path);
    MPI_Finalize();
    return 0;
}
