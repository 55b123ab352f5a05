// MPI 5.0 section 14.6.11: "The ``sync-barrier-sync'' construct is required because: The barrier
// ensures that the write on process 0 occurs before the read on process 1. The first sync
// guarantees that the data written by all processes is transferred to the storage device. The
// second sync guarantees that all data that has been transferred to the storage device is visible
// to all processes."
// ranks: 2 5
#include "files.h"

int main(void) {
    start_with_file();
    // Two opens of one file: section 14.6.1, case 3.
    MPI_File first = open_new(), second;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR, MPI_INFO_NULL, &second));
    for (int round = 0; round < 10; ++round) {
        int a[10], b[10];
        for (int i = 0; i < 10; ++i)
            a[i] = round * 10 + i;
        if (rank == round % size)
            CHECK_SUCCESS(MPI_File_write_at(first, 0, a, 10, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_File_sync(first));
        barrier();
        CHECK_SUCCESS(MPI_File_sync(first));
        CHECK_SUCCESS(MPI_File_sync(second));
        CHECK_SUCCESS(
            MPI_File_read_at(round % 2 ? first : second, 0, b, 10, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_EQUAL(memcmp(a, b, sizeof a), 0);
        barrier();
    }
    CHECK_SUCCESS(MPI_File_close(&second));
    close_file(&first);
    return finish();
}
