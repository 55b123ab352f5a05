// MPI 5.0 section 14.6.4: "Collective file operations are subject to the same restrictions as
// collective communication operations." A rank that does not come is reported.
// ranks: 3
// exit: nonzero
// expect: DEADLOCK
// expect: MPI_File_write_all
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    barrier();
    unlink(file_name);
    if (rank == 1)
        CHECK_SUCCESS(MPI_Recv(&size, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_File_write_all(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    return finish();
}
