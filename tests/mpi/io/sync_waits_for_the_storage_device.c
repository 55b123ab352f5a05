// MPI 5.0 section 14.6.1: "Calling MPI_FILE_SYNC with fh causes all previous writes to fh by the
// calling process to be transferred to the storage device." The program runs itself as another job
// under strace, which lets each fdatasync() fail: so MPI_File_sync must have called it, after the
// writes, and must report its error on all ranks.
// ranks: 1
// modes: fibers-2
// args: $mpiexec
// needs: strace
// expect: ^calls: wwws$
#include "files.h"

#include <sys/wait.h>

enum { kRanks = 3, kBytes = 100 };

static void write_and_synchronize(const char *name) {
    start(NULL, NULL);
    char data[kBytes];
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                MPI_INFO_NULL, &file));
    memset(data, 'a' + rank, sizeof data);
    CHECK_SUCCESS(MPI_File_write_at(file, (MPI_Offset)rank * kBytes, data, kBytes, MPI_CHAR,
                                    MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // all have written before the one fdatasync()
    CHECK_ERROR(MPI_File_sync(file), MPI_ERR_IO);
    CHECK_SUCCESS(MPI_File_close(&file));
    exit(finish());
}

// Returns the calls of the trace in order: "w" for a write to the file, "s" for fdatasync().
static void read_trace(const char *name, char *calls, int calls_max) {
    char line[4096];
    FILE *trace = fopen(name, "r");
    CHECK(trace != NULL);
    int n = 0;
    while (fgets(line, sizeof line, trace) && n < calls_max - 1) {
        if (strstr(line, file_name)) // a line "... resumed" has no name
            calls[n++] = strstr(line, "fdatasync(") ? 's' : 'w';
    }
    calls[n] = 0;
    fclose(trace);
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "synchronize") == 0)
        write_and_synchronize(argv[2]);
    start_with_file();
    char command[4000], program[1024] = "", trace[600], calls[100];
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(trace, sizeof trace, "%s.trace", file_name);
    snprintf(command, sizeof command,
             "env -u THRUM_TEST_RANKS strace -f -y -o '%s' -e trace=pwrite64,pwritev,fdatasync "
             "-e inject=fdatasync:error=EIO '%s' -n %d --workers 1 '%s' synchronize '%s'",
             trace, argv[1], kRanks, program, file_name);
    CHECK_EQUAL(system(command), 0);
    read_trace(trace, calls, sizeof calls);
    printf("calls: %s\n", calls);
    unlink(trace);
    unlink(file_name);
    return finish();
}
