// MPI 5.0 section 14.6.1: "Calling MPI_FILE_SYNC with fh causes all previous writes to fh by the
// calling process to be transferred to the storage device." The program runs itself as another job,
// which is killed after MPI_File_sync.
// ranks: 1
// modes: fibers-2
// args: $mpiexec
#include "files.h"

#include <signal.h>
#include <sys/wait.h>

enum { kBytes = 300000 };

static char data[kBytes], seen[kBytes];

static void write_and_die(const char *name) {
    start(NULL, NULL);
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                MPI_INFO_NULL, &file));
    memset(data, 'k', sizeof data);
    CHECK_SUCCESS(MPI_File_write_ordered(file, data, kBytes, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_sync(file));
    kill(getpid(), SIGKILL);
    pause();
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "die") == 0)
        write_and_die(argv[2]);
    start_with_file();
    char command[3000], program[1024] = "";
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(command, sizeof command, "'%s' -n 3 '%s' die '%s' >/dev/null 2>&1", argv[1], program,
             file_name);
    CHECK(system(command) != 0);
    for (int i = 0; i < 3; ++i) {
        CHECK_EQUAL(read_outside((long)i * kBytes, seen, kBytes), kBytes);
        for (int k = 0; k < kBytes; ++k)
            CHECK_EQUAL(seen[k], 'k');
    }
    unlink(file_name);
    return finish();
}
