// Written data are in the file when the call returns: nothing waits in the job for MPI_File_sync or
// MPI_File_close (src/io/README.md). The program runs itself as another job, whose ranks write,
// one byte at a time and much at once, and which is then killed. What the operating system has of
// the file is not on the storage device yet: sync_waits_for_the_storage_device.c.
// ranks: 1
// modes: fibers-2
// args: $mpiexec
#include "files.h"

#include <signal.h>
#include <sys/wait.h>

enum { kRanks = 3, kBytes = 300000, kSingle = 100 };

static char data[kBytes], seen[kBytes];

static void write_and_die(const char *name) {
    start(NULL, NULL);
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                MPI_INFO_NULL, &file));
    memset(data, 'k' + rank, sizeof data);
    for (int i = 0; i < kSingle; ++i)
        CHECK_SUCCESS(MPI_File_write_at(file, (MPI_Offset)rank * kBytes + i, data, 1, MPI_CHAR,
                                        MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_write_at_all(file, (MPI_Offset)rank * kBytes + kSingle, data,
                                        kBytes - kSingle, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    kill(getpid(), SIGKILL);
    pause();
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "die") == 0)
        write_and_die(argv[2]);
    start_with_file();
    char command[3000], program[1024] = "";
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(command, sizeof command, "'%s' -n %d '%s' die '%s' >/dev/null 2>&1", argv[1], kRanks,
             program, file_name);
    CHECK_EQUAL(WEXITSTATUS(system(command)), 128 + SIGKILL);
    for (int i = 0; i < kRanks; ++i) {
        CHECK_EQUAL(read_outside((long)i * kBytes, seen, kBytes), kBytes);
        for (int k = 0; k < kBytes; ++k)
            CHECK_EQUAL(seen[k], 'k' + i);
    }
    unlink(file_name);
    return finish();
}
