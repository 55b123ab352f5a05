// MPI 5.0 section 14.6.2: "This implies that reading on a pipe will always wait until the requested
// amount of data is available or until the process writing to the pipe has issued an end of file."
// All ranks wait for the world outside, which is no deadlock; and other ranks of the worker run.
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    if (rank == 0)
        CHECK_EQUAL(mkfifo(file_name, 0600), 0);
    barrier();
    // A process outside writes after a while.
    if (rank == 0) {
        char command[1500];
        snprintf(command, sizeof command, "(sleep 0.3; printf abcdefgh > '%s') &", file_name);
        CHECK_EQUAL(system(command), 0);
    }
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL,
                                MPI_INFO_NULL, &file));
    char letters[3] = "";
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_read_ordered(file, letters, 2, MPI_CHAR, &status));
    CHECK_EQUAL(count_in(&status, MPI_CHAR), 2);
    CHECK_EQUAL(letters[0], 'a' + 2 * rank);
    CHECK_SUCCESS(MPI_File_close(&file));
    barrier();
    if (rank == 0)
        unlink(file_name);
    return finish();
}
