// MPI 5.0 section 14.2.1: "When using the World Model (Section Introduction), a process can open a
// file independently of other processes by using the MPI_COMM_SELF communicator."
// ranks: 1 32
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File own[5], common;
    char name[600];
    for (int i = 0; i < 5; ++i) {
        snprintf(name, sizeof name, "%s.%d.%d", file_name, rank, i);
        CHECK_SUCCESS(MPI_File_open(MPI_COMM_SELF, name,
                                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                    MPI_INFO_NULL, &own[i]));
        int number = rank * 10 + i;
        CHECK_SUCCESS(MPI_File_write_all(own[i], &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    }
    // One file that all have opened for themselves: pointers of their own.
    write_outside_once("abcdef", 6);
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_SELF, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &common));
    for (int i = 0; i < 6; ++i) {
        char letter = 0;
        CHECK_SUCCESS(MPI_File_read_shared(common, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
        CHECK_EQUAL(letter, 'a' + i);
    }
    for (int i = 0; i < 5; ++i) {
        int number = -1;
        CHECK_SUCCESS(MPI_File_read_at(own[i], 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_EQUAL(number, rank * 10 + i);
        CHECK_SUCCESS(MPI_File_close(&own[i]));
    }
    CHECK_SUCCESS(MPI_File_close(&common));
    barrier();
    if (rank == 0)
        unlink(file_name);
    return finish();
}
