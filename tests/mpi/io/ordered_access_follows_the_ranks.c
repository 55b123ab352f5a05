// MPI 5.0 section 14.4.4: "For each process in the group, the location in the file at which data is
// accessed is the position at which the shared file pointer would be after all processes with ranks
// in the group less than that of this process had accessed their data."
// ranks: 1 3 16
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_view(file, 12, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    int numbers[64], back[64];
    for (int round = 0, start = 0; round < 3; ++round) {
        int count = (rank * 7 + round) % 5; // also none
        for (int i = 0; i < count; ++i)
            numbers[i] = 10000 * round + 100 * rank + i;
        MPI_Status status;
        CHECK_SUCCESS(MPI_File_write_ordered(file, numbers, count, MPI_INT, &status));
        CHECK_EQUAL(count_in(&status, MPI_INT), count);
        for (int other = 0; other < size; ++other)
            start += (other * 7 + round) % 5;
        CHECK_EQUAL(shared_position_of(file), start);
        barrier();
    }
    CHECK_SUCCESS(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    for (int round = 0; round < 3; ++round) {
        int count = (rank * 7 + round) % 5;
        MPI_Status status;
        if (round == 1) {
            CHECK_SUCCESS(MPI_File_read_ordered_begin(file, back, count, MPI_INT));
            CHECK_SUCCESS(MPI_File_read_ordered_end(file, back, &status));
        } else {
            CHECK_SUCCESS(MPI_File_read_ordered(file, back, count, MPI_INT, &status));
        }
        CHECK_EQUAL(count_in(&status, MPI_INT), count);
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(back[i], 10000 * round + 100 * rank + i);
    }
    CHECK_EQUAL(position_of(file), 0);
    CHECK_SUCCESS(MPI_File_write_ordered_begin(file, &rank, 1, MPI_INT));
    CHECK_SUCCESS(MPI_File_write_ordered_end(file, &rank, MPI_STATUS_IGNORE));
    barrier();
    int seen;
    read_outside((long)size_of(file) - 4 * (size - rank), &seen, 4);
    CHECK_EQUAL(seen, rank);
    close_file(&file);
    return finish();
}
