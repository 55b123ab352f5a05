// ranks: 2 6
// timeout: 60
// One of a pair holds a lock of a file (flock, an open file description lock) while the other one
// already waits for it.
#define _GNU_SOURCE
#include "pairs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static int lock(int descriptor, int way) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return way == 0 ? flock(descriptor, LOCK_EX) : fcntl(descriptor, F_OFD_SETLKW, &whole);
}

static int unlock(int descriptor, int way) {
    struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return way == 0 ? flock(descriptor, LOCK_UN) : fcntl(descriptor, F_OFD_SETLK, &whole);
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    char name[100];
    snprintf(name, sizeof name, "/tmp/thrum.locked_file.%d.%d", (int)getpid(), rank / 2);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0);
    for (int round = 0; round < 4; ++round) {
        int way = round % 2, holds = is_first == round / 2, done = 0;
        if (holds)
            CHECK_EQUAL(lock(file, way), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        if (!holds) {
            CHECK_EQUAL(lock(file, way), 0); // the holder needs the worker
            CHECK_EQUAL(pread(file, &done, sizeof done, 0), sizeof done);
            CHECK_EQUAL(done, round + 1);
        } else {
            done = round + 1;
            CHECK_EQUAL(pwrite(file, &done, sizeof done, 0), sizeof done);
        }
        CHECK_EQUAL(unlock(file, way), 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (is_first)
        unlink(name);
    return finish();
}
