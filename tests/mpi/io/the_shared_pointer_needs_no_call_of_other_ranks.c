// MPI 5.0 section 14.4.4: "MPI maintains exactly one shared file pointer per collective
// MPI_FILE_OPEN (shared among processes in the communicator group)." Rank 0 computes, and calls
// nothing of MPI, until it sees all that the others write at the shared pointer.
// ranks: 2 5
#include "files.h"

enum { kTimes = 20, kInts = 3 };

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    const long expected = (long)(size - 1) * kTimes * kInts * (long)sizeof(int);
    if (rank == 0) {
        struct stat status;
        do {
            usleep(100);
            CHECK_EQUAL(stat(file_name, &status), 0);
        } while (status.st_size < expected);
    } else {
        for (int time = 0; time < kTimes; ++time) {
            const int record[kInts] = {rank, time, rank + time};
            CHECK_SUCCESS(MPI_File_write_shared(file, record, kInts, MPI_INT, MPI_STATUS_IGNORE));
        }
    }
    barrier();
    CHECK_EQUAL(shared_position_of(file), expected / (long)sizeof(int));
    // Every record is whole, and those of a rank are in the order of its calls.
    if (rank == 0) {
        int next[64] = {0};
        for (long at = 0; at < expected; at += kInts * (long)sizeof(int)) {
            int record[kInts];
            CHECK_EQUAL(read_outside(at, record, sizeof record), sizeof record);
            CHECK(record[0] > 0 && record[0] < size);
            CHECK_EQUAL(record[1], next[record[0]]++);
            CHECK_EQUAL(record[2], record[0] + record[1]);
        }
    }
    barrier();
    close_file(&file);
    return finish();
}
